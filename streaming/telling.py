"""Tell a connection the answers that it follows, several at once.

Live text goes out from within the acknowledgement. There is a task only while there is something
to wait for: the log, the end of an answer, a socket that does not take more.
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
from streaming.elements import Element
from streaming.following import Following
from streaming.outlet import Outlet, Send, TooSlow
from streaming.positions import Position
from streaming.protocol import Connection
from streaming.subscription import Origin

View = Callable[[str, Answer], Awaitable[ConverseConversationResponse]]
"""Makes the response of a conversation, by its name, from the answer that has ended."""

PATIENCE: Final = 30.0
"""Seconds that a client may be behind before its connection is closed as too slow."""

_log = logging.getLogger(__name__)


class Telling:
    """The answers that one connection follows, and its way out."""

    __slots__ = (
        "_connection",
        "_ended",
        "_followed",
        "_origin",
        "_settling",
        "_slow",
        "_tasks",
        "_unsettled",
        "_view",
        "outlet",
    )

    def __init__(
        self,
        origin: Origin,
        view: View,
        connection: Connection,
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
        self._origin = origin
        self._view = view
        self._connection = connection
        self._tasks = tasks
        self._slow = slow
        self._ended = ended
        self._followed: dict[str, Following] = {}
        self._unsettled: list[Following] = []
        self._settling: asyncio.Task[None] | None = None
        self.outlet = Outlet(send, self._wake, patience=patience)

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
            following = Following(
                self._origin,
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
        if self._settling is not None:
            self._settling.cancel()
        self.outlet.close()
        for following in self._followed.values():
            following.close()
        self._followed.clear()

    def _unsettle(self, following: Following) -> None:
        self._unsettled.append(following)
        self._wake()

    def _wake(self) -> None:
        """See to it that a task waits for what there is to wait for."""
        if self._settling is None and not self.outlet.lost:
            self._settling = self._tasks.create_task(self._settle_all(), name="settle")

    async def _settle_all(self) -> None:
        """Wait for the socket, then for the log, until there is nothing left to wait for."""
        try:
            while self._unsettled or not self.outlet.clear:
                await self.outlet.drain()
                if self._unsettled:
                    await self._settle(self._unsettled.pop(0))
        except TooSlow:
            self._slow()
        finally:
            self._settling = None

    async def _settle(self, following: Following) -> None:
        if not self._follows(following):
            return
        try:
            await self._tell(following)
        except TooSlow:
            raise
        except ServiceError as exc:
            self._refuse(following, exc)
        except Exception:  # noqa: BLE001 - one of the two supervisors
            _log.exception("telling_failed", extra={"answer": following.answer})
            self._refuse(following, Internal("the service failed; resume", reason="INTERNAL"))

    async def _tell(self, following: Following) -> None:
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

    async def _tell_end(self, following: Following, told: Sequence[Element]) -> None:
        converse = await self._converse(following.answer, told[-1])
        for element in told:
            await self.outlet.drain()  # what is sent and does not queue cannot be dropped
            if self._follows(following):
                following.tell(element, converse if element.is_terminal else None)
        if self._follows(following):
            self._connection.ended(following.id)
            self._forget(following)

    async def _converse(self, answer: str, end: Element) -> ConverseConversationResponse | None:
        owner, whole = names.parent(answer), end.response.answer
        if whole is None or end.error or "/conversations/" not in owner:
            return None
        return await self._view(owner, whole)

    def _refuse(self, following: Following, error: ServiceError) -> None:
        if self._follows(following):
            self._forget(following)
            self._connection.refused(following.id, error)
            self.flush()

    def _follows(self, following: Following) -> bool:
        """Whether nobody took the answer over while something was awaited."""
        return self._followed.get(following.id) is following

    def _forget(self, following: Following) -> None:
        following.close()
        del self._followed[following.id]
        self._ended()
