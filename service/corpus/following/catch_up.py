"""Let the index of one data store catch up, in one task at a time, whoever wants it to.

Nobody who waits for it, and is cancelled, leaves work behind. What fails is tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from service.native_calls import NativeFault
from sessions.errors import ServiceError, Unavailable
from sessions.supervision import PASSING

RETRY: Final = 1.0
"""Seconds until what failed is tried again; longer where it fails again and again."""
LONGEST_RETRY: Final = 60.0

Work = Callable[[Callable[[], None]], Awaitable[bool]]
"""Takes what the store has into the index; calls what it is given once what was stored before the
call can be found, and returns whether there is more to do."""
Failed = Callable[[BaseException], Awaitable[float]]
"""Is told why the work failed; returns the seconds until it is tried again. Where these are 0, who
waits goes on waiting."""


class CatchUp:
    """The work that keeps the index of a data store *name* as the store is."""

    def __init__(self, name: str, work: Work, failed: Failed) -> None:
        self._name = name
        self._work = work
        self._failed = failed
        self._wanted = False
        self._wanted_since: float | None = None
        self.late_since: float | None = None
        """Since when (`time.monotonic`) a change is known that cannot be found yet."""
        self._waiting: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self.settled = asyncio.Event()
        """Set when it has caught up once, or will not soon: it failed and is tried again."""

    @property
    def is_busy(self) -> bool:
        """Tell whether something is to be done."""
        return bool(self._waiting) or (self._task is not None and not self._task.done())

    def touch(self, tasks: asyncio.TaskGroup) -> None:
        """Catch up soon, in a task of *tasks*."""
        self._wanted = True
        self._wanted_since = self._wanted_since or time.monotonic()
        self.late_since = self.late_since or self._wanted_since
        if self._task is None or self._task.done():
            self._task = tasks.create_task(self._run(), name=f"index {self._name}")

    async def refresh(self, tasks: asyncio.TaskGroup) -> None:
        """Return when what was stored before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index failed and is tried again.
        """
        caught_up = asyncio.get_running_loop().create_future()
        self._waiting.append(caught_up)
        self._hurry.set()
        self.touch(tasks)
        await caught_up

    def stop(self) -> None:
        """Catch up no more."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while self._wanted:
            # Both before the feed is read: a change that comes after is wanted again, and who
            # waits for it waits for the next round, since this one may not see it.
            self._wanted, self._wanted_since = False, None
            waiting, self._waiting = self._waiting, []

            def done(waiting: Sequence[asyncio.Future[None]] = waiting) -> None:
                self.settled.set()
                self.late_since = self._wanted_since  # what came meanwhile
                for each in waiting:
                    if not each.done():
                        each.set_result(None)

            try:
                if await self._work(done):
                    self._wanted = True
            except PASSING:
                for each in waiting:
                    each.cancel()
                raise
            # A supervisor: nothing may end the task (native code panics past Exception).
            except BaseException as exc:  # noqa: BLE001
                await self._try_again(exc, waiting)

    async def _try_again(self, exc: BaseException, waiting: Sequence[asyncio.Future[None]]) -> None:
        self._wanted = True
        pause = await self._failed(exc)
        if not pause:
            self._waiting[:0] = waiting
            return
        error = exc
        if not isinstance(exc, ServiceError) or isinstance(exc, NativeFault):
            self.settled.set()  # nobody waits for it alone
            error = Unavailable("the index is being built anew; try again", reason="INDEX_FAILED")
        for each in waiting:
            if not each.done():
                each.set_exception(error)
        self._hurry.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._hurry.wait()
