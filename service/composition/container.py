"""Opens what the service is made of, in order, and closes it in the opposite one."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
from msgspec import structs

from service import stores
from service.composition import answering, identity
from service.composition.answering import Answering
from service.composition.identity import Identity
from service.corpus.documents import sample_import
from service.corpus.isolation.pool import ParsingPool
from service.corpus.operations.operation_limit import OperationLimit
from service.corpus.operations.operations import Operations
from service.metrics.metrics import Metrics
from service.portal import portal_file
from service.portal.portal import Portal
from service.privacy.audit_recorder import AuditRecorder
from service.project_numbers import ProjectNumbers
from service.redaction.redactor import Redactor
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.message_redaction import MessageRedaction
from service.settings import Settings
from service.stores import Stores
from service.thread_pools import ThreadPools
from service.url_hosts import UrlHosts
from service.web import connections, search_endpoint
from service.web.page_fetcher import PageFetcher
from service.web.search_endpoint import SearchEndpoint
from sessions.spans import UNTRACED, Tracer


class Container(msgspec.Struct, frozen=True, kw_only=True):
    """What is open while the service runs, and what all of it shares."""

    settings: Settings
    portal: Portal
    redaction: MessageRedaction
    stores: Stores
    rate_limiter: RateLimiter
    identity: Identity
    parsers: ParsingPool
    metrics: Metrics
    thread_pools: ThreadPools
    answering: Answering
    pages: PageFetcher | None
    web_search: SearchEndpoint | None
    operations: Operations
    audit: AuditRecorder
    tracer: Tracer


@contextlib.asynccontextmanager
async def opened(
    settings: Settings, metrics_file: Path | None = None, tracer: Tracer = UNTRACED
) -> AsyncGenerator[Container]:
    """Open everything in order, and close it in the opposite one.

    *metrics_file* is where a worker among several writes what it counts.

    Raises:
        ServiceError: something that the service needs is not there.
        PortalError: what the operator says of the portal cannot be used.
        SettingsError: strangers could reach the service, and nothing tells who they are.
    """
    # Before Redis is waited for: what is wrong with the portal file passes by no waiting.
    numbers = ProjectNumbers(settings.project_numbers)
    portal = portal_file.read(settings.portal, numbers)
    async with contextlib.AsyncExitStack() as stack:
        enter = stack.enter_async_context
        issuers = await enter(identity.issuers(settings, portal, numbers))
        store = await enter(stores.opened(settings, portal.event_days))
        metrics, pools = Metrics(metrics_file), ThreadPools()
        limiter = _rate_limiter(settings, store, metrics)
        known = await enter(identity.opened(settings, portal, store, issuers, limiter))
        parsers = await enter(ParsingPool())
        audit = await enter(AuditRecorder(store.redis, store.keys))
        if settings.sample:
            # Before the index, which then reads the sample with everything else that is stored.
            await sample_import.import_sample(store.catalogue, store.documents, parsers)
        answers = await enter(
            answering.opened(settings, portal, store, metrics, pools, limiter, tracer)
        )
        yield Container(
            settings=settings,
            portal=portal,
            redaction=MessageRedaction(Redactor(portal.redaction.mask)),
            stores=store,
            rate_limiter=limiter,
            identity=known,
            parsers=parsers,
            metrics=metrics,
            thread_pools=pools,
            answering=answers,
            operations=await enter(_operations(store, metrics)),
            pages=await _pages(settings, parsers, stack),
            web_search=await _web_search(settings, stack),
            audit=audit,
            tracer=tracer,
        )


def _rate_limiter(settings: Settings, store: Stores, metrics: Metrics) -> RateLimiter:
    quotas = Quotas(
        structs.asdict(settings.rate_limits), structs.asdict(settings.concurrent_requests)
    )
    return RateLimiter(
        store.redis, store.keys, quotas, longest=settings.deadline, refused=metrics.refused
    )


def _operations(store: Stores, metrics: Metrics) -> Operations:
    limit = OperationLimit(lambda: metrics.refused("operations"))
    return Operations(store.redis, store.keys, limit)


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
