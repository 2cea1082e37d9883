"""Turn the pieces of a growing answer into its text and the citations of its sentences.

The builder is a machine without I/O: feed it pieces, tell what it returns. How the text was cut
into pieces never changes the text or the citations. Everything it returns is final: it holds back
what may turn out to be a marker, the white space before it, and half a character. Its work grows
with the text and no faster, whatever the text is: a model may repeat anything without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from service.generation.generator import Piece
from sessions.resources import answers

_HELD: Final = re.compile(r"\[[\d ,;]{0,30}")
_MARKER: Final = re.compile(r"\[( ?[1-9]\d?(?: ?[,;] ?[1-9]\d?)* ?)\]")
_CLOSERS: Final = "\"'’”»)]*_`」』）】"
_STOPS: Final = tuple(".!?…。！？")
_SPACELESS_STOPS: Final = tuple("。！？")
_CLOSE_UP: Final = frozenset(".,;:!?…。！？，、；：" + _CLOSERS)
"""No white space is left before these when a marker is taken out."""
_RUN: Final = re.compile(r"[^\s\[`]+|\s+|[\[`]")
_MARKS: Final = re.escape("".join(sorted(_CLOSE_UP)))
_WORD_OR_GAP: Final = re.compile(rf"\s+|[{_MARKS}]+|[^\s{_MARKS}]+")
_LIST_MARKER: Final = re.compile(r"(?:[-*+•·–◦▪>]|#{1,6}|\(?(?:\d{1,3}|[A-Za-z])[.)])")
_NO_STOP: Final = re.compile(
    r"(?:^|[\s(\"'“«])(?:[^\W\d_]|e\.g|i\.e|cf|vs|mrs?|ms|drs?|st|no|nos|art|fig|approx|inc|ltd|p|pp"
    r"|prof|gen|gov|sen|rep|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|[ap]\.m|z\.b|d\.h"
    r"|bzw|sra?|núm|p\.ej)\.$",
    re.IGNORECASE,
)
_REPLACEMENT: Final = "\ufffd"
_ENOUGH: Final = 16
"""Characters at either end of a sentence that show more than any pattern above asks for."""


class CitationBuilder:
    """Builds text and citations of one answer.

    *references* gives, for each source that the generator saw, the place of its reference. With
    *marks_inline* markers such as ``[1]`` or ``[1, 2]`` (1-based, after or before the punctuation)
    are taken out of the text; otherwise `Piece.sources` ends a sentence. A number out of range is
    dropped with its marker, and brackets with more than two digits are text. Code between back
    quotes is text as well.

    *written* and *citations* are what was told before a take-over; the offsets go on from there.
    """

    def __init__(
        self,
        references: Sequence[int],
        *,
        marks_inline: bool,
        written: str = "",
        citations: Sequence[answers.Citation] = (),
    ) -> None:
        self._references = tuple(references)
        self._marks_inline = marks_inline
        self._markers = _Markers()
        self._sentences = _Sentences(written, citations, splits=marks_inline)
        self._half = ""

    def feed(self, piece: Piece) -> tuple[str, tuple[answers.Citation, ...]]:
        """Return the text that is certain now and the citations of the sentences it completes."""
        sentences = self._sentences
        if self._marks_inline:
            for token in self._markers.feed(self._whole(piece.text)):
                self._take(token)
        else:
            sentences.append(self._whole(piece.text))
            if piece.sources:
                sentences.cite(self._known(piece.sources))
                sentences.close()
        return sentences.taken()

    def finish(self) -> tuple[str, tuple[answers.Citation, ...]]:
        """Return what was held back: call it once, after the last piece."""
        rest = _REPLACEMENT if self._half else ""
        if self._marks_inline:
            for token in (*self._markers.feed(rest), *self._markers.finish()):
                self._take(token)
            self._sentences.close()
        else:
            self._sentences.append(rest)
        return self._sentences.taken()

    def _take(self, token: str | tuple[int, ...]) -> None:
        if isinstance(token, str):
            self._sentences.append(token)
        else:
            self._sentences.cite(self._known(number - 1 for number in token))

    def _known(self, sources: Iterable[int]) -> list[int]:
        """Return the references of those *sources* that exist."""
        known = range(len(self._references))
        return [self._references[source] for source in sources if source in known]

    def _whole(self, text: str) -> str:
        """Join surrogates that a provider cut apart; one that stays alone is replaced."""
        text = self._half + text
        self._half = ""
        if text.isascii():
            return text
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Markers:
    """Separates markers from text.

    What may be the beginning of a marker is held, with the white space before it, until the next
    characters decide; so is white space at the end.
    """

    def __init__(self) -> None:
        self._space: list[str] = []
        """The white space held."""
        self._bracket = ""
        """What may be a marker, held behind it."""
        self._gap: _Gap | None = None
        """White space that stood before a marker just taken out, None where none was."""
        self._ticks = 0
        self._in_line = self._in_fence = False

    def feed(self, text: str) -> Iterator[str | tuple[int, ...]]:
        """Yield text, and markers as their numbers, in order."""
        for run in _RUN.findall(text):
            at = 0
            while self._bracket and at < len(run):
                yield from self._step(run[at])
                at += 1
            if rest := run[at:]:
                yield from self._step(rest)

    def finish(self) -> Iterator[str | tuple[int, ...]]:
        """Yield what is held, less the white space at the end."""
        if self._bracket:
            yield from self._release()
        self._space, self._bracket = [], ""

    def _step(self, run: str) -> Iterator[str | tuple[int, ...]]:
        """Take a run of white space or of other characters; a single one within a bracket."""
        if run != "`":
            self._end_ticks()
        if not self._bracket and run.isspace():
            self._space.append(run)
            return
        bracket = self._bracket + run
        if _HELD.fullmatch(bracket):
            self._bracket = bracket
            return
        marker = _MARKER.fullmatch(bracket) if run == "]" and not self._in_code else None
        if marker is not None:
            yield tuple(int(number) for number in re.findall(r"\d+", marker[1]))
            self._gap, self._space, self._bracket = self._wider_gap(), [], ""
            return
        if self._bracket and run == "[":
            yield from self._release()
            yield from self._step(run)
            return
        if self._space or self._bracket or self._gap is not None:
            yield from self._release(before=run)
        self._ticks += run == "`"
        yield run

    def _release(self, before: str = "") -> Iterator[str]:
        """Yield what is held as text: it was no marker after all."""
        gap = self._wider_gap()
        if self._gap is not None and not self._space and not self._bracket:
            closes_up = before[:1] in _CLOSE_UP and not gap.lines
            gap = _Gap(0, 0, "") if closes_up else gap
        text = gap.text + self._bracket
        self._space, self._bracket, self._gap = [], "", None
        self._in_line = self._in_line and not gap.lines
        if text:
            yield text

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


class _Sentences:
    """Follows the sentences of the text in bytes and cites the finished ones.

    With *splits* it finds where sentences end by itself, looking one character past the white
    space; otherwise only `close` ends one.
    """

    def __init__(
        self, written: str, citations: Sequence[answers.Citation], *, splits: bool
    ) -> None:
        self._splits = splits
        self._open = ""
        """How the open sentence begins, "" where none is open."""
        self._stem = ""
        """How it ends so far, without the closers at its end."""
        self._closers = ""
        """How these end."""
        self._gap = ""
        """How the white space after it ends."""
        self._breaks = False
        """Whether a line ends in that."""
        self._cited: list[int] = []
        self._text: list[str] = []
        self._citations: list[answers.Citation] = []
        self._told = self._start = self._end = int(citations[-1].end_index) if citations else 0
        self.append(written.encode()[self._told :].decode())
        self.taken()

    def append(self, text: str) -> None:
        """Let the text grow; white space at its beginning is dropped."""
        for word in _WORD_OR_GAP.findall(text):
            if not word.isspace():
                if self._open and self._splits and self._ends_before(word):
                    if self._cited and not self._gap:
                        self._grow(" ")  # guide/citations.md: white space follows a segment
                    self.close()
                self._start = self._start if self._open else self._told
                self._extend(self._gap + word if self._open else word)
                self._gap, self._breaks = "", False
                self._grow(word)
                self._end = self._told
            elif self._told:
                self._gap = (self._gap + word)[-_ENOUGH:]
                self._breaks = self._breaks or "\n" in word
                self._grow(word)

    def cite(self, references: Iterable[int]) -> None:
        """Say that *references* support the open sentence, or the next where none is open."""
        self._cited.extend(r for r in references if r not in self._cited)

    def close(self) -> None:
        """End the open sentence, if there is one; what is cited without one is forgotten."""
        if self._open and self._cited:
            sources = tuple(answers.CitationSource(reference_id=str(r)) for r in self._cited)
            self._citations.append(
                answers.Citation(
                    start_index=str(self._start), end_index=str(self._end), sources=sources
                )
            )
        self._open = self._stem = self._closers = ""
        self._cited = []

    def taken(self) -> tuple[str, tuple[answers.Citation, ...]]:
        """Return what is new since the last call."""
        new = "".join(self._text), tuple(self._citations)
        self._text, self._citations = [], []
        return new

    def _grow(self, text: str) -> None:
        self._text.append(text)
        self._told += len(text.encode())

    def _extend(self, text: str) -> None:
        """Let the open sentence grow."""
        self._open = (self._open + text)[:_ENOUGH] if len(self._open) < _ENOUGH else self._open
        bare = text.rstrip(_CLOSERS)
        closers = text[len(bare) :]
        if bare:
            self._stem = (self._stem + self._closers + bare)[-_ENOUGH:]
            self._closers = closers[-_ENOUGH:]
        else:
            self._closers = (self._closers + closers)[-_ENOUGH:]

    def _ends_before(self, word: str) -> bool:
        """Tell whether the open sentence is over, now that *word* follows."""
        stem = self._stem
        if self._breaks:
            return True
        if not self._gap:
            return stem.endswith(_SPACELESS_STOPS) and word[0] not in _CLOSE_UP
        if not stem.endswith(_STOPS) or word[0].islower():
            return False
        return not (_LIST_MARKER.fullmatch(self._open) or _NO_STOP.search(stem))


class _Gap(NamedTuple):
    """White space: what separates more has more *lines*, or as many and is longer."""

    lines: int
    length: int
    text: str
