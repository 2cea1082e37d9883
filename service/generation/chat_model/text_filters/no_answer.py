"""Recognise that a model found no answer, by the marker that it was given or by its own words.

A machine without I/O; how the text was cut into pieces changes nothing. A text that is nothing but
an apology shows nothing, in any of the languages of ``apologies.txt``: it is held back sentence by
sentence, as long as it may be one. A text that goes on with something to tell is told whole, since
"the sources do not say when, but …" is an answer. What was told cannot be taken back: after it the
marker alone is taken out.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from enum import Enum, auto
from typing import Final

import msgspec

NO_ANSWER: Final = "NO_ANSWER"
"""What the model is told to write, and nothing else, where the sources hold no answer."""

_MARKUP: Final = " \t\r\n*_`\"'“”‘’#>[("
_LONGEST_MARKUP: Final = 64
"""Characters; where no word has come by then, the text is shown as it is."""
_LONGEST: Final = 1_200
"""Characters of an apology: longer ones have something to tell."""
_MARKER: Final = re.compile(r"no(?:\\?_|-)answer", re.IGNORECASE)
_BEGINNINGS: Final = ("no_answer", "no\\_answer", "no-answer")
_STOP: Final = re.compile(r"[.!?]+[\"'’”»)\]*_`]*(?=\s)|[。！？]+|\n")
_BUT: Final = re.compile(
    r"\b(?:but|however|although|though|pero|aunque|sin embargo|mais|toutefois|cependant|aber"
    r"|allerdings|jedoch|mas|ma|però|maar)\b|但是|但|不过|しかし|ただし"
)
_CITED: Final = re.compile(
    r"[\[【(]\s*\^?(?:sources? ?)?\d{1,2}(?:\s*[,;]\s*\d{1,2})*\s*[^\]】)]{0,12}[\]】)]"
)
_LATE: Final = re.compile(r"(?<![\w`*\"'(])[*\"'(]{0,3}NO\\?_ANSWER(?!\w)[*\"')]{0,3}\.?")
_LATE_BEGINS: Final = re.compile(
    r"(?<![\w`*\"'(])(?:[*\"'(]{1,3}|[*\"'(]{0,3}N(?:O(?:\\?_?|\\?_A(?:N(?:S(?:W(?:E)?)?)?)?"
    r"|\\?_ANSWER[*\"')]{0,3}\.?)?)?)$"
)


_LONGEST_LATE: Final = 24
"""Characters of a marker with what it is wrapped in."""


class _Verdict(Enum):
    UNDECIDED = auto()
    TELLS = auto()
    NO_ANSWER = auto()


class NoAnswerFilter:
    """Holds back the beginning of a text until it is certain that it tells something.

    *refused* says that it does not: then the rest is not wanted, and `feed` returns nothing.
    """

    def __init__(self) -> None:
        self._held = ""
        self._open = True
        self._previous = ""
        """The last character that was told."""
        self.refused = False

    def feed(self, text: str) -> str:
        """Return what may be shown now; white space before the first word is dropped."""
        if self.refused:
            return ""
        if not self._open:
            return self._without_marker(text)
        self._held = (self._held + text).lstrip()
        return self._decide(_verdict(self._held, last=False))

    def finish(self) -> str:
        """Return what is still held back; call it once the text has ended."""
        if self.refused:
            return ""
        if self._open and self._held:
            verdict = _verdict(self._held, last=True)
            shown = self._decide(verdict if verdict is _Verdict.NO_ANSWER else _Verdict.TELLS)
        else:
            shown = ""
        rest = _without_markers(self._previous + self._held, len(self._previous))
        self._held = ""
        return shown + rest

    def _decide(self, verdict: _Verdict) -> str:
        if verdict is _Verdict.UNDECIDED:
            return ""
        self._open, self.refused = False, verdict is _Verdict.NO_ANSWER
        held, self._held = self._held, ""
        return "" if self.refused else self._without_marker(held)

    def _without_marker(self, text: str) -> str:
        """Return *text* without the marker, and without what may turn out to begin it."""
        # What stands before a marker decides whether it is one.
        whole = self._previous + self._held + text
        since = max(len(self._previous), len(whole) - _LONGEST_LATE)
        # What a marker is wrapped in begins no other.
        ends = (found.end() for found in _LATE.finditer(whole, len(self._previous)))
        since = max([since, *(end for end in ends if end < len(whole))])
        begins = _LATE_BEGINS.search(whole, since)
        told = whole[: begins.start()] if begins else whole
        self._held = whole[len(told) :]
        shown = _without_markers(told, len(self._previous))
        self._previous = told[-1:]
        return shown


def _without_markers(text: str, at: int) -> str:
    """Return *text* from *at* on, without the markers in it."""
    kept = list[str]()
    for found in _LATE.finditer(text, at):
        kept.append(text[at : found.start()])
        at = found.end()
    return "".join((*kept, text[at:]))


def is_apology(sentence: str) -> bool:
    """Tell whether *sentence* says that the sources do not say something, and nothing else."""
    lower = sentence.lower().replace("’", "'").strip(_MARKUP)
    return " ".join(lower[:64].split()).startswith(_apologies().openers) and bool(_kind_of(lower))


class _Apologies(msgspec.Struct, frozen=True):
    openers: tuple[str, ...]
    apology: re.Pattern[str]
    uncited: re.Pattern[str]
    courtesy: re.Pattern[str]


def _verdict(text: str, *, last: bool) -> _Verdict:
    """Tell whether *text*, which is whole if it is the *last*, has anything to tell.

    What it says of the beginning of a text other than `UNDECIDED` it says of the whole.
    """
    bare = text.lstrip(_MARKUP)
    if len(text) - len(bare) >= _LONGEST_MARKUP or len(bare) > _LONGEST:
        return _Verdict.TELLS
    if _MARKER.match(bare) or bare.startswith("NO ANSWER"):
        return _Verdict.NO_ANSWER
    lower = bare.lower().replace("’", "'")
    begins = (one.startswith(lower) for one in _BEGINNINGS)
    if not last and ("NO ANSWER".startswith(bare) or any(begins)):
        return _Verdict.UNDECIDED
    return _judge(lower, last=last)


def _judge(text: str, *, last: bool) -> _Verdict:
    """Tell whether *text*, in lower case, is more than an apology."""
    known = _apologies()
    plain = " ".join(text[:64].split())
    if not plain.startswith(known.openers) and (
        last or not any(one.startswith(plain) for one in known.openers)
    ):
        return _Verdict.TELLS
    at, apologised = 0, False
    for stop in _STOP.finditer(text):
        if apologised and _begins_with_marker(text, at):
            return _Verdict.NO_ANSWER
        kind = _kind_of(text[at : stop.end()])
        if kind is None:
            return _Verdict.TELLS
        at, apologised = stop.end(), apologised or kind
    if apologised and _begins_with_marker(text, at):
        return _Verdict.NO_ANSWER
    if not last:
        return _Verdict.UNDECIDED
    kind = _kind_of(text[at:])
    return _Verdict.NO_ANSWER if kind is not None and (apologised or kind) else _Verdict.TELLS


def _begins_with_marker(text: str, at: int) -> bool:
    return _MARKER.match(text[at : at + _LONGEST_MARKUP].lstrip(_MARKUP)) is not None


def _kind_of(sentence: str) -> bool | None:
    """Return True for an apology, False for what may stand beside it, None for anything else."""
    known, found = _apologies(), False
    cites = _CITED.search(sentence) is not None
    bare = " ".join(_CITED.sub("", sentence).split())
    for part in _BUT.split(bare):
        if known.apology.search(part.strip(" ,;:")) or (not cites and known.uncited.search(part)):
            found = True
        elif not known.courtesy.search(part.strip(" ,;:")) and any(map(str.isalnum, part)):
            return None
    return found


@functools.cache
def _apologies() -> _Apologies:
    """Read ``apologies.txt``."""
    file = importlib.resources.files("service.generation.chat_model.text_filters").joinpath(
        "apologies.txt"
    )
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, _, rest = line.partition("\t")
            found.setdefault(kind, []).append(rest)
    patterns = {
        kind: re.compile("|".join(found[kind])) for kind in ("apology", "uncited", "courtesy")
    }
    return _Apologies(openers=tuple(found["opener"]), **patterns)
