"""Puts the service together: the one place where its objects are made."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from litestar.config.app import AppConfig
from litestar.config.cors import CORSConfig
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp

from service import storage
from service.answering.answering import Answering
from service.answering.asks import Ask
from service.answering.augmenting import Augmenting
from service.answering.completing import Completing
from service.answering.contexts import Contexts
from service.answering.conversing import Conversing, closing
from service.answering.finds import Finds
from service.answering.generating import Generating, Models
from service.answering.grounded import GroundedGenerating
from service.answering.history import History
from service.answering.outcomes import Outcomes
from service.answering.pipeline import Pipeline
from service.answering.searching import Searching
from service.answering.sessionless import Sessionless
from service.answering.turns import Turns
from service.api import asyncapi, errors, openapi, pages, routes, unimplemented, versions, websocket
from service.api.answers import AnswersController
from service.api.completions import CompletionsController
from service.api.conversations import ConversationsController
from service.api.data_stores import DataStoresController
from service.api.documents import DocumentsController
from service.api.engines import EnginesController
from service.api.generation import GenerationController
from service.api.grounding import GroundingController
from service.api.health import HealthController
from service.api.messages import MessageRequest, MessageResponse
from service.api.models import ModelsController
from service.api.operations import OperationsController
from service.api.peers import Services
from service.api.rag_corpora import RagCorporaController
from service.api.rag_files import RagFilesController
from service.api.retrievals import RetrievalsController
from service.api.searches import SearchesController
from service.api.sessions import SessionsController
from service.api.uploads import UploadsController
from service.api.user_events import UserEventsController
from service.api.verbs import VerbRouter
from service.api.websocket import Sockets
from service.corpus import importing, sentences
from service.corpus.batches import Batches
from service.corpus.corpora import Corpora
from service.corpus.documents import Documents
from service.corpus.files import Files
from service.corpus.operations import Operations
from service.corpus.tantivy_index import TantivyIndex
from service.corpus.uploads import Uploads
from service.generation import openai
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Generator
from service.metrics import Metrics
from service.settings import VERSION, Settings
from service.storage import Storage
from sessions import names, wire
from sessions.errors import ServiceError
from sessions.resources.answers import Answer
from sessions.traversal import Query
from streaming.claims import Claim, Craft
from streaming.events import AnswerEvent
from streaming.log import EventLog
from streaming.runner import Runner, Timing
from streaming.subscription import Origin
from streaming.tail import Tail

_log = logging.getLogger(__name__)
_COLLECT: Final = (20_000, 20, 50)
"""When garbage is looked for; streaming makes many objects and hardly a circle."""
MAX_BODY: Final = 32 << 20
"""Bytes of a JSON body (api.md 18)."""
PACE: Final = 0.002
"""Seconds between two pieces of an extractive answer: sixty of them take an eighth of a second."""
GUIDE: Final = Path(__file__).parent / "guide"
"""The user guide, which is the sample portal as well."""


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What the doors open to, while the service runs."""

    storage: Storage
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
    corpora: Corpora
    files: Files
    uploads: Uploads
    models: Models
    generating: Generating
    augmenting: Augmenting


