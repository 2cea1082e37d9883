"""The processes that are broken: replicas of the service, and the Redis that they share."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from tests import fork_server, redis_servers
from tests.chaos import preload, topologies
from tests.chaos.plan import PRELOADED, Kind, Setup
from tests.chaos.preload import Preload
from tests.chaos.proxies import Proxy
from tests.chaos.topologies import Topology
from tests.ports import free_port
from tests.waiting import eventually
from tests.whole.processes import ROOT, Service

_START: Final = 180.0  # seconds that a replica gets on a machine that is busy
_LOOK: Final = 0.1


class Replica(Service):
    """One replica; it reaches a Redis that stands alone through a proxy of its own."""

    def __init__(
        self,
        folder: Path,
        number: int,
        topology: Topology,
        settings: dict[str, str],
        versions: tuple[Path, Path],
        library: Path | None,
    ) -> None:
        """Run the first of *versions*, which are checkouts, until `upgrade` runs the other.

        Slow disks and steps of the clock need the preloaded *library*.
        """
        home = folder / f"replica-{number}"
        home.mkdir()
        self._preload = Preload(library, home) if library else None
        if self._preload is not None:
            settings = {**settings, **self._preload.environment}
        super().__init__(free_port(), settings | {"COLLOQUY_DATA_DIR": str(home)})
        self.number = number
        self.log = folder / f"replica-{number}.log"
        self.sound = False
        """Whether it is ready, and no fault has it at the moment."""
        self._topology = topology
        self._versions = versions
        self.redis = Proxy(lambda: topology.port)

    async def start(self, *options: str) -> None:
        """Start, and wait until it is ready."""
        # Sentinels and clusters name addresses themselves, and no proxy has those.
        proxied = f"redis://127.0.0.1:{self.redis.port}/0"
        url = proxied if self._topology.port else self._topology.url
        self._environment["COLLOQUY_REDIS_URL"] = url
        environment = os.environ | self._environment | {"COLLOQUY_PORT": str(self.port)}
        if self._preload is None and self._versions[0] == ROOT and not options:
            self.process = fork_server.start(("serve",), environment, self.log, self.log)
        else:
            await self._execute(environment, *options)
        until = time.monotonic() + _START
        while not await self._listens() or not await self.is_ready():
            ended = self.process is None or self.process.returncode is not None
            if ended or time.monotonic() > until:
                raise RuntimeError(f"replica {self.number} did not start: see {self.log}")
            await asyncio.sleep(_LOOK)

    async def _execute(self, environment: dict[str, str], *options: str) -> None:
        """Start what is of another version, or stands on the library."""
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "service", "serve", *options),
                cwd=self._versions[0],
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def _listens(self) -> bool:
        """Tell whether there is a port to ask; cheaper than to ask."""
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.transport.abort()
            return True
        return False

    async def end(self, how: signal.Signals) -> None:
        """End the process by a signal, and start another."""
        await self.stop(how)
        await self.start()

    async def upgrade(self) -> None:
        """End the process in good order, and start one of the other version."""
        self._versions = self._versions[::-1]
        await self.end(signal.SIGTERM)

    @property
    def preload(self) -> Preload:
        """What harms its disk and its clock."""
        if self._preload is None:
            raise AssertionError("no library was compiled")
        return self._preload

    async def freeze(self, seconds: float) -> None:
        """Stop the process for a while, as a virtual machine is stopped."""
        if self.process is None:
            raise AssertionError("freeze what was started")
        self.process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.process.send_signal(signal.SIGCONT)


class Fleet:
    """Replicas behind two balancers: *blind* knows nothing of their health, *wise* everything."""

    def __init__(self, replicas: list[Replica], redis: Topology) -> None:
        self.replicas = replicas
        self.redis = redis
        self._chance = random.Random()
        self.blind = Proxy(lambda: self._chance.choice(replicas).port)
        self.wise = Proxy(lambda: self._chance.choice(self.sound).port)

    @property
    def sound(self) -> list[Replica]:
        """The replicas that no fault has."""
        return [replica for replica in self.replicas if replica.sound]

    @contextlib.asynccontextmanager
    async def victim(self, number: int) -> AsyncGenerator[Replica]:
        """Give the replica *number*, or the next that is sound; another one stays sound."""
        await eventually(lambda: len(self.sound) > 1, within=_START)
        around = self.replicas[number:] + self.replicas[:number]
        found = next(one for one in around if one.sound)
        found.sound = False
        self.wise.cut_to(found.port)
        yield found
        found.sound = True


@contextlib.asynccontextmanager
async def fleet(folder: Path, settings: dict[str, str], setup: Setup) -> AsyncGenerator[Fleet]:
    """Run the Redis of *setup*, and make the replicas of the service, not started yet."""
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server")
    library = None
    kinds = {kind for kind, count in setup.counts.items() if count}
    if PRELOADED & kinds:
        library = preload.compiled(folder)
    ours = library if {Kind.REPLICA_DISK, Kind.REPLICA_TIME} & kinds else None
    async with contextlib.AsyncExitStack() as stack:
        home = stack.enter_context(redis_servers.folder())
        redis = stack.enter_context(
            topologies.opened(setup.topology, program, home, setup.fsync, library)
        )
        versions = (setup.before, ROOT)
        replicas = [
            Replica(folder, number, redis, settings, versions, ours)
            for number in range(setup.replicas)
        ]
        made = Fleet(replicas, redis)
        stack.push_async_callback(_end_all, replicas)
        for proxy in (made.blind, made.wise, *(one.redis for one in replicas)):
            await stack.enter_async_context(proxy.opened())
        yield made


async def _end_all(replicas: list[Replica]) -> None:
    for replica in replicas:
        if replica.process is not None and replica.process.returncode is None:
            replica.process.send_signal(signal.SIGCONT)
            await replica.stop(signal.SIGKILL)
