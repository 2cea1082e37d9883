"""Turn the pieces of a growing answer into its text and the citations of its sentences.

The builder is a machine without I/O: feed it pieces, tell what it returns. How the text was cut
into pieces never changes the text or the citations. Everything it returns is final: it holds back
what may turn out to be a marker, the white space before it, and half a character. Its work grows
with the text and no faster, whatever the text is: a model may repeat anything without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from service.answering.proof.citation_markers import CLOSE_UP, MarkerReader
from service.generation.generator import Piece
from sessions.resources import answers

_CLOSERS: Final = "\"'’”»)]*_`」』）】"
_STOPS: Final = tuple(".!?…。！？")
_SPACELESS_STOPS: Final = tuple("。！？")
_MARKS: Final = re.escape("".join(sorted(CLOSE_UP)))
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
    *marks_inline* markers (`citation_markers`; 1-based, after or before the punctuation) are taken
    out of the text; otherwise `Piece.sources` ends a sentence. A number out of range is
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
        self._markers = MarkerReader(len(self._references))
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
            return stem.endswith(_SPACELESS_STOPS) and word[0] not in CLOSE_UP
        if not stem.endswith(_STOPS) or word[0].islower():
            return False
        return not (_LIST_MARKER.fullmatch(self._open) or _NO_STOP.search(stem))
