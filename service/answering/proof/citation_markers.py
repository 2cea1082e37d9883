"""Tell the markers that a model puts behind its statements from the text, as the text grows.

A model is asked to write ``[1]`` or ``[1, 2]``; models write ``【1†source】``, ``[^1]``,
``[Source: 2]``, ``[1](#source-1)``, ``(source 1)``, ``<sup>1</sup>``, ``word¹`` and ``(1)`` as
well. The last three may mean something else, so they count only where they can hardly be anything
but a marker: in a text without brackets, with the number of a source, behind a word, and the very
last at the end of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_WORDS: Final = (
    *("sources", "source", "src", "refs", "ref", "references", "reference", "docs", "doc"),
    *("documents", "document", "citations", "citation", "cite", "see source", "see", "quellen"),
    *("quelle", "fuentes", "fuente", "fontes", "fonte", "fonti", "bronnen", "bron", "来源", "资料"),
    *("参考", "出典", "資料", "ソース"),
)
"""What models name a source, the longer before what begins it."""


def _beginnings(words: Sequence[str]) -> str:
    """Return a pattern of every beginning of *words*."""
    every = {word[:size] for word in words for size in range(1, len(word) + 1)}
    return "(?:" + "|".join(sorted(map(re.escape, every), key=len, reverse=True)) + ")"


_WORD: Final = f"(?:{'|'.join(_WORDS)})"
_NUMBER: Final = r"[1-9]\d?(?!\d)"
_JOINT: Final = r"(?: ?(?:[,;、，；&+/\-–—]|and|und|et|y|e|和|及) ?)"
_LABEL: Final = r" ?(?:number|no\.?|nr\.?|n°)? ?[:=#]? ?\"?#?"
_LEAD: Final = rf" ?\^? ?(?:{_WORD}{_LABEL})?"
_NUMBERS: Final = rf"{_NUMBER}(?:{_JOINT}(?:{_WORD} ?)?[\^#]?{_NUMBER})*"
_TAIL: Final = r"(?::\d{1,2})?(?:†[^\[\]【】\n]{0,40})?\"?\^? ?"
_BRACKET: Final = rf"[\[【［]{_LEAD}(?P<in_brackets>{_NUMBERS}){_TAIL}[\]】］]"
_DOUBLE: Final = rf"\[\[{_LEAD}(?P<in_double>{_NUMBERS}){_TAIL}\]\]"
_LINK: Final = r"(?:\((?:https?:|www\.|[#/])[^\s()]{0,200}\))?"
_NAMED: Final = rf"[(（] ?{_WORD}{_LABEL}(?P<named>{_NUMBERS}) ?[)）]"
_TAGS: Final = ("sup", "cite", "source", "ref")
_TAGGED: Final = (
    rf"<(?P<tag>{'|'.join(_TAGS)})>(?P<bracketed>\[?)(?P<tagged>{_NUMBERS})\]?</(?P=tag)>"
)
_PAREN: Final = rf"[(（] ?(?P<paren>{_NUMBERS}) ?[)）]"
_RAISED: Final = (
    r"(?P<raised>[¹²³⁴-⁹][⁰¹²³⁴-⁹]?(?:[,⁻˒][¹²³⁴-⁹][⁰¹²³⁴-⁹]?)*)|\^(?P<caret>[1-9]\d?)\^"
)
_MARKER: Final = re.compile(
    rf"(?:{_DOUBLE}|{_BRACKET}){_LINK}|{_NAMED}|{_TAGGED}|{_PAREN}|{_RAISED}", re.IGNORECASE
)
_BEGUN: Final = (
    rf"(?: ?\^? ?(?:{_beginnings(_WORDS)}|{_WORD}[ a-z.°:=#\"]{{0,10}})?|{_LEAD}{_NUMBER}%s)"
)
"""The inside of a marker that is not closed yet; in its place what may follow the first number."""
_LOOSE: Final = r"(?:[\d ,;、，；&+/\-–—^#\":.a-z和及]{0,48}(?:†[^\[\]【】\n]{0,40})?)"
_IN_BRACKETS: Final = re.compile(
    rf"(?:\[\[|[\[【［]){_BEGUN % _LOOSE}\]?"
    rf"|(?:{_DOUBLE}|{_BRACKET.replace('in_brackets', 'again')})"
    r"(?:\((?:[hw#/][^\s()\[\]]{0,210}\)?)?)?",
    re.IGNORECASE,
)
_IN_PARENTHESES: Final = re.compile(
    rf"[(（]{_BEGUN % r'[0-9 ,;、，；&+/–—a-z-]{0,24}'}[)）]?", re.IGNORECASE
)
_IN_TAGS: Final = re.compile(
    rf"<(?:{_beginnings(_TAGS)}|(?:{'|'.join(_TAGS)})>[\d ,;&\[\]/<a-z-]{{0,24}}>?)", re.IGNORECASE
)
_IN_CARETS: Final = re.compile(r"\^(?:[1-9]\d?\^?)?")
_IN_RAISED: Final = re.compile(r"[¹²³⁴-⁹][⁰¹²³⁴-⁹,⁻˒]{0,12}")
_HELD: Final = {
    **dict.fromkeys("[【［", _IN_BRACKETS),
    **dict.fromkeys("(（", _IN_PARENTHESES),
    **dict.fromkeys("¹²³⁴⁵⁶⁷⁸⁹", _IN_RAISED),
    "<": _IN_TAGS,
    "^": _IN_CARETS,
}
"""For its first character, all that may become a marker, or grow to a longer one."""
_RAISED_DIGITS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_RUN: Final = re.compile(r"[^\s\[【［(（<^¹²³⁴-⁹`]+|\s+|[\[【［(（<^¹²³⁴-⁹`]")
_RANGE: Final = re.compile(r"(\d+) ?[-–—] ?\D{0,12}(\d+)")
_LONGEST_RANGE: Final = 20
_PLAIN_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")
_NO_CITATION: Final = re.compile(
    r"(?:\b(?:articles?|sections?|§|steps?|figures?|tables?|pages?|forms?|options?|items?|numbers?"
    r"|no\.?|paragraphs?|clauses?|chapters?|parts?|levels?|versions?|types?|class(?:es)?|phases?"
    r"|rules?|lines?|rows?|columns?|questions?|cases?|notes?|appendix|schedule|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|un|une?|uno|una|dos|tres|deux|trois|ein|eine|zwei|drei)"
    r"|\d)\W*$",
    re.IGNORECASE,
)
"""What a number in brackets belongs to: "Article 5 (1)", "two (2) copies"."""
_RAISES: Final = re.compile(r"(?:[^\W\d_]{4,}|[.!?。！？,;:\"'’”»)\]])$")
_UNIT: Final = re.compile(
    r"(?:met(?:er|re)s?|feet|foot|inch(?:es)?|miles?|yards?|(?:kilo|centi|milli|quadrat)met(?:er|re)s?)$",
    re.IGNORECASE,
)
_ENDS: Final = frozenset(("", "\n", *".!?。！？", "(", "（"))
"""What follows a number in parentheses that is a marker: the end, or the next."""
_REMEMBERED: Final = 48
"""Characters before a marker that show what it belongs to."""


class _Found(NamedTuple):
    numbers: tuple[int, ...]
    length: int
    style: str
    """How it is written, "" where it can be nothing but a marker."""
    written: int
    """How many numbers stand in it."""


class MarkerReader:
    """Separates markers from text, whatever it is cut into.

    What may be the beginning of a marker is held, with the white space before it, until the next
    characters decide; so is white space at the end. *count* sources can be cited. Code between
    back quotes is text.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._space: list[str] = []
        """The white space held."""
        self._held = ""
        """What may be a marker, held behind it."""
        self._gap: _Gap | None = None
        """White space that stood before a marker just taken out, None where none was."""
        self._before = ""
        """How the text ends that was yielded."""
        self._style: str | None = None
        """How the first marker was written: a model keeps to one way."""
        self._ticks = 0
        self._in_line = self._in_fence = False

    def feed(self, text: str) -> Iterator[str | tuple[int, ...]]:
        """Yield text, and markers as their numbers (from 1), in order."""
        for run in _RUN.findall(text):
            at = 0
            while self._held and at < len(run):
                yield from self._step(run[at])
                at += 1
            if rest := run[at:]:
                yield from self._step(rest)

    def finish(self) -> Iterator[str | tuple[int, ...]]:
        """Yield what is held, less the white space at the end."""
        while self._held:
            yield from self._decide("")
        self._space = []

    def _step(self, run: str) -> Iterator[str | tuple[int, ...]]:
        """Take a run of white space or of other characters; a single one where some are held."""
        if run != "`":
            self._end_ticks()
        if self._held:
            if _HELD[self._held[0]].fullmatch(self._held + run):
                self._held += run
                return
            yield from self._decide(run)
            # What was held may be held still, less its first characters.
            yield from self._step(run)
            return
        if run.isspace():
            self._space.append(run)
            return
        if run in _HELD and not self._in_code:
            self._held = run
            return
        if self._space or self._gap is not None:
            yield self._release(run)
        self._ticks += run == "`"
        yield self._told(run)

    def _decide(self, after: str) -> Iterator[str | tuple[int, ...]]:
        """Take what is held for a marker or for text, now that *after* follows it."""
        held, self._held = self._held, ""
        found = _read(held, self._count)
        follows = held[found.length : found.length + 1] or after if found else after
        if found is not None and self._is_marker(found, follows):
            self._style = self._style or found.style or "bracket"
            yield found.numbers
            self._gap, self._space = self._wider_gap(), []
            rest = held[found.length :]
        else:
            if self._space or self._gap is not None:
                yield self._release(held[0])
            rest = held.lstrip(_RAISED_DIGITS) if held[0] in _RAISED_DIGITS else held[1:]
            yield self._told(held[: len(held) - len(rest)])
        yield from self.feed(rest)

    def _is_marker(self, found: _Found, after: str) -> bool:
        """Tell whether what was *found* is a marker, in its place before *after*."""
        if not found.style:
            return True
        known = len(found.numbers) == found.written
        if not known or self._style not in (None, found.style):
            return False
        before = self._before + "".join(self._space)
        bare = before.rstrip()
        if found.style == "raised":
            return _RAISES.search(bare) is not None and not _UNIT.search(bare)
        starts_line = not bare or "\n" in before[len(bare) :]
        follows_word = self._gap is None and bare == before and bare[-1:].isalnum()
        if starts_line or follows_word or _NO_CITATION.search(bare):
            return False
        return after in _ENDS or (self._style == found.style and not after.isalnum())

    def _release(self, run: str) -> str:
        """Return the white space that goes before *run*, which is text."""
        gap = self._wider_gap()
        if self._gap is not None and not self._space:
            closes_up = run[:1] in CLOSE_UP and not gap.lines
            gap = _Gap(0, 0, "") if closes_up else gap
        self._space, self._gap = [], None
        self._in_line = self._in_line and not gap.lines
        return self._told(gap.text)

    def _told(self, text: str) -> str:
        self._before = (self._before + text)[-_REMEMBERED:]
        return text

    def _wider_gap(self) -> _Gap:
        """Return the white space held or that before a marker, whichever separates more."""
        space = "".join(self._space)
        gap = _Gap(space.count("\n"), len(space), space)
        return gap if self._gap is None else max(self._gap, gap, key=lambda one: one[:2])

    @property
    def _in_code(self) -> bool:
        return self._in_line or self._in_fence

    def _end_ticks(self) -> None:
        """Enter or leave code when a run of back quotes is over."""
        if self._ticks == 1:
            self._in_line = not self._in_line and not self._in_fence
        elif self._ticks >= len("```"):
            self._in_fence, self._in_line = not self._in_fence, False
        self._ticks = 0


