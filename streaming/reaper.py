"""Find the answers whose owner is not heard of any more, in all partitions."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from typing import Final

from sessions.connection import Redis
from sessions.keys import Keys
from sessions.sockets import pack
from streaming.lease import Clock

LIMIT: Final = 32
"""How many expired answers of one partition are looked at in one round."""


class Reaper:
    """Looks for expired leases and has each answer adopted. `run` works until it is cancelled."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        clock: Clock,
        adopt: Callable[[str], Awaitable[None]],
        *,
        every: float = 1.0,
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._clock = clock
        self._adopt = adopt
        self._every = every
        self._random = random.Random()  # noqa: S311 - not a secret, and nobody else's sequence

    async def run(self) -> None:
        """Reap about *every* so many seconds; replicas drift apart, so that they do not race."""
        while True:
            await asyncio.sleep(self._every * self._random.uniform(0.75, 1.25))
            if not await self.reap():
                await asyncio.sleep(2 * self._every)  # first the owners, who were cut off as well

    async def reap(self) -> bool:
        """Have everything adopted that is expired now; return False where Redis is away."""
        keys = [self._keys.leases(partition) for partition in range(self._keys.partitions)]
        now = int(self._clock.now)
        replies = await self._redis.batch(
            [(key, pack(b"ZRANGEBYSCORE", key, b"-inf", now, b"LIMIT", 0, LIMIT)) for key in keys]
        )
        found = [reply for reply in replies if not isinstance(reply, Exception)]
        expired = list(itertools.chain.from_iterable(found))
        self._random.shuffle(expired)  # replicas that race do so for different answers
        for answer in expired:
            await self._adopt(answer.decode())
        return len(found) == len(replies)
