"""Send each command to the node that serves its key, and again when Redis says where or when.

There are two ways: `SingleNode` here (a server alone, or the master that sentinels name) and
`sessions.redis.cluster.Cluster`. Both keep these promises:

- A redirection (MOVED, ASK) or a passing refusal (LOADING, TRYAGAIN, CLUSTERDOWN, READONLY, …) is
  followed or repeated, in order, for at most `RedisTimeouts.patience`; then it is `Unavailable`.
  Redis has not executed what it refused, so nothing happens twice. That holds for a script, too: it
  is refused at its first write or not at all, since its server's role, replicas and disk are what
  they are while it runs, and want of memory stops none that has written. So scripts that free
  memory, and those that these cannot do without, begin with a write that takes none
  (`sessions.redis.memory`).
- Any other error reply belongs to the caller.
- What was in flight when a socket broke is `Unavailable` and never sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

from redis.exceptions import RedisError, ResponseError

from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis.handshake import NodeAccess
from sessions.redis.node_connection import Locate, NodeConnection
from sessions.redis.resp_socket import away, full
from sessions.redis.urls import VARIABLE, DeploymentKind, NodeAddress
from sessions.supervision import forever

Command = tuple[bytes, bytes]
"""The key that routes it, and the command in RESP (`sessions.redis.resp_socket.pack`)."""

_REDIRECTIONS: Final = ("MOVED ", "ASK ")
_PASSING: Final = (
    *("LOADING ", "TRYAGAIN ", "CLUSTERDOWN ", "MASTERDOWN ", "READONLY ", "NOREPLICAS "),
    *("MISCONF ", "OOM ", "BUSY "),
)
_WRAPPED: Final = re.compile(
    r"^ERR Error running script \(call to \w+\): @user_script:\d+: @user_script: \d+: -(?=[A-Z]+ )"
)
"""What Redis 6.2 puts before the refusal of a command inside a script. No text of a caller comes
before it, so that none can pass for it."""
_PAUSE: Final = 0.05
"""Seconds between two attempts while Redis refuses."""
_FOLLOW: Final = 1.0
"""Seconds between two questions to the sentinels."""
_HOPS: Final = 3
"""Redirections that are followed without a pause: MOVED, then ASK, and one to spare. Who is sent on
more often runs in a circle, among masters that do not agree yet."""


class Routes(Protocol):
    """Where the keys live."""

    async def send(self, key: bytes, packed: bytes) -> Any:
        """Send one command and return its reply.

        Raises:
            ResponseError: Redis answered with an error.
            Unavailable: Redis is away; the command may have been executed all the same.
        """
        ...

    async def send_all(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one write per node; return a reply or an exception for each."""
        ...

    def connection(self, key: bytes) -> NodeConnection | None:
        """Return the way to the node that serves *key*, None while nobody does."""
        ...

    def connections(self) -> Sequence[NodeConnection | None]:
        """Return the ways to all nodes that serve keys, None for slots that nobody serves."""
        ...

    def misled(self) -> None:
        """Learn that a node was not where it was thought to be; look again soon."""
        ...

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call *callback* whenever `connection` may return something else than before."""
        ...

    @property
    def available(self) -> bool:
        """Tell whether every node that serves keys is connected."""
        ...

    async def open(self, tasks: asyncio.TaskGroup, within: float) -> None:
        """Connect; *tasks* own what keeps it so until `close`.

        Raises:
            FailedPrecondition: Redis refuses us; waiting does not help.
            Unavailable: it was not to be reached *within* so many seconds.
        """
        ...

    def close(self) -> None:
        """End all tasks; whoever waits is told that Redis is away."""
        ...


class SingleNode:
    """One node that serves all keys; it is located anew whenever its socket breaks."""

    def __init__(self, locate: Locate, access: NodeAccess) -> None:
        """Reach the node that *locate* finds."""
        self._limits = access.limits
        self._news = asyncio.Event()
        is_watched = access.deployment.kind is DeploymentKind.SENTINEL
        self._connection = NodeConnection(
            locate, access, serves=_is_master if is_watched else None, changed=self._heard
        )
        self._address: NodeAddress | None = None
        self._keepers: list[asyncio.Task[None]] = []
        self._callbacks: list[Callable[[], None]] = []

    @property
    def available(self) -> bool:
        """Tell whether the node is connected."""
        return self._connection.socket is not None

    async def open(self, tasks: asyncio.TaskGroup, within: float) -> None:
        """Connect; see `Routes`."""
        self._keepers.append(tasks.create_task(forever(self._connection.keep), name="redis"))
        if self._connection.access.deployment.kind is DeploymentKind.SENTINEL:
            self._keepers.append(tasks.create_task(forever(self._follow), name="redis-sentinel"))
        await wait_until_available(self, self._news, lambda: self._connection.fault, within)

    def close(self) -> None:
        """Let the node go."""
        for keeper in self._keepers:
            keeper.cancel()

    def connection(self, key: bytes) -> NodeConnection | None:
        """Return the one connection."""
        return self._connection

    def connections(self) -> Sequence[NodeConnection | None]:
        """Return the one connection."""
        return [self._connection]

    def misled(self) -> None:
        """Locate the node anew: it is not what it was."""
        self._connection.drop()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call *callback* after the connection has come to lead to another address."""
        self._callbacks.append(callback)

    def _heard(self) -> None:
        self._news.set()
        if self.available and self._address != self._connection.address:
            self._address = self._connection.address
            for callback in self._callbacks:
                callback()

    async def _follow(self) -> None:
        """Leave a master that the sentinels have deposed, whether it still answers us or not."""
        while True:
            await asyncio.sleep(_FOLLOW)
            with contextlib.suppress(OSError, RedisError, Unavailable):
                if await self._connection.locate() != self._connection.address:
                    self._connection.drop()

    async def send(self, key: bytes, packed: bytes) -> Any:
        """Send one command and return its reply; see `Routes`."""
        reply = await self._connection.send(packed)
        if isinstance(reply, Exception):
            replies: list[Any] = [reply]
            await self._settle([(key, packed)], replies)
            reply = replies[0]
            if isinstance(reply, Exception):
                raise reply
        return reply

    async def send_all(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one write; see `Routes`."""
        packed = b"".join([packed for _, packed in commands])
        replies = await self._connection.send_many(packed, len(commands))
        if ResponseError in map(type, replies):  # nearly never
            await self._settle(commands, replies)
        return replies

    async def _settle(self, commands: Sequence[Command], replies: list[Any]) -> None:
        async def resend(again: Sequence[int]) -> None:
            if any(_unwrapped(replies[i]).startswith("READONLY ") for i in again):
                self.misled()
            packed = b"".join([commands[i][1] for i in again])
            answers = await self._connection.send_many(packed, len(again))
            for i, answer in zip(again, answers, strict=True):
                replies[i] = answer

        await repeat_refused(replies, resend, self._limits.patience)


async def _is_master(connection: NodeConnection) -> bool:
    """Tell whether the sentinels name the node of *connection*."""
    return await connection.locate() == connection.address


async def repeat_refused(
    replies: list[Any], resend: Callable[[Sequence[int]], Awaitable[None]], patience: float
) -> None:
    """Have *resend* repeat, in order, what was redirected or refused, while *patience* lasts."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    attempt = 0
    while again := [
        i
        for i, reply in enumerate(replies)
        if isinstance(reply, ResponseError) and _is_repeatable(reply)
    ]:
        if loop.time() > end:
            for i in again:
                replies[i] = full() if _unwrapped(replies[i]).startswith("OOM ") else away()
            return
        attempt += 1
        if attempt > _HOPS or not all(redirection(replies[i]) for i in again):
            await asyncio.sleep(_PAUSE)
        await resend(again)


def redirection(reply: Any) -> str:
    """Return the text of *reply* where it is MOVED or ASK, else ""."""
    text = str(reply) if isinstance(reply, ResponseError) else ""
    return text if text.startswith(_REDIRECTIONS) else ""


def _is_repeatable(error: ResponseError) -> bool:
    return _unwrapped(error).startswith((*_REDIRECTIONS, *_PASSING))


def _unwrapped(error: Exception) -> str:
    """Return the text of *error* as if it had befallen the command alone."""
    return _WRAPPED.sub("", str(error), count=1)


async def wait_until_available(
    routes: Routes, news: asyncio.Event, fault: Callable[[], Exception | None], within: float
) -> None:
    """Wait until *routes* are available; *news* is set on each attempt, *fault* says what failed.

    Raises:
        FailedPrecondition: Redis refuses us.
        Unavailable: nothing answered *within* so many seconds.
    """
    try:
        async with asyncio.timeout(within):
            while not routes.available:
                news.clear()
                _check(fault())
                await news.wait()
    except TimeoutError:
        raise Unavailable(
            f"{VARIABLE}: no Redis answers there: {_told(fault())}", reason="REDIS_UNAVAILABLE"
        ) from fault()


def _told(fault: Exception | None) -> str:
    """Return what to tell of *fault*; what took too long has no text of its own."""
    if isinstance(fault, TimeoutError):
        return "it accepts connections, and says nothing"
    return str(fault or "it does not serve all slots")


def _check(fault: Exception | None) -> None:
    if isinstance(fault, ResponseError) and not _is_repeatable(fault):
        raise FailedPrecondition(
            f"{VARIABLE}: Redis refuses the connection: {fault}", reason="REDIS_REFUSED"
        ) from fault
