"""The text of an answer in the making, with the citations of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.answering.pipeline import proving
from service.answering.pipeline.proving import Proof
from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof.citations import CitationBuilder
from service.answering.query_classes.portal_policy import PortalPolicy
from service.corpus.index import Hit
from service.generation.generator import Piece
from sessions.resources import answer_query, answers
from streaming.log.events import AnswerEvent, Cited, TextAppended


class GrowingText:
    """Turns the pieces of a generator into events, and keeps what they say for the proof."""

    def __init__(
        self,
        request: answer_query.AnswerQueryRequest,
        retrieved: Retrieved,
        written: answers.Answer,
        *,
        marks_inline: bool,
    ) -> None:
        self._texts = [written.answer_text]
        self._citations = [*written.citations]
        self._told = set[int]()
        self._retrieved = retrieved
        spec = request.answer_generation_spec
        self._shows_citations = bool(spec and spec.include_citations)
        self._builder = CitationBuilder(
            retrieved.reference_of,
            marks_inline=marks_inline,
            written=written.answer_text,
            citations=written.citations,
        )

    def feed(self, piece: Piece) -> Iterator[AnswerEvent]:
        """Return what *piece* adds."""
        self._told.update(piece.sources)
        return self._added(*self._builder.feed(piece))

    def finish(self) -> Iterator[AnswerEvent]:
        """Return what was held back until the end."""
        return self._added(*self._builder.finish())

    @property
    def whole(self) -> str:
        """The whole text so far."""
        return "".join(self._texts)

    @property
    def told(self) -> Sequence[Hit]:
        """The hits that the text was made of; the best one where the generator does not say."""
        hits = self._retrieved.hits
        return [hits[at] for at in sorted(self._told) if at < len(hits)] or hits[:1]

    def prove(self, request: answer_query.AnswerQueryRequest, policy: PortalPolicy) -> Proof:
        """Prove the text; blocks."""
        return proving.prove(request, self.whole, self._retrieved, self._citations, policy)

    def _added(self, text: str, citations: tuple[answers.Citation, ...]) -> Iterator[AnswerEvent]:
        self._texts.append(text)
        # Kept even where they are not shown: a claim is held against what it cites.
        self._citations += citations
        if text:
            yield TextAppended(text)
        if citations and self._shows_citations:
            yield Cited(citations)
