"""Makes the parts that the service consists of, and opens and closes them in order."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import msgspec

from service import stores
from service.answering.methods.answer_query import Answering
from service.answering.methods.complete_query import Completing
from service.answering.methods.converse_conversation import Conversing, closing
from service.answering.methods.generate_content import Generating, Models
from service.answering.methods.grounded_generation import GroundedGenerating
from service.answering.methods.outcomes import Outcomes
from service.answering.methods.rag import Augmenting
from service.answering.methods.search import Searching
from service.answering.methods.submission import Turns
from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import Sessionless
from service.answering.requests.queries import Ask
from service.answering.retrieval.contexts import Contexts
from service.answering.retrieval.found_cache import Finds
from service.api.websocket_connections import Services
from service.api.websocket_handshake import Sockets
from service.corpus.catalogue.rag_corpora import Corpora
from service.corpus.documents import document_import
from service.corpus.documents.bulk_changes import Batches
from service.corpus.documents.documents import Documents
from service.corpus.documents.rag_files import Files
from service.corpus.isolation.pool import ParsingPool
from service.corpus.isolation.process import NOT_STARTED
from service.corpus.operations.operation_limit import OperationLimit
from service.corpus.operations.operations import Operations
from service.corpus.storage.uploads import Uploads
from service.corpus.tantivy.index import TantivyIndex
from service.generation import openai
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Generator
from service.language import sentences
from service.metrics import Metrics
from service.project_numbers import ProjectNumbers
from service.settings import VERSION, Settings
from service.stores import Storage
from service.thread_pools import ThreadPools
from sessions import names
from sessions.codec import json_codec
from sessions.errors import Unavailable
from sessions.listing.pagination import Query
from sessions.redis.resp_socket import FULL
from sessions.resources.answers import Answer
from streaming.log.event_log import EventLog
from streaming.log.events import AnswerEvent
from streaming.log.submissions import Claim, Craft
from streaming.reading.subscription import Origin
from streaming.reading.tail import Tail
from streaming.running.runner import Runner, Timing

_log = logging.getLogger(__name__)
PACE: Final = 0.002
"""Seconds between two pieces of an extractive answer: sixty of them take an eighth of a second."""
GUIDE: Final = Path(__file__).parents[1] / "guide"
"""The user guide, which is the sample portal as well."""


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What the doors open to, while the service runs."""

    storage: Storage
    parsers: ParsingPool
    index: TantivyIndex
    metrics: Metrics
    runner: Runner
    sockets: Sockets
    answering: Answering
    conversing: Conversing
    searching: Searching
    completing: Completing
    grounded: GroundedGenerating
    documents: Documents
    batches: Batches
    operations: Operations
    pools: ThreadPools
    corpora: Corpora
    files: Files
    uploads: Uploads
    models: Models
    generating: Generating
    augmenting: Augmenting


@contextlib.asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Parts]:
    """Open everything in order, and close it in the opposite one.

    Raises:
        ServiceError: something that the service needs is not there.
    """
    async with stores.opened(settings) as store, ParsingPool() as parsers:
        if settings.sample:
            await _import_sample(store, parsers)
        async with (
            _writing(settings, store) as writing,
            _operations(store, writing.metrics) as operations,
        ):
            yield _assembled(settings, store, parsers, writing, operations)


def _operations(store: Storage, metrics: Metrics) -> Operations:
    limit = OperationLimit(lambda: metrics.refused("operations"))
    return Operations(store.redis, store.keys, limit)


def _assembled(
    settings: Settings,
    store: Storage,
    parsers: ParsingPool,
    writing: _Writing,
    operations: Operations,
) -> Parts:
    index, generator, runner = writing.index, writing.generator, writing.runner
    pools, deadline = writing.pools, settings.deadline
    named = (settings.llm_model,) if settings.llm_model else ()
    corpora = Corpora(store.redis, store.keys, store.documents, store.catalogue)
    contexts = Contexts(index, corpora, pools)
    models = Models(settings.llm_model or "extractive", settings.models)
    generating = Generating(
        contexts,
        models,
        lambda narrowed: Pipeline(narrowed, generator, corpora, pools=pools),
        pools,
        deadline=deadline,
    )
    finds = Finds(store.redis, store.keys)
    documents = Documents(store.documents, parsers, index, store.catalogue, store.page_tokens)
    turns = Turns(runner, store.catalogue, store.touch, finds.recall, named)
    sessionless = Sessionless(writing.pipeline, deadline=deadline)
    origin = _origin(store, writing)
    outcomes = Outcomes(runner, writing.log)
    conversing = Conversing(turns, outcomes, store.conversations, store.answers)
    sockets = _sockets(settings, store, writing, turns, conversing)
    return Parts(
        storage=store,
        parsers=parsers,
        index=index,
        metrics=writing.metrics,
        runner=runner,
        sockets=sockets,
        answering=Answering(
            turns, sessionless, outcomes, origin, writing.log, store.sessions, store.answers
        ),
        conversing=conversing,
        searching=Searching(
            index,
            store.catalogue,
            store.documents,
            store.sessions,
            finds,
            sessionless,
            store.page_tokens,
            named,
        ),
        completing=Completing(index, store.catalogue),
        grounded=GroundedGenerating(index, store.catalogue, generator, pools, deadline=deadline),
        documents=documents,
        batches=Batches(store.documents, parsers, index, documents),
        operations=operations,
        pools=pools,
        corpora=corpora,
        files=Files(corpora, store.documents, parsers, index, settings.import_dir),
        uploads=Uploads(store.redis, store.keys),
        models=models,
        generating=generating,
        augmenting=Augmenting(contexts, generating),
    )


