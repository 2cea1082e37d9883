"""Tell a connection the answers that it follows, several at once.

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
    """The answers that one connection follows, and its way out."""

    __slots__ = (
        "_clear",
        "_connection",
        "_draining",
        "_ended",
        "_followed",
        "_settling",
        "_slow",
        "_sources",
        "_tasks",
        "_view",
        "outlet",
    )

    def __init__(
        self,
        sources: ReaderSources,
        view: View,
        connection: ConnectionMachine,
        *,
        tasks: asyncio.TaskGroup,
        send: Send,
        slow: Callable[[], None],
        ended: Callable[[], None],
        patience: float = PATIENCE,
    ) -> None:
        """Tell what *connection* accepts by *send*; *tasks* are those of the connection.

        *slow* is called when the client is behind for *patience* seconds, *ended* whenever an
        answer has ended.
        """
        self._sources = sources
        self._view = view
        self._connection = connection
        self._tasks = tasks
        self._slow = slow
        self._ended = ended
        self._followed: dict[str, Follower] = {}
        self._settling: dict[Follower, _Settling] = {}
        self._draining: asyncio.Task[None] | None = None
        self._clear: asyncio.Event | None = None
        """Set when nothing waits for the socket any more; None while nothing does."""
        self.outlet = SendQueue(send, self._stalled, patience=patience)

    def flush(self) -> None:
        """Send what the connection has to say."""
        for frame in self._connection.frames_to_send():
            self.outlet.write(frame)

    def accept(self, id: str, answer: str) -> None:
        """Say that *answer* is followed as *id*, and no longer as anything else."""
        former = self._followed.get(self._connection.accepted(id, answer))
        if former is not None:
            self._forget(former)
        self.flush()

    def follow(self, id: str, answer: str, after: Position | None) -> None:
        """Tell *answer* as *id* from *after* on; what was not yet accepted then is."""
        if not self.outlet.lost:
            following = Follower(
                self._sources,
                id,
                answer,
                after,
                outlet=self.outlet,
                unsettled=self._unsettle,
            )
            self._followed[id] = following
            self._unsettle(following)

    def close(self) -> None:
        """Tell nothing more; the answers go on."""
        for settling in self._settling.values():
            settling.task.cancel()
        if self._draining is not None:
            self._draining.cancel()
        self.outlet.close()
        for following in self._followed.values():
            following.close()
        self._followed.clear()
        self._settling.clear()

    def _unsettle(self, following: Follower) -> None:
        """See to it that a task settles *following*, once more if one is about it."""
        if settling := self._settling.get(following):
            settling.times += 1
        elif not self.outlet.lost:
            task = self._tasks.create_task(self._settle(following), name="settle")
            self._settling[following] = _Settling(task)

    def _stalled(self) -> None:
        """See to it that a task waits for the socket."""
        if self._draining is None and not self.outlet.lost:
            self._clear = asyncio.Event()
            self._draining = self._tasks.create_task(self._drain(self._clear), name="drain")

    async def _drain(self, clear: asyncio.Event) -> None:
        try:
            await self.outlet.drain()
        except TooSlow:
            self._slow()
        finally:
            self._draining = self._clear = None
            clear.set()

    async def _cleared(self) -> None:
        """Wait until nothing waits for the socket."""
        while self._clear is not None:
            await self._clear.wait()

    async def _settle(self, following: Follower) -> None:
        """Tell what is to be read, as often as there is something."""
        settling = self._settling[following]
        try:
            while settling.times and self._follows(following):
                settling.times -= 1
                await self._cleared()
                await self._tell(following)
        except ServiceError as exc:
            self._refuse(following, exc)
        except PASSING:
            raise
        except BaseException:  # noqa: BLE001 - one of the two supervisors
            _log.exception("telling_failed", extra={"answer": following.answer})
            self._refuse(following, Internal("the service failed; resume", reason="INTERNAL"))
        finally:
            self._settling.pop(following, None)

    async def _tell(self, following: Follower) -> None:
        """Tell what is to be read. Where that is not the end, nothing is awaited after it."""
        told = await following.read()
        if not self._follows(following):
            return
        if not self._connection.is_accepted(following.id):
            self.accept(following.id, following.answer)
        if told and told[-1].is_terminal:
            await self._tell_end(following, told)
        else:
            for element in told:
                following.tell(element)

    async def _tell_end(self, following: Follower, told: Sequence[PlacedElement]) -> None:
        converse = await self._converse(following.answer, told[-1])
        for element in told:
            await self._cleared()  # what is sent and does not queue cannot be dropped
            if self._follows(following):
                following.tell(element, converse if element.is_terminal else None)
        if self._follows(following):
            self._connection.ended(following.id)
            self._forget(following)

    async def _converse(
        self, answer: str, end: PlacedElement
    ) -> ConverseConversationResponse | None:
        owner, whole = names.parent(answer), end.response.answer
        if whole is None or end.error or "/conversations/" not in owner:
            return None
        return await self._view(owner, whole)

    def _refuse(self, following: Follower, error: ServiceError) -> None:
        if self._follows(following):
            self._forget(following)
            self._connection.refused(following.id, error)
            self.flush()

    def _follows(self, following: Follower) -> bool:
        """Whether nobody took the answer over while something was awaited."""
        return self._followed.get(following.id) is following

    def _forget(self, following: Follower) -> None:
        following.close()
        del self._followed[following.id]
        self._ended()


class _Settling:
    """How often a following is to be settled yet, and by which task."""

    __slots__ = ("task", "times")

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.times = 1
