"""Open Redis, however it is deployed, and check that it is one we can live with.

`connect` is what the service begins with; the `Redis` it gives is what every store stands on.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib.resources
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any, Final

from redis.exceptions import ResponseError

from sessions.errors import FailedPrecondition
from sessions.redis import urls
from sessions.redis.cluster import Cluster
from sessions.redis.handshake import NodeAccess
from sessions.redis.keys import Keys, mark_of
from sessions.redis.measures import RedisMeasures
from sessions.redis.node_connection import NodeConnection, fixed
from sessions.redis.pubsub import Channels
from sessions.redis.resp_socket import RedisTimeouts, away, pack
from sessions.redis.routing import Command, Routes, SingleNode
from sessions.redis.sentinels import Sentinels
from sessions.redis.urls import DeploymentKind
from sessions.supervision import PASSING

SCHEMA: Final = 1
"""Version of what is stored; an older service must not write over a newer one's data."""
UNFINISHED: Final = 0
"""Stands for a schema while a backup is restored."""
OLDEST: Final = (6, 2)
"""Since when XADD knows NOMKSTREAM, which keeps late writers from reviving a log."""
SHARDED: Final = (7, 0)
"""Since when a cluster has channels that belong to a slot."""

_SCANNED: Final = 1_000
"""Keys that one step of a scan looks at: half a millisecond of Redis."""
_MARKED: Final = 1_000
"""Milliseconds for which the key stays that is written before replicas are waited for."""
_LIMITS: Final = RedisTimeouts()


class Script:
    """A Lua file beside its caller."""

    def __init__(self, package: str, file: str) -> None:
        """Read *file*, relative to *package*."""
        self.source = importlib.resources.files(package).joinpath(file).read_bytes()
        self.sha = hashlib.sha1(self.source, usedforsecurity=False).hexdigest()


_INSTALL: Final = Script("sessions.redis", "scripts/install.lua")
_SECRET: Final = Script("sessions.redis", "scripts/secret.lua")