class Application:
    """The service as an ASGI application, and what its server needs to know of it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._parts: Parts | None = None
        self._draining = False
        self.ready = asyncio.Event()
        """Set once queries are answered."""
        self.asgi: ASGIApp = _doors(self)

    @property
    def parts(self) -> Parts:
        """The parts of the running service."""
        if self._parts is None:
            raise AssertionError("the server runs inside `opened`")
        return self._parts

    def missing(self) -> str:
        """Return what keeps the service from answering, "" where nothing does."""
        if self._draining:
            return "nothing, it is stopping"
        if self._parts is None or not self._parts.index.ready:
            return "the index"
        return "" if self._parts.storage.redis.available else "Redis"

    async def drain(self) -> None:
        """Accept nothing more and let what runs come to its end, or to another replica."""
        self._draining = True
        if self._parts is None:
            return
        grace = self.settings.grace
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._parts.sockets.drain(grace), name="drain-sockets")
            tasks.create_task(self._parts.runner.drain(grace), name="drain-runner")

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Open the parts in order, and close them in the opposite one; the server runs inside.

        Raises:
            ServiceError: something that the service needs is not there.
        """
        async with _opened(self.settings) as parts, asyncio.TaskGroup() as tasks:
            self._parts = parts
            chores = [
                tasks.create_task(self._announce(parts), name="announce-ready"),
                tasks.create_task(parts.storage.tidy(self.settings.session_days), name="tidy"),
            ]
            if not self.settings.redis_url:
                guarding = parts.storage.guard(self.settings.data_dir)
                chores.append(tasks.create_task(guarding, name="guard"))
            try:
                yield
            finally:
                for chore in chores:
                    chore.cancel()

    async def _announce(self, parts: Parts) -> None:
        await parts.index.wait_ready()
        # What is there now stays: the collector need not look at it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECT)
        self.ready.set()


@contextlib.asynccontextmanager
async def _opened(settings: Settings) -> AsyncGenerator[Parts]:
    async with contextlib.AsyncExitStack() as stack:
        store = await stack.enter_async_context(storage.opened(settings))
        if settings.sample:
            await _import_sample(store)
        index = await stack.enter_async_context(TantivyIndex(store.documents, observe=_index_waits))
        operations = await stack.enter_async_context(Operations(store.redis, store.keys))
        generator = await _generator(settings, stack)
        pipeline = Pipeline(index, generator, store.catalogue)
        log = EventLog(store.redis, store.keys)
        tail = await stack.enter_async_context(Tail(store.redis, store.keys, log))
        metrics = Metrics()
        runner = await stack.enter_async_context(
            Runner(
                store.redis,
                store.keys,
                log,
                tail,
                _craft(pipeline, generator, store, index, metrics),
                timing=Timing(ttl=settings.lease, limit=settings.deadline),
            )
        )
        corpora = Corpora(store.redis, store.keys, store.documents, store.catalogue)
        contexts = Contexts(index, corpora)
        models = Models(settings.llm_model or "extractive", settings.models)
        generating = Generating(
            contexts,
            models,
            lambda narrowed: Pipeline(narrowed, generator, corpora),
            deadline=settings.deadline,
        )
        finds = Finds(store.redis, store.keys)
        documents = Documents(store.documents, index, store.catalogue)
        turns = Turns(runner, store.catalogue, store.touch, finds.recall, _models(settings))
        sessionless = Sessionless(pipeline, deadline=settings.deadline)
        origin = Origin(tail, log, store.answers, runner.adopt)
        outcomes = Outcomes(runner, log)
        conversing = Conversing(turns, outcomes, store.conversations, store.answers)
        sockets = Sockets(
            Services(
                origin=origin,
                turns=turns,
                cancel=runner.cancel,
                view=conversing.view,
                version=VERSION,
            ),
            origins=settings.origins,
        )
        metrics.watch("running_answers", "Answers written here now", lambda: runner.running)
        metrics.watch("open_sockets", "WebSockets open here now", lambda: len(sockets))
        metrics.watch("redis_up", "Whether Redis is there", lambda: store.redis.available)
        yield Parts(
            storage=store,
            index=index,
            metrics=metrics,
            runner=runner,
            sockets=sockets,
            answering=Answering(
                turns,
                sessionless,
                outcomes,
                origin,
                log,
                store.sessions,
                store.answers,
            ),
            conversing=conversing,
            searching=Searching(
                index,
                store.catalogue,
                store.documents,
                store.sessions,
                finds,
                sessionless,
                _models(settings),
            ),
            completing=Completing(index, store.catalogue),
            grounded=GroundedGenerating(
                index, store.catalogue, generator, deadline=settings.deadline
            ),
            documents=documents,
            batches=Batches(store.documents, index, documents),
            operations=operations,
            corpora=corpora,
            files=Files(corpora, store.documents, index, settings.import_dir),
            uploads=Uploads(store.redis, store.keys),
            models=models,
            generating=generating,
            augmenting=Augmenting(contexts, generating),
        )


