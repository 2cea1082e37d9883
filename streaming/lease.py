"""Keep the right to write the answers of this replica, and learn when it is gone."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from sessions.connection import Redis
from sessions.errors import Unavailable
from sessions.keys import Keys, owner_of
from sessions.sockets import pack
from streaming.jobs import Stop

TTL: Final = 5.0
"""Seconds for which an answer is left alone when its owner is not heard of."""

TIME: Final = pack(b"TIME")


class Clock:
    """The time of Redis in epoch milliseconds, by this process' own clock in between."""

    def __init__(self) -> None:
        self._ahead: float | None = None

    def set(self, reply: Sequence[bytes]) -> None:
        """Take the reply to TIME for now. It is older, so leases end rather early than late."""
        self._ahead = milliseconds(reply) - time.monotonic() * 1000

    @property
    def now(self) -> float:
        """The time; `set` came before."""
        if self._ahead is None:
            raise Unavailable("Redis has not told the time", reason="REDIS_UNAVAILABLE")
        return time.monotonic() * 1000 + self._ahead


def milliseconds(reply: Sequence[bytes]) -> float:
    """Return the epoch milliseconds in the reply to TIME."""
    seconds, micros = reply
    return int(seconds) * 1000 + int(micros) / 1000


class Leases:
    """The leases of this replica. `run` renews them until it is cancelled.

    One command a partition extends all of them; another each answer, in the same batch, asks
    whether it is still ours and whether somebody wants it cancelled.
    """

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        owner: str,
        *,
        ttl: float = TTL,
        every: float | None = None,
        judged: Callable[[str, Stop], None],
    ) -> None:
        """Renew *every* so many seconds, a fifth of *ttl* where that is not given.

        *judged* is called with an answer that another replica owns or that was deleted (LOST), or
        whose end is asked for (CANCELLED), perhaps more than once.
        """
        self.clock = Clock()
        self.ttl = ttl
        self._redis = redis
        self._keys = keys
        self._owner = owner.encode()
        self._every = ttl / 5 if every is None else every
        self._judged = judged
        self._held: dict[int, dict[str, bytes]] = {}
        self._until = math.inf  # by Redis' clock, when the leases end that were renewed last

    def hold(self, answer: str, epoch: int) -> None:
        """Renew the lease of *answer*, which was granted for *epoch*, from now on."""
        held = self._held.setdefault(self._keys.partition(owner_of(answer)), {})
        held[answer] = b"%d" % epoch

    def drop(self, answer: str) -> None:
        """Renew the lease of *answer* no more; harmless where it is not held."""
        partition = self._keys.partition(owner_of(answer))
        held = self._held.get(partition, {})
        held.pop(answer, None)
        if not held:
            self._held.pop(partition, None)

    async def sync(self) -> None:
        """Set the clock for the first time.

        Raises:
            Unavailable: Redis is away.
        """
        self.clock.set(await self._redis.execute(self._keys.install, "TIME"))

    async def run(self) -> None:
        """Renew all leases from time to time, until cancelled."""
        while True:
            await asyncio.sleep(self._every)
            await self.renew()

    async def renew(self) -> None:
        """Renew all leases, and set the clock, once. Where Redis is away the next time counts.

        After a sleep that outlasted them, what others own by now is let go before: the lease that
        they hold is not ours to extend.
        """
        if self.clock.now > self._until:
            await self._exchange(None)
        await self._exchange(int(self.clock.now + self.ttl * 1000))

    async def _exchange(self, until: int | None) -> None:
        """Learn what is still ours, having renewed it *until* then where that is given."""
        answers = [item for held in self._held.values() for item in held.items()]
        leases = [self._renewal(partition, until) for partition in self._held if until]
        key = leases[0][0] if leases else self._keys.install
        asked = [self._question(answer) for answer, _ in answers]
        replies = await self._redis.batch([(key, TIME), *leases, *asked])
        if not isinstance(replies[0], Exception):
            self.clock.set(replies[0])
            self._until = until or self._until
        for (answer, epoch), reply in zip(answers, replies[1 + len(leases) :], strict=True):
            if not isinstance(reply, Exception) and self._holds(answer, epoch):
                self._judge(answer, epoch, reply)

    def _renewal(self, partition: int, until: int) -> tuple[bytes, bytes]:
        key = self._keys.leases(partition)
        members = [part for answer in self._held[partition] for part in (until, answer)]
        return key, pack(b"ZADD", key, b"XX", b"GT", *members)

    def _question(self, answer: str) -> tuple[bytes, bytes]:
        key = self._keys.answer(answer)
        return key, pack(b"HMGET", key, b"owner", b"epoch", b"cancel")

    def _holds(self, answer: str, epoch: bytes) -> bool:
        held = self._held.get(self._keys.partition(owner_of(answer)), {})
        return held.get(answer) == epoch

    def _judge(self, answer: str, epoch: bytes, reply: Sequence[Any]) -> None:
        owner, current, cancel = reply
        if owner != self._owner or current != epoch:
            self.drop(answer)
            self._judged(answer, Stop.LOST)
        elif cancel:
            self._judged(answer, Stop.CANCELLED)
