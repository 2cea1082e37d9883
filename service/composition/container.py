"""Makes the parts that the service consists of, and opens and closes them in order."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import msgspec

from service import stores
from service.answering.methods.answer_query import AnswerMethods
from service.answering.methods.complete_query import CompleteQueryMethod
from service.answering.methods.converse_conversation import ConverseMethod, closing
from service.answering.methods.generate_content import GenerateContentMethods, Models
from service.answering.methods.grounded_generation import GroundedGeneration
from service.answering.methods.outcomes import Outcomes
from service.answering.methods.rag import RagMethods
from service.answering.methods.search import SearchMethods
from service.answering.methods.submission import QuerySubmitter
from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.contexts import Contexts
from service.answering.retrieval.found_cache import FoundCache
from service.api.websocket_connections import ConnectionServices
from service.api.websocket_endpoint import WebSocketConnections
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.documents import document_import
from service.corpus.documents.bulk_changes import BulkChanges
from service.corpus.documents.documents import Documents
from service.corpus.documents.rag_files import RagFiles
from service.corpus.isolation.pool import ParsingPool
from service.corpus.isolation.process import NOT_STARTED
from service.corpus.operations.operation_limit import OperationLimit
from service.corpus.operations.operations import Operations
from service.corpus.storage.upload_store import UploadStore
from service.corpus.tantivy.index import TantivyIndex
from service.generation import openai
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Generator
from service.language import sentences
from service.metrics import Metrics
from service.project_numbers import ProjectNumbers
from service.settings import Settings
from service.stores import Stores
from service.thread_pools import ThreadPools
from service.version import VERSION
from sessions import names
from sessions.codec import json_codec
from sessions.errors import Unavailable
from sessions.listing.pagination import ListQuery
from sessions.redis.resp_socket import FULL
from sessions.resources.answers import Answer
from streaming.log.event_log import EventLog
from streaming.log.events import AnswerEvent
from streaming.reading.sources import ReaderSources
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.runner import Runner, Timing

_log = logging.getLogger(__name__)
PACE: Final = 0.002
"""Seconds between two pieces of an extractive answer: sixty of them take an eighth of a second."""
GUIDE: Final = Path(__file__).parents[1] / "guide"
"""The user guide, which is the sample portal as well."""


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """What the doors open to, while the service runs."""

    storage: Stores
    parsers: ParsingPool
    index: TantivyIndex
    metrics: Metrics
    runner: Runner
    sockets: WebSocketConnections
    answering: AnswerMethods
    conversing: ConverseMethod
    searching: SearchMethods
    completing: CompleteQueryMethod
    grounded: GroundedGeneration
    documents: Documents
    batches: BulkChanges
    operations: Operations
    pools: ThreadPools
    corpora: RagCorpora
    files: RagFiles
    uploads: UploadStore
    models: Models
    generating: GenerateContentMethods
    augmenting: RagMethods


@contextlib.asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Container]:
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


def _operations(store: Stores, metrics: Metrics) -> Operations:
    limit = OperationLimit(lambda: metrics.refused("operations"))
    return Operations(store.redis, store.keys, limit)


def _assembled(
    settings: Settings,
    store: Stores,
    parsers: ParsingPool,
    writing: _Writing,
    operations: Operations,
) -> Container:
    index, generator, runner = writing.index, writing.generator, writing.runner
    pools, deadline = writing.pools, settings.deadline
    named = (settings.llm_model,) if settings.llm_model else ()
    corpora = RagCorpora(store.redis, store.keys, store.documents, store.catalogue)
    contexts = Contexts(index, corpora, pools)
    models = Models(settings.llm_model or "extractive", settings.models)
    generating = GenerateContentMethods(
        contexts,
        models,
        lambda narrowed: Pipeline(narrowed, generator, corpora, pools=pools),
        pools,
        deadline=deadline,
    )
    finds = FoundCache(store.redis, store.keys)
    documents = Documents(store.documents, parsers, index, store.catalogue, store.page_tokens)
    turns = QuerySubmitter(runner, store.catalogue, store.touch, finds.recall, named)
    sessionless = StatelessAnswers(writing.pipeline, deadline=deadline)
    sources = _reader_sources(store, writing)
    outcomes = Outcomes(runner, writing.log)
    conversing = ConverseMethod(turns, outcomes, store.conversations, store.answers)
    sockets = _sockets(settings, store, writing, turns, conversing)
    return Container(
        storage=store,
        parsers=parsers,
        index=index,
        metrics=writing.metrics,
        runner=runner,
        sockets=sockets,
        answering=AnswerMethods(
            turns, sessionless, outcomes, sources, writing.log, store.sessions, store.answers
        ),
        conversing=conversing,
        searching=SearchMethods(
            index,
            store.catalogue,
            store.documents,
            store.sessions,
            finds,
            sessionless,
            store.page_tokens,
            named,
        ),
        completing=CompleteQueryMethod(index, store.catalogue),
        grounded=GroundedGeneration(index, store.catalogue, generator, pools, deadline=deadline),
        documents=documents,
        batches=BulkChanges(store.documents, parsers, index, documents),
        operations=operations,
        pools=pools,
        corpora=corpora,
        files=RagFiles(corpora, store.documents, parsers, index, settings.import_dir),
        uploads=UploadStore(store.redis, store.keys),
        models=models,
        generating=generating,
        augmenting=RagMethods(contexts, generating),
    )


def _sockets(
    settings: Settings,
    store: Stores,
    writing: _Writing,
    turns: QuerySubmitter,
    conversing: ConverseMethod,
) -> WebSocketConnections:
    runner, metrics = writing.runner, writing.metrics
    services = ConnectionServices(
        sources=_reader_sources(store, writing),
        submitter=turns,
        cancel=runner.cancel,
        view=conversing.view,
        version=VERSION,
        project_numbers=ProjectNumbers(settings.project_numbers),
    )
    sockets = WebSocketConnections(services)
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


def _reader_sources(store: Stores, writing: _Writing) -> ReaderSources:
    return ReaderSources(writing.tail, writing.log, store.answers, writing.runner.adopt)


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
async def _writing(settings: Settings, store: Stores) -> AsyncGenerator[_Writing]:
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
    return openai.OpenAIGenerator(http, endpoint, openai.EndpointTimeouts(total=settings.deadline))


def _craft(
    pipeline: Pipeline,
    generator: Generator,
    store: Stores,
    index: TantivyIndex,
    metrics: Metrics,
) -> AnswerAuthor:
    """Tell the runner what only the service knows."""
    history = History(store.redis, store.keys)

    async def generate(assignment: Assignment) -> AsyncGenerator[AnswerEvent]:
        await index.wait_ready()  # what was left by a dead replica is taken over right at start
        ask = json_codec.load(PipelineRequest, assignment.request)
        past = await history.before(assignment.answer, assignment.session)
        async with contextlib.aclosing(pipeline.run(ask, past, assignment.written)) as events:
            async for event in events:
                yield event

    def ending(assignment: Assignment, answer: Answer) -> bytes | None:
        metrics.ended(answer)
        return closing(assignment, answer)

    return AnswerAuthor(
        generate=generate,
        closing=ending,
        continues=lambda _: generator.continues,
        touch=store.touch,
    )


async def _import_sample(store: Stores, parsers: ParsingPool) -> None:
    """Import the guide into an empty installation, and what is new in it into one that has it."""
    sample = names.SAMPLE_DATA_STORE
    stores, _ = await store.catalogue.list_data_stores(
        ListQuery(names.parent(sample), page_size=50)
    )
    if not stores or any(one.name == sample for one in stores):
        try:
            await store.catalogue.ensure_data_store(sample)
            await document_import.import_path(store.documents, parsers, None, GUIDE, sample)
        except Unavailable as exc:
            if exc.reason not in (FULL, NOT_STARTED):
                raise
            _log.warning("sample_not_imported", extra={"reason": exc.reason})