class _Gap(NamedTuple):
    """White space: what separates more has more *lines*, or as many and is longer."""

    lines: int
    length: int
    text: str


CLOSE_UP: Final = frozenset(".,;:!?…。！？，、；：\"'’”»)*]_`」』）】")
"""No white space is left before these when a marker is taken out."""


def _read(held: str, count: int) -> _Found | None:
    """Return the marker that *held* begins with, if it is one."""
    found = _MARKER.match(held)
    if found is None:
        return None
    style = ""
    if found["paren"]:
        style = "paren"
    elif found["raised"] or found["caret"] or (found["tag"] == "sup" and not found["bracketed"]):
        style = "raised"
    given = next(filter(None, (found[name] for name in _GROUPS)))
    numbers = _numbers(given.translate(_PLAIN_DIGITS), count if style == "raised" else 0)
    if ":" in found[0] and found[0][0] == "【":
        numbers = []  # "4:0" counts calls of a tool, and not sources
    return _Found(
        tuple(one for one in numbers if not style or one <= count), found.end(), style, len(numbers)
    )


_GROUPS: Final = ("in_double", "in_brackets", "named", "tagged", "paren", "raised", "caret")


def _numbers(given: str, count: int) -> list[int]:
    """Return the numbers in *given*; of two digits, where only *count* are known, each."""
    numbers = list[int]()
    for first, last in _RANGE.findall(given):
        if int(first) < int(last) < int(first) + _LONGEST_RANGE:
            given += "," + ",".join(map(str, range(int(first) + 1, int(last))))
    for digits in re.findall(r"\d+", given):
        apart = 0 < count < int(digits)
        numbers += map(int, digits) if apart else [int(digits)]
    return sorted(numbers) if _RANGE.search(given) else numbers
