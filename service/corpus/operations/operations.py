"""Run work that may take longer than a request, and remember how it went (api.md 6).

An operation is a small resource beside the work of the process that accepted it. While that goes
on, the process marks the resource every second; one whose marks stop belongs to a process that
died, and whoever looks at it next ends it. So none stays undone for ever.

Work and the writing of its end are two tasks. Whoever cancels an operation stops the work alone:
what was done by then is told as done, however long Redis takes to hear of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.corpus.operations.operation_limit import OperationLimit, OperationPermit
from sessions import names
from sessions.codec import json_codec
from sessions.errors import Aborted, Cancelled, Internal, NotFound, ServiceError, Unavailable
from sessions.listing.filters import FilterField, Value
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.base import Resource, Struct, Timestamp
from sessions.resources.operations import Status
from sessions.stores.record_store import Collection, RecordStore
from sessions.supervision import PASSING, contained, forever

PROMPT: Final = 0.2
"""Seconds within which work is waited for, so that its first reply tells the end (api.md 6.6)."""
LIFE: Final = 24 * 3600 * 1000
"""Milliseconds for which an operation can be read."""
BEAT: Final = 1.0
"""Seconds between two marks of a process that works; a cancellation is noticed that fast."""
DEAD: Final = 15.0
"""Seconds without a mark after which the process that worked is taken for dead."""
LONGEST_WAIT: Final = 60.0
"""Seconds that a caller may wait for an end in one request."""

_GRACE: Final = 5.0
_LOOK: Final = 0.25
_RETRY: Final = 1.0
_BLIND: Final = 5.0  # seconds between two looks at Redis after which it counts as having been away
_log = logging.getLogger(__name__)


class StoredOperation(Resource):
    """An operation as it is stored, in no version of the documents.

    *kind* says which messages *metadata* and *response* are, *version* is that of the request
    that began it. *beat* is the last mark of the process that works on it, in ms of Redis' clock.
    """

    name: str
    kind: str
    version: str = ""
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    metadata: Struct = msgspec.field(default={})
    response: Struct | None = None
    error: Status | None = None
    done: bool = False
    cancelled: bool = False
    beat: int = 0


TellProgress = Callable[[msgspec.Struct], None]
"""Takes how far the work is, as the metadata of its kind; it does not block."""
Job = Callable[[TellProgress], Awaitable[msgspec.Struct | None]]
"""Does the work and returns its response, None for a kind whose response is empty."""

OPERATIONS: Final = Collection(
    id="operations",
    type=StoredOperation,
    default=50,
    maximum=100,
    fields={"done": FilterField(Value.BOOL, lambda work: work.done)},
    life=LIFE,
    always=True,
)
"""How operations are kept."""


class _RunningOperation:
    """Work of this process."""

    work: asyncio.Task[Struct | ServiceError]
    """Does it; the only one that is ever cancelled while the process goes on."""
    end: asyncio.Task[None]
    """Waits for it and writes what it came to."""

    def __init__(self, place: OperationPermit) -> None:
        self.place = place
        self.metadata: Struct = {}
        self.stopping = False
        self._asked = False

    def stop(self) -> None:
        """Cancel the work, once: what it does on its way out is not cut off in turn."""
        if not self._asked:
            self._asked = True
            self.work.cancel()


class Operations:
    """The operations of an installation; an async context manager that owns its tasks."""

    def __init__(self, redis: Redis, keys: Keys, limit: OperationLimit) -> None:
        self._redis = redis
        self._limit = limit
        self._records = RecordStore(redis, keys, OPERATIONS)
        self._tasks = asyncio.TaskGroup()
        self._running: dict[str, _RunningOperation] = {}
        self._heart: asyncio.Task[None] | None = None
        self._watching_since = self._watched = 0

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
            running.stopping = True
            running.stop()
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
        place = self._limit.admit(size)
        try:
            await self._create(name, kind, version, frees=frees)
        except BaseException:
            place.leave()
            raise
        running = self._running[name] = _RunningOperation(place)
        running.work = self._tasks.create_task(self._work(name, running, job), name=f"{name} work")
        ending = contained(self._end(name, running), "operation_lost", operation=name)
        running.end = self._tasks.create_task(ending, name=name)
        await asyncio.wait([running.end], timeout=PROMPT)
        return await self.get(name)

    async def _create(self, name: str, kind: str, version: str, *, frees: bool) -> None:
        now = _now()
        work = StoredOperation(
            name=name,
            kind=kind,
            version=version,
            create_time=now,
            update_time=now,
            beat=await self._redis.now_ms(),
        )
        await self._records.create(name, work, frees=frees)

    async def complete(
        self, name: str, kind: str, version: str, response: msgspec.Struct | None
    ) -> StoredOperation:
        """Record work that was done before it became an operation."""
        now = _now()
        work = StoredOperation(
            name=name,
            kind=kind,
            version=version,
            create_time=now,
            update_time=now,
            response=_plain(response),
            done=True,
        )
        await self._records.create(name, work)
        return work

    async def get(self, name: str) -> StoredOperation:
        """Return the operation *name*; one that nobody works on any more has ended.

        Raises:
            NotFound: there is none of this name.
        """
        return await self._settled(await self._records.get(name))

    async def list(self, query: ListQuery) -> tuple[list[StoredOperation], str]:
        """Return one page of the operations under a parent, and the token of the next."""
        found, token = await self._records.list(query)
        return [await self._settled(work) for work in found], token

    async def wait(self, name: str, seconds: float) -> StoredOperation:
        """Return the operation *name* when it has ended, or as it is after *seconds*."""
        end = time.monotonic() + min(seconds, LONGEST_WAIT)
        while True:
            work = await self.get(name)
            left = end - time.monotonic()
            if work.done or left <= 0:
                return work
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
        work = await self._records.update(
            name, lambda work: work if work.done else msgspec.structs.replace(work, cancelled=True)
        )
        if not work.done and (running := self._running.get(name)):
            running.stop()
            await asyncio.wait([running.end], timeout=PROMPT)

    async def delete(self, name: str) -> None:
        """Forget the operation *name*; its work, if it still runs, goes on.

        Raises:
            NotFound: there is none of this name.
        """
        await self._records.delete(name)

    async def _work(self, name: str, running: _RunningOperation, job: Job) -> Struct | ServiceError:
        """Do the work and return its response, or why there is none."""

        def tell(metadata: msgspec.Struct) -> None:
            running.metadata = _plain(metadata)

        try:
            return _plain(await job(tell))
        except ServiceError as exc:
            return exc
        except PASSING:
            raise
        except BaseException as exc:  # noqa: BLE001 - the supervisor of this task
            _log.error("operation_failed", exc_info=exc, extra={"operation": name})
            return Internal("the service failed; its log has the details", reason="INTERNAL")

    async def _end(self, name: str, running: _RunningOperation) -> None:
        """Wait for the work and write what it came to, as long as Redis needs to take it."""
        await asyncio.wait([running.work])
        running.place.drop_request()
        outcome = (
            self._why_cancelled(running) if running.work.cancelled() else running.work.result()
        )
        failed = status(outcome) if isinstance(outcome, ServiceError) else None
        response = None if isinstance(outcome, ServiceError) else outcome

        def change(work: StoredOperation) -> StoredOperation:
            return msgspec.structs.replace(
                work,
                metadata=running.metadata,
                response=response,
                error=failed,
                done=True,
                update_time=_now(),
            )

        try:
            await self._write(name, change)
        finally:
            del self._running[name]
            running.place.leave()

    async def _write(self, name: str, change: Callable[[StoredOperation], StoredOperation]) -> None:
        """Write an end, when Redis takes it; there is none to write where it was deleted."""
        while True:
            with contextlib.suppress(ServiceError, ResponseError):
                with contextlib.suppress(NotFound):
                    await self._records.update(name, change)
                return
            await asyncio.sleep(_RETRY)

    def _why_cancelled(self, running: _RunningOperation) -> ServiceError:
        if running.stopping:
            return Unavailable(
                "the service stopped before the work was done; start it again",
                reason="SERVICE_STOPPED",
            )
        return Cancelled("the operation was cancelled", reason="CANCELLED")

    async def _beat(self) -> None:
        """Mark what runs here, and stop what was cancelled elsewhere."""
        while True:
            # Until DEAD nobody minds a mark that did not come through.
            with contextlib.suppress(ServiceError, ResponseError):
                await self._watch()
            for name, running in list(self._running.items()):
                with contextlib.suppress(ServiceError, ResponseError):
                    await self._mark(name, running)
            await asyncio.sleep(BEAT)

    async def _watch(self) -> int:
        """Return Redis' time; notice where none could be read: then nobody could leave marks."""
        now = await self._redis.now_ms()
        if self._watched and now - self._watched > _BLIND * 1000:
            self._watching_since = now
        self._watched = now
        return now

    async def _mark(self, name: str, running: _RunningOperation) -> None:
        beat, metadata = await self._redis.now_ms(), running.metadata

        def change(work: StoredOperation) -> StoredOperation:
            if work.done:
                return work
            return msgspec.structs.replace(work, beat=beat, metadata=metadata, update_time=_now())

        if (await self._records.update(name, change)).cancelled:
            running.stop()

    async def _settled(self, work: StoredOperation) -> StoredOperation:
        """End *work* if the process that did it is dead."""
        if work.done or work.name in self._running:
            return work
        now = await self._watch()
        if now - self._watching_since < DEAD * 1000:
            return work  # whoever works on it has not had the time to say so
        lost = status(
            Aborted("the process that did the work died; start it again", reason="OPERATION_LOST")
        )

        def change(current: StoredOperation) -> StoredOperation:
            if current.done or now - current.beat < DEAD * 1000:
                return current
            return msgspec.structs.replace(current, done=True, error=lost, update_time=_now())

        changed = change(work)
        return await self._records.update(work.name, change) if changed.done else work


def new_name(parent: str, kind: str) -> str:
    """Return a new name for an operation of *kind* under *parent*: its id says what is done."""
    return f"{parent}/operations/{kind}-{names.new_id()}"


def status(error: ServiceError) -> Status:
    """Return *error* as operations tell it: the code is google.rpc's, the reason a detail."""
    info: Struct = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": error.reason,
        "domain": "discoveryengine.googleapis.com",
    }
    return Status(code=error.code, message=error.message, details=(info,))


def _plain(message: msgspec.Struct | None) -> Struct:
    return {} if message is None else msgspec.json.decode(json_codec.dump(message))


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
