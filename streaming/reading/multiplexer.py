"""Tell one WebSocket connection all the answers that it follows, each by a `Follower`.

Live text goes out from within the acknowledgement. There is a task only while there is something
to wait for: one for each answer that waits for the log or its end, one for a socket that does not
take more. So an answer whose Redis is away holds up no other.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from sessions import names
from sessions.errors import Internal, ServiceError
from sessions.resources.answers import Answer
from sessions.resources.conversations import ConverseConversationResponse
from sessions.spans import UNTRACED, TraceSpan
from sessions.supervision import PASSING
from streaming.log.positions import Position
from streaming.protocol.connection_machine import ConnectionMachine
from streaming.reading.elements import PlacedElement
from streaming.reading.follower import Follower
from streaming.reading.send_queue import Send, SendQueue, TooSlow
from streaming.reading.sources import ReaderSources

View = Callable[[str, Answer], Awaitable[ConverseConversationResponse]]
"""Makes the response of a conversation, by its name, from the answer that has ended."""

PATIENCE: Final = 30.0
"""Seconds that a client may be behind before its connection is closed as too slow."""

_log = logging.getLogger(__name__)


class Multiplexer:
    """The answers that one connection follows, and the queue to its socket."""

    __slots__ = (
        "_clear",
        "_draining",
        "_ended",
        "_followers",
        "_forgot",
        "_machine",
        "_reads",
        "_slow",
        "_sources",
        "_tasks",
        "_view",
        "queue",
    )

    def __init__(
        self,
        sources: ReaderSources,
        view: View,
        machine: ConnectionMachine,
        *,
        tasks: asyncio.TaskGroup,
        send: Send,
        slow: Callable[[], None],
        ended: Callable[[str], None],
        forgot: Callable[[], None],
        patience: float = PATIENCE,
    ) -> None:
        """Tell what *machine* accepts by *send*; *tasks* are those of the connection.

        *slow* is called when the client is behind for *patience* seconds, *ended* with the
        name of an answer whose end was told, *forgot* whenever one is followed no more.
        """
        self._sources = sources
        self._view = view
        self._machine = machine
        self._tasks = tasks
        self._slow = slow
        self._ended = ended
        self._forgot = forgot
        self._followers: dict[str, Follower] = {}
        self._reads: dict[Follower, _Reading] = {}
        self._draining: asyncio.Task[None] | None = None
        self._clear: asyncio.Event | None = None
        """Set when nothing waits for the socket any more; None while nothing does."""
        self.queue = SendQueue(send, self._stalled, patience=patience)

    def flush(self) -> None:
        """Send what the machine has to say."""
        for frame in self._machine.frames_to_send():
            self.queue.write(frame)

    def accept(self, id: str, answer: str) -> None:
        """Say that *answer* is followed as *id*, and no longer as anything else."""
        former = self._followers.get(self._machine.accepted(id, answer))
        if former is not None:
            self._forget(former)
        self.flush()

    def follow(
        self,
        id: str,
        answer: str,
        after: Position | None,
        span: TraceSpan = UNTRACED,
        *,
        resumes: bool = False,
    ) -> None:
        """Tell *answer* as *id* from *after* on; what was not yet accepted then is.

        *span* is that of the telling, and ends with it; *resumes* is `Follower`'s.
        """
        if not self.queue.lost:
            follower = Follower(
                self._sources,
                id,
                answer,
                after,
                queue=self.queue,
                due=self._read_soon,
                span=span,
                resumes=resumes,
            )
            self._followers[id] = follower
            self._read_soon(follower)

    def close(self) -> None:
        """Tell nothing more; the answers go on."""
        for reading in self._reads.values():
            reading.task.cancel()
        if self._draining is not None:
            self._draining.cancel()
        # Before the followers: none of them writes, or starts a task, on a socket that is lost.
        self.queue.close()
        for follower in self._followers.values():
            follower.close()
        self._followers.clear()
        self._reads.clear()

    def _read_soon(self, follower: Follower) -> None:
        """See to it that a task reads for *follower*, once more if one is about it.

        It is called from within the acknowledgement, where nothing can be awaited.
        """
        if reading := self._reads.get(follower):
            reading.times += 1
        elif not self.queue.lost:
            task = self._tasks.create_task(self._read_while_due(follower), name="read")
            self._reads[follower] = _Reading(task)

    def _stalled(self) -> None:
        """See to it that a task waits for the socket."""
        if self._draining is None and not self.queue.lost:
            self._clear = asyncio.Event()
            self._draining = self._tasks.create_task(self._drain(self._clear), name="drain")

    async def _drain(self, clear: asyncio.Event) -> None:
        try:
            await self.queue.drain()
        except TooSlow:
            self._slow()
        finally:
            self._draining = self._clear = None
            clear.set()

    async def _cleared(self) -> None:
        """Wait until nothing waits for the socket."""
        while self._clear is not None:
            await self._clear.wait()

    async def _read_while_due(self, follower: Follower) -> None:
        """Tell what is to be read, as often as there is something."""
        reading = self._reads[follower]
        try:
            while reading.times and self._is_current(follower):
                reading.times -= 1
                # What is read while the socket takes nothing would only be dropped once more.
                await self._cleared()
                await self._read(follower)
        except ServiceError as exc:
            self._refuse(follower, exc)
        except PASSING:
            raise
        except BaseException:  # noqa: BLE001 - the other answers go on
            _log.exception("telling_failed", extra={"answer": follower.answer})
            self._refuse(follower, Internal("the service failed; resume", reason="INTERNAL"))
        finally:
            self._reads.pop(follower, None)

    async def _read(self, follower: Follower) -> None:
        """Tell what is to be read. Where that is not the end, nothing is awaited after it."""
        elements = await follower.read()
        # From here to the last `tell` there is no await: an entry that is acknowledged in between
        # would be told before what stands in front of it.
        if not self._is_current(follower):
            return
        # A resume is accepted only now, when it is known that there is such an answer.
        if not self._machine.is_accepted(follower.id):
            self.accept(follower.id, follower.answer)
        if elements and elements[-1].is_terminal:
            await self._tell_end(follower, elements)
        else:
            for element in elements:
                follower.tell(element)

    async def _tell_end(self, follower: Follower, elements: Sequence[PlacedElement]) -> None:
        converse = await self._converse(follower.answer, elements[-1])
        for element in elements:
            # What is sent and does not queue cannot be dropped; who is forgotten below could not
            # read it again.
            await self._cleared()
            if self._is_current(follower):
                follower.tell(element, converse if element.is_terminal else None)
        if self._is_current(follower):
            follower.span.end()
            self._machine.ended(follower.id)
            self._ended(follower.answer)
            self._forget(follower)

    async def _converse(
        self, answer: str, end: PlacedElement
    ) -> ConverseConversationResponse | None:
        owner, whole = names.parent(answer), end.response.answer
        if whole is None or end.error or "/conversations/" not in owner:
            return None
        return await self._view(owner, whole)

    def _refuse(self, follower: Follower, error: ServiceError) -> None:
        if self._is_current(follower):
            follower.span.end(error.reason)
            self._forget(follower)
            self._machine.refused(follower.id, error)
            self.flush()

    def _is_current(self, follower: Follower) -> bool:
        """Whether nobody took the answer over while something was awaited."""
        return self._followers.get(follower.id) is follower

    def _forget(self, follower: Follower) -> None:
        follower.close()
        del self._followers[follower.id]
        self._forgot()


class _Reading:
    """How often a follower is to read yet, and by which task."""

    __slots__ = ("task", "times")

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.times = 1
