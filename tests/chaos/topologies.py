"""The Redis that is broken: alone, under sentinels, as a cluster; each harms a master of it."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import random
import signal
from collections.abc import AsyncGenerator, Collection, Generator, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from redis.exceptions import RedisError

from tests import redis_servers
from tests.chaos.preload import Preload, Preloads
from tests.redis_servers import Server
from tests.waiting import eventually

_OVER: Final = 60.0
"""Seconds within which another master is found, and a deposed one follows it, on a busy machine."""
_DOWN: Final = 500
"""Milliseconds without a word after which a master that is harmed is replaced: shorter than anybody
should have it, so that it comes back while what was sent to it still waits for a reply (three
seconds)."""
_PATIENT: Final = 30_000
"""The same at any other time: a master that a busy machine keeps silent must not be replaced by one
that is not in step yet, as what the service says without replicas would be lost by plan."""
_BRIEF: Final = 1 / 3
"""How often a partition ends before anybody is replaced."""
_BUS: Final = 10_000
"""By how much the port on which nodes of a cluster hear each other lies above that for clients."""


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

    async def part(self, chance: random.Random, seconds: float) -> None:
        """Cut a master off from the other nodes, but not from clients; return when all is whole.

        It is mostly cut off until another has its place, else for so many *seconds*.
        """
        ...

    async def fill(self, chance: random.Random, seconds: float) -> None:
        """Leave a master without memory for so many *seconds*."""
        ...

    async def slow_disk(self, chance: random.Random, seconds: float) -> None:
        """Have a master wait for its disk for so many *seconds*."""
        ...

    async def step_clock(self, chance: random.Random, seconds: float, step: float) -> None:
        """Set the clock of a master by *step* for so many *seconds*, and back."""
        ...


class Servers:
    """What can be done to a master of any topology."""

    def __init__(self, url: str, preloads: Preloads) -> None:
        self.url = url
        self._preloads = preloads

    async def fill(self, chance: random.Random, seconds: float) -> None:
        """Set its bound below what it holds; see `Topology`."""
        master = await self._one(chance)
        await asyncio.to_thread(master.call, "CONFIG", "SET", "maxmemory", 1)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(master.call, "CONFIG", "SET", "maxmemory", 0)

    async def slow_disk(self, chance: random.Random, seconds: float) -> None:
        """See `Topology`; a synchronisation takes up to a third of a second."""
        async with self._harmed(chance) as preload:
            preload.slow_disk(chance.uniform(0.02, 0.3))
            await asyncio.sleep(seconds)

    async def step_clock(self, chance: random.Random, seconds: float, step: float) -> None:
        """See `Topology`."""
        async with self._harmed(chance) as preload:
            preload.step_clock(step)
            await asyncio.sleep(seconds)

    @contextlib.asynccontextmanager
    async def _harmed(self, chance: random.Random) -> AsyncGenerator[Preload]:
        preload = self._preloads.of(await self._one(chance))
        try:
            yield preload
        finally:
            preload.heal()

    async def _one(self, chance: random.Random) -> Server:
        """Choose one of the masters."""
        raise NotImplementedError


class Standalone(Servers):
    """One server."""

    def __init__(self, server: Server, preloads: Preloads) -> None:
        super().__init__(server.url, preloads)
        self._server = server
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

    async def part(self, chance: random.Random, seconds: float) -> None:
        """There is nobody to be cut off from."""
        raise AssertionError("a server alone has no others")

    async def _one(self, chance: random.Random) -> Server:
        return self._server


class Replicated(Servers):
    """Servers of which some follow others; who is the master is asked of the *witnesses*."""

    port = 0

    def __init__(
        self, url: str, preloads: Preloads, servers: Sequence[Server], witnesses: Sequence[Server]
    ) -> None:
        super().__init__(url, preloads)
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

    def wait_for_masters(self, milliseconds: int) -> None:
        """Have each witness take a master for gone that is silent for so long."""
        raise NotImplementedError

    @contextlib.asynccontextmanager
    async def _replacing(self) -> AsyncGenerator[None]:
        """Have masters replaced that are harmed within this; return when all is whole again."""
        await asyncio.to_thread(self.wait_for_masters, _DOWN)
        yield
        await eventually(self._whole, within=_OVER)
        await asyncio.to_thread(self.wait_for_masters, _PATIENT)

    async def freeze(self, chance: random.Random, seconds: float) -> None:
        """Freeze one of the masters; see `Topology`."""
        async with self._replacing():
            with _frozen(await self._one(chance)):
                await asyncio.sleep(seconds)

    async def depose(self, chance: random.Random) -> None:
        """Thaw the old master just when the new one is known, or up to a second later."""
        async with self._replacing():
            master = await self._one(chance)
            with _frozen(master):
                await self._replaced(master)
                await asyncio.sleep(chance.choice((0.0, chance.uniform(0, 1))))

    async def part(self, chance: random.Random, seconds: float) -> None:
        """Silence what the others have connected to it, and what it has to them."""
        async with self._replacing():
            await self._part(await self._one(chance), chance, seconds)

    async def _part(self, master: Server, chance: random.Random, seconds: float) -> None:
        others = [one for one in (*self._servers.values(), *self._witnesses) if one is not master]
        try:
            for one in others:
                self._preloads.of(one).cut_off(_ports(master))
            self._preloads.of(master).cut_off([port for one in others for port in _ports(one)])
            if chance.random() < _BRIEF:
                await asyncio.sleep(seconds)
            else:
                await self._replaced(master)
                await asyncio.sleep(chance.choice((0.0, chance.uniform(0, 1))))
        finally:
            for one in (master, *others):
                self._preloads.of(one).heal()

    async def _replaced(self, master: Server) -> None:
        """Return when one of the others knows another in the place of *master*."""

        async def known() -> bool:
            return any(master.port not in ports for ports in await self._seen(master.port))

        await eventually(known, within=_OVER)

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

    def wait_for_masters(self, milliseconds: int) -> None:
        """See `Replicated`."""
        for sentinel in self._witnesses:
            sentinel.call("SENTINEL", "SET", "main", "down-after-milliseconds", milliseconds)


class Sharded(Replicated):
    """Three masters with a replica each."""

    def _masters(self, witness: Server) -> set[int]:
        slots: list[Any] = witness.call("CLUSTER", "SLOTS")
        return {int(master[1]) for _, _, master, *_ in slots}

    def wait_for_masters(self, milliseconds: int) -> None:
        """See `Replicated`."""
        for node in self._witnesses:
            node.call("CONFIG", "SET", "cluster-node-timeout", milliseconds)


def _ports(server: Server) -> Collection[int]:
    return server.port, server.port + _BUS


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
def opened(
    name: Name, program: str, home: Path, fsync: str, library: Path | None
) -> Generator[Topology]:
    """Run the Redis called *name*; one alone keeps an append-only file, with *fsync*.

    Disks, clocks and partitions need the preloaded *library*.
    """
    preloads = Preloads(library)
    around = preloads.surround
    match name:
        case Name.STANDALONE:
            options = ("--appendonly", "yes", "--appendfsync", fsync)
            with redis_servers.standalone(
                program, home, *options, tcp=True, surroundings=around
            ) as server:
                yield Standalone(server, preloads)
        case Name.SENTINEL:
            with redis_servers.sentinels(
                program, home, count=3, down_after=_DOWN, surroundings=around
            ) as made:
                watching = (made.sentinel, *made.others)
                watched = Watched(made.url, preloads, (made.master, made.replica), watching)
                watched.wait_for_masters(_PATIENT)
                yield watched
        case Name.CLUSTER:
            with redis_servers.cluster(program, home, replicas=3, surroundings=around) as cluster:
                sharded = Sharded(cluster.url, preloads, cluster.nodes, cluster.nodes)
                sharded.wait_for_masters(_PATIENT)
                yield sharded
