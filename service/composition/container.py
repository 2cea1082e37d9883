"""Opens what the service is made of, in order, and closes it in the opposite one."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import structs

from service import portal, stores
from service.answering.pipeline import answered_queries
from service.answering.pipeline.authoring import PipelineAuthor
from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.attachments import Attachments
from service.corpus.catalogue.document_policies import DocumentPolicies
from service.corpus.documents import sample_import
from service.corpus.isolation.pool import ParsingPool
from service.corpus.operations.operation_limit import OperationLimit
from service.corpus.operations.operations import Operations
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
from service.metrics import Metrics
from service.portal import Portal, TokenIssuer
from service.privacy.audit_recorder import AuditRecorder
from service.project_numbers import ProjectNumbers
from service.redaction.redactor import Redactor
from service.security import anonymous_access
from service.security.api_keys.registry import ApiKeyRegistry
from service.security.api_keys.store import ApiKeyStore
from service.security.authentication import Authentication
from service.security.limits.daily_tokens import DailyTokens
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.message_redaction import MessageRedaction
from service.security.tokens import portal_issuers
from service.security.tokens.ended_visitors import EndedVisitors
from service.security.tokens.provider_keys import ProviderKeys
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.trusted_issuers import TrustedIssuer
from service.security.tokens.verification_keys import KeySource
from service.security.tokens.visitor_store import VisitorStore
from service.settings import Settings
from service.stores import Stores
from service.thread_pools import ThreadPools
from service.url_hosts import UrlHosts
from service.web import connections, key_sets, search_endpoint
from service.web.key_sets import KeySetEndpoint
from service.web.page_fetcher import PageFetcher
from service.web.search_endpoint import SearchEndpoint
from sessions.resources import answers
from streaming.log.event_log import EventLog
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor
from streaming.running.runner import Runner, Timing

PACE: Final = 0.002
"""Seconds between two pieces of an extractive answer."""

_log = logging.getLogger(__name__)


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """What is open while the service runs, and what all of it shares."""

    settings: Settings
    portal: Portal
    redaction: MessageRedaction
    stores: Stores
    api_keys: ApiKeyRegistry
    authentication: Authentication
    signing_keys: SigningKeys
    rate_limiter: RateLimiter
    tokens: TokenVerifier
    visitors: VisitorStore
    ended_visitors: EndedVisitors
    parsers: ParsingPool
    metrics: Metrics
    thread_pools: ThreadPools
    index: TantivyIndex
    embedder: Embedder | None
    """What embeds the texts that callers bring, where embeddings are configured."""
    generator: Generator
    completions: ChatCompletions | None
    """The model that the operator configured, None without one."""
    pipeline: Pipeline
    attachments: Attachments
    pages: PageFetcher | None
    web_search: SearchEndpoint | None
    log: EventLog
    tail: Tail
    runner: Runner
    operations: Operations
    audit: AuditRecorder


@contextlib.asynccontextmanager
async def opened(settings: Settings) -> AsyncGenerator[Container]:
    """Open everything in order, and close it in the opposite one.

    Raises:
        ServiceError: something that the service needs is not there.
        PortalError: what the operator says of the portal cannot be used.
        SettingsError: strangers could reach the service, and nothing tells who they are.
    """
    # Before anything is opened: what is wrong with it passes by no waiting.
    numbers = ProjectNumbers(settings.project_numbers)
    of_portal = portal.read(settings.portal, numbers)
    async with contextlib.AsyncExitStack() as stack:
        enter = stack.enter_async_context
        # Before Redis is waited for, too: an unreadable key does not pass by waiting.
        issuers = await _token_issuers(settings, of_portal, stack)
        store = await enter(stores.opened(settings, of_portal.event_days))
        api_keys = ApiKeyRegistry(ApiKeyStore(store.redis, store.keys))
        await enter(api_keys.kept())
        if not api_keys.any_known:
            anonymous_access.check(settings, of_portal.origins)
        parsers = await enter(ParsingPool())
        audit = await enter(AuditRecorder(store.redis, store.keys))
        if settings.sample:
            # Before the index, which then reads the sample with everything else that is stored.
            await sample_import.import_sample(store.catalogue, store.documents, parsers)
        metrics, pools = Metrics(), ThreadPools()
        # It catches up beside all that follows: sockets and lists are served meanwhile, and what
        # searches waits for it (`PipelineAuthor`), or says that it is not there yet.
        embedder, patient = await _embedders(settings, stack)
        vectors = _vectors(embedder, store, metrics)
        policies = DocumentPolicies(store.catalogue, of_portal)
        index = await enter(_index(settings, store, vectors, of_portal, policies))
        completions = await _completions(settings, store, metrics, stack)
        generator, rewriter = _writers(settings, completions)
        attachments = Attachments(store.documents.figures)
        pipeline = Pipeline(
            index,
            generator,
            store.catalogue,
            pools,
            rewriter,
            of_portal,
            attachments,
            shows_thoughts=settings.llm_thoughts,
        )
        log = EventLog(store.redis, store.keys)
        tail = await enter(Tail(store.redis, store.keys, log))
        limiter = _rate_limiter(settings, store, metrics)
        author = _author(store, pipeline, generator, index, metrics, limiter)
        # The last of what writes answers, since it begins at once to take over what others left;
        # and so the first to close: what it still writes goes through the log and the tail.
        runner = await enter(_runner(settings, store, log, tail, author, metrics))
        operations = await enter(_operations(store, metrics))
        signing_keys = SigningKeys(store.redis, store.keys)
        visitors = VisitorStore(store.redis, store.keys)
        tokens = TokenVerifier(
            signing_keys,
            issuers,
            holds=api_keys.holds,
            visitors=visitors,
            # While no key was ever made everybody is let in, and visitors may be tried out.
            anonymous=lambda: settings.anonymous or not api_keys.any_known,
        )
        yield Container(
            settings=settings,
            portal=of_portal,
            redaction=MessageRedaction(Redactor(of_portal.redaction.mask)),
            stores=store,
            api_keys=api_keys,
            authentication=Authentication(
                api_keys,
                tokens,
                anonymous=settings.anonymous,
                count_failure=limiter.count_failed_credential,
            ),
            signing_keys=signing_keys,
            rate_limiter=limiter,
            tokens=tokens,
            visitors=visitors,
            ended_visitors=EndedVisitors(visitors),
            parsers=parsers,
            metrics=metrics,
            thread_pools=pools,
            index=index,
            embedder=patient,
            generator=generator,
            completions=completions,
            pipeline=pipeline,
            attachments=attachments,
            pages=await _pages(settings, parsers, stack),
            web_search=await _web_search(settings, stack),
            log=log,
            tail=tail,
            runner=runner,
            operations=operations,
            audit=audit,
        )


async def _token_issuers(
    settings: Settings, of_portal: Portal, stack: contextlib.AsyncExitStack
) -> Mapping[str, TrustedIssuer]:
    """Return who signs tokens beside this service."""
    tables = of_portal.token_issuers
    if not tables:
        return {}
    http = await stack.enter_async_context(key_sets.client())

    def provider_keys(table: TokenIssuer) -> KeySource:
        return ProviderKeys(KeySetEndpoint(http, table.jwks_url).fetch, table.algorithms)

    folder = settings.portal.parent if settings.portal else Path()
    return portal_issuers.made(
        tables, folder, provider_keys, ProjectNumbers(settings.project_numbers)
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


def _rate_limiter(settings: Settings, store: Stores, metrics: Metrics) -> RateLimiter:
    quotas = Quotas(
        structs.asdict(settings.rate_limits), structs.asdict(settings.concurrent_requests)
    )
    return RateLimiter(
        store.redis, store.keys, quotas, longest=settings.deadline, refused=metrics.refused
    )


def _vectors(embedder: Embedder | None, store: Stores, metrics: Metrics) -> VectorSearch | None:
    """Return what searches by meaning, where the operator wants that."""
    if embedder is None:
        return None
    vectors = VectorSearch(
        embedder, store.redis, store.keys, store.documents, observe=metrics.query_embedded
    )
    metrics.watch("embedded_chunks", "Chunks with an embedding here", lambda: vectors.count)
    return vectors


def _index(
    settings: Settings,
    store: Stores,
    vectors: VectorSearch | None,
    of_portal: Portal,
    policies: DocumentPolicies,
) -> TantivyIndex:
    return TantivyIndex(
        store.documents,
        folder=settings.data_dir / "index",
        observe=_index_waits,
        vectors=vectors,
        synonyms=Synonyms(of_portal.synonyms),
        policy=policies.of,
    )


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
    return ChatCompletions(http, endpoint, policy, budget=budget)


def _writers(
    settings: Settings, completions: ChatCompletions | None
) -> tuple[Generator, Rewriter | None]:
    """Return who writes answers, and who rewrites follow-ups, None where nobody but the rules."""
    if completions is None:
        return ExtractiveGenerator(sentences.spans, pace=PACE), None
    rewriter = QueryRewriter(completions).rewrite if settings.llm_rewrite else None
    return OpenAIGenerator(completions), rewriter


async def _pages(
    settings: Settings, parsers: ParsingPool, stack: contextlib.AsyncExitStack
) -> PageFetcher | None:
    """Return what reads pages of the web, where the operator lists hosts."""
    hosts = UrlHosts(settings.url_hosts)
    if not hosts:
        return None
    http = await stack.enter_async_context(connections.client(hosts))
    return PageFetcher(http, hosts, parsers)


async def _web_search(
    settings: Settings, stack: contextlib.AsyncExitStack
) -> SearchEndpoint | None:
    """Return what searches the web, where the operator has an endpoint."""
    if not settings.search_url:
        return None
    http = await stack.enter_async_context(search_endpoint.client())
    return SearchEndpoint(http, settings.search_url)


def _author(
    store: Stores,
    pipeline: Pipeline,
    generator: Generator,
    index: TantivyIndex,
    metrics: Metrics,
    limiter: RateLimiter,
) -> AnswerAuthor:
    history = History(store.redis, store.keys)

    def ended(request: PipelineRequest, answer: answers.Answer) -> None:
        metrics.ended(answer)
        limiter.ended(answer.name)
        answered_queries.note(store.query_history, request, answer)

    author = PipelineAuthor(pipeline, history, index.wait_ready, ended)
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
    )


def _operations(store: Stores, metrics: Metrics) -> Operations:
    limit = OperationLimit(lambda: metrics.refused("operations"))
    return Operations(store.redis, store.keys, limit)