class Redis:
    """An open Redis.

    Calls fail with `Unavailable` while Redis is away: one made during an outage has not been
    executed, one in flight when it began may have been.
    """

    def __init__(
        self,
        routes: Routes,
        channels: Channels,
        *,
        server: str,
        database: int = 0,
        replicas: int = 0,
        measures: RedisMeasures,
    ) -> None:
        """Stand on open *routes*; see `connect`."""
        self.channels = channels
        self.measures = measures
        self.server = server
        """What answered when it was opened, such as ``Valkey 9.1.2``."""
        self.database = database
        """Which of its databases; channels are those of all of them."""
        self._replicas = replicas
        self._routes = routes

    @property
    def available(self) -> bool:
        """Tell whether all of Redis is connected at this moment."""
        return self._routes.available

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call *callback* whenever another node may have come to serve a key."""
        self._routes.on_change(callback)

    def connections(self) -> Mapping[str, int]:
        """Return how many of the connections for commands are open, and how many away."""
        there = [way is not None and way.socket is not None for way in self._routes.connections()]
        return {"open": sum(there), "away": len(there) - sum(there)}

    @property
    def awaits_replicas(self) -> bool:
        """Whether what is told is with replicas before (`replicated`)."""
        return self._replicas > 0

    @property
    def unanswered(self) -> int:
        """How many commands were sent whose replies have not come."""
        sockets = (way.socket for way in self._routes.connections() if way is not None)
        return sum(socket.unanswered for socket in sockets if socket is not None)

    async def execute(self, key: bytes, *command: bytes | str | int | float) -> Any:
        """Send one command to the node of *key* and return the reply.

        Raises:
            ResponseError: Redis answered with an error; its text is what Redis sent.
            Unavailable: Redis is away.
        """
        return await self._routes.send(key, pack(*command))

    async def batch(self, commands: Sequence[Command]) -> list[Any]:
        """Send packed commands in one write per node; return a reply for each, in order.

        What would be raised for a single command stands in the place of its reply. Commands of
        one key are executed in their order; the batch is not atomic.
        """
        return await self._routes.send_all(commands) if commands else []

    async def run(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes | str | int | float] = ()
    ) -> Any:
        """Run *script*, which Redis may not know yet, where the first of *keys* lives.

        Raises:
            ResponseError: the script failed.
            Unavailable: Redis is away.
        """
        rest = (len(keys), *keys, *args)
        try:
            return await self._routes.send(keys[0], pack(b"EVALSHA", script.sha, *rest))
        except ResponseError as exc:
            if not str(exc).startswith("NOSCRIPT "):
                raise
            # The source comes along once for each server: one that is new, or has restarted.
            return await self._routes.send(keys[0], pack(b"EVAL", script.source, *rest))

    async def scan(self, pattern: str) -> AsyncGenerator[list[bytes]]:
        """Yield all keys that match *pattern* (glob), page by page, from every node.

        A key that is there all along comes at least once. It looks at every key of Redis, so it is
        for work that nobody waits for.

        Raises:
            Unavailable: a part of Redis is away; not all keys were seen.
        """
        for node in self._routes.connections():
            if node is None:
                raise away()
            cursor = b"0"
            while True:
                scan = pack(b"SCAN", cursor, b"MATCH", pattern, b"COUNT", _SCANNED)
                reply = await node.send(scan)
                if isinstance(reply, Exception):
                    raise reply
                cursor, keys = reply
                yield keys
                if cursor == b"0":
                    break

    def connection(self, key: bytes) -> NodeConnection | None:
        """Return the way to the node that serves *key* now, None while nobody does.

        For who must know on which socket a command is executed, and never twice.
        """
        return self._routes.connection(key)

    async def replicated(self, key: bytes) -> None:
        """Return when the replicas that are waited for have what was written, or read, of *key*.

        A failover may lose what they do not have. After a second nobody waits any longer: then
        the replicas are away, and the service goes on without them (`sessions.redis.replication`).

        Raises:
            Unavailable: Redis is away.
        """
        if self._replicas:
            if (connection := self._routes.connection(key)) is None:
                raise away()
            await connection.replication.completed(_marking(key))

    async def publish(self, channel: bytes, content: bytes) -> int:
        """Tell *content* to everyone who listens to *channel* now; return how many that are."""
        return await self._routes.send(
            channel, pack(self.channels.publish_command, channel, content)
        )

    async def now_ms(self) -> int:
        """Return the time by Redis' clock, in epoch milliseconds."""
        seconds, micros = await self._routes.send(b"", pack(b"TIME"))
        return int(seconds) * 1000 + int(micros) // 1000


def _marking(key: bytes) -> bytes:
    return pack(b"SET", mark_of(key), b"", b"PX", _MARKED)


def checked_replies(replies: list[Any]) -> list[Any]:
    """Return *replies* of a batch, or raise the first error among them."""
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


@contextlib.asynccontextmanager
async def connect(
    url: str, *, limits: RedisTimeouts = _LIMITS, within: float = 5.0, replicas: int = 0
) -> AsyncGenerator[Redis]:
    """Open the Redis at *url* (see `sessions.redis.urls`) for as long as the context lasts.

    What is told to anyone is with so many *replicas* of its node before (Redis' WAIT).

    Raises:
        InvalidArgument: *url* cannot be meant.
        FailedPrecondition: Redis refuses us, is too old, or is not what *url* says.
        Unavailable: nothing answered *within* so many seconds.
    """
    deployment = urls.parse(url)
    tls = deployment.tls.context() if deployment.tls else None
    measures = RedisMeasures()
    access = NodeAccess(deployment, limits, tls, replicas, measures)
    cluster = deployment.kind is DeploymentKind.CLUSTER
    async with _unwrapping_tasks() as tasks, contextlib.AsyncExitStack() as stack:
        routes = _routes(access, stack)
        channels: Channels | None = None
        try:
            await routes.open(tasks, within)
            server, version = await _check_server(routes, deployment.kind)
            channels = Channels(routes, tasks, limits, sharded=cluster and version >= SHARDED)
            yield Redis(
                routes,
                channels,
                server=server,
                database=deployment.db,
                replicas=replicas,
                measures=measures,
            )
        finally:
            if channels is not None:
                channels.close()
            routes.close()


