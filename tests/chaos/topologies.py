"""The Redis that is broken: alone, under sentinels, as a cluster; each freezes a master of it."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import random
import signal
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from redis.exceptions import RedisError

from tests import redis_servers
from tests.redis_servers import Server
from tests.waiting import eventually

_OVER: Final = 60.0
"""Seconds within which another master is found, and a deposed one follows it, on a busy machine."""
_DOWN: Final = 500
"""Milliseconds without a word after which a master is replaced: shorter than anybody should have
it, so that it comes back while what was sent to it still waits for a reply (three seconds)."""


class Name(enum.Enum):
    """How Redis is deployed."""

    STANDALONE = "standalone"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


class Topology(Protocol):
    """A running Redis."""

    @property
    def url(self) -> str:
        """Where the service finds it."""
        ...

    @property
    def port(self) -> int:
        """The port of a server that stands alone; 0 where the service finds the others itself."""
        ...

    async def restart(self, how: signal.Signals) -> None:
        """End a server that stands alone by a signal, and start it with what it has on disk."""
        ...

    async def freeze(self, chance: random.Random, seconds: float) -> None:
        """Freeze a master for so many *seconds*, and return when all follow again."""
        ...

    async def depose(self, chance: random.Random) -> None:
        """Freeze a master until another has its place, and return when it follows that one."""
        ...


class Standalone:
    """One server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.url = server.url
        self.port = server.port

    async def restart(self, how: signal.Signals) -> None:
        """End the server by a signal; see `Topology`."""
        process = self._server.process
        if process is None:
            raise AssertionError("restart what was started")
        process.send_signal(how)
        await asyncio.to_thread(process.wait)
        await asyncio.to_thread(self._server.start)

    async def freeze(self, chance: random.Random, seconds: float) -> None:
        """Freeze the server; see `Topology`."""
        with _frozen(self._server):
            await asyncio.sleep(seconds)

    async def depose(self, chance: random.Random) -> None:
        """Nobody can have its place."""
        raise AssertionError("a server alone has no deputy")


class Replicated:
    """Servers of which some follow others; who is the master is asked of the *witnesses*."""

    port = 0

    def __init__(self, url: str, servers: Sequence[Server], witnesses: Sequence[Server]) -> None:
        self.url = url
        self._servers = {server.port: server for server in servers}
        self._witnesses = witnesses

    async def restart(self, how: signal.Signals) -> None:
        """See `Topology`."""
        raise AssertionError("masters are not restarted, they are replaced")

    def _masters(self, witness: Server) -> set[int]:
        """Return the ports of the masters, as *witness* sees them."""
        raise NotImplementedError

    async def _seen(self, away: int = 0) -> list[set[int]]:
        """Return what each witness but the one at the port *away* says."""
        return [
            await asyncio.to_thread(self._masters, witness)
            for witness in self._witnesses
            if witness.port != away
        ]

    async def freeze(self, chance: random.Random, seconds: float) -> None:
        """Freeze one of the masters; see `Topology`."""
        with _frozen(await self._one(chance)):
            await asyncio.sleep(seconds)
        await eventually(self._whole, within=_OVER)

    async def depose(self, chance: random.Random) -> None:
        """Thaw the old master just when the new one is known, or up to a second later."""
        master = await self._one(chance)

        async def replaced() -> bool:
            return any(master.port not in ports for ports in await self._seen(master.port))

        with _frozen(master):
            await eventually(replaced, within=_OVER)
            await asyncio.sleep(chance.choice((0.0, chance.uniform(0, 1))))
        await eventually(self._whole, within=_OVER)

    async def _one(self, chance: random.Random) -> Server:
        (ports, *_) = await self._seen()
        return self._servers[chance.choice(sorted(ports))]

    async def _whole(self) -> bool:
        """Tell whether all agree about the masters, and whoever is none follows one of them."""
        await asyncio.sleep(0.1)  # the processes to be looked at have better things to do
        with contextlib.suppress(RedisError, OSError):
            first, *others = await self._seen()
            return all(each == first for each in others) and all(
                [
                    await asyncio.to_thread(_follows, server, first)
                    for server in self._servers.values()
                ]
            )
        return False


class Watched(Replicated):
    """A master and its replica under three sentinels."""

    def _masters(self, witness: Server) -> set[int]:
        return {int(witness.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main")[1])}


class Sharded(Replicated):
    """Three masters with a replica each."""

    def _masters(self, witness: Server) -> set[int]:
        slots: list[Any] = witness.call("CLUSTER", "SLOTS")
        return {int(master[1]) for _, _, master, *_ in slots}


def _follows(server: Server, masters: set[int]) -> bool:
    """Tell whether *server* is one of the *masters* and has a replica, or follows one of them."""
    said: bytes = server.call("INFO", "replication")
    fields = dict(line.split(b":", 1) for line in said.splitlines() if b":" in line)
    if server.port in masters:
        return fields[b"role"] == b"master" and b"state=online" in fields.get(b"slave0", b"")
    follows = int(fields.get(b"master_port", 0)) in masters
    return follows and fields.get(b"master_link_status") == b"up"


@contextlib.contextmanager
def _frozen(server: Server) -> Generator[None]:
    server.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.signal(signal.SIGCONT)


@contextlib.contextmanager
def opened(name: Name, program: str, home: Path, fsync: str) -> Generator[Topology]:
    """Run the Redis called *name*; one alone keeps an append-only file, with *fsync*."""
    match name:
        case Name.STANDALONE:
            options = ("--appendonly", "yes", "--appendfsync", fsync)
            with redis_servers.standalone(program, home, *options, tcp=True) as server:
                yield Standalone(server)
        case Name.SENTINEL:
            with redis_servers.sentinels(program, home, count=3, down_after=_DOWN) as made:
                watching = (made.sentinel, *made.others)
                yield Watched(made.url, (made.master, made.replica), watching)
        case Name.CLUSTER:
            with redis_servers.cluster(program, home, replicas=3) as cluster:
                yield Sharded(cluster.url, cluster.nodes, cluster.nodes)
