"""Do something again and again at each node of Redis, so that one that is away holds up no other.

What is sent to several nodes at once is answered when the slowest of them has: leases on all other
nodes would run out, or not be taken over, while one is frozen.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.node_connection import NodeConnection

Round = Callable[[Sequence[int]], Awaitable[float]]
"""Does what is to be done for some partitions; returns the seconds until it is to be done again."""

_LOOK: Final = 1.0
"""Seconds after which a node that was found by being redirected, of which nobody tells, is seen."""


class NodeRounds:
    """The rounds of all nodes that serve a partition. `run` works until it is cancelled."""

    def __init__(self, redis: Redis, keys: Keys, do: Round, first: float) -> None:
        """*do* it for the partitions of each node, for the *first* time after so many seconds."""
        self._redis = redis
        self._indexes = [keys.leases(partition) for partition in range(keys.partitions)]
        self._do = do
        self._first = first
        self._changed = asyncio.Event()
        redis.on_change(self._changed.set)

    async def run(self) -> None:
        """Begin with each node that comes; who serves nothing any more is left."""
        rounds: dict[NodeConnection | None, asyncio.Task[None]] = {}
        async with asyncio.TaskGroup() as tasks:
            while True:
                self._changed.clear()
                rounds = {node: task for node, task in rounds.items() if not task.done()}
                for node in self._by_node():
                    if node not in rounds:
                        rounds[node] = tasks.create_task(self._serve(node), name="node-rounds")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK):
                        await self._changed.wait()

    async def _serve(self, node: NodeConnection | None) -> None:
        pause = self._first
        while True:
            await asyncio.sleep(pause)
            partitions = self._by_node().get(node)
            if not partitions:
                return
            pause = await self._do(partitions)

    def _by_node(self) -> dict[NodeConnection | None, list[int]]:
        """Return the partitions by who serves them now, None where nobody does."""
        found: dict[NodeConnection | None, list[int]] = {}
        for partition, key in enumerate(self._indexes):
            found.setdefault(self._redis.connection(key), []).append(partition)
        return found