def _routes(access: NodeAccess, stack: contextlib.AsyncExitStack) -> Routes:
    """Choose how commands find their node; *stack* closes what finds it."""
    deployment = access.deployment
    match deployment.kind:
        case DeploymentKind.CLUSTER:
            return Cluster(access)
        case DeploymentKind.SENTINEL:
            sentinels = Sentinels(deployment, access.limits)
            stack.push_async_callback(sentinels.aclose)
            return SingleNode(sentinels.locate, access)
        case DeploymentKind.STANDALONE:
            return SingleNode(fixed(deployment.seeds[0]), access)


async def check_install(redis: Redis, keys: Keys) -> None:
    """Write down once what all processes of an installation must agree on; else compare.

    Raises:
        FailedPrecondition: what is stored was written with another schema or partitioning, or is
            not all restored.
    """
    ours = {b"schema": SCHEMA, b"partitions": keys.partitions}
    stored = await redis.run(_INSTALL, [keys.install], [SCHEMA, keys.partitions])
    if int(stored[0]) == UNFINISHED:
        raise FailedPrecondition(
            "a backup is being restored into this Redis, or that was broken off: wait for its end, "
            "or run colloquy restore again",
            reason="RESTORE_UNFINISHED",
        )
    for (field, mine), theirs in zip(ours.items(), stored, strict=True):
        if int(theirs) != mine:
            raise FailedPrecondition(
                f"this Redis holds an installation with {field.decode()} {int(theirs)}, "
                f"this service has {mine}: run the version that wrote it, or use another database",
                reason="INSTALL_MISMATCH",
            )


async def secret(redis: Redis, keys: Keys, field: str, made: bytes) -> bytes:
    """Return what all processes of an installation know as *field*: what the first of them *made*.

    It is kept even if Redis has no memory left.
    """
    return bytes(await redis.run(_SECRET, [keys.install], [field, made]))


async def _check_server(routes: Routes, kind: DeploymentKind) -> tuple[str, tuple[int, ...]]:
    """Return the server's name and its version as a Redis, where it is one that serves us."""
    info = bytes(await routes.send(b"", pack(b"INFO"))).decode(errors="replace")
    fields = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
    version = tuple(int(part) for part in re.findall(r"\d+", fields.get("redis_version", ""))[:3])
    if version < OLDEST:
        raise FailedPrecondition(
            f"{urls.VARIABLE}: Redis {fields.get('redis_version', '?')} is too old; "
            "run Redis 6.2 or newer (or Valkey), or leave the variable empty to have one started",
            reason="REDIS_TOO_OLD",
        )
    if kind is not DeploymentKind.CLUSTER and fields.get("cluster_enabled") == "1":
        raise FailedPrecondition(
            f"{urls.VARIABLE}: this Redis is part of a cluster; write redis+cluster://",
            reason="REDIS_IS_CLUSTER",
        )
    if kind is DeploymentKind.STANDALONE and fields.get("role") != "master":
        raise FailedPrecondition(
            f"{urls.VARIABLE}: this Redis is a replica; name its master, or the sentinels",
            reason="REDIS_IS_REPLICA",
        )
    # Valkey calls itself Redis 7.2, for the sake of clients, and says beside it what it is.
    named = fields.get("valkey_version")
    return (f"Valkey {named}" if named else f"Redis {fields['redis_version']}"), version


@contextlib.asynccontextmanager
async def _unwrapping_tasks() -> AsyncGenerator[asyncio.TaskGroup]:
    """Own tasks as a task group does, and let the failure of the body through unwrapped."""
    failure: BaseException | None = None
    async with asyncio.TaskGroup() as tasks:
        try:
            yield tasks
        except PASSING:
            raise
        except BaseException as exc:  # noqa: BLE001 - raised again below
            failure = exc
    if failure is not None:
        raise failure
