"""Break everything by plan while everybody asks, writes and searches; then let it heal."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections import Counter
from collections.abc import Sequence
from typing import Final

from tests.chaos import plan
from tests.chaos.crowd import Crowd
from tests.chaos.plan import Fault, Kind, Setup
from tests.chaos.replicas import Fleet, Replica
from tests.chaos.searchers import Searchers
from tests.chaos.troubles import REDIS, Troubles

_CALM: Final = 90.0
"""Seconds within which everything has ended once nothing is broken any more."""
_WITHOUT: Final = 6.0
"""Seconds after which the service has found out that replicas of Redis are back: until then it goes
on without them, and may lose what a master that nobody hears acknowledges."""

_REPLACES: Final = frozenset({Kind.FREEZE, Kind.DEPOSE, Kind.PART})
"""What may put another master in the place of one."""


class Experiment:
    """Breaks *fleet* while *crowd* asks and *searchers* write and search."""

    def __init__(
        self, setup: Setup, made: Fleet, crowd: Crowd, searchers: Searchers, troubles: Troubles
    ) -> None:
        self._setup = setup
        self._fleet = made
        self._crowd = crowd
        self._searchers = searchers
        self._troubles = troubles
        self._chance = random.Random(f"{setup.seed} masters")
        self._whole_since = -_WITHOUT
        self.done: Counter[Kind] = Counter()

    async def run(self) -> None:
        """Ask and break, then heal, and wait until everything is read, or never will be."""
        setup = self._setup
        asking = asyncio.create_task(self._crowd.ask(setup.askers, setup.clients))
        searching = asyncio.create_task(self._searchers.run(setup.writers))
        try:
            chance = random.Random(f"{setup.seed} faults")
            faults = plan.faults(
                chance, setup.counts, replicas=setup.replicas, gap=setup.gap, lease=setup.lease
            )
            async with asyncio.TaskGroup() as healing:
                # Redis is harmed while replicas are, by one fault at a time.
                for of_redis in (True, False):
                    some = [fault for fault in faults if (fault.kind in plan.REDIS) is of_redis]
                    healing.create_task(self._break_all(some, healing))
        finally:
            self._crowd.stop()
            self._searchers.stop()
            await searching
            with contextlib.suppress(TimeoutError):  # who still reads is stuck: that is checked
                async with asyncio.timeout(_CALM):
                    await asking

    async def _break_all(self, faults: Sequence[Fault], healing: asyncio.TaskGroup) -> None:
        for fault in faults:
            await asyncio.sleep(fault.gap)
            await self._break(fault, healing)

    async def _break(self, fault: Fault, healing: asyncio.TaskGroup) -> None:
        self.done[fault.kind] += 1
        if fault.kind in plan.REDIS:
            if fault.kind in _REPLACES and self._setup.redis_replicas:
                await asyncio.sleep(self._whole_since + _WITHOUT - _now())
            since = _now()
            with self._troubles.of(REDIS, fault.kind.name):
                await self._break_redis(fault)
            # Leases that were given while the clock was ahead last until it is there again.
            after = abs(fault.step) if fault.kind is Kind.TIME else 1
            self._troubles.excuse(since - self._setup.lease, _now() + after)
            if fault.kind in _REPLACES:
                self._whole_since = _now()
        elif fault.kind is Kind.CLIENTS:
            self._fleet.blind.cut()
            self._fleet.wise.cut()
        else:
            begun = asyncio.Event()
            healing.create_task(self._harm(fault, begun))
            await begun.wait()

    async def _break_redis(self, fault: Fault) -> None:
        redis = self._fleet.redis
        match fault.kind:
            case Kind.FREEZE:
                await redis.freeze(self._chance, fault.seconds)
            case Kind.DEPOSE:
                await redis.depose(self._chance)
            case Kind.PART:
                await redis.part(self._chance, fault.seconds)
            case Kind.FULL:
                await redis.fill(self._chance, fault.seconds)
            case Kind.DISK:
                await redis.slow_disk(self._chance, fault.seconds)
            case Kind.TIME:
                await redis.step_clock(self._chance, fault.seconds, fault.step)
            case _:
                how = signal.SIGTERM if fault.kind is Kind.RESTART else signal.SIGKILL
                await redis.restart(how)

    async def _harm(self, fault: Fault, begun: asyncio.Event) -> None:
        async with self._fleet.victim(fault.replica) as victim:
            begun.set()
            with self._troubles.of(victim.number, f"{fault.kind.name} {victim.number}"):
                await _harm(victim, fault)


async def _harm(victim: Replica, fault: Fault) -> None:
    """Do what *fault* says to one replica, and undo it."""
    match fault.kind:
        case Kind.KILL:
            await victim.end(signal.SIGKILL)
        case Kind.STOP:
            await victim.end(signal.SIGTERM)
        case Kind.UPGRADE:
            await victim.upgrade()
        case Kind.PAUSE:
            await victim.freeze(fault.seconds)
        case Kind.CUT:
            victim.redis.cut()
        case Kind.HUSH:
            victim.redis.hush()
            await asyncio.sleep(fault.seconds)
            victim.redis.speak()
        case Kind.SLOW:
            victim.redis.delay = 0.02
            await asyncio.sleep(fault.seconds)
            victim.redis.delay = 0.0
        case Kind.REPLICA_DISK:
            victim.preload.slow_disk(0.3)
            await asyncio.sleep(fault.seconds)
            victim.preload.heal()
        case Kind.REPLICA_TIME:
            victim.preload.step_clock(fault.step)
            await asyncio.sleep(fault.seconds)
            victim.preload.heal()
        case _:
            raise AssertionError("that is no fault of one replica")


def _now() -> float:
    return asyncio.get_running_loop().time()
