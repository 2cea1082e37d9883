"""The way of one query: understand, find, say, prove; each stage tells what it did at once."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from service.answering.pipeline import (
    proving,
    related_questions,
    rephrasing,
    retrieving,
    skipping,
    understanding,
)
from service.answering.pipeline.proving import Proof
from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof.citations import CitationBuilder
from service.answering.requests.queries import PipelineRequest
from service.corpus.index import Index
from service.generation.generator import Generator, PastTurn, Piece, Prompt
from service.generation.output_limits import portions
from service.thread_pools import ThreadPools
from sessions.resources import answer_query, answers
from sessions.resources.answers import QueryClassification as Type
from streaming.log.events import (
    AnswerEvent,
    Cited,
    QueryUnderstood,
    ReferencesFound,
    RelatedFound,
    StepChanged,
    TextAppended,
)

_LONG: Final = 1_500
"""Characters of queries that take some milliseconds to understand."""
_T = TypeVar("_T")
STEP: Final = "Rephrase the query and search."


class DataSources(Protocol):
    """Knows what stands behind what is asked: the catalogue, or the corpora beside it."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind *parent*, or raise `NotFound`."""
        ...


class Pipeline:
    """Answers queries: `run` yields what becomes known, in the order of the element stream."""

    def __init__(
        self,
        index: Index,
        generator: Generator,
        stores: DataSources,
        blocked_phrases: Sequence[str] = (),
        *,
        pools: ThreadPools | None = None,
    ) -> None:
        """Refuse queries and texts that mention one of the operator's *blocked_phrases*.

        Without *pools* the pipeline has its own.
        """
        self._index = index
        self._generator = generator
        self._stores = stores
        self._blocked = tuple(blocked_phrases)
        self._pools = pools or ThreadPools()

    async def run(
        self, ask: PipelineRequest, history: Sequence[PastTurn], told: answers.Answer
    ) -> AsyncGenerator[AnswerEvent]:
        """Yield the events of one answer, all but its first and its last.

        *told* is what an earlier writer told of the same answer; where it has text, the events
        go on from it.

        Raises:
            ServiceError: a stage failed; what was yielded stands.
        """
        request = ask.request
        query = (request.query and request.query.text) or ""
        understood = await self._read(understanding.classify, query, history)
        if info := _understood(request, understood):
            yield QueryUnderstood(info)
        if skipped := skipping.on_query(request, query, understood, self._blocked):
            yield skipped
            return
        # Who only greets asks nothing that the earlier turns could complete.
        asks = not (understood.small_talk or understood.no_clear_intent)
        past = history if asks and _rephrases(request) else ()
        standalone = await self._read(rephrasing.rephrase, query, past)
        yield StepChanged(0, _step(answers.StepState.IN_PROGRESS, standalone))
        found, standalone = await self._find(ask, query, standalone, past)
        yield StepChanged(0, _step(answers.StepState.SUCCEEDED, standalone, found.results))
        if found.references and not told.answer_text:
            yield ReferencesFound(found.references)
        if skipped := skipping.on_found(request, found):
            yield skipped
            return
        prompt = _prompt(request, standalone, history, found, told.answer_text)
        async with contextlib.aclosing(self._say(request, prompt, found, told)) as said:
            async for event in said:
                yield event

    async def _find(
        self, ask: PipelineRequest, query: str, standalone: str, history: Sequence[PastTurn]
    ) -> tuple[Retrieved, str]:
        """Search, and return what was found for which reading of *query*.

        A query that stands alone is searched for alone, since a new question must not be led back
        to the last one; where a general one finds nothing relevant it is read in the light of
        *history*.
        The index weighs the earlier turns itself: given the rephrased query it finds less.
        """
        stores = await self._stores.data_stores(ask.parent)
        leans = rephrasing.leans(query)
        found = await retrieving.find(self._index, ask, query, stores, history if leans else ())
        alone = not history or not rephrasing.may_lean(query)
        if leans or alone or skipping.relevant(found):
            return found, standalone
        again = await retrieving.find(self._index, ask, query, stores, history)
        if not skipping.relevant(again):
            return found, standalone
        return again, await self._read(rephrasing.within, query, history)

    async def _say(
        self,
        request: answer_query.AnswerQueryRequest,
        prompt: Prompt,
        found: Retrieved,
        told: answers.Answer,
    ) -> AsyncGenerator[AnswerEvent]:
        """Write the text, then prove it; text that may be withdrawn is told when it is proven."""
        draft = _GrowingText(request, found, told, marks_inline=self._generator.marks_inline)
        withheld = skipping.may_withdraw(request, self._blocked)
        waiting: list[AnswerEvent] = []
        async with contextlib.aclosing(self._written(prompt, draft)) as events:
            async for event in events:
                if withheld:
                    waiting.append(event)
                else:
                    yield event
        if not draft.text:
            yield skipping.nothing_said()
            return
        proof = await self._proven(request, draft)
        for event in (*(() if proof.skipped else waiting), *proving.events(request, proof)):
            yield event
        if proof.skipped:
            return
        if related := _related(request, prompt, found):
            yield RelatedFound(related)

    async def _proven(self, request: answer_query.AnswerQueryRequest, draft: _GrowingText) -> Proof:
        """Prove the text as far as *request* asks, beside the event loop."""
        if not proving.is_wanted(request, self._blocked):
            return proving.UNASKED
        return await self._pools.proving.run(draft.proven, request, self._blocked)

    async def _read(
        self, look: Callable[[str, Sequence[PastTurn]], _T], query: str, past: Sequence[PastTurn]
    ) -> _T:
        """Return what *look* sees in *query* after the turns *past*, beside the loop where long."""
        if len(query) + sum(len(turn.query) for turn in past) <= _LONG:
            return look(query, past)
        return await self._pools.reading.run(look, query, past)

    async def _written(self, prompt: Prompt, draft: _GrowingText) -> AsyncGenerator[AnswerEvent]:
        """Let the generator write, and yield what *draft* makes of it."""
        written = portions(self._generator.generate(prompt), len(prompt.written))
        async with contextlib.aclosing(written) as pieces:
            async for piece in pieces:
                for event in draft.feed(piece):
                    yield event
        for event in draft.finish():
            yield event


