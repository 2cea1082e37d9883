"""The service as one application: what its server opens, asks and drains."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import itertools
import logging
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from litestar.types import ASGIApp, Receive, Send

from service.api import websocket_endpoint
from service.api.http.request_bodies import RequestBodies
from service.api.pending_requests import PendingRequests
from service.composition import container as opening
from service.composition.asgi import doors
from service.composition.container import Container
from service.middleware.request_limit import RequestsInFlight
from service.settings import Settings
from sessions.errors import Unavailable
from sessions.supervision import contained, forever

_AT_ONCE: Final = 2.0
"""Seconds that the start gets before it is told that the service waits: requests wait as well."""
_LONGEST: Final = 2.0
"""Longest pause, in seconds, between two attempts to open what the service needs."""
_COLLECT: Final = (20_000, 20, 50)
"""When garbage is looked for; streaming makes many objects and hardly a circle."""

_log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application, and what its server needs to know of it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._parts: Container | None = None
        self._draining = False
        self.ready = asyncio.Event()
        """Set once queries are answered."""
        self.questions = PendingRequests()
        self.requests = RequestsInFlight(settings.max_requests, self._refused)
        self.bodies = RequestBodies(settings.data_dir)
        self.asgi: ASGIApp = self._served(doors(self))

    def _served(self, routed: ASGIApp) -> ASGIApp:
        async def serve(scope: Any, receive: Receive, send: Send) -> None:
            if self._parts is None and scope["type"] == "websocket":
                await websocket_endpoint.turn_away(scope, receive, send)
            else:
                await routed(scope, receive, send)

        return serve

    @property
    def parts(self) -> Container:
        """The parts of the running service.

        Raises:
            Unavailable: they cannot be opened yet (REDIS_UNAVAILABLE).
        """
        if self._parts is None:
            raise Unavailable(
                "the service starts and waits for Redis; try again in a moment",
                reason="REDIS_UNAVAILABLE",
            )
        return self._parts

    def missing(self) -> str:
        """Return what keeps the service from answering, "" where nothing does."""
        if self._draining:
            return "nothing, it is stopping"
        if self._parts is None:
            return "Redis"
        if not self._parts.index.ready:
            return "the index"
        if not self._parts.storage.redis.available:
            return "Redis"
        return "Redis, which is out of memory" if self._parts.storage.memory.full else ""

    async def drain(self, grace: float) -> None:
        """Accept nothing more, and wait *grace* seconds for what runs to come to its end.

        What does not is left to another replica or, where nothing is stored of it, ended.
        """
        self._draining = True
        if self._parts is None:
            return
        drains = {
            "questions": self.questions.drain,
            "sockets": self._parts.sockets.drain,
            "runner": self._parts.runner.drain,
            "parsers": self._parts.parsers.drain,
        }
        async with asyncio.TaskGroup() as tasks:
            for part, drain in drains.items():
                draining = contained(drain(grace), "drain_failed", part=part)
                tasks.create_task(draining, name=f"drain-{part}")

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Open the parts in order, and close them in the opposite one; the server runs inside.

        Where Redis does not answer soon it runs without them: it is not ready, says so, and tries
        on. What would not pass by waiting ends it, then as well as at once.

        Raises:
            ServiceError: something that the service needs is not there, or is not what it needs.
        """
        settled, closing = asyncio.Event(), asyncio.Event()
        try:
            async with asyncio.TaskGroup() as tasks:
                keeper = tasks.create_task(self._keep(settled, closing), name="parts")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_AT_ONCE):
                        await settled.wait()
                try:
                    yield
                finally:
                    closing.set()
                    if self._parts is None:
                        keeper.cancel()
        except BaseExceptionGroup as group:
            raise _cause(group) from None

    async def _keep(self, settled: asyncio.Event, closing: asyncio.Event) -> None:
        """Hold the parts open until *closing*, in one task, since they own groups of tasks."""
        for attempt in itertools.count():
            try:
                async with opening.opened(self.settings) as parts:
                    self._parts = parts
                    settled.set()
                    await self._work(parts, closing)
                return
            except (Unavailable, BaseExceptionGroup) as exc:
                cause = _cause(exc)
                if self._parts is not None or not isinstance(cause, Unavailable):
                    raise cause from exc
                _log.warning("redis_awaited", extra={"error": cause.message})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(0.25 * 2 ** min(attempt, 9), _LONGEST)):
                    await closing.wait()
                return

    async def _work(self, parts: Container, closing: asyncio.Event) -> None:
        parts.metrics.watch(
            "requests_in_flight", "Requests over HTTP here now", lambda: self.requests.count
        )
        async with asyncio.TaskGroup() as tasks:
            tidy = functools.partial(parts.storage.tidy, self.settings.session_days)
            chores = [
                tasks.create_task(self._announce(parts), name="announce-ready"),
                tasks.create_task(forever(parts.storage.memory.watch), name="memory"),
                tasks.create_task(forever(tidy), name="tidy"),
            ]
            if not self.settings.redis_url:
                guard = functools.partial(parts.storage.guard, self.settings.data_dir)
                chores.append(tasks.create_task(forever(guard), name="guard"))
            await closing.wait()
            for chore in chores:
                chore.cancel()

    def _refused(self) -> None:
        if self._parts is not None:
            self._parts.metrics.refused("requests")

    async def _announce(self, parts: Container) -> None:
        await parts.index.wait_ready()
        # What is there now stays: the collector need not look at it again and again.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_COLLECT)
        self.ready.set()
        _log.info("service_ready", extra={"redis": parts.storage.redis.server})


def _cause(error: BaseException) -> BaseException:
    """Return what a group that wraps one failure alone is about."""
    inner: Sequence[BaseException] = getattr(error, "exceptions", ())
    return _cause(inner[0]) if len(inner) == 1 else error


def create_app(settings: Settings) -> Application:
    """Return the service for *settings*; nothing is open yet."""
    return Application(settings)
