"""The service as one application: what its server opens, asks and drains."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
from collections.abc import AsyncGenerator
from typing import Final

from litestar.types import ASGIApp

from service import parts as opening
from service.api.questions import Questions
from service.doors import doors
from service.parts import Parts
from service.settings import Settings
from sessions.supervision import contained, forever

_COLLECT: Final = (20_000, 20, 50)
"""When garbage is looked for; streaming makes many objects and hardly a circle."""

_log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application, and what its server needs to know of it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._parts: Parts | None = None
        self._draining = False
        self.ready = asyncio.Event()
        """Set once queries are answered."""
        self.questions = Questions()
        self.asgi: ASGIApp = doors(self)

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
        }
        async with asyncio.TaskGroup() as tasks:
            for part, drain in drains.items():
                draining = contained(drain(grace), "drain_failed", part=part)
                tasks.create_task(draining, name=f"drain-{part}")

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Open the parts in order, and close them in the opposite one; the server runs inside.

        Raises:
            ServiceError: something that the service needs is not there.
        """
        async with opening.opened(self.settings) as parts, asyncio.TaskGroup() as tasks:
            self._parts = parts
            tidy = functools.partial(parts.storage.tidy, self.settings.session_days)
            chores = [
                tasks.create_task(self._announce(parts), name="announce-ready"),
                tasks.create_task(forever(parts.storage.memory.watch), name="memory"),
                tasks.create_task(forever(tidy), name="tidy"),
            ]
            if not self.settings.redis_url:
                guard = functools.partial(parts.storage.guard, self.settings.data_dir)
                chores.append(tasks.create_task(forever(guard), name="guard"))
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
        _log.info("service_ready", extra={"redis": parts.storage.redis.server})


def create_app(settings: Settings) -> Application:
    """Return the service for *settings*; nothing is open yet."""
    return Application(settings)
