"""The text of an answer in the making: its citations, and the step in which it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from service.answering.pipeline import proving
from service.answering.pipeline.proving import Proof
from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof.citation_support import CitationSupport
from service.answering.proof.citations import CitationBuilder
from service.answering.query_classes.portal_policy import PortalPolicy
from service.corpus.index import Hit
from service.generation.generator import Piece
from sessions.resources import answer_query, answers
from sessions.resources.answers import Step, StepState
from streaming.log.events import AnswerEvent, Cited, StepChanged, TextAppended

LONGEST_THOUGHT: Final = 16_000
"""Characters that are kept of what a model thinks: the step is told and stored as a whole."""
_INDEX: Final = 1
"""It follows the search."""
_WRITE: Final = "Write the answer."


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
        self._support = CitationSupport(
            [hit.chunk.text for hit in retrieved.hits], retrieved.reference_of
        )
        self._chooses_words = marks_inline
        self._unchecked: tuple[answers.Citation, ...] = ()
        self._builder = CitationBuilder(
            retrieved.reference_of,
            marks_inline=marks_inline,
            written=written.answer_text,
            citations=written.citations,
        )

    def feed(self, piece: Piece) -> Iterator[AnswerEvent]:
        """Return what *piece* adds; see `unchecked`."""
        self._told.update(piece.sources)
        return self._added(*self._builder.feed(piece))

    def finish(self) -> Iterator[AnswerEvent]:
        """Return what was held back until the end."""
        return self._added(*self._builder.finish())

    @property
    def unchecked(self) -> bool:
        """Whether there are citations that nobody held against their sources: see `check`."""
        return bool(self._unchecked)

    def check(self) -> tuple[answers.Citation, ...]:
        """Return the citations since the last call that are proof; blocks."""
        unchecked, self._unchecked = self._unchecked, ()
        return self._support.supported(self.whole, unchecked)

    def cite(self, citations: tuple[answers.Citation, ...]) -> Iterator[AnswerEvent]:
        """Return what *citations* add."""
        # Kept even where they are not shown: a claim is held against what it cites.
        self._citations += citations
        if citations and self._shows_citations:
            yield Cited(citations)

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
        if text:
            yield TextAppended(text)
        if self._chooses_words:
            self._unchecked += citations
        else:  # verbatim, and cited by whoever took it from there
            yield from self.cite(citations)


class WritingStep:
    """Shows what a model thinks, and that the writing failed; otherwise the text shows the step.

    Thoughts are told with the first text that follows them: where there is no answer, nobody sees
    them.
    """

    def __init__(self, written: answers.Answer) -> None:
        """Go on with the step that an earlier writer has *written*, if it shows."""
        steps = written.steps[_INDEX:]
        self._thought = steps[0].thought if steps else ""
        self._shows = self._inherits = bool(steps)
        self._thinks = self._told = False
        """Whether there are thoughts, and whether they were told."""

    def feed(self, piece: Piece) -> Sequence[AnswerEvent]:
        """Return what *piece* adds."""
        if piece.thought:
            if self._inherits:  # what led to a text that is no more
                self._thought, self._inherits = "", False
            if len(self._thought) < LONGEST_THOUGHT:
                self._thought = (self._thought + piece.thought).lstrip()[:LONGEST_THOUGHT]
            self._thinks = True
        elif self._thinks and piece.text and not self._told:
            # Once, and again with the end: a model may think between any two words.
            self._told = self._shows = True
            return (self._changed(StepState.IN_PROGRESS),)
        return ()

    def finish(self) -> Sequence[AnswerEvent]:
        """Return what is to be told once the text is whole."""
        return (self._changed(StepState.SUCCEEDED),) if self._shows else ()

    def fail(self) -> AnswerEvent:
        """Return that the text could not be written."""
        return self._changed(StepState.FAILED)

    def _changed(self, state: StepState) -> StepChanged:
        thought = self._thought.rstrip() if self._shows else ""
        return StepChanged(_INDEX, Step(state=state, description=_WRITE, thought=thought))