def _models(settings: Settings) -> tuple[str, ...]:
    return (settings.llm_model,) if settings.llm_model else ()


def _index_waits(reason: Exception) -> None:
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
        ask = wire.load(Ask, claim.request)
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


async def _import_sample(store: Storage) -> None:
    """Import the guide into an empty installation, and what is new in it into one that has it."""
    sample = names.SAMPLE_DATA_STORE
    stores, _ = await store.catalogue.list_data_stores(Query(names.parent(sample), page_size=50))
    if not stores or any(one.name == sample for one in stores):
        await store.catalogue.ensure_data_store(sample)
        await importing.import_path(store.documents, None, GUIDE, sample)


def _doors(application: Application) -> ASGIApp:
    """Return the ASGI application whose handlers find the parts by their names."""

    def part(get: Callable[[Parts], Any]) -> Provide:
        return Provide(lambda: get(application.parts), sync_to_thread=False, use_cache=False)

    config = AppConfig(
        route_handlers=[
            AnswersController,
            CompletionsController,
            ConversationsController,
            DataStoresController,
            DocumentsController,
            EnginesController,
            GenerationController,
            GroundingController,
            HealthController,
            ModelsController,
            OperationsController,
            RagCorporaController,
            RagFilesController,
            RetrievalsController,
            SearchesController,
            SessionsController,
            UploadsController,
            UserEventsController,
            *unimplemented.handlers(),
            asyncapi.asyncapi_document,
            openapi.openapi_document,
            pages.chat_page,
            pages.docs_page,
            pages.widget_asset,
            websocket.follow_answers,
        ],
        dependencies={
            "name": Provide(routes.name, sync_to_thread=False),
            "parent": Provide(routes.parent, sync_to_thread=False),
            "readiness": Provide(lambda: application, sync_to_thread=False),
            "answering": part(lambda parts: parts.answering),
            "augmenting": part(lambda parts: parts.augmenting),
            "batches": part(lambda parts: parts.batches),
            "catalogue": part(lambda parts: parts.storage.catalogue),
            "completing": part(lambda parts: parts.completing),
            "conversations": part(lambda parts: parts.storage.conversations),
            "conversing": part(lambda parts: parts.conversing),
            "corpora": part(lambda parts: parts.corpora),
            "documents": part(lambda parts: parts.documents),
            "files": part(lambda parts: parts.files),
            "generating": part(lambda parts: parts.generating),
            "models": part(lambda parts: parts.models),
            "grounded": part(lambda parts: parts.grounded),
            "operations": part(lambda parts: parts.operations),
            "searching": part(lambda parts: parts.searching),
            "sessions": part(lambda parts: parts.storage.sessions),
            "metrics": part(lambda parts: parts.metrics),
            "sockets": part(lambda parts: parts.sockets),
            "uploads": part(lambda parts: parts.uploads),
        },
        guards=[versions.guard],
        request_class=MessageRequest,
        response_class=MessageResponse,
        request_max_body_size=MAX_BODY,
        exception_handlers={
            ServiceError: errors.handle_service_error,
            HTTPException: errors.handle_http_exception,
            Exception: errors.handle_exception,
        },
        cors_config=_cross_origin(application.settings),
        openapi_config=None,
        logging_config=None,
    )
    return VerbRouter.from_config(config)


def _cross_origin(settings: Settings) -> CORSConfig | None:
    """Let the pages that may embed the chat read its session as well."""
    if not settings.origins:
        return None
    return CORSConfig(allow_origins=list(settings.origins), allow_methods=["GET", "POST"])


def create_app(settings: Settings) -> Application:
    """Return the service for *settings*; nothing is open yet."""
    return Application(settings)
