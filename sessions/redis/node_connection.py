"""Keep one connection to a Redis node open for everything that runs in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from redis.exceptions import RedisError

from sessions.errors import Unavailable
from sessions.redis import handshake
from sessions.redis.handshake import NodeAccess
from sessions.redis.replication import Replicas, Replication
from sessions.redis.resp_socket import ASLEEP, BEAT, RespSocket, Take, away, pack
from sessions.redis.urls import NodeAddress

Locate = Callable[[], Awaitable[NodeAddress]]
"""Finds the node at this moment; asked before each attempt to open a socket."""

Serves = Callable[["NodeConnection"], Awaitable[bool]]
"""Tells, from whom others take it, whether the node that a connection is at has its place still.
Raises what opening a socket raises while nobody can say."""

_PING: Final = pack("PING")
_UNDECIDED: Final = 0.05
"""Seconds between two questions whether a node has its place still."""
_FIRST_PAUSE: Final = 0.02
"""Seconds before the second attempt to open; doubled each time, up to `RedisTimeouts.backoff`."""

log = logging.getLogger(__name__)


def fixed(address: NodeAddress) -> Locate:
    """Locate a node that stays where it is."""

    async def locate() -> NodeAddress:
        return address

    return locate


class NodeConnection:
    """The way to one node: a socket that is reopened, with growing pauses, whenever it breaks.

    `keep` must run, in a task group, for as long as the connection is used. A command issued
    while the node is away waits through the first `RedisTimeouts.patience` seconds of the outage
    and then fails with `Unavailable`; it has not been sent. A command in flight when the socket
    breaks fails with `Unavailable` too, and *may have been executed*: send it again only if twice
    does no harm.

    =========  ===================================================  =========
    In         this happens                                         then
    =========  ===================================================  =========
    AWAY       the node is located                                  OPENING
    OPENING    it lets us in                                        OPEN
    OPENING    it refuses us                                        AWAY
    OPENING    it takes longer than `RedisTimeouts.opening`         AWAY
    OPENING    it is dropped                                        AWAY
    OPEN       it speaks after a lull                               DOUBTED
    OPEN       the socket breaks                                    AWAY
    OPEN       it is dropped                                        AWAY
    DOUBTED    it has its place still                               OPEN
    DOUBTED    it speaks after another lull                         DOUBTED
    DOUBTED    another has its place                                AWAY
    DOUBTED    nobody can say who has it, until the deadline        AWAY
    DOUBTED    the socket breaks                                    AWAY
    =========  ===================================================  =========

    While it is DOUBTED commands are sent, and replies held back. The connection of channels is
    never doubted: what it may have missed or heard wrongly is read from the log.
    """

    def __init__(
        self,
        locate: Locate,
        access: NodeAccess,
        *,
        serves: Serves | None = None,
        push: Callable[[Any], None] | None = None,
        changed: Callable[[], None] | None = None,
    ) -> None:
        """Reach the node that *locate* finds.

        Where *serves* is given it is asked whenever the node may have been replaced; nothing that
        the node acknowledged after that is believed before. *changed* is told when `socket`
        opened, broke or could not be opened; *push* gets what arrives unasked.
        """
        self.locate = locate
        self.access = access
        self._limits = access.limits
        self._serves = serves
        self._push = push
        self._changed = changed
        self._tasks: asyncio.TaskGroup | None = None
        self._down_at = asyncio.get_running_loop().time()
        self._opened = asyncio.Event()
        self._attempt: asyncio.Timeout | None = None
        self.replication = Replication(
            Replicas(access.replicas), self._usable, self._confirm, self._begin
        )
        self.socket: RespSocket | None = None
        self.address: NodeAddress | None = None
        """Where the node was located last."""
        self.run_id = b""
        """What the server there calls itself, where there is but one."""
        self.fault: Exception | None = None
        """Why the last attempt to open failed."""

    async def send(self, packed: bytes) -> Any:
        """Send one command; return its reply, an error reply too, or `Unavailable`."""
        socket = self.socket
        if socket is None or not socket.room.is_set():
            try:
                socket = await self._usable()
            except Unavailable as exc:
                return exc
        return await socket.issue(packed)

    async def send_many(self, packed: bytes, count: int) -> list[Any]:
        """Send *count* packed commands; return a reply, error reply or `Unavailable` for each."""
        socket = self.socket
        if socket is None or not socket.room.is_set():
            try:
                socket = await self._usable()
            except Unavailable:
                return [away() for _ in range(count)]
        return await socket.issue_many(packed, count)

    def begin_many(self, packed: bytes, count: int) -> asyncio.Future[list[Any]] | None:
        """Send as `send_many` does, without waiting; None while the node cannot be written to."""
        socket = self.socket
        if socket is None or not socket.room.is_set():
            return None
        return socket.issue_many(packed, count)

    def begin(self, packed: bytes, count: int, take: Take) -> bool:
        """Send at once as `RespSocket.issue_now` does; False while the node cannot be written to.

        Then *take* is not called.
        """
        socket = self.socket
        if socket is None or not socket.room.is_set():
            return False
        socket.issue_now(packed, count, take)
        return True

    async def ask(self, *commands: bytes) -> list[Any]:
        """Send *commands* to where the node is located now, on a socket of their own.

        Raises what opening a socket raises.
        """
        socket, _ = await handshake.enter(await self.locate(), self.access)
        try:
            return await socket.issue_many(b"".join(commands), len(commands))
        finally:
            socket.abort()

    def drop(self) -> None:
        """Break the socket, or give up the attempt to open one: the node is located anew."""
        if self.socket is not None:
            self.socket.abort()
        elif self._attempt is not None and not self._attempt.expired():
            self._attempt.reschedule(asyncio.get_running_loop().time())

    async def keep(self) -> None:
        """Open the socket and open it again whenever it breaks, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            await self._keep()

    async def _keep(self) -> None:
        attempt = 0
        while True:
            try:
                socket = await self._open()
            except (OSError, UnicodeError, RedisError, Unavailable) as exc:
                if attempt == 0:
                    log.warning("redis_away", extra={"error": str(exc) or type(exc).__name__})
                self.fault = exc
                self._tell()
                pause = min(_FIRST_PAUSE * 2**attempt, self._limits.backoff)
                attempt = min(attempt + 1, 10)  # longer than any backoff; 2**attempt stays small
                # Jitter: all replicas of the service lose the node at one moment, and would come
                # back at one moment, again and again.
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                continue
            attempt = 0
            try:
                self._up(socket)
                await self._lasts(socket)
            finally:
                self._down(socket)

    async def _lasts(self, socket: RespSocket) -> None:
        """Return when *socket* is lost; until then have the node say something, that a lull shows.

        Channels have a beat of their own (`sessions.redis.pubsub`).
        """
        while self._push is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await socket.lost.wait()
                return
            if socket.idle:
                socket.issue(_PING)
        await socket.lost.wait()

    def _up(self, socket: RespSocket) -> None:
        self.socket, self.fault = socket, None
        if self._push is None:  # channels are no part of what is measured
            self.access.measures.opened += 1
        self._opened.set()
        self._tell()

    def _down(self, socket: RespSocket) -> None:
        socket.abort()
        self.socket = None
        self._down_at = asyncio.get_running_loop().time()
        self._opened.clear()
        self._tell()

    def _tell(self) -> None:
        if self._changed:
            self._changed()

    async def _open(self) -> RespSocket:
        """Open a socket where the node is located now."""
        try:
            async with asyncio.timeout(self._limits.opening) as attempt:
                self.address = await self.locate()
                # Not before: `drop` leaves an address, and who has none yet has none to leave.
                self._attempt = attempt
                socket, self.run_id = await handshake.enter(
                    self.address,
                    self.access,
                    push=self._push,
                    doubted=self._doubted if self._push is None else None,
                )
                try:
                    # Without anyone who knows the master a server that was frozen while it let us
                    # in is asked whether it is still at its address; the others are asked below.
                    if socket.doubts and self._serves is None and not await self._confirm(socket):
                        raise away()
                except BaseException:
                    socket.abort()
                    raise
                return socket
        finally:
            self._attempt = None

    async def _usable(self) -> RespSocket:
        """Wait for a socket with room, as long as patience lasts."""
        loop = asyncio.get_running_loop()
        # Patience belongs to the outage, not to the command: after the first second of it
        # commands fail at once, or thousands would wait, and be sent together when it ends.
        start = loop.time() if self.socket is not None else self._down_at
        try:
            async with asyncio.timeout_at(start + self._limits.patience):
                while True:
                    if (socket := self.socket) is None:
                        await self._opened.wait()
                    elif socket.room.is_set():
                        return socket
                    else:
                        await socket.room.wait()
        except TimeoutError:
            raise away() from self.fault

    def _begin(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        if self._tasks is None:
            raise AssertionError("`keep` runs for as long as the connection is used")
        return self._tasks.create_task(work, name=name)

    def _doubted(self, socket: RespSocket) -> None:
        if self._serves is None and socket is not self.socket:
            # It is being entered, and only says who it is; `_open` asks whether that is still so.
            socket.believe(socket.doubts)
        else:
            self._begin(self._judge(socket, socket.doubts), "redis-doubted")

    async def _judge(self, socket: RespSocket, doubts: int) -> None:
        if await self._confirm(socket):
            # It was confirmed for what came before the question: where there was a lull since,
            # another judge is under way, and `believe` leaves the word to that one.
            socket.believe(doubts)

    async def _confirm(self, socket: RespSocket) -> bool:
        """Ask whether the node of *socket* has its place still; where it has not, break *socket*.

        Nothing that it acknowledged before may be believed else.
        """
        serves = self._serves or _is_at_its_address
        loop = asyncio.get_running_loop()
        left = self._limits.deadline
        while not socket.lost.is_set():
            began = loop.time()
            try:
                async with asyncio.timeout(self._limits.opening):
                    if await serves(self):
                        return not socket.lost.is_set()
                log.warning("redis_master_replaced", extra={"was": str(self.address)})
                break
            except (OSError, UnicodeError, RedisError, Unavailable) as exc:
                # While this process slept, and an attempt took longer than any may, nobody was
                # asked: all sockets would break at each thaw, and leases mean nothing for a while.
                took = loop.time() - began
                left -= took if took < self._limits.opening + ASLEEP else 0
                if left < 0:
                    log.warning("redis_master_unconfirmed", extra={"error": str(exc)})
                    break
            await asyncio.sleep(_UNDECIDED)
            left -= _UNDECIDED
        socket.abort()
        return False


async def _is_at_its_address(connection: NodeConnection) -> bool:
    """Tell whether the address leads to the same process still, and that is a master.

    A name or a proxy may have been turned to another server while this one was frozen. INFO tells
    both, and whoever could connect may send it; ROLE is a right of its own.
    """
    (info,) = await connection.ask(pack("INFO"))
    if isinstance(info, Exception):
        raise info
    return handshake.run_id(info) == connection.run_id and b"role:master" in info.splitlines()
