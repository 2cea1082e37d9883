"""Opens what answers: the index, what writes from its hits, and the runner of both."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator
from typing import Final

import msgspec

from service.answering import traced_stages
from service.answering.pipeline import answered_queries
from service.answering.pipeline.authoring import PipelineAuthor
from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.attachments import Attachments
from service.corpus.catalogue.document_policies import DocumentPolicies
from service.corpus.index import FollowingIndex
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.tantivy.index import TantivyIndex
from service.corpus.vectors.vector_search import VectorSearch
from service.embeddings.embedder import Embedder
from service.embeddings.endpoint import EmbeddingEndpoint, EndpointEmbedder
from service.embeddings.local import LocalEmbedder
from service.generation.chat_model import chat_completions
from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_completions import ChatCompletions
from service.generation.chat_model.openai import OpenAIGenerator
from service.generation.chat_model.query_rewriting import QueryRewriter
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Generator, Rewriter
from service.language import sentences
from service.language.synonyms import Synonyms
from service.metrics.metrics import Metrics
from service.portal.portal import Portal
from service.security.limits.daily_tokens import DailyTokens
from service.security.limits.rate_limiter import RateLimiter
from service.settings import Settings
from service.stores import Stores
from service.thread_pools import ThreadPools
from sessions.resources import answers
from sessions.spans import UNTRACED, Tracer
from streaming.log.event_log import EventLog
from streaming.log.events import Failed, Succeeded
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor
from streaming.running.runner import Runner, Timing

PACE: Final = 0.002
"""Seconds between two pieces of an extractive answer."""

_log = logging.getLogger(__name__)


class Answering(msgspec.Struct, frozen=True, kw_only=True):
    """What answers are made with, from the first hit to the last reader."""

    index: FollowingIndex
    embedder: Embedder | None
    """What embeds the texts that callers bring, where embeddings are configured."""
    generator: Generator
    completions: ChatCompletions | None
    """The model that the operator configured, None without one."""
    pipeline: Pipeline
    attachments: Attachments
    log: EventLog
    tail: Tail
    runner: Runner


@contextlib.asynccontextmanager
async def opened(
    settings: Settings,
    portal: Portal,
    store: Stores,
    metrics: Metrics,
    pools: ThreadPools,
    limiter: RateLimiter,
    tracer: Tracer,
) -> AsyncGenerator[Answering]:
    """Open all that answers, in order.

    The index catches up beside: what searches waits for it (`PipelineAuthor`), or says so.

    Raises:
        ServiceError: something that is needed is not there.
    """
    async with contextlib.AsyncExitStack() as stack:
        enter = stack.enter_async_context
        embedder, patient = await _embedders(settings, stack)
        index = await enter(_index(settings, store, embedder, portal, metrics))
        completions = await _completions(settings, store, metrics, stack)
        generator, rewriter = _writers(settings, completions)
        attachments = Attachments(store.documents.figures)
        parts = index, generator, store.catalogue, pools, rewriter, portal, attachments
        stages = metrics.answers.stage
        if tracer is not UNTRACED:
            stages = traced_stages.traced(stages)
        pipeline = Pipeline(*parts, shows_thoughts=settings.llm_thoughts, stages=stages)
        log = EventLog(store.redis, store.keys)
        tail = await enter(Tail(store.redis, store.keys, log))
        author = _author(store, pipeline, generator, index, metrics, limiter)
        # The last, as it takes over at once what others left; so it closes before what it uses.
        runner = await enter(_runner(settings, store, log, tail, author, metrics, tracer))
        yield Answering(
            index=index,
            embedder=patient,
            generator=generator,
            completions=completions,
            pipeline=pipeline,
            attachments=attachments,
            log=log,
            tail=tail,
            runner=runner,
        )


async def _embedders(
    settings: Settings, stack: contextlib.AsyncExitStack
) -> tuple[Embedder | None, Embedder | None]:
    """Return what embeds for searches, and what does for callers, who wait longer."""
    if settings.embeddings:
        return (local := LocalEmbedder()), local
    if not settings.embedding_base_url:
        return None, None
    http = await stack.enter_async_context(chat_completions.client())
    endpoint = EmbeddingEndpoint(
        base_url=settings.embedding_base_url,
        model=settings.embedding_model,
        api_key=settings.embedding_api_key,
    )
    patient = msgspec.structs.replace(endpoint, query=endpoint.documents)
    return EndpointEmbedder(http, endpoint), EndpointEmbedder(http, patient)


def _index(
    settings: Settings,
    store: Stores,
    embedder: Embedder | None,
    portal: Portal,
    metrics: Metrics,
) -> FollowingIndex:
    """Return the index of the operator's choice, with vectors where there is an *embedder*."""
    synonyms = Synonyms(portal.synonyms)
    policy = DocumentPolicies(store.catalogue, portal).of
    parts = store.redis, store.keys, store.documents
    if settings.index == "redis":
        shared = None
        if embedder is not None:
            shared = SharedVectors(embedder, *parts, observe=metrics.query_embedded)
            _watch(shared, metrics)
        return RedisIndex(
            *parts,
            observe=_index_waits,
            vectors=shared,
            synonyms=synonyms,
            policy=policy,
            searched=metrics.searched,
        )
    vectors = None
    if embedder is not None:
        vectors = VectorSearch(embedder, *parts, observe=metrics.query_embedded)
        _watch(vectors, metrics)
    return TantivyIndex(
        store.documents,
        folder=settings.data_dir / "index",
        observe=_index_waits,
        vectors=vectors,
        synonyms=synonyms,
        policy=policy,
        searched=metrics.searched,
    )


