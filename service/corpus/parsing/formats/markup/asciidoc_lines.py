"""Do what AsciiDoc does before it reads: attributes, conditions, comments and includes.

What another file holds is not known here, and the line that includes it is left out. A condition is
judged by the attributes that the page itself sets, as a page that is made alone is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_CONDITION: Final = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[\]\s]{0,200})\[(.{0,500})\]\s*$")
_INCLUDE: Final = re.compile(r"include::[^\[\n]{1,500}\[[^\]\n]{0,500}\]\s*$")
_ATTRIBUTE: Final = re.compile(r":(!?)(\w[\w-]{0,80})(!?):(?:[ \t]+(.{0,2000}))?\s*$")
_USED: Final = re.compile(r"(\\?)\{(\w[\w-]{0,80})\}")
_EQUATION: Final = re.compile(
    r"\s*[\"']?([^\"'=!]{0,200})[\"']?\s*([=!]=)\s*[\"']?([^\"'=!]{0,200})[\"']?"
)
_COMMENT: Final = re.compile(r"//(?!/)|///(?!/)")
_DELIMITER: Final = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,})$|```")
_SIGNS: Final = {
    **dict.fromkeys(("empty", "blank", "zwsp", "wj"), ""),
    "sp": " ",
    "nbsp": " ",
    "apos": "'",
    "quot": '"',
    "plus": "+",
    "vbar": "|",
    "deg": "°",
    "lsquo": "‘",
    "rsquo": "’",
    "ldquo": "“",
    "rdquo": "”",
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "startsb": "[",
    "endsb": "]",
    "backslash": "\\",
    "asterisk": "*",
    "caret": "^",
    "tilde": "~",
    "backtick": "`",
    "two-colons": "::",
    "two-semicolons": ";;",
    "cpp": "C++",
    "pp": "++",
}
"""The attributes that every page has, and that stand for signs."""
_VALUE: Final = 2_000
_GROWTH: Final = 2_000_000
"""Characters that attributes add to a page at most: a value of values would never end."""


def resolved(text: str) -> Iterator[str]:
    """Yield the lines of *text* that are read, with the values of its attributes in them."""
    source = _Source()
    for line in text.split("\n"):
        yield from source.read(line.rstrip())


class _Source:
    def __init__(self) -> None:
        self._attributes = dict(_SIGNS)
        self._conditions: list[bool] = []
        self._verbatim = ""  # what ends the block that is open and holds no markup
        self._value = ""  # an attribute whose value goes on in the next line
        self._left = _GROWTH

    def read(self, line: str) -> Iterator[str]:
        """Yield what *line* is read as, or nothing."""
        if found := _CONDITION.match(line):
            line = self._judge(found)
            if not line:
                return
        if not all(self._conditions) or _INCLUDE.match(line):
            return
        if self._verbatim or _DELIMITER.match(line):
            yield from self._within(line)
        elif self._value:
            self._set(self._value, line.strip())
        elif found := _ATTRIBUTE.match(line):
            self._define(found)
        elif not _COMMENT.match(line):
            yield self._filled(line)

    def _within(self, line: str) -> Iterator[str]:
        """Yield *line*, which is of code or begins it, unless it is of a comment."""
        opened = self._verbatim or ("```" if line.startswith("```") else line)
        self._verbatim = "" if line == self._verbatim else opened
        if not opened.startswith("/"):
            yield line

    def _judge(self, condition: re.Match[str]) -> str:
        """Open or end a *condition*; return the line that it holds, "" for none to be read."""
        kind, names, said = condition.groups()
        if kind == "endif":
            del self._conditions[-1:]
            return ""
        if kind == "ifeval":
            equation = _EQUATION.match(self._filled(said))
            equal = equation is not None and equation[1].strip() == equation[3].strip()
            holds = equation is not None and equal == (equation[2] == "==")
        else:
            every = all if "+" in names else any
            holds = every(name in self._attributes for name in re.split(r"[,+]", names))
            holds = holds == (kind == "ifdef")
        if said and kind != "ifeval":
            return said if holds else ""
        self._conditions.append(holds)
        return ""

    def _define(self, attribute: re.Match[str]) -> None:
        off, name, unset, value = attribute.groups()
        if off or unset:
            self._attributes.pop(name, None)
        else:
            self._attributes[name] = ""
            self._set(name, value or "")

    def _set(self, name: str, value: str) -> None:
        goes_on = value.endswith(" \\")
        filled = self._filled(value.removesuffix(" \\"))
        self._attributes[name] = f"{self._attributes[name]} {filled}".strip()[:_VALUE]
        self._value = name if goes_on else ""

    def _filled(self, line: str) -> str:
        return _USED.sub(self._valued, line) if "{" in line else line

    def _valued(self, used: re.Match[str]) -> str:
        if used[1]:
            return used[0][1:]
        value = self._attributes.get(used[2].lower())
        if value is None or self._left < len(value):
            return used[0]
        self._left -= len(value)
        return value
