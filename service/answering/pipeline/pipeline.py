"""The way of one query: understand, retrieve, generate, prove; each stage yields what it did."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from service.answering.pipeline import (
    consoling,
    prompting,
    proving,
    related_checks,
    replying,
    skipping,
)
from service.answering.pipeline.growing_text import GrowingText, WritingStep
from service.answering.pipeline.lookup import Lookup, Wording, lookup_step
from service.answering.pipeline.proving import Proof
from service.answering.pipeline.replying import Replier
from service.answering.pipeline.retrieving import Retrieved
from service.answering.query_classes import classifiers, reported_classes
from service.answering.query_classes.classifiers import QueryClasses
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import attachments
from service.answering.retrieval.attachments import Attachments
from service.answering.stages import Stage, Stages, unobserved
from service.corpus.index import DataStoreNames, Index
from service.generation import output_limits
from service.generation.generator import Generator, PastTurn, Prompt, Rewriter, Usage
from service.portal.portal import Portal
from service.thread_pools import ThreadPools
from sessions.errors import ServiceError
from sessions.resources import answer_query, answers
from streaming.log.events import (
    AnswerEvent,
    QueryUnderstood,
    ReferencesFound,
    RelatedFound,
    Skipped,
    StepChanged,
)


class _Found(NamedTuple):
    """What was found for a query, in which words and where, and why it is refused, if it is.

    Instead of a refusal *reply* is told, where there is one.
    """

    wording: Wording
    data_stores: Sequence[str]
    retrieved: Retrieved
    skipped: Skipped | None
    reply: str


class Pipeline:
    """Answers queries: `run` yields what becomes known, in the order of the element stream."""

    def __init__(
        self,
        index: Index,
        generator: Generator,
        stores: DataStoreNames,
        pools: ThreadPools,
        rewriter: Rewriter | None = None,
        portal: Portal | None = None,
        images: Attachments | None = None,
        *,
        shows_thoughts: bool = False,
        stages: Stages = unobserved,
    ) -> None:
        """*images* are those that answers may have, None for none.

        *rewriter* makes follow-ups stand alone where it can; otherwise rules do.

        Small talk is replied to for *portal*, or for one of which the operator said nothing. With
        *shows_thoughts*, what a model thinks is part of the answer. *stages* stands around each
        stage.
        """
        portal = portal or Portal()
        self._replier: Replier | None = Replier(portal)
        self._policy = PortalPolicy(portal)
        self._lookup = Lookup(index, stores, pools, rewriter)
        self._generator = generator
        self._stores = stores
        self._pools = pools
        self._rewriter = rewriter
        self.attachments = images
        self._shows_thoughts = shows_thoughts
        self._stages = stages
        self._count: Callable[[Usage], None] | None = None

    def over(
        self,
        index: Index,
        stores: DataStoreNames | None = None,
        *,
        count: Callable[[Usage], None] | None = None,
    ) -> Pipeline:
        """Return the same pipeline over another *index*, which leaves small talk to the generator.

        What is asked there has instructions of its own, also for who the assistant is, and says
        itself whether thoughts are shown. *stores* knows what lies in the index, where that is more
        than is stored. *count* is told what a model counted.
        """
        stores = stores or self._stores
        parts = index, self._generator, stores, self._pools, self._rewriter
        other = Pipeline(*parts, stages=self._stages)
        other._replier, other.attachments = None, self.attachments
        other._policy = self._policy
        other._count = count
        return other

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
        with self._stages(Stage.UNDERSTANDING):
            understood = await self._lookup.read(self._classify, query, history)
        if info := reported_classes.of(request, understood):
            yield QueryUnderstood(info)
        replier, wanted = self._replier_of(request), replying.wanted_language(request)
        events = self._replied(pipeline_request, understood, history, written, replier)
        if replier and understood.distress:
            reply, closing = replier.consolation(understood.distress, wanted)
            events = consoling.consoled(events, written, reply=reply, closing=closing)
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    def _classify(self, query: str, history: Sequence[PastTurn]) -> QueryClasses:
        return self._policy.classified(query, classifiers.classify(query, history))

    async def _replied(
        self,
        pipeline_request: PipelineRequest,
        understood: QueryClasses,
        history: Sequence[PastTurn],
        written: answers.Answer,
        replier: Replier | None,
    ) -> AsyncGenerator[AnswerEvent]:
        """Refuse the query for its class, reply to it at once, or look it up."""
        request = pipeline_request.request
        if skipped := skipping.on_query(request, understood):
            yield skipped
            return
        if replier and (reply := replier.at_once(understood, replying.wanted_language(request))):
            for event in replying.rest(reply, written):
                yield event
            return
        asked = classifiers.without_small_talk(history)
        events = self._look_up(pipeline_request, understood, asked, written, replier)
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    async def _look_up(
        self,
        pipeline_request: PipelineRequest,
        understood: QueryClasses,
        history: Sequence[PastTurn],
        written: answers.Answer,
        replier: Replier | None,
    ) -> AsyncGenerator[AnswerEvent]:
        """Retrieve, and answer from that, or say why there is no answer."""
        request, lookup = pipeline_request.request, self._lookup
        query = (request.query and request.query.text) or ""
        query = (replier and replier.page_query(understood)) or query
        with self._stages(Stage.REPHRASING):
            wording = await lookup.word(request, query, understood, history)
        yield StepChanged(0, lookup_step(answers.StepState.IN_PROGRESS, wording.standalone))
        stores = await lookup.data_stores(pipeline_request)
        with self._stages(Stage.RETRIEVING):
            retrieved = await lookup.retrieve(pipeline_request, stores, wording)
        done = lookup_step(answers.StepState.SUCCEEDED, wording.standalone, retrieved.results)
        yield StepChanged(0, done)
        retrieved = await lookup.with_sections(pipeline_request, retrieved, wording)
        if replier and understood.talk and not understood.takes_up:
            retrieved = replying.whom_to_ask(retrieved, understood.talk)
        with self._stages(Stage.JUDGING):
            skipped = skipping.on_retrieved(request, retrieved, judges=self._generator.judges)
        refused = skipped is not None
        if refused and replier and (worst := classifiers.at_worst(understood)):
            again = self._look_up(pipeline_request, worst, (), written, replier)
            async with contextlib.aclosing(again) as events:
                async for event in events:
                    yield event
            return
        wanted = replying.wanted_language(request)
        if replier and (
            reply := replier.instead(query, understood, retrieved, wanted, refused=refused)
        ):
            for event in replying.rest(reply, written):
                yield event
            return
        late = replier.to_talk(understood, wanted) if replier else ""
        found = _Found(wording, stores, retrieved, skipped, late)
        events = self._tell(pipeline_request, query, found, history, written, replier)
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    async def _tell(
        self,
        pipeline_request: PipelineRequest,
        query: str,
        found: _Found,
        history: Sequence[PastTurn],
        written: answers.Answer,
        replier: Replier | None,
    ) -> AsyncGenerator[AnswerEvent]:
        """Tell the references, then the text made of them, or the refusal and what helps."""
        wording, data_stores, retrieved, skipped, reply = found
        request, lookup = pipeline_request.request, self._lookup
        # Before the text, which cites them. Where a text goes on, its first writer yielded them.
        if retrieved.references and not written.answer_text:
            images = self.attachments if attachments.are_wanted(request) and not skipped else None
            yield await _references(retrieved, images)
        reading = await lookup.reading(pipeline_request, data_stores, wording.searched)
        find = functools.partial(lookup.find, pipeline_request, data_stores)
        prompt = prompting.prompt(
            pipeline_request,
            wording.standalone,
            wording.asked,
            history,
            retrieved,
            written.answer_text,
            reading,
        )
        shows_thoughts = prompt.shows_thoughts or self._shows_thoughts
        if skipping.may_withdraw(request, self._policy):
            shows_thoughts = False  # nobody proves them
        prompt = msgspec.structs.replace(prompt, shows_thoughts=shows_thoughts)
        generated = self._generate(request, prompt, retrieved, written, find)
        async with contextlib.aclosing(_only(skipped) if skipped else generated) as events:
            async for event in events:
                if not isinstance(event, Skipped):
                    yield event
                    continue
                if reply:
                    for rest in replying.rest(reply, written):
                        yield rest
                    continue
                language = replying.language_of(request, query, history)
                yield replier.helped(event, query, reading, language) if replier else event
                topics = functools.partial(lookup.find_topics, pipeline_request, data_stores)
                with self._stages(Stage.RELATING):
                    related = await related_checks.offered_instead(
                        request, wording.standalone, retrieved, find, reading, topics, language
                    )
                if related := self._policy.allowed(related):
                    yield RelatedFound(related)

    def _replier_of(self, request: answer_query.AnswerQueryRequest) -> Replier | None:
        """Return who replies in our own name; none where a model was told who it is."""
        spec = request.answer_generation_spec
        has_persona = bool(spec and spec.prompt_spec and spec.prompt_spec.preamble)
        return None if has_persona and self._generator.judges else self._replier

    async def _generate(
        self,
        request: answer_query.AnswerQueryRequest,
        prompt: Prompt,
        retrieved: Retrieved,
        written: answers.Answer,
        find: Callable[[str], Awaitable[Retrieved]],
    ) -> AsyncGenerator[AnswerEvent]:
        """Write the text, then prove it, then *find* what else the portal answers."""
        text = GrowingText(request, retrieved, written, marks_inline=self._generator.marks_inline)
        # What may be withdrawn is told when it is proven: no reader may have seen it.
        withheld: list[AnswerEvent] = []
        withholds = skipping.may_withdraw(request, self._policy)
        step = WritingStep(written)
        try:
            written_events = self._written(prompt, text, step)
            with self._stages(Stage.GENERATING):
                async with contextlib.aclosing(written_events) as events:
                    async for event in events:
                        if withholds:
                            withheld.append(event)
                        else:
                            yield event
        except ServiceError:
            yield step.fail()
            raise
        if not text.whole:
            yield skipping.without_text(retrieved, judges=self._generator.judges)
            return
        with self._stages(Stage.PROVING):
            proof = await self._prove(request, text)
        if not proof.skipped:
            for event in withheld:
                yield event
        for event in proving.events(request, proof):
            yield event
        if proof.skipped:
            return
        with self._stages(Stage.RELATING):
            related = await related_checks.offered(
                request, prompt.query, retrieved, find, prompt.reading, text.told
            )
        if related := self._policy.allowed(related):
            yield RelatedFound(related)

    async def _prove(self, request: answer_query.AnswerQueryRequest, text: GrowingText) -> Proof:
        """Prove the text as far as *request* asks, beside the event loop."""
        if not proving.is_wanted(request, self._policy):
            return proving.UNPROVEN
        return await self._pools.proving.run(text.prove, request, self._policy)

    async def _written(
        self, prompt: Prompt, text: GrowingText, step: WritingStep
    ) -> AsyncGenerator[AnswerEvent]:
        """Let the generator write, and yield what *text* and its *step* make of it."""
        pieces = output_limits.enforce(self._generator.generate(prompt), len(prompt.written))
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                for event in step.feed(piece):
                    yield event
                for event in text.feed(piece):
                    yield event
                for event in await self._cited(text):
                    yield event
                if piece.usage is not None and self._count is not None:
                    self._count(piece.usage)
        for event in (*text.finish(), *await self._cited(text), *step.finish()):
            yield event

    async def _cited(self, text: GrowingText) -> Sequence[AnswerEvent]:
        """Return the citations that are proof among those that have come, checked in a thread."""
        if not text.unchecked:
            return ()
        return tuple(text.cite(await self._pools.proving.run(text.check)))


async def _references(retrieved: Retrieved, images: Attachments | None) -> ReferencesFound:
    """Return what was found as the references of the answer, with their *images*."""
    if images is None:
        return ReferencesFound(retrieved.references)
    found = retrieved.hits, retrieved.references, retrieved.reference_of
    return ReferencesFound(*await images.attached(*found))


async def _only(event: AnswerEvent) -> AsyncGenerator[AnswerEvent]:
    yield event
