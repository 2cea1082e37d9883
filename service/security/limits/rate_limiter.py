"""Admit requests while the quotas of their callers last, on all replicas together.

A request costs one command of Redis (``scripts/admit.lua``), a read none: reads are counted by each
replica for itself, and so is everything while Redis is away. Then the bounds hold for each replica,
which is the number of replicas times as much; nobody is refused because Redis is.
What a bucket refused is refused without Redis until the bucket gives again, so that a flood costs
it nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.security.limits.local_buckets import Level, LocalBuckets
from service.security.limits.quotas import (
    READS,
    WINDOW,
    Quota,
    Quotas,
    of_failed_credentials,
)
from service.security.limits.standings import (
    QuotaExceeded,
    Standing,
    exceeded,
    scarcest,
    too_many,
)
from service.security.principals import Principal
from sessions import names
from sessions.errors import Unavailable
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

PATIENCE: Final = 0.25
"""Seconds that Redis has to admit a request: one that is frozen must not hold up all."""
_AWAY: Final = 1.0
"""Seconds for which Redis is not asked once it did not answer."""
LEASE: Final = 5.0
"""Seconds for which a place is held without word of its replica, as that of an answer: those of one
that was killed are free soon."""
_RENEWING: Final = LEASE / 4
"""Seconds between two renewals: three may be missed."""
_RELEASING: Final = 0.1
"""Seconds between two times at which ended requests are told to Redis, all in one batch."""
_ADMIT: Final = Script("service.security.limits", "scripts/admit.lua")


class Admission(msgspec.Struct, frozen=True):
    """A request that was admitted; whoever asked for it releases it when the work has ended.

    Until then its replica renews its place, though not for longer than an answer may take.
    """

    standing: Standing | None = None
    places: Sequence[bytes] = ()
    """Where it counts among those under way."""
    request: str = ""
    """Its id there."""
    ahead: float = 0.0
    """Seconds by which the clock of that Redis is ahead of the limiter's."""
    is_last: bool = False
    """Whether the next one would have been refused for this one."""


FREE: Final = Admission()
"""That of callers without a bound."""


