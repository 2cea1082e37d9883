"""Take out the citations that a model made up: those whose source has next to nothing of the text.

A model may name any number behind anything, also because a document ordered it to (OWASP
LLM09:2025, misinformation). What is left is shown as proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import structs

from service.answering.proof import grounding
from service.answering.proof.source_texts import SourceTexts
from service.language import detection
from sessions.resources import answers

LEAST: Final = 0.2
"""The score under which a source is no proof: three of four such claims are not supported
(`guide/grounding.md`), and from there on the score itself tells readers what to think of one."""


class CitationSupport:
    """Holds the citations of one text against the texts that they name; blocks for milliseconds."""

    def __init__(self, texts: Sequence[str], references: Sequence[int]) -> None:
        """*texts* are the sources, *references* the place of the reference of each."""
        self._texts, self._references = texts, references
        self._evidence = SourceTexts(texts)

    def supported(
        self, text: str, citations: Iterable[answers.Citation]
    ) -> tuple[answers.Citation, ...]:
        """Return *citations* of *text*, offsets in bytes, with the sources that support them.

        One without any is left out. What is no claim, and what is in another language than all its
        sources, keeps its citation: words tell nothing of it.
        """
        encoded = text.encode()
        checked = (self._checked(encoded, citation) for citation in citations)
        return tuple(citation for citation in checked if citation.sources)

    def _checked(self, encoded: bytes, citation: answers.Citation) -> answers.Citation:
        claim = encoded[int(citation.start_index) : int(citation.end_index)].decode()
        if not grounding.needs_support(claim):
            return citation
        named = {int(source.reference_id) for source in citation.sources}
        only = [n for n, reference in enumerate(self._references) if reference in named]
        scores = self._evidence.scores(claim, only)
        good = {self._references[n] for n in only if scores[n] >= LEAST}
        if not good:
            language = detection.detect(claim, "")
            if all(grounding.is_foreign(language, self._texts[n]) for n in only):
                return citation
        sources = tuple(one for one in citation.sources if int(one.reference_id) in good)
        return structs.replace(citation, sources=sources)
