"""Keep one connection to a Redis node open for everything that runs in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple

from redis.exceptions import RedisError

from sessions.errors import Unavailable
from sessions.redis.replicas import Replicas
from sessions.redis.resp_socket import BEAT, RedisTimeouts, RespSocket, away, pack
from sessions.redis.urls import Deployment, DeploymentKind, NodeAddress

Locate = Callable[[], Awaitable[NodeAddress]]
"""Finds the node at this moment; asked before each attempt to open a socket."""

Serves = Callable[["NodeConnection"], Awaitable[bool]]
"""Tells, from whom others take it, whether the node that a connection is at has its place still.
Raises what opening a socket raises while nobody can say."""

_PING: Final = pack("PING")
_RUN_ID: Final = re.compile(rb"^run_id:(\w+)", re.MULTILINE)
_UNDECIDED: Final = 0.05
"""Seconds between two questions whether a node has its place still."""

log = logging.getLogger(__name__)


def fixed(address: NodeAddress) -> Locate:
    """Locate a node that stays where it is."""

    async def locate() -> NodeAddress:
        return address

    return locate


class NodeAccess(NamedTuple):
    """What opens any node of a deployment."""

    deployment: Deployment
    limits: RedisTimeouts
    tls: ssl.SSLContext | None
    replicas: int = 0
    """How many replicas of a node are waited for."""


class NodeConnection:
    """The way to one node: a socket that is reopened, with growing pauses, whenever it breaks.

    `keep` must run, in a task group, for as long as the connection is used. A command issued
    while the node is away waits through the first `Limits.patience` seconds of the outage and
    then fails with `Unavailable`; it has not been sent. A command in flight when the socket breaks
    fails with `Unavailable` too, and *may have been executed*: send it again only if twice does
    no harm.
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
        self.limits = access.limits
        self._serves = serves
        self._push = push
        self._changed = changed
        self._tasks: asyncio.TaskGroup | None = None
        self._down_at = asyncio.get_running_loop().time()
        self._opened = asyncio.Event()
        self._attempt: asyncio.Timeout | None = None
        self._replicating: tuple[asyncio.Future[Any], asyncio.Task[bool]] | None = None
        self.replicas = Replicas(access.replicas)
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

    async def replicated(self) -> None:
        """Return when replicas have all that was acknowledged here, or are known to be away.

        Raises:
            Unavailable: the node is away, or was deposed; who knows what they have.
        """
        replicating = self._replicating
        if replicating is None or replicating[0].done():
            command = self.replicas.command()
            if not command:
                return
            socket = await self._usable()
            waiting = socket.issue(command)
            outcome = self._begin(self._replicate(socket, waiting), "redis-replicas")
            replicating = self._replicating = waiting, outcome
        # One that is under way will do: it came behind all that is acknowledged by now.
        if not await asyncio.shield(replicating[1]):
            raise away()

    async def _replicate(self, socket: RespSocket, waiting: asyncio.Future[Any]) -> bool:
        reply = await waiting
        return not isinstance(reply, Exception) and await self.enough(socket, reply)

    async def enough(self, socket: RespSocket, reply: Any) -> bool:
        """Tell whether what came before *reply*, to the command of `replicas`, is to be believed.

        It is where enough replicas have it, and where too few do but the node is the master still.
        One that was deposed has lost its replicas, and they what it acknowledged: *socket* breaks.
        """
        if not self.replicas.lacking(reply):
            return not isinstance(reply, Exception)
        if not await self._confirm(socket):
            return False
        self.replicas.missed(reply)
        return True

    def settle(self, socket: RespSocket, reply: Any, settled: Callable[[bool], None]) -> None:
        """Call *settled* with what `enough` tells; at once where that is known."""
        if not self.replicas.lacking(reply):
            settled(not isinstance(reply, Exception))
            return

        async def judge() -> None:
            believed = False
            try:
                believed = await self.enough(socket, reply)
            finally:  # whatever befell it: who waits for the word holds everything else back
                settled(believed)

        self._begin(judge(), "redis-replicas")

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
            socket.believe(doubts)

    async def _confirm(self, socket: RespSocket) -> bool:
        """Ask whether the node of *socket* has its place still; where it has not, break *socket*.

        Nothing that it acknowledged before may be believed else.
        """
        serves = self._serves or _is_at_its_address
        loop = asyncio.get_running_loop()
        until = loop.time() + self.limits.deadline
        while not socket.lost.is_set():
            try:
                async with asyncio.timeout(self.limits.opening):
                    if await serves(self):
                        return not socket.lost.is_set()
                log.warning("redis_master_replaced", extra={"was": str(self.address)})
                break
            except (OSError, UnicodeError, RedisError, Unavailable) as exc:
                if loop.time() > until:
                    log.warning("redis_master_unconfirmed", extra={"error": str(exc)})
                    break
            await asyncio.sleep(_UNDECIDED)
        socket.abort()
        return False

    async def ask(self, *commands: bytes) -> list[Any]:
        """Send *commands* to where the node is located now, on a socket of their own.

        Raises what opening a socket raises.
        """
        socket, _ = await self._enter(await self.locate(), doubted=False)
        try:
            return await socket.issue_many(b"".join(commands), len(commands))
        finally:
            socket.abort()

    async def _usable(self) -> RespSocket:
        """Wait for a socket with room, as long as patience lasts."""
        loop = asyncio.get_running_loop()
        start = loop.time() if self.socket is not None else self._down_at
        try:
            async with asyncio.timeout_at(start + self.limits.patience):
                while True:
                    if (socket := self.socket) is None:
                        await self._opened.wait()
                    elif socket.room.is_set():
                        return socket
                    else:
                        await socket.room.wait()
        except TimeoutError:
            raise away() from self.fault

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
                pause = min(0.02 * 2**attempt, self.limits.backoff)
                attempt = min(attempt + 1, 10)
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
            async with asyncio.timeout(self.limits.opening) as attempt:
                self.address = await self.locate()
                self._attempt = attempt
                socket, self.run_id = await self._enter(self.address, doubted=self._push is None)
                try:
                    if socket.doubts and self._serves is None and not await self._confirm(socket):
                        raise away()
                except BaseException:
                    socket.abort()
                    raise
                return socket
        finally:
            self._attempt = None

    async def _enter(self, address: NodeAddress, *, doubted: bool) -> tuple[RespSocket, bytes]:
        """Open a socket and enter: AUTH, SELECT, and a PING that a loading server refuses.

        Return it with what the server calls itself, b"" where nobody asks for that.
        """
        socket = await self._socket(address, self._doubted if doubted else None)
        try:
            greeting = _greeting(self.access.deployment)
            replies = await socket.issue_many(
                b"".join(pack(*command) for command in greeting), len(greeting)
            )
            for reply in replies:
                if isinstance(reply, Exception):
                    raise reply
        except BaseException:
            socket.abort()
            raise
        return socket, _run_id(replies[-1])

    async def _socket(
        self, address: NodeAddress, doubted: Callable[[RespSocket], None] | None
    ) -> RespSocket:
        loop = asyncio.get_running_loop()

        def socket() -> RespSocket:
            return RespSocket(self.limits, self._push, doubted)

        if address.path:
            return (await loop.create_unix_connection(socket, address.path))[1]
        host, port, _ = address
        return (await loop.create_connection(socket, host, port, ssl=self.access.tls))[1]


def _greeting(deployment: Deployment) -> list[tuple[str, ...]]:
    greeting: list[tuple[str, ...]] = []
    if deployment.password:
        greeting.append(("AUTH", *filter(None, (deployment.username, deployment.password))))
    if deployment.db:
        greeting.append(("SELECT", str(deployment.db)))
    greeting.append(("PING",))
    if deployment.kind is DeploymentKind.STANDALONE:
        greeting.append(("INFO", "server"))
    return greeting


async def _is_at_its_address(connection: NodeConnection) -> bool:
    """Tell whether the address leads to the same process still, and that is a master.

    A name or a proxy may have been turned to another server while this one was frozen. INFO tells
    both, and whoever could connect may send it; ROLE is a right of its own.
    """
    (info,) = await connection.ask(pack("INFO"))
    if isinstance(info, Exception):
        raise info
    return _run_id(info) == connection.run_id and b"role:master" in info.splitlines()


def _run_id(info: Any) -> bytes:
    """Return what the server of the reply to INFO calls itself, b"" where it does not say."""
    found = _RUN_ID.search(info) if isinstance(info, bytes) else None
    return found[1] if found else b""