def _watch(vectors: VectorSearch | SharedVectors, metrics: Metrics) -> None:
    description = "Chunks whose embeddings a query is compared with"
    metrics.watch("embedded_chunks", description, lambda: vectors.count, "max")


def _index_waits(reason: BaseException) -> None:
    _log.warning("index_waits", extra={"reason": str(reason)})


async def _completions(
    settings: Settings, store: Stores, metrics: Metrics, stack: contextlib.AsyncExitStack
) -> ChatCompletions | None:
    """Return how the model is asked, None where none is configured."""
    if not settings.llm_base_url:
        return None
    http = await stack.enter_async_context(chat_completions.client())
    endpoint = Endpoint(
        base_url=settings.llm_base_url,
        model=settings.llm_model,
        api_key=settings.llm_api_key,
        temperature=settings.llm_temperature,
        max_tokens=settings.llm_max_tokens,
    )
    policy = chat_completions.EndpointPolicy(total=settings.deadline)
    most = settings.llm_daily_tokens
    budget = None
    if most:
        budget = DailyTokens(store.redis, store.keys, most, refused=metrics.refused)
    return ChatCompletions(http, endpoint, policy, budget=budget, used=metrics.model_used)


def _writers(
    settings: Settings, completions: ChatCompletions | None
) -> tuple[Generator, Rewriter | None]:
    """Return who writes answers, and who rewrites follow-ups, None where nobody but the rules."""
    if completions is None:
        return ExtractiveGenerator(sentences.spans, pace=PACE), None
    rewriter = QueryRewriter(completions).rewrite if settings.llm_rewrite else None
    return OpenAIGenerator(completions), rewriter


def _author(
    store: Stores,
    pipeline: Pipeline,
    generator: Generator,
    index: FollowingIndex,
    metrics: Metrics,
    limiter: RateLimiter,
) -> AnswerAuthor:
    history = History(store.redis, store.keys)

    def ended(
        request: PipelineRequest, answer: answers.Answer, terminal: Succeeded | Failed
    ) -> None:
        metrics.answers.ended(answer, terminal)
        limiter.places.ended(answer.name)
        answered_queries.note(store.query_history, request, answer)

    author = PipelineAuthor(pipeline, history, index.wait_ready, ended, metrics.answers.first_text)
    return AnswerAuthor(
        generate=author.generate,
        closing=author.closing,
        continues=lambda _: generator.continues,
        touch=store.touch,
    )


def _runner(
    settings: Settings,
    store: Stores,
    log: EventLog,
    tail: Tail,
    author: AnswerAuthor,
    metrics: Metrics,
    tracer: Tracer,
) -> Runner:
    return Runner(
        store.redis,
        store.keys,
        log,
        tail,
        author,
        timing=Timing(ttl=settings.lease, limit=settings.deadline),
        most=settings.max_answers,
        refused=lambda: metrics.refused("answers"),
        accepted=metrics.answers.accepted,
        taken_over=metrics.answers.taken_over,
        tracer=tracer,
    )
