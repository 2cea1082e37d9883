"""Wait for the replicas of a node to have what was written, for as long as they are there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from sessions.redis.resp_socket import RespSocket, away, pack

WAIT: Final = 1000
"""Milliseconds within which replicas must have what was written."""

PROBE: Final = 100
"""The same for replicas that were away: what comes behind the question waits, too."""

AGAIN: Final = 5.0
"""Seconds without waiting after replicas were found to be away."""

log = logging.getLogger(__name__)


class Replicas:
    """The replicas of one node that are waited for, with Redis' WAIT.

    WAIT holds up everything behind it on its socket. So where too few replicas answered none is
    sent for a while, and then one that shows whether they are back. What is written meanwhile is
    told without them: to go on is worth more than to lose nothing. But a master whose replicas are
    gone may have been deposed, and is no master: `lacking` says when to make sure.
    """

    def __init__(self, count: int, now: Callable[[], float] = time.monotonic) -> None:
        """Wait for *count* replicas, which may be 0."""
        self._count = count
        self._now = now
        self.wait = pack(b"WAIT", count, WAIT) if count else b""
        """The command that waits for them, as long as they may take."""
        self._probe = pack(b"WAIT", count, PROBE)
        self._again = 0.0
        self.away = False
        """Whether there were too few of them the last time."""

    def command(self) -> bytes:
        """Return what to send now behind what was written, b"" for nothing.

        Where it is something, `lacking` must be called with the reply.
        """
        if not self.away:
            return self.wait
        now = self._now()
        if now < self._again:
            return b""
        self._again = now + AGAIN
        return self._probe

    def lacking(self, reply: Any) -> bool:
        """Take the reply to `command`; tell whether too few replicas have what was written.

        Then ask who is master before `missed` is called: of one that was deposed they are gone.
        A failure says nothing of them.
        """
        if not isinstance(reply, int):
            return False
        if reply >= self._count and self.away:
            self.away = False
            log.warning("redis_replicas_back", extra={"wanted": self._count, "found": reply})
        return reply < self._count

    def missed(self, found: int) -> None:
        """Go on with the *found* replicas of the master, which are too few."""
        self._again = self._now() + AGAIN
        if not self.away:
            self.away = True
            log.warning("redis_replicas_away", extra={"wanted": self._count, "found": found})


class Replication:
    """What the replicas of one node have of what it acknowledged, and what to make of it.

    *usable* waits for a socket to the node. *confirm* tells whether it is the master still, and
    breaks the socket where it is not. *begin* owns what goes on by itself.
    """

    def __init__(
        self,
        replicas: Replicas,
        usable: Callable[[], Awaitable[RespSocket]],
        confirm: Callable[[RespSocket], Awaitable[bool]],
        begin: Callable[[Coroutine[Any, Any, Any], str], asyncio.Task[Any]],
    ) -> None:
        self.replicas = replicas
        self._usable = usable
        self._confirm = confirm
        self._begin = begin
        self._last: asyncio.Task[bool] | None = None
        """What is made of the last WAIT that was sent alone."""

    async def completed(self, mark: bytes) -> None:
        """Return when replicas have all that was acknowledged, or are known to be away.

        Whoever acknowledged it: *mark* is a command that writes something, and is sent before WAIT,
        which newer servers take for what was written on its own socket alone. What others wrote, or
        this process on a socket that broke, would not be waited for.

        Raises:
            Unavailable: the node is away, or was deposed; who knows what they have.
        """
        last = self._last
        if last is None or last.done():
            command = self.replicas.command()
            if not command:
                return
            socket = await self._usable()
            # Where it is refused, for want of memory, what this process wrote is waited for still.
            socket.issue(mark)
            judged = self._judged(socket, socket.issue(command), mark)
            last = self._last = self._begin(judged, "redis-replicas")
        # One that is under way will do: it came behind all that is acknowledged by now. It is
        # shielded, since a caller who gives up must not end the wait of the others.
        if not await asyncio.shield(last):
            raise away()

    async def _judged(self, socket: RespSocket, reply: asyncio.Future[Any], mark: bytes) -> bool:
        return await self._enough(socket, await reply, mark)

    async def _enough(self, socket: RespSocket, reply: Any, mark: bytes = b"") -> bool:
        """Tell whether what came before *reply*, to the command of `replicas`, is to be believed.

        It is where enough replicas have it, and where too few do but the node is the master still.
        One that was deposed has lost its replicas, and they what it acknowledged: *socket* breaks.
        """
        # Two waits: where it is the master that is cut off, the others find out in the second one.
        patience = 0 if self.replicas.away else 1
        while self.replicas.lacking(reply):
            if not await self._confirm(socket):
                return False
            if not patience:
                self.replicas.missed(reply)
                return True
            patience -= 1
            if mark:  # whoever came meanwhile has read what the first one does not cover
                socket.issue(mark)
            reply = await socket.issue(self.replicas.wait)
        return not isinstance(reply, Exception)

    def settle(self, socket: RespSocket, reply: Any, settled: Callable[[bool], None]) -> None:
        """Call *settled* with whether what came before *reply* is to be believed.

        At once where that is known: the hot path has no task for each batch.
        """
        if not self.replicas.lacking(reply):
            settled(not isinstance(reply, Exception))
            return

        async def judge() -> None:
            believed = False
            try:
                believed = await self._enough(socket, reply)
            finally:  # whatever befell it: who waits for the word holds everything else back
                settled(believed)

        self._begin(judge(), "redis-replicas")