def _sockets(
    settings: Settings, store: Storage, writing: _Writing, turns: Turns, conversing: Conversing
) -> Sockets:
    runner, metrics = writing.runner, writing.metrics
    services = Services(
        origin=_origin(store, writing),
        turns=turns,
        cancel=runner.cancel,
        view=conversing.view,
        version=VERSION,
        project_numbers=ProjectNumbers(settings.project_numbers),
    )
    sockets = Sockets(services)
    metrics.watch("running_answers", "Answers written here now", lambda: runner.running)
    metrics.watch("open_sockets", "WebSockets open here now", lambda: len(sockets))
    metrics.watch(
        "damaged_documents",
        "Documents that are not found since what is stored of them is damaged",
        lambda: writing.index.damaged,
    )
    metrics.watch("redis_up", "Whether Redis is there", lambda: store.redis.available)
    metrics.watch("redis_full", "Whether Redis is out of memory", lambda: store.memory.full)
    return sockets


def _origin(store: Storage, writing: _Writing) -> Origin:
    return Origin(writing.tail, writing.log, store.answers, writing.runner.adopt)


class _Writing(msgspec.Struct, frozen=True, kw_only=True):
    """What writes answers and tells them."""

    index: TantivyIndex
    generator: Generator
    pools: ThreadPools
    pipeline: Pipeline
    log: EventLog
    tail: Tail
    runner: Runner
    metrics: Metrics


@contextlib.asynccontextmanager
async def _writing(settings: Settings, store: Storage) -> AsyncGenerator[_Writing]:
    async with contextlib.AsyncExitStack() as stack:
        index = await stack.enter_async_context(
            TantivyIndex(store.documents, folder=settings.data_dir / "index", observe=_index_waits)
        )
        generator = await _generator(settings, stack)
        pools = ThreadPools()
        pipeline = Pipeline(index, generator, store.catalogue, pools=pools)
        log = EventLog(store.redis, store.keys)
        tail = await stack.enter_async_context(Tail(store.redis, store.keys, log))
        metrics = Metrics()
        craft = _craft(pipeline, generator, store, index, metrics)
        timing = Timing(ttl=settings.lease, limit=settings.deadline)
        runner = Runner(
            store.redis,
            store.keys,
            log,
            tail,
            craft,
            timing=timing,
            most=settings.max_answers,
            refused=lambda: metrics.refused("answers"),
        )
        yield _Writing(
            index=index,
            generator=generator,
            pools=pools,
            pipeline=pipeline,
            log=log,
            tail=tail,
            runner=await stack.enter_async_context(runner),
            metrics=metrics,
        )


def _index_waits(reason: BaseException) -> None:
    _log.warning("index_waits", extra={"reason": str(reason)})


async def _generator(settings: Settings, stack: contextlib.AsyncExitStack) -> Generator:
    if not settings.llm_base_url:
        return ExtractiveGenerator(sentences.spans, pace=PACE)
    http = await stack.enter_async_context(openai.client())
    endpoint = openai.Endpoint(
        base_url=settings.llm_base_url, model=settings.llm_model, api_key=settings.llm_api_key
    )
    return openai.OpenAIGenerator(http, endpoint, openai.Patience(total=settings.deadline))


def _craft(
    pipeline: Pipeline,
    generator: Generator,
    store: Storage,
    index: TantivyIndex,
    metrics: Metrics,
) -> Craft:
    """Tell the runner what only the service knows."""
    history = History(store.redis, store.keys)

    async def generate(claim: Claim) -> AsyncGenerator[AnswerEvent]:
        await index.wait_ready()  # what was left by a dead replica is taken over right at start
        ask = json_codec.load(Ask, claim.request)
        past = await history.before(claim.answer, claim.session)
        async with contextlib.aclosing(pipeline.run(ask, past, claim.written)) as events:
            async for event in events:
                yield event

    async def touched(session: str, _updated: int) -> None:
        await store.touch(session)

    def ending(claim: Claim, answer: Answer) -> bytes | None:
        metrics.ended(answer)
        return closing(claim, answer)

    return Craft(
        generate=generate,
        closing=ending,
        continues=lambda _: generator.continues,
        touched=touched,
    )


async def _import_sample(store: Storage, parsers: ParsingPool) -> None:
    """Import the guide into an empty installation, and what is new in it into one that has it."""
    sample = names.SAMPLE_DATA_STORE
    stores, _ = await store.catalogue.list_data_stores(Query(names.parent(sample), page_size=50))
    if not stores or any(one.name == sample for one in stores):
        try:
            await store.catalogue.ensure_data_store(sample)
            await document_import.import_path(store.documents, parsers, None, GUIDE, sample)
        except Unavailable as exc:
            if exc.reason not in (FULL, NOT_STARTED):
                raise
            _log.warning("sample_not_imported", extra={"reason": exc.reason})
