"""The way of one query: understand, retrieve, generate, prove; each stage yields what it did."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final, Protocol, TypeVar

from service.answering.pipeline import (
    proving,
    related_questions,
    rephrasing,
    retrieving,
    skipping,
    understanding,
)
from service.answering.pipeline.growing_text import GrowingText
from service.answering.pipeline.proving import Proof
from service.answering.pipeline.retrieving import Retrieved
from service.answering.requests.queries import PipelineRequest
from service.corpus.index import Index, SearchScope
from service.generation import output_limits
from service.generation.generator import Generator, PastTurn, Prompt, Rewriter, Sampling
from service.query_readings import QueryReading
from service.thread_pools import ThreadPools
from sessions.resources import answer_query, answers
from sessions.resources.answers import QueryClassification as Type
from sessions.resources.generate_content import GenerationConfig
from streaming.log.events import (
    AnswerEvent,
    QueryUnderstood,
    ReferencesFound,
    RelatedFound,
    StepChanged,
)

_LONG: Final = 1_500
"""Characters of queries that take some milliseconds to understand."""
_T = TypeVar("_T")
_STEP: Final = "Rephrase the query and search."


class DataSources(Protocol):
    """Knows the data stores of what is searched: the catalogue, or the corpora beside it."""

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
        pools: ThreadPools,
        rewriter: Rewriter | None = None,
    ) -> None:
        """*rewriter* makes follow-ups stand alone where it can; otherwise rules do."""
        self._index = index
        self._generator = generator
        self._stores = stores
        self._pools = pools
        self._rewriter = rewriter

    def over(self, index: Index) -> Pipeline:
        """Return the same pipeline over another *index*."""
        return Pipeline(index, self._generator, self._stores, self._pools, self._rewriter)

    async def run(
        self,
        pipeline_request: PipelineRequest,
        history: Sequence[PastTurn],
        written: answers.Answer,
    ) -> AsyncGenerator[AnswerEvent]:
        """Yield the events of one answer, all but its first and its last.

        They go on behind what an earlier writer has *written* of the same answer.

        Raises:
            ServiceError: a stage failed; what was yielded stands.
        """
        request = pipeline_request.request
        query = (request.query and request.query.text) or ""
        # As it was sent: what rephrasing adds are words of earlier turns, not of this query.
        understood = await self._read(understanding.classify, query, history)
        if info := _understood(request, understood):
            yield QueryUnderstood(info)
        if skipped := skipping.on_query(request, understood):
            yield skipped
            return
        # Who only greets asks nothing that the earlier turns could complete.
        seeks_answer = not (understood.small_talk or understood.no_clear_intent)
        context = history if seeks_answer and _rephrases(request) else ()
        rewritten = await self._rewriter(query, context) if self._rewriter and context else ""
        standalone = rewritten or await self._read(rephrasing.rephrase, query, context)
        yield StepChanged(0, _step(answers.StepState.IN_PROGRESS, standalone))
        data_stores = await self._stores.data_stores(pipeline_request.parent)
        # With the query as it was sent: the index weighs the earlier turns itself, and finds less
        # where it is given the rephrased query. What a model rewrote stands for the turns as well.
        searched, light = (rewritten, ()) if rewritten else (query, context)
        retrieved = await retrieving.retrieve(
            self._index, pipeline_request, searched, data_stores, light
        )
        yield StepChanged(0, _step(answers.StepState.SUCCEEDED, standalone, retrieved.results))
        retrieved = await retrieving.with_sections(self._index, pipeline_request, retrieved)
        # Before the text, which cites them. Where a text goes on, its first writer yielded them.
        if retrieved.references and not written.answer_text:
            yield ReferencesFound(retrieved.references)
        if skipped := skipping.on_retrieved(request, retrieved, judges=self._generator.judges):
            yield skipped
            return
        scope = SearchScope(data_stores=tuple(data_stores))
        reading = await self._index.read_query(searched, scope)
        prompt = _prompt(
            pipeline_request, standalone, history, retrieved, written.answer_text, reading
        )
        events = self._generate(request, prompt, retrieved, written)
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    async def _generate(
        self,
        request: answer_query.AnswerQueryRequest,
        prompt: Prompt,
        retrieved: Retrieved,
        written: answers.Answer,
    ) -> AsyncGenerator[AnswerEvent]:
        """Write the text, then prove it."""
        text = GrowingText(request, retrieved, written, marks_inline=self._generator.marks_inline)
        # What may be withdrawn is told when it is proven: no reader may have seen it.
        withheld: list[AnswerEvent] = []
        withholds = skipping.may_withdraw(request)
        async with contextlib.aclosing(self._written(prompt, text)) as events:
            async for event in events:
                if withholds:
                    withheld.append(event)
                else:
                    yield event
        if not text.whole:
            yield skipping.without_text()
            return
        proof = await self._prove(request, text)
        if not proof.skipped:
            for event in withheld:
                yield event
        for event in proving.events(request, proof):
            yield event
        if not proof.skipped and (related := _related(request, prompt, retrieved)):
            yield RelatedFound(related)

    async def _prove(self, request: answer_query.AnswerQueryRequest, text: GrowingText) -> Proof:
        """Prove the text as far as *request* asks, beside the event loop."""
        if not proving.is_wanted(request):
            return proving.UNPROVEN
        return await self._pools.proving.run(text.prove, request)

    async def _read(
        self, read: Callable[[str, Sequence[PastTurn]], _T], query: str, past: Sequence[PastTurn]
    ) -> _T:
        """Return what *read* makes of *query* after *past*, beside the event loop where long."""
        if len(query) + sum(len(turn.query) for turn in past) <= _LONG:
            return read(query, past)
        return await self._pools.reading.run(read, query, past)

    async def _written(self, prompt: Prompt, text: GrowingText) -> AsyncGenerator[AnswerEvent]:
        """Let the generator write, and yield what *text* makes of it."""
        pieces = output_limits.enforce(self._generator.generate(prompt), len(prompt.written))
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                for event in text.feed(piece):
                    yield event
        for event in text.finish():
            yield event


def _understood(
    request: answer_query.AnswerQueryRequest, understood: understanding.QueryClasses
) -> answers.QueryUnderstandingInfo | None:
    """Report the classifiers that the request names, in its order."""
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
    return answers.Step(state=state, description=_STEP, actions=(action,))


def _prompt(
    pipeline_request: PipelineRequest,
    query: str,
    history: Sequence[PastTurn],
    retrieved: Retrieved,
    written: str,
    reading: QueryReading,
) -> Prompt:
    request, config = pipeline_request.request, pipeline_request.generation_config
    spec = request.answer_generation_spec or answer_query.AnswerGenerationSpec()
    about = request.end_user_spec.end_user_metadata if request.end_user_spec else ()
    return Prompt(
        query=query,
        sources=retrieved.sources(),
        history=tuple(history),
        preamble=spec.prompt_spec.preamble if spec.prompt_spec else "",
        language=spec.answer_language_code,
        about_the_user=tuple(_about_user(one.chunk_info) for one in about if one.chunk_info),
        written=written,
        reading=reading,
        sampling=_sampling(config) if config else None,
    )


def _sampling(config: GenerationConfig) -> Sampling:
    return Sampling(
        temperature=config.temperature,
        top_p=config.top_p,
        presence_penalty=config.presence_penalty,
        frequency_penalty=config.frequency_penalty,
        seed=config.seed,
    )


def _about_user(chunk: answer_query.EndUserChunk) -> str:
    """Return what is known about the user, under its title where it has one."""
    title = chunk.document_metadata.title if chunk.document_metadata else ""
    return f"{title}: {chunk.content}" if title else chunk.content


def _related(
    request: answer_query.AnswerQueryRequest, prompt: Prompt, retrieved: Retrieved
) -> tuple[str, ...]:
    if not (request.related_questions_spec and request.related_questions_spec.enable):
        return ()
    return related_questions.related(prompt.query, [hit.chunk for hit in retrieved.hits])
