"""Tell the arguments of a call while they are written: each value by its path, long texts in parts.

A machine without I/O. What is no JSON ends it: whoever has the whole arguments says so.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Final

from sessions.resources.contents import NullValue, PartialArg

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_SCALAR: Final = re.compile(r"[-+.\w]{1,400}")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_NAME: Final = re.compile(r'"((?:[^"\\]|\\.){0,1000})"')
_LONGEST: Final = 1_100
"""Characters of a name or a number that are waited for."""
_TEXT: Final = re.compile(
    r"(?:[^\"\\]|\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}"
    r"|\\u(?![dD][89abAB])[0-9a-fA-F]{4})*",
)
"""Text up to the end of a string, or up to a character that is not there whole."""
_DEEPEST: Final = 64
"""Objects and lists within one another: each value is told with its whole path."""
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_WORDS: Final = {"true": True, "false": False}
_State = Callable[[str, list[PartialArg]], bool]
"""Reads on from a first character, as `PartialArguments._step` does."""


class PartialArguments:
    """Reads the arguments of one call in the pieces in which a model writes them."""

    def __init__(self) -> None:
        self._buffer = ""
        self._at = 0
        self._path: list[str | int] = []
        """Where the next value stands: names of members and indexes of elements."""
        self._state: _State = self._root

    def feed(self, text: str) -> tuple[PartialArg, ...]:
        """Return what becomes known of the values."""
        self._buffer += text
        found: list[PartialArg] = []
        while self._step(found):
            pass
        self._buffer, self._at = self._buffer[self._at :], 0
        return tuple(found)

    def _step(self, found: list[PartialArg]) -> bool:
        """Read what comes next; False where more has to be known, or nothing can be read."""
        if self._state != self._in_text:
            space = _SPACE.match(self._buffer, self._at)
            self._at = space.end() if space else self._at
        return self._at < len(self._buffer) and self._state(self._buffer[self._at], found)

    def _root(self, first: str, _: list[PartialArg]) -> bool:
        return first == "{" and self._open_object()

    def _open_object(self) -> bool:
        return self._open("", self._first_name)

    def _open(self, place: str | int, state: _State) -> bool:
        """Go on within an object or a list, whose values stand below *place*."""
        if len(self._path) == _DEEPEST:
            return self._end()
        self._at += 1
        self._path.append(place)
        self._state = state
        return True

    def _first_name(self, first: str, found: list[PartialArg]) -> bool:
        return self._close() if first == "}" else self._name(first, found)

    def _name(self, _: str, __: list[PartialArg]) -> bool:
        name = _NAME.match(self._buffer, self._at)
        if name is None:
            return self._wait()
        try:
            self._path[-1] = json.loads(name[0])
        except ValueError:
            return self._end()
        self._at, self._state = name.end(), self._colon
        return True

    def _colon(self, first: str, _: list[PartialArg]) -> bool:
        self._at, self._state = self._at + 1, self._value
        return first == ":" or self._end()

    def _first_element(self, first: str, found: list[PartialArg]) -> bool:
        return self._close() if first == "]" else self._value(first, found)

    def _value(self, first: str, found: list[PartialArg]) -> bool:
        if first == "{":
            return self._open_object()
        if first == "[":
            return self._open(0, self._first_element)
        if first == '"':
            self._at, self._state = self._at + 1, self._in_text
            # An empty text is one, too, and its end may come later.
            return self._in_text("", found)
        return self._scalar(found)

    def _scalar(self, found: list[PartialArg]) -> bool:
        word = _SCALAR.match(self._buffer, self._at)
        if word is None or word.end() == len(self._buffer):
            return self._wait() if word else self._end()
        path = self._shown_path()
        if word[0] in _WORDS:
            found.append(PartialArg(json_path=path, bool_value=_WORDS[word[0]]))
        elif word[0] == "null":
            found.append(PartialArg(json_path=path, null_value=NullValue.NULL_VALUE))
        elif _NUMBER.fullmatch(word[0]) and math.isfinite(float(word[0])):
            found.append(PartialArg(json_path=path, number_value=float(word[0])))
        else:
            return self._end()
        self._at, self._state = word.end(), self._after_value
        return True

    def _in_text(self, _: str, found: list[PartialArg]) -> bool:
        text = _TEXT.match(self._buffer, self._at)
        if text is None:
            raise AssertionError("it matches nothing, too")
        self._at = text.end()
        ends = self._buffer[self._at : self._at + 1] == '"'
        try:
            shown = json.loads(f'"{text[0]}"', strict=False)
        except ValueError:
            return self._end()
        if shown or ends:
            found.append(
                PartialArg(json_path=self._shown_path(), string_value=shown, will_continue=not ends)
            )
        if ends:
            self._at, self._state = self._at + 1, self._after_value
        return ends

    def _after_value(self, first: str, _: list[PartialArg]) -> bool:
        place = self._path[-1]
        if first == ("}" if isinstance(place, str) else "]"):
            return self._close()
        self._at += 1
        if isinstance(place, int):
            self._path[-1], self._state = place + 1, self._value
        else:
            self._state = self._name
        return first == "," or self._end()

    def _close(self) -> bool:
        self._at += 1
        self._path.pop()
        self._state = self._after_value if self._path else self._nothing
        return True

    def _wait(self) -> bool:
        """Wait for the rest of a name or a number, which is not long."""
        return False if len(self._buffer) - self._at < _LONGEST else self._end()

    def _end(self) -> bool:
        self._state = self._nothing
        return False

    def _nothing(self, _: str, __: list[PartialArg]) -> bool:
        self._at = len(self._buffer)
        return False

    def _shown_path(self) -> str:
        """Return where the value stands, as a JSONPath (RFC 9535)."""
        return "$" + "".join(map(_shown_step, self._path))


def _shown_step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_NAME.fullmatch(step):
        return f".{step}"
    quoted = json.dumps(step)[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"['{quoted}']"
