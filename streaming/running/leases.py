"""Keep the right to write the answers of this replica, and learn when it is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys, owner_of
from sessions.redis.resp_socket import pack
from streaming.running.generation_task import StopReason
from streaming.running.node_rounds import NodeRounds

TTL: Final = 5.0
"""Seconds for which an answer is left alone when its owner is not heard of."""

EVERY: Final = 0.5
"""Seconds between two renewals at most: a lost message that cancels an answer is found by then."""

AGAIN: Final = 0.1
"""Seconds until a renewal that failed, or came late, is tried again: other replicas do not wait for
us much longer than that once Redis is back."""

TIME: Final = pack(b"TIME")


class RedisClock:
    """The time of Redis in epoch milliseconds, by this process' own clock in between."""

    def __init__(self) -> None:
        self._ahead: float | None = None

    def set(self, reply: Sequence[bytes], sent: float | None = None) -> None:
        """Take the reply to TIME, *sent* then by the monotonic clock, for now.

        It is older, so leases end rather early than late. How much older is unknown where it was
        long under way, or waited while this process slept: then what was known before stays, where
        the two agree.
        """
        received = time.monotonic()
        told = milliseconds(reply)
        latest = told - (received if sent is None else sent) * 1000
        ahead = told - received * 1000
        if self._ahead is None or not ahead <= self._ahead <= latest:
            self._ahead = ahead

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
        stop: Callable[[str, StopReason], None],
    ) -> None:
        """Renew *every* so many seconds; by default five times within *ttl*, and twice a second.

        *stop* is called with an answer that another replica owns or that was deleted (LOST), or
        whose end is asked for (CANCELLED), perhaps more than once.
        """
        self.clock = RedisClock()
        self.ttl = ttl
        self._redis = redis
        self._keys = keys
        self._owner = owner.encode()
        self._every = min(ttl / 5, EVERY) if every is None else every
        self._stop = stop
        self._rounds = NodeRounds(redis, keys, self._round, self._every)
        self._held: dict[int, dict[str, bytes]] = {}
        self._until: dict[int, float] = {}  # when those of a partition end, by Redis' clock

    def hold(self, answer: str, epoch: int) -> None:
        """Renew the lease of *answer*, which was granted for *epoch*, from now on."""
        partition = self._keys.partition(owner_of(answer))
        self._held.setdefault(partition, {})[answer] = b"%d" % epoch
        # What the partition has stays: it ends sooner, and one command renews all of it.
        self._until.setdefault(partition, self.clock.now + self.ttl * 1000)

    def drop(self, answer: str) -> None:
        """Renew the lease of *answer* no more; harmless where it is not held."""
        partition = self._keys.partition(owner_of(answer))
        held = self._held.get(partition, {})
        held.pop(answer, None)
        if not held:
            self._held.pop(partition, None)
            self._until.pop(partition, None)

    async def sync(self) -> None:
        """Set the clock for the first time.

        Raises:
            Unavailable: Redis is away.
        """
        self.clock.set(await self._redis.execute(self._keys.install, "TIME"))

    async def run(self) -> None:
        """Renew all leases from time to time, until cancelled; where that fails, soon again."""
        await self._rounds.run()

    async def _round(self, partitions: Sequence[int]) -> float:
        return self._every if await self.renew(partitions) else min(self._every, AGAIN)

    async def renew(self, partitions: Sequence[int] | None = None) -> bool:
        """Renew all leases, or those of *partitions*, and set the clock, once.

        Tell whether they run for a while now. They do not where Redis is away, refuses to write, or
        came to it late. After a time that outlasted them, what others own by now is let go before:
        the lease that they hold is not ours to extend.
        """
        now = self.clock.now
        asked = range(self._keys.partitions) if partitions is None else partitions
        held = [partition for partition in asked if partition in self._held]
        over = [partition for partition in held if self._until[partition] < now]
        unknown = await self._exchange(over, None, over[0]) if over else set[int]()
        until = int(self.clock.now + self.ttl * 1000)
        ours = [partition for partition in held if partition in self._held]
        failed = await self._exchange([p for p in ours if p not in unknown], until, asked[0])
        return not unknown and not failed and until - self.clock.now > self.ttl * 500

    async def _exchange(self, partitions: Sequence[int], until: int | None, clock: int) -> set[int]:
        """Learn what is still ours in *partitions*, renewed *until* then where that is given.

        The time is asked where the partition *clock* is. Return the partitions of which anything
        failed.
        """
        held = [(p, *item) for p in partitions for item in self._held[p].items()]
        leases = [self._renewal(partition, until) for partition in partitions if until]
        questions = [self._question(answer) for _, answer, _ in held]
        commands = [(self._keys.leases(clock), TIME), *leases, *questions]
        sent = time.monotonic()
        told, *replies = await self._redis.batch(commands)
        if not isinstance(told, Exception):
            self.clock.set(told, sent)
        renewed, owners = replies[: len(leases)], replies[len(leases) :]
        failed = {p for p, reply in zip(partitions, renewed, strict=False) if _is_away(reply)}
        for (partition, answer, epoch), reply in zip(held, owners, strict=True):
            if _is_away(reply):
                failed.add(partition)
            elif self._holds(answer, epoch):  # it may have been dropped, or granted anew, meanwhile
                self._judge(answer, epoch, reply)
        if until:
            self._until |= {p: until for p in partitions if p in self._held and p not in failed}
        return failed

    def _renewal(self, partition: int, until: int) -> tuple[bytes, bytes]:
        # XX: a lease that is gone, its answer having ended, must not come back. GT: one that
        # another replica holds by now must not be shortened by a clock that is behind.
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
            self._stop(answer, StopReason.LOST)
        elif cancel:
            self._stop(answer, StopReason.CANCELLED)


def _is_away(reply: Any) -> bool:
    return isinstance(reply, Exception)
