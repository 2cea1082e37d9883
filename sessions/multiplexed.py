"""Keep one connection to a Redis node open for everything that runs in an event loop."""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from redis.exceptions import RedisError

from sessions.addresses import Address, Deployment
from sessions.errors import Unavailable
from sessions.replicas import Replicas
from sessions.sockets import Limits, Socket, away, pack

Locate = Callable[[], Awaitable[Address]]
"""Finds the node at this moment; asked before each attempt to open a socket."""

log = logging.getLogger(__name__)


class Access(NamedTuple):
    """What opens any node of a deployment."""

    deployment: Deployment
    limits: Limits
    tls: ssl.SSLContext | None
    replicas: int = 0
    """How many replicas of a node are waited for."""


class Connection:
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
        access: Access,
        *,
        push: Callable[[Any], None] | None = None,
        changed: Callable[[], None] | None = None,
    ) -> None:
        """Reach the node that *locate* finds.

        *changed* is told when `socket` opened, broke or could not be opened; *push* gets what
        arrives unasked.
        """
        self.locate = locate
        self.access = access
        self.limits = access.limits
        self._push = push
        self._changed = changed
        self._down_at = asyncio.get_running_loop().time()
        self._opened = asyncio.Event()
        self._attempt: asyncio.Timeout | None = None
        self._replicating: asyncio.Future[Any] | None = None
        self.replicas = Replicas(access.replicas)
        self.socket: Socket | None = None
        self.address: Address | None = None
        """Where the node was located last."""
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
            Unavailable: the node is away; who knows what they have.
        """
        waiting = self._replicating
        if waiting is None or waiting.done():
            command = self.replicas.command()
            if not command:
                return
            waiting = self._replicating = (await self._usable()).issue(command)
            waiting.add_done_callback(self._heard)
        # One that is under way will do: it came behind all that is acknowledged by now.
        if isinstance(await asyncio.shield(waiting), Exception):
            raise away()

    def _heard(self, waiting: asyncio.Future[Any]) -> None:
        if not waiting.cancelled():  # the loop ends
            self.replicas.heard(waiting.result())

    async def _usable(self) -> Socket:
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
                await socket.lost.wait()
            finally:
                self._down(socket)

    def _up(self, socket: Socket) -> None:
        self.socket, self.fault = socket, None
        self._opened.set()
        self._tell()

    def _down(self, socket: Socket) -> None:
        socket.abort()
        self.socket = None
        self._down_at = asyncio.get_running_loop().time()
        self._opened.clear()
        self._tell()

    def _tell(self) -> None:
        if self._changed:
            self._changed()

    async def _open(self) -> Socket:
        """Open a socket and enter: AUTH, SELECT, and a PING that a loading server refuses."""
        socket: Socket | None = None
        try:
            async with asyncio.timeout(self.limits.opening) as attempt:
                self.address = await self.locate()
                self._attempt = attempt
                socket = await self._socket(self.address)
                greeting = _greeting(self.access.deployment)
                replies = await socket.issue_many(
                    b"".join(pack(*command) for command in greeting), len(greeting)
                )
        except BaseException:
            if socket is not None:
                socket.abort()
            raise
        finally:
            self._attempt = None
        for reply in replies:
            if isinstance(reply, Exception):
                socket.abort()
                raise reply
        return socket

    async def _socket(self, address: Address) -> Socket:
        loop = asyncio.get_running_loop()

        def socket() -> Socket:
            return Socket(self.limits, self._push)

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
    return [*greeting, ("PING",)]