class _GrowingText:
    """The text in the making, with the citations of its sentences."""

    def __init__(
        self,
        request: answer_query.AnswerQueryRequest,
        found: Retrieved,
        told: answers.Answer,
        *,
        marks_inline: bool,
    ) -> None:
        self._texts = [told.answer_text]
        self._citations = [*told.citations]
        self._found = found
        spec = request.answer_generation_spec
        self._tells_citations = bool(spec and spec.include_citations)
        self._builder = CitationBuilder(
            found.reference_of,
            marks_inline=marks_inline,
            written=told.answer_text,
            citations=told.citations,
        )

    def feed(self, piece: Piece) -> Iterator[AnswerEvent]:
        """Return what *piece* adds."""
        return self._added(*self._builder.feed(piece))

    def finish(self) -> Iterator[AnswerEvent]:
        """Return what was held back until the end."""
        return self._added(*self._builder.finish())

    @property
    def text(self) -> str:
        """The whole text so far."""
        return "".join(self._texts)

    def proven(
        self, request: answer_query.AnswerQueryRequest, blocked_phrases: Sequence[str]
    ) -> Proof:
        """Prove the text; blocks."""
        return proving.prove(request, self.text, self._found, self._citations, blocked_phrases)

    def _added(self, text: str, citations: tuple[answers.Citation, ...]) -> Iterator[AnswerEvent]:
        self._texts.append(text)
        self._citations += citations
        if text:
            yield TextAppended(text)
        if citations and self._tells_citations:
            yield Cited(citations)


def _understood(
    request: answer_query.AnswerQueryRequest, understood: understanding.QueryClasses
) -> answers.QueryUnderstandingInfo | None:
    """Report the classifiers that the request names, in its order (api.md 11.6)."""
    spec = request.query_understanding_spec
    types = spec.query_classification_spec.types if spec and spec.query_classification_spec else ()
    outcomes = {
        Type.ADVERSARIAL_QUERY: understood.adversarial,
        Type.JAIL_BREAKING_QUERY: understood.jail_breaking,
        Type.NON_ANSWER_SEEKING_QUERY: understood.small_talk,
        Type.NON_ANSWER_SEEKING_QUERY_V2: understood.no_clear_intent,
    }
    if not types:
        return None
    return answers.QueryUnderstandingInfo(
        query_classification_info=tuple(
            answers.QueryClassificationInfo(type=kind, positive=outcomes.get(kind, False))
            for kind in types
        )
    )


def _rephrases(request: answer_query.AnswerQueryRequest) -> bool:
    """Tell whether the earlier turns may change what is searched for."""
    spec = request.query_understanding_spec
    rephraser = spec.query_rephraser_spec if spec else None
    return rephraser is None or not rephraser.disable


def _step(
    state: answers.StepState, query: str, results: tuple[answers.SearchResult, ...] = ()
) -> answers.Step:
    action = answers.Action(
        search_action=answers.SearchAction(query=query),
        observation=answers.Observation(search_results=results) if results else None,
    )
    return answers.Step(state=state, description=STEP, actions=(action,))


def _prompt(
    request: answer_query.AnswerQueryRequest,
    query: str,
    history: Sequence[PastTurn],
    found: Retrieved,
    written: str,
) -> Prompt:
    spec = request.answer_generation_spec or answer_query.AnswerGenerationSpec()
    about = request.end_user_spec.end_user_metadata if request.end_user_spec else ()
    return Prompt(
        query=query,
        sources=found.sources(),
        history=tuple(history),
        preamble=spec.prompt_spec.preamble if spec.prompt_spec else "",
        language=spec.answer_language_code,
        about_the_user=tuple(_known(one.chunk_info) for one in about if one.chunk_info),
        written=written,
    )


def _known(chunk: answer_query.EndUserChunk) -> str:
    """Return what is known about the user, under its title where it has one."""
    title = chunk.document_metadata.title if chunk.document_metadata else ""
    return f"{title}: {chunk.content}" if title else chunk.content


def _related(
    request: answer_query.AnswerQueryRequest, prompt: Prompt, found: Retrieved
) -> tuple[str, ...]:
    if not (request.related_questions_spec and request.related_questions_spec.enable):
        return ()
    return related_questions.related(prompt.query, [hit.chunk for hit in found.hits])
