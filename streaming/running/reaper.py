"""Find the answers whose owner is not heard of any more, in all partitions.

Where Redis itself was away, or refused to write, every lease may have run out while its owner
lives. Owners renew as soon as they can; who looks for expired leases lets them, for a moment that
begins when this process saw Redis away for the last time. While Redis is there nobody waits.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys, owner_of
from sessions.redis.resp_socket import RespSocket, pack
from streaming.running.leases import TIME, RedisClock, milliseconds
from streaming.running.node_rounds import NodeRounds

LIMIT: Final = 32
"""How many expired answers of one partition are looked at in one round."""

GRACE: Final = 1.5
"""Seconds for which owners are left alone after Redis was away: they notice within a second that
their master was replaced, reconnect within half a second, and renew within a tenth."""

_LATE: Final = 0.5
"""What part of a lease a look may take to reach Redis; then Redis was away. Less is no harm: a
lease that is renewed in time outlasts it."""


class _Look(NamedTuple):
    """When Redis was asked: by its clock in ms, as far as it is known here, and by the loop's."""

    sent: float
    began: float


class Reaper:
    """Has each answer taken over whose lease expired. `run` works until it is cancelled."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        clock: RedisClock,
        take_over: Callable[[str], None],
        *,
        ttl: float,
        every: float = 1.0,
    ) -> None:
        """Look about *every* so many seconds for leases, which are granted for *ttl* seconds."""
        self._redis = redis
        self._keys = keys
        self._clock = clock
        self._take_over = take_over
        self._every = every
        self._rounds = NodeRounds(redis, keys, self._round, every)
        self._late = ttl * 1000 * _LATE
        self._random = random.Random()  # noqa: S311 - not a secret, and nobody else's sequence
        self._indexes = [keys.leases(partition) for partition in range(keys.partitions)]
        self._sockets = [self._socket(key) for key in self._indexes]
        self._trusted = [-math.inf] * keys.partitions  # loop time from which leases are believed

    async def run(self) -> None:
        """Reap about *every* so many seconds; replicas drift apart, so that they do not race."""
        await self._rounds.run()

    async def _round(self, partitions: Sequence[int]) -> float:
        await self.reap(partitions)
        return self._every * self._random.uniform(0.75, 1.25)

    async def reap(self, partitions: Sequence[int] | None = None) -> None:
        """Have everything taken over that is expired now, where Redis is there and was before.

        Of all *partitions*, or some.
        """
        looked = range(self._keys.partitions) if partitions is None else partitions
        indexes = [self._indexes[partition] for partition in looked]
        look = self._look()
        nodes = [self._redis.connection(key) for key in indexes]
        probed = dict(zip(nodes, indexes, strict=True))
        probes = [probe for key in probed.values() for probe in ((key, TIME), _writes(key))]
        replies = await self._redis.batch([*probes, *(_expired(key, look.sent) for key in indexes)])
        away = {
            node
            for node, time, written in zip(probed, replies[::2], replies[1::2], strict=False)
            if isinstance(written, Exception) or self._was_late(look, time)
        }
        expired: list[bytes] = []
        for partition, node, reply in zip(looked, nodes, replies[len(probes) :], strict=True):
            # A node that is there but late, or refuses to write, kept owners from renewing as well.
            if isinstance(reply, Exception) or node in away:
                self._distrust(partition)
            elif self._is_trusted(partition):
                expired += reply
        self._random.shuffle(expired)  # replicas that race do so for different answers
        for answer in expired:
            self._take_over(answer.decode())

    async def is_expired(self, answer: str) -> bool:
        """Tell whether the lease of *answer* has run out, and its owner had time to renew it.

        Raises:
            Unavailable: Redis is away.
        """
        partition = self._keys.partition(owner_of(answer))
        key = self._indexes[partition]
        look = self._look()
        until, time = await self._redis.batch([(key, pack(b"ZSCORE", key, answer)), (key, TIME)])
        if self._was_late(look, time):
            self._distrust(partition)
        for reply in (until, time):
            if isinstance(reply, Exception):
                raise reply
        expired = until is not None and float(until) <= milliseconds(time)
        return expired and self._is_trusted(partition)

    def _look(self) -> _Look:
        return _Look(self._clock.now, asyncio.get_running_loop().time())

    def _was_late(self, look: _Look, time: Sequence[bytes] | Exception) -> bool:
        """Tell whether Redis has not, or only late, executed TIME, whose reply has just come."""
        if isinstance(time, Exception):
            return True
        # It cannot have been later than its reply was. The time by Redis' clock alone says less:
        # that is behind where this process slept, and leases would mean nothing for a while.
        took = (asyncio.get_running_loop().time() - look.began) * 1000
        return took > self._late and milliseconds(time) - look.sent > self._late

    def _distrust(self, partition: int) -> None:
        self._trusted[partition] = asyncio.get_running_loop().time() + GRACE

    def _is_trusted(self, partition: int) -> bool:
        """Tell whether the leases of *partition* mean something: Redis has been there for long."""
        socket = self._socket(self._indexes[partition])
        if socket is not self._sockets[partition]:
            self._sockets[partition] = socket
            self._distrust(partition)
        return asyncio.get_running_loop().time() >= self._trusted[partition]

    def _socket(self, key: bytes) -> RespSocket | None:
        connection = self._redis.connection(key)
        return connection.socket if connection is not None else None


def _expired(key: bytes, now: float) -> tuple[bytes, bytes]:
    return key, pack(b"ZRANGEBYSCORE", key, b"-inf", int(now), b"LIMIT", 0, LIMIT)


def _writes(key: bytes) -> tuple[bytes, bytes]:
    """Return what writes nothing, and is refused wherever a renewal is."""
    return key, pack(b"ZADD", key, b"XX", 0, b"")
