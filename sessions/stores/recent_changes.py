"""Hold back what was changed so lately that a failover of Redis may take it away again.

Whoever makes a change waits for the replicas of Redis before anybody is told, but what was changed
is there to be read before that. So who reads it waits as well, where it is new; what is older was
waited for, or the replicas are away and nobody waits for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sessions.redis.connection import Redis
from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import pack
from sessions.redis.routing import Command

SETTLED: Final = 10.0
"""Seconds after which a change stays: its writer waits for replicas twice, a second each, and asks
twice, three seconds at most, who is master. Less, and what a master that is cut off is about to
lose would be told to who reads it there."""

_TIME: Final = pack("TIME")


class DatedChange(NamedTuple):
    """When what is stored with *key* was last changed, in µs, and the reply to TIME behind it.

    Both are by the clock of one node. *updated* is None where nothing is stored.
    """

    key: bytes
    updated: bytes | None
    time: Sequence[Any]

    @property
    def is_new(self) -> bool:
        """Whether a failover may take it away."""
        if self.updated is None or not self.updated.isdigit():
            return False
        seconds, micros = self.time
        # One that is ahead of the clock, which was set back meanwhile, is new as well.
        return int(seconds) * 1_000_000 + int(micros) - int(self.updated) < SETTLED * 1_000_000


class RecentChanges:
    """What a reader of sessions waits for; nothing where no replicas are waited for."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def clock(self, keys: Iterable[bytes]) -> list[Command]:
        """Return what asks for the time at each of *keys*; send it behind what reads them."""
        return [(key, _TIME) for key in keys] if self._redis.awaits_replicas else []

    async def settled(self, changes: Iterable[DatedChange]) -> None:
        """Return when no failover takes *changes* away any more.

        Raises:
            Unavailable: Redis is away, or was deposed: what was read is not to be told.
        """
        waited: dict[NodeConnection | None, bytes] = {
            self._redis.connection(change.key): change.key for change in changes if change.is_new
        }
        for key in waited.values():  # once for each node
            await self._redis.replicated(key)
