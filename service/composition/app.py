"""The service as one application: what its server opens, asks and drains."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import itertools
import logging
from collections.abc import AsyncGenerator, Awaitable, Sequence
from pathlib import Path
from typing import Any, Final

from litestar.types import ASGIApp, Receive, Send

from service.access_log import AccessLog
from service.api import websocket_endpoint
from service.api.http.request_bodies import RequestBodies
from service.api.pending_requests import PendingRequests
from service.composition import asgi, container, warming, watched_parts
from service.composition.container import Container
from service.composition.handler_services import HandlerServices
from service.middleware.request_limit import RequestsInFlight
from service.portal.portal import Portal
from service.privacy.audit_recorder import AuditRecorder
from service.security import anonymous_access
from service.security.credentials import Credentials
from service.security.hosts import Hosts
from service.security.limits.rate_limiter import RateLimiter
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import Principal
from service.settings import Settings
from service.stores import Stores
from service.tracing import export
from sessions.errors import Unavailable
from sessions.supervision import contained, forever

_STARTS_WITHIN: Final = 2.0
"""Seconds that requests wait with the start; later ones are told that the service waits."""
_LONGEST_PAUSE: Final = 2.0
"""Longest pause, in seconds, between two attempts to open what the service needs."""
_GARBAGE_THRESHOLDS: Final = (20_000, 20, 50)
"""When garbage is looked for; streaming makes many objects and hardly a circle."""

_log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application, and what its server needs to know of it."""

    def __init__(self, settings: Settings, metrics_file: Path | None = None) -> None:
        self.settings = settings
        self._metrics_file = metrics_file
        self._container: Container | None = None
        self._handler_services: HandlerServices | None = None
        self._draining = False
        self.ready = asyncio.Event()
        """Set once queries are answered."""
        self.pending_requests = PendingRequests()
        self.requests_in_flight = RequestsInFlight(settings.max_requests, self._count_refusal)
        self.request_bodies = RequestBodies(settings.data_dir)
        self._exporter = export.opened(settings)
        self.access_log = AccessLog(settings.access_log)
        self.tracer = export.tracer_of(self._exporter)
        self.hosts = Hosts(settings.known_hosts)
        self.origins = OriginPolicy(
            self.hosts, settings.origins, self._portal, self._stores_behind, self.demo_origins
        )
        self.asgi: ASGIApp = self._turning_away(asgi.routed(self))

    def _turning_away(self, routed: ASGIApp) -> ASGIApp:
        """Let *routed* serve all but sockets that come while there is nothing to serve them from.

        Over HTTP a handler that needs more than there is answers 503 by itself; a socket would be
        refused before its handshake, and its client would not hear that to come back is worth it.
        """

        def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
            if self._container is None and scope["type"] == "websocket":
                return websocket_endpoint.turn_away(scope, receive, send)
            return routed(scope, receive, send)

        return serve

    @property
    def container(self) -> Container:
        """What is open.

        Raises:
            Unavailable: nothing can be opened yet (REDIS_UNAVAILABLE).
        """
        if self._container is None:
            raise _waits_for_redis()
        return self._container

    @property
    def audit(self) -> AuditRecorder | None:
        """What records administrative acts, None while nothing is open."""
        return self._container.audit if self._container is not None else None

    @property
    def redaction(self) -> MessageRedaction:
        """What masks that nobody is to keep; raises as `container`."""
        return self.container.redaction

    @property
    def handler_services(self) -> HandlerServices:
        """What handlers call.

        Raises:
            Unavailable: as `container`.
        """
        if self._handler_services is None:
            raise _waits_for_redis()
        return self._handler_services

    @property
    def rate_limiter(self) -> RateLimiter:
        """What bounds how much one caller asks; raises as `container`."""
        return self.container.rate_limiter

    def demo_origins(self) -> Sequence[str]:
        """Return the origins of the demo portal, () from the first API key on."""
        if self._container is None or self._container.identity.api_keys.any_known:
            return ()
        return anonymous_access.demo_origins(self.settings)

    def _portal(self) -> Portal:
        return Portal() if self._container is None else self._container.portal

    async def _stores_behind(self, engine: str) -> Sequence[str]:
        return await self.container.stores.catalogue.data_stores(engine)

    def authenticate(self, given: Credentials) -> Awaitable[Principal]:
        """Return who brought what is *given*; raises as `Authentication.principal` does."""
        return self.container.identity.authentication.principal(given)

    def observe_request(self, method: str, status: int, seconds: float) -> None:
        """Count a request over HTTP; before anything is open there is nothing to count it in."""
        if self._container is not None:
            self._container.metrics.responded(method, status, seconds)

    def missing(self) -> str:
        """Return what keeps the service from answering, "" where nothing does."""
        if self._draining:
            return "nothing, it is stopping"
        if self._container is None:
            return "Redis"
        if not self._container.answering.index.ready:
            return "the index"
        if not self.ready.is_set():
            return "its tables"
        return _missing(self._container.stores)

    async def drain(self, grace: float) -> None:
        """Accept nothing more, and wait *grace* seconds for what runs to come to its end.

        What does not is left to another replica or, where nothing is stored of it, ended.
        """
        self._draining = True
        if self._container is None or self._handler_services is None:
            return
        # All at once: one after the other, each would get what the others left of the grace, and
        # the sockets would hear too late to connect elsewhere.
        drains = {
            "questions": self.pending_requests.drain,
            "sockets": self._handler_services.websocket_connections.drain,
            "runner": self._container.answering.runner.drain,
            "parsers": self._container.parsers.drain,
        }
        async with asyncio.TaskGroup() as tasks:
            for part, drain in drains.items():
                draining = contained(drain(grace), "drain_failed", part=part)
                tasks.create_task(draining, name=f"drain-{part}")

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Open the service; its server runs inside.

        Where Redis does not answer soon it runs without: it is not ready, says so, and tries on.
        What would not pass by waiting ends it, then as well as at once.

        Raises:
            ServiceError: something that the service needs is not there, or is not what it needs.
        """
        settled, closing = asyncio.Event(), asyncio.Event()
        try:
            async with export.closing(self._exporter), asyncio.TaskGroup() as tasks:
                keeper = tasks.create_task(self._keep_open(settled, closing), name="container")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_STARTS_WITHIN):
                        await settled.wait()
                try:
                    yield
                finally:
                    closing.set()
                    if self._container is None:
                        keeper.cancel()
        except BaseExceptionGroup as group:
            raise _cause(group) from None

    async def _keep_open(self, settled: asyncio.Event, closing: asyncio.Event) -> None:
        """Hold the container open until *closing*, in one task, since it owns groups of tasks."""
        for attempt in itertools.count():
            try:
                parts = container.opened(self.settings, self._metrics_file, self.tracer)
                async with parts as opened:
                    self._container = opened
                    self._handler_services = HandlerServices(opened, self.origins, self.access_log)
                    settled.set()
                    await self._run(opened, closing)
                return
            except (Unavailable, BaseExceptionGroup) as exc:
                cause = _cause(exc)
                # Once it is open an outage of Redis ends nothing: every part outlives it. What
                # comes out here all the same is a failure to stop with, not to wait for.
                if self._container is not None or not isinstance(cause, Unavailable):
                    raise cause from exc
                _log.warning("redis_awaited", extra={"error": cause.message})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(0.25 * 2 ** min(attempt, 9), _LONGEST_PAUSE)):
                    await closing.wait()
                return

    async def _run(self, opened: Container, closing: asyncio.Event) -> None:
        """Do what is to be done while the service runs, until *closing*."""
        handlers = self.handler_services
        watched_parts.watch(
            opened,
            handlers.websocket_connections,
            self.requests_in_flight,
            handlers.resume_counts,
        )
        for ended in (self.handler_services.websocket_connections, self.pending_requests):
            opened.identity.api_keys.on_revoked(ended.revoke)
            opened.identity.ended_visitors.on_ended(ended.end)
        stores = opened.stores
        # It is forgotten with the connection, which closes after this.
        stores.redis.channels.listen(stores.keys.forgotten(), self.handler_services.forget)
        async with asyncio.TaskGroup() as tasks:
            tidy = functools.partial(
                stores.tidy,
                functools.partial(opened.portal.session_days, otherwise=self.settings.session_days),
            )
            counts = stores.catalogue.is_analysed
            write_asked = functools.partial(
                stores.query_history.keep_writing, counts, stores.sessions.user
            )
            finish_merges = self.handler_services.visitor_merges.keep_finishing
            chores = [
                tasks.create_task(self._announce(opened), name="announce-ready"),
                tasks.create_task(forever(stores.memory.watch), name="memory"),
                tasks.create_task(forever(stores.installation.watch), name="installation"),
                tasks.create_task(opened.metrics.keep_publishing(), name="metrics"),
                tasks.create_task(opened.metrics.loop_lag.keep_measuring(), name="loop-lag"),
                tasks.create_task(
                    forever(opened.rate_limiter.places.keep_releasing), name="quotas"
                ),
                tasks.create_task(forever(tidy), name="tidy"),
                tasks.create_task(forever(write_asked), name="query-history"),
                tasks.create_task(
                    forever(self.handler_services.user_data_methods.keep_purging), name="purges"
                ),
                tasks.create_task(forever(finish_merges), name="visitor-merges"),
                tasks.create_task(
                    forever(opened.identity.ended_visitors.keep_looking), name="ended-visitors"
                ),
            ]
            if not self.settings.redis_url:
                guard = functools.partial(stores.guard, self.settings.data_dir)
                chores.append(tasks.create_task(forever(guard), name="guard"))
            await closing.wait()
            for chore in chores:
                chore.cancel()
        opened.metrics.publish()  # what was counted to the last

    def _count_refusal(self) -> None:
        if self._container is not None:
            self._container.metrics.refused("requests")

    async def _announce(self, opened: Container) -> None:
        # Beside the index, which is read meanwhile in threads of its own. Should it fail, the first
        # query is as slow as it would have been.
        await contained(opened.thread_pools.reading.run(warming.warm_up), "warming_failed")
        await opened.answering.index.wait_ready()
        # What is there now stays: the collector need not look at it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_GARBAGE_THRESHOLDS)
        self.ready.set()
        _log.info("service_ready", extra={"redis": opened.stores.redis.server})


def _waits_for_redis() -> Unavailable:
    return Unavailable(
        "the service starts and waits for Redis; try again in a moment",
        reason="REDIS_UNAVAILABLE",
    )


def _cause(error: BaseException) -> BaseException:
    """Return what a group that wraps one failure alone is about."""
    inner: Sequence[BaseException] = getattr(error, "exceptions", ())
    return _cause(inner[0]) if len(inner) == 1 else error


def _missing(stores: Stores) -> str:
    """Return what Redis has not, "" where it has everything."""
    if not stores.redis.available:
        return "Redis"
    if stores.installation.lost:
        return "the data, which Redis has lost: restore a backup"
    return "Redis, which is out of memory" if stores.memory.full else ""


def create_app(settings: Settings, metrics_file: Path | None = None) -> Application:
    """Return the service for *settings*; nothing is open yet.

    Workers of one supervisor each have a *metrics_file*, in one folder.
    """
    return Application(settings, metrics_file)
