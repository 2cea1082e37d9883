"""Run work that may take longer than a request, and remember how it went.

An operation is a small resource beside the work of the process that accepted it. While that goes
on, the process marks the resource every second; one whose marks stop belongs to a process that
died, and whoever looks at it next ends it. So none stays undone for ever. What may become of the
resource is drawn in `stored_operations`.

Work and the writing of its end are two tasks. Whoever cancels an operation stops the work alone:
what was done by then is told as done, however long Redis takes to hear of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.corpus.operations import stored_operations
from service.corpus.operations.liveness import Liveness
from service.corpus.operations.operation_limit import OperationLimit, OperationPermit
from service.corpus.operations.running_operation import Job, RunningOperation, StoppedBy, plain
from service.corpus.operations.stored_operations import OPERATIONS, StoredOperation
from sessions.errors import NotFound, ServiceError
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.stores.record_store import RecordStore
from sessions.supervision import contained, forever

PROMPT: Final = 0.2
"""Seconds within which work is waited for, so that its first reply tells the end."""
BEAT: Final = 1.0
"""Seconds between two marks of a process that works; a cancellation is noticed that fast."""
LONGEST_WAIT: Final = 60.0
"""Seconds that a caller may wait for an end in one request."""

_GRACE: Final = 5.0
"""Seconds for what runs when the service stops, and again for what was cancelled then."""
_LOOK: Final = 0.25
"""Seconds between two looks at work of another process that somebody waits for."""
_RETRY: Final = 1.0
_log = logging.getLogger(__name__)


class Operations:
    """The operations of an installation; an async context manager that owns its tasks."""

    def __init__(self, redis: Redis, keys: Keys, limit: OperationLimit) -> None:
        self._redis = redis
        self._limit = limit
        self._records = RecordStore(redis, keys, OPERATIONS)
        self._tasks = asyncio.TaskGroup()
        self._running: dict[str, RunningOperation] = {}
        self._heart: asyncio.Task[None] | None = None
        self._liveness = Liveness(redis)

    async def __aenter__(self) -> Operations:
        """Begin to mark what runs."""
        await self._tasks.__aenter__()
        self._heart = self._tasks.create_task(forever(self._beat), name="operations-heart")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give what runs a few seconds, then end it as UNAVAILABLE, if Redis takes that in time."""
        await self._ended()
        for running in self._running.values():
            running.stop(StoppedBy.SHUTDOWN)
        await self._ended()
        for name, running in self._running.items():
            _log.error("operation_end_not_written", extra={"operation": name})
            running.work.cancel()  # what was cancelled before may still be on its way out
            running.end.cancel()
        if self._heart is not None:
            self._heart.cancel()
        await self._tasks.__aexit__(kind, error, trace)

    async def _ended(self) -> None:
        if ends := [running.end for running in self._running.values()]:
            await asyncio.wait(ends, timeout=_GRACE)

    async def start(
        self,
        name: str,
        kind: str,
        version: str,
        job: Job,
        *,
        started_by: str = "",
        frees: bool = False,
        size: int = 0,
    ) -> StoredOperation:
        """Run *job* as the operation *name* and return it, done where it took no time.

        One that *frees* memory is begun even if Redis has none left. The *size* is that of the
        request which *job* keeps until it is done.

        Raises:
            ResourceExhausted: too many run, or keep too many bytes; nothing was begun.
            Unavailable: Redis is away; nothing was begun.
        """
        # Before anything is written: a refusal has no effect.
        permit = self._limit.admit(size)
        try:
            await self._create(name, kind, version, started_by, frees=frees)
        except BaseException:
            permit.give_back()
            raise
        running = self._run(name, job, permit)
        await asyncio.wait([running.end], timeout=PROMPT)
        return await self.get(name)

    def _run(self, name: str, job: Job, permit: OperationPermit) -> RunningOperation:
        running = self._running[name] = RunningOperation(permit)
        # Two tasks: whoever cancels the work must not cut off the writing of its end.
        running.work = self._tasks.create_task(running.do(name, job), name=f"{name} work")
        ending = contained(self._end(name, running), "operation_lost", operation=name)
        running.end = self._tasks.create_task(ending, name=name)
        return running

    async def resume(self, name: str, job: Job) -> None:
        """Run *job* as the operation *name*, whose process died; its end is told as if it had not.

        Raises:
            ResourceExhausted: too many run; nothing was begun.
        """
        if name in self._running:
            return
        self._run(name, job, self._limit.admit(0))

    async def _create(
        self, name: str, kind: str, version: str, started_by: str, *, frees: bool
    ) -> None:
        now = stored_operations.now()
        operation = StoredOperation(
            name=name,
            kind=kind,
            version=version,
            started_by=started_by,
            create_time=now,
            update_time=now,
            # With a mark from the beginning, or whoever looks before the first takes it for lost.
            beat=await self._redis.now_ms(),
        )
        await self._records.create(name, operation, frees=frees)

    async def complete(
        self,
        name: str,
        kind: str,
        version: str,
        response: msgspec.Struct | None,
        *,
        started_by: str = "",
    ) -> StoredOperation:
        """Record work that was done before it became an operation."""
        now = stored_operations.now()
        operation = StoredOperation(
            name=name,
            kind=kind,
            version=version,
            started_by=started_by,
            create_time=now,
            update_time=now,
            response=plain(response),
            done=True,
        )
        await self._records.create(name, operation)
        return operation

    async def get(self, name: str) -> StoredOperation:
        """Return the operation *name*; one that nobody works on any more has ended.

        Raises:
            NotFound: there is none of this name.
        """
        return await self._settled(await self._records.get(name))

    async def started_by(self, name: str) -> str:
        """Return the id of the principal who began the operation *name*.

        Raises:
            NotFound: there is none of this name.
        """
        return (await self._records.get(name)).started_by

    async def list(
        self, query: ListQuery, visible: Callable[[StoredOperation], bool] | None = None
    ) -> tuple[list[StoredOperation], str]:
        """Return one page of the *visible* operations under a parent, and the next one's token."""
        page, token = await self._records.list(query, visible)
        return [await self._settled(operation) for operation in page], token

    async def wait(self, name: str, seconds: float) -> StoredOperation:
        """Return the operation *name* when it has ended, or as it is after *seconds*."""
        end = time.monotonic() + min(seconds, LONGEST_WAIT)
        while True:
            operation = await self.get(name)
            left = end - time.monotonic()
            if operation.done or left <= 0:
                return operation
            if running := self._running.get(name):
                await asyncio.wait([running.end], timeout=left)
            else:
                await asyncio.sleep(min(_LOOK, left))

    async def cancel(self, name: str) -> None:
        """Ask for the end of the operation *name*; one that has ended stays as it is.

        Work that is done when this comes has come first: its end is written as it is.

        Raises:
            NotFound: there is none of this name.
        """
        # Written first: what runs elsewhere is stopped by who marks it, and reads this then.
        operation = await self._records.update(name, stored_operations.cancelled)
        if not operation.done and (running := self._running.get(name)):
            running.stop(StoppedBy.CALLER)
            await asyncio.wait([running.end], timeout=PROMPT)

    async def delete(self, name: str) -> None:
        """Forget the operation *name*; its work, if it still runs, goes on.

        Raises:
            NotFound: there is none of this name.
        """
        await self._records.delete(name)

    async def _end(self, name: str, running: RunningOperation) -> None:
        """Wait for the work and write what it came to, as long as Redis needs to take it."""
        await asyncio.wait([running.work])
        running.permit.drop_request()
        outcome = running.outcome()

        def change(operation: StoredOperation) -> StoredOperation:
            return stored_operations.ended(operation, outcome, running.metadata)

        try:
            await self._write(name, change)
        finally:
            # Not before its end is written: until then it is no loss (`_settled`), and counts.
            del self._running[name]
            running.permit.give_back()

    async def _write(self, name: str, change: Callable[[StoredOperation], StoredOperation]) -> None:
        """Write an end, when Redis takes it; there is none to write where it was deleted."""
        while True:
            with contextlib.suppress(ServiceError, ResponseError):
                with contextlib.suppress(NotFound):
                    await self._records.update(name, change)
                return
            await asyncio.sleep(_RETRY)

    async def _beat(self) -> None:
        """Mark what runs here, and stop what was cancelled elsewhere."""
        while True:
            # Until DEAD nobody minds a mark that did not come through.
            with contextlib.suppress(ServiceError, ResponseError):
                await self._liveness.look()
            for name, running in list(self._running.items()):
                with contextlib.suppress(ServiceError, ResponseError):
                    await self._mark(name, running)
            await asyncio.sleep(BEAT)

    async def _mark(self, name: str, running: RunningOperation) -> None:
        beat, metadata = await self._redis.now_ms(), running.metadata

        def change(operation: StoredOperation) -> StoredOperation:
            return stored_operations.marked(operation, beat, metadata)

        if (await self._records.update(name, change)).cancelled:
            running.stop(StoppedBy.CALLER)

    async def _settled(self, operation: StoredOperation) -> StoredOperation:
        """End *operation* if the process that worked at it is dead."""
        if operation.done or operation.name in self._running:
            return operation
        now = await self._liveness.look()
        if not self._liveness.could_mark(now):
            return operation

        def change(current: StoredOperation) -> StoredOperation:
            return stored_operations.lost(current, now)

        # Most are alive: what would change nothing is not written.
        is_lost = change(operation).done
        return await self._records.update(operation.name, change) if is_lost else operation