class RateLimiter:
    """The quotas of all callers."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        quotas: Quotas,
        *,
        longest: float,
        lease: float = LEASE,
        clock: Callable[[], float] = time.monotonic,
        refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        """A request is worked at *longest* seconds at most; *lease* are those of its place.

        *refused* is told the `QuotaExceeded.bound` of each refusal.
        """
        self._redis = redis
        self._keys = keys
        self._quotas = quotas
        self._longest = longest
        self._lease = lease
        self._clock = clock
        self._refused = refused
        self._reads = LocalBuckets()
        self._local = LocalBuckets()
        self._refused_until: dict[bytes, tuple[float, Standing]] = {}
        self._redis_away_until = 0.0
        self._held: dict[str, tuple[float, Admission]] = {}
        """What holds a place by its id, and until when at most; oldest first."""
        self._answers: dict[str, Admission] = {}
        self._renew_at = 0.0
        self._released: dict[bytes, list[str]] = {}

    def admit_read(self, principal: Principal, address: str, project: str) -> Standing | None:
        """Let a read pass, and return how the caller stands.

        Raises:
            QuotaExceeded: it reads more than a replica lets it.
        """
        quotas = [each for each in self._quotas.of(principal, address, project) if each.requests]
        try:
            return self._locally(self._reads, quotas, factor=READS)
        except QuotaExceeded as exc:
            self._refused(exc.bound)
            raise

    async def admit(
        self, principal: Principal, address: str, project: str, *, cost: int = 1
    ) -> Admission:
        """Take *cost* from each quota of the caller, and a place among what is under way.

        Raises:
            QuotaExceeded: a quota is used up (RATE_LIMIT_EXCEEDED), or too much of the caller is
                under way (TOO_MANY_CONCURRENT_REQUESTS).
        """
        return await self._take(self._quotas.of(principal, address, project), project, cost)

    async def count_failed_credential(self, address: str) -> None:
        """Take one from what may be tried at *address* without being valid.

        Raises:
            QuotaExceeded: there was nothing left (TOO_MANY_FAILED_CREDENTIALS).
        """
        await self._take(of_failed_credentials(address), "", 1)

    async def _take(self, quotas: Sequence[Quota], project: str, cost: int) -> Admission:
        if not quotas:
            return FREE
        try:
            return await self._taken(quotas, project, cost)
        except QuotaExceeded as exc:
            self._refused(exc.bound)
            raise

    async def _taken(self, quotas: Sequence[Quota], project: str, cost: int) -> Admission:
        now = self._clock()
        buckets = {self._key(project, each): each for each in quotas if each.requests}
        for key in buckets:
            until, standing = self._refused_until.get(key, (0.0, None))
            if standing is not None and until > now:
                level = msgspec.structs.replace(standing.level, wait=until - now)
                raise exceeded(Standing(standing.quota, level))
        places = {
            self._keys.quota(project, each.kind, each.holder, "now"): each
            for each in quotas
            if each.concurrent
        }
        if now >= self._redis_away_until and self._redis.available:
            admission = await self._by_redis(buckets, places, cost)
            if admission is not None:
                return admission
        return Admission(self._locally(self._local, list(buckets.values()), cost=cost))

    def release(self, admission: Admission) -> None:
        """Note that what was admitted has ended."""
        self._held.pop(admission.request, None)
        for place in admission.places:
            self._released.setdefault(place, []).append(admission.request)

    async def release_before_end(self, admission: Admission) -> None:
        """Note that what was admitted ends as soon as this returns.

        Where it took the last place, Redis has that back by then: a caller who asks one after the
        other, of whichever replica, is never too many. Otherwise it is told with the next batch.
        """
        self.release(admission)
        if admission.is_last:
            with contextlib.suppress(TimeoutError):  # Redis is away: the place lapses
                async with asyncio.timeout(PATIENCE):
                    await self.tell_released()

    def release_after(self, answer: str, admission: Admission) -> None:
        """Release *admission* once it is told that *answer* `ended`, or was `left`, here."""
        if admission.places:
            self.ended(answer)  # asked once more under the same id: it counts once
            self._answers[answer] = admission

    def abandon(self, admission: Admission) -> None:
        """Note that the client of what was admitted went away: its place lapses within a lease.

        Not at once, though its answer may be written on: who asks and goes away again and again
        would have no bound.
        """
        self._held.pop(admission.request, None)

    def left(self, answer: str) -> None:
        """Note that the client who asked for *answer* went away."""
        if answer in self._answers:
            self.abandon(self._answers.pop(answer))

    def ended(self, answer: str) -> None:
        """Note that *answer* has ended; nothing is to be done for one that nobody counts."""
        if answer in self._answers:
            self.release(self._answers.pop(answer))

    async def keep_releasing(self) -> None:
        """Tell Redis what has ended, and what goes on, again and again."""
        while True:
            await asyncio.sleep(_RELEASING)
            await self.tell_released()
            if self._clock() >= self._renew_at:
                self._renew_at = self._clock() + _RENEWING
                await self.renew()

    async def renew(self) -> None:
        """Hold the places of what goes on for another lease."""
        now = self._clock()
        while self._held and next(iter(self._held.values()))[0] <= now:
            del self._held[next(iter(self._held))]
        renewed: dict[bytes, list[str]] = {}
        for _, admission in self._held.values():
            until = int((now + admission.ahead + self._lease) * 1000)
            for place in admission.places:
                renewed.setdefault(place, []).extend((str(until), admission.request))
        most = max(1, int(self._lease * 1000))
        commands = [(place, pack(b"ZADD", place, *told)) for place, told in renewed.items()]
        commands += [(place, pack(b"PEXPIRE", place, most)) for place in renewed]
        await self._redis.batch(commands)

    async def tell_released(self) -> None:
        """Tell Redis what has ended since the last time."""
        released, self._released = self._released, {}
        # Where it is away, the places lapse.
        await self._redis.batch(
            [(place, pack(b"ZREM", place, *ids)) for place, ids in released.items()]
        )

    async def _by_redis(
        self, buckets: dict[bytes, Quota], places: dict[bytes, Quota], cost: int
    ) -> Admission | None:
        """Return what Redis admits, None where it is away."""
        request = names.new_id()
        args = [len(buckets), int(WINDOW * 1000), cost, request, max(1, int(self._lease * 1000))]
        args += [each.requests for each in buckets.values()]
        args += [each.concurrent for each in places.values()]
        try:
            async with asyncio.timeout(PATIENCE):
                reply = await self._redis.run(_ADMIT, [*buckets, *places], args)
                if int(reply[0]) > len(buckets) and not self._released.keys().isdisjoint(places):
                    # What has ended is told in batches: nobody waits for the next of them.
                    await self.tell_released()
                    reply = await self._redis.run(_ADMIT, [*buckets, *places], args)
        except (TimeoutError, Unavailable, ResponseError):
            self._redis_away_until = self._clock() + _AWAY
            return None
        refuses, wait, at, last, *numbers = map(int, reply)
        told = zip(numbers[::2], numbers[1::2], strict=True)
        levels = [Level(0, left, milliseconds / 1000) for left, milliseconds in told]
        standings = [
            Standing(quota, level) for quota, level in zip(buckets.values(), levels, strict=True)
        ]
        if refuses > len(buckets):
            quota = list(places.values())[refuses - len(buckets) - 1]
            raise too_many(Standing(quota, Level(wait / 1000, 0, wait / 1000)))
        if refuses:
            standing = standings[refuses - 1]
            level = msgspec.structs.replace(standing.level, wait=wait / 1000)
            if cost == 1:
                self._remember(list(buckets)[refuses - 1], Standing(standing.quota, level))
            raise exceeded(Standing(standing.quota, level))
        if not places:
            return Admission(scarcest(standings))
        now = self._clock()
        ahead = at / 1000 - now
        admission = Admission(scarcest(standings), tuple(places), request, ahead, bool(last))
        self._held[request] = now + self._longest, admission
        return admission

    def _remember(self, key: bytes, standing: Standing) -> None:
        """Refuse without Redis until the bucket gives again."""
        now = self._clock()
        if len(self._refused_until) >= 10_000:
            self._refused_until = {
                each: told for each, told in self._refused_until.items() if told[0] > now
            }
        if len(self._refused_until) < 10_000:
            self._refused_until[key] = (now + standing.level.wait, standing)

    def _locally(
        self, local: LocalBuckets, quotas: Sequence[Quota], *, factor: int = 1, cost: int = 1
    ) -> Standing | None:
        now, standings = self._clock(), list[Standing]()
        sizes = {f"{each.kind}:{each.holder}": each.requests * factor for each in quotas}
        for (key, size), quota in zip(sizes.items(), quotas, strict=True):
            level = local.look(key, now, size=size, window=WINDOW, cost=cost)
            if level.wait:
                raise exceeded(Standing(quota, level))
        for (key, size), quota in zip(sizes.items(), quotas, strict=True):
            level = local.take(key, now, size=size, window=WINDOW, cost=cost)
            standings.append(Standing(msgspec.structs.replace(quota, requests=size), level))
        return scarcest(standings)

    def _key(self, project: str, quota: Quota) -> bytes:
        return self._keys.quota(project, quota.kind, quota.holder, "rate")
