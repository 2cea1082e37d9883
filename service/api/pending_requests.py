"""Count the requests that wait for text, and end each with its client, or with this process.

What they wait for is written for nobody else, or goes on without them: an answer of a session is
durable. So a request ends as soon as its client is gone (guide/rest.md). A process that stops takes
no new ones, gives those that it has some time, and tells the rest that it stops, as well as those
whose bodies have not come. A stream ends, too, when the credential ends that it was asked for with.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Set
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from litestar.types import Receive

from service.security.principals import Principal
from sessions.errors import Cancelled, PermissionDenied, ServiceError, Unavailable
from sessions.supervision import PASSING

FAREWELL: Final = 2.0
"""Seconds within which a reply that has its end reaches the socket, or is given up."""

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class _Admission(enum.Enum):
    """Which requests this process still takes."""

    OPEN = "all"
    DRAINING = "none that begins to wait; whose body is under way may still try"
    OVER = "none; each is told that the process stops"


class PendingRequests:
    """The requests over REST of one process that wait for text."""

    def __init__(self) -> None:
        self._open: set[PendingRequest] = set()
        self._changed = asyncio.Event()
        self._admission = _Admission.OPEN

    def admit(self) -> None:
        """Let one more request in.

        Raises:
            Unavailable: this process stops (SHUTTING_DOWN).
        """
        if self._admission is not _Admission.OPEN:
            raise _stopping()

    def new(self, principal: Principal | None = None) -> PendingRequest:
        """Return a request, which is counted while it is entered.

        That of a *principal* ends with what the principal stands on.
        """
        request = PendingRequest(self._open, self._changed.set, principal)
        if self._admission is _Admission.OVER:
            request.end(_stopping())
        return request

    async def answered(self, receive: Receive, work: Coroutine[Any, Any, _T]) -> _T:
        """Return what *work* comes to; it is stopped where nobody waits for it any more.

        Raises:
            Cancelled: the client is gone, and will not hear it.
            Unavailable: this process stops (SHUTTING_DOWN).
        """
        with contextlib.closing(work):
            self.admit()
            with self.new() as request:
                async with asyncio.TaskGroup() as tasks:
                    watching = tasks.create_task(_watch(receive, request), name="client")
                    try:
                        return await request.wait_for(work)
                    except PASSING:
                        raise
                    except BaseException as exc:  # noqa: BLE001 - raised below: a group would wrap it
                        failure = exc
                    finally:
                        watching.cancel()
                raise failure

    def revoke(self, credential: str) -> None:
        """End the streams of who stands on *credential*, the id of one that holds no more."""
        for request in list(self._open):
            if request.principal is not None and request.principal.credential == credential:
                request.end(_ended("TOKEN_REVOKED"))

    def end(self, marks: Set[str]) -> None:
        """End the streams of the principals of *marks*, who are none any more."""
        for request in list(self._open):
            if request.principal is not None and request.principal.mark in marks:
                request.end(_ended("TOKEN_REVOKED"))

    async def drain(self, grace: float) -> None:
        """Let nothing more in, wait *grace* seconds for what is there, and end the rest."""
        self._admission = _Admission.DRAINING
        await self._wait(grace)
        self._admission = _Admission.OVER
        for request in self._open:
            request.end(_stopping())
        await self._wait(FAREWELL)
        if self._open:
            _log.warning("questions_left", extra={"questions": len(self._open)})
        for request in self._open:
            request.give_up()

    async def _wait(self, seconds: float) -> None:
        """Wait until no request is left, but no longer than so many *seconds*."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._open:
                    self._changed.clear()
                    await self._changed.wait()


class PendingRequest:
    """One request, and what it waits for."""

    def __init__(
        self,
        open_requests: set[PendingRequest],
        changed: Callable[[], None],
        principal: Principal | None = None,
    ) -> None:
        self._open = open_requests
        self._changed = changed
        self.principal = principal
        self._expiry: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Timeout | None = None
        self._why: ServiceError | None = None
        self.give_up: Callable[[], object] = changed
        """Called where the request was ended and its client does not take the end."""

    def __enter__(self) -> Self:
        self._open.add(self)
        if self.principal is not None and self.principal.expires:
            left = self.principal.expires - time.time()
            expired = _ended("TOKEN_EXPIRED")
            self._expiry = asyncio.get_running_loop().call_later(left, self.end, expired)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.discard(self)
        if self._expiry is not None:
            self._expiry.cancel()
        self._changed()

    def end(self, why: ServiceError) -> None:
        """Wait no more; *why* is raised where it is waited, now or next."""
        if self._why is None:
            self._why = why
            if self._waiting is not None:
                self._waiting.reschedule(0)

    async def wait_for(self, work: Awaitable[_T]) -> _T:
        """Return what *work* comes to.

        Raises:
            ServiceError: the request was ended; *work* is cancelled.
        """
        try:
            async with asyncio.timeout(None if self._why is None else 0) as self._waiting:
                return await work
        except TimeoutError as exc:
            if self._why is None:
                raise
            raise self._why from exc
        finally:
            self._waiting = None

    async def through(self, source: AsyncIterator[_T]) -> AsyncGenerator[_T]:
        """Yield what the generator *source* yields, and close it in the end.

        Raises:
            ServiceError: the request was ended.
        """
        generator: Any = source
        async with contextlib.aclosing(generator):
            with contextlib.suppress(StopAsyncIteration):
                while True:
                    # Not across the yield: there, somebody else would be cancelled.
                    item = await self.wait_for(anext(source))
                    yield item


async def _watch(receive: Receive, request: PendingRequest) -> None:
    """End *request* as soon as its client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    request.end(Cancelled("the client has left", reason="CANCELLED"))


def _ended(reason: str) -> PermissionDenied:
    return PermissionDenied("come back with a new token, and resume", reason=reason)


def _stopping() -> Unavailable:
    return Unavailable("this replica stops; ask again", reason="SHUTTING_DOWN")
