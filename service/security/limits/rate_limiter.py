"""Admit requests while the quotas of their callers last, on all replicas together.

A request costs one command of Redis (``scripts/admit.lua``), a read none: reads are counted by each
replica for itself, and so is everything while Redis is away. Then the bounds hold for each replica,
which is the number of replicas times as much; nobody is refused because Redis is.
What a bucket refused is refused without Redis until the bucket gives again, so that a flood costs
it nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.security.limits.held_places import FREE, LEASE, PATIENCE, Admission, HeldPlaces
from service.security.limits.local_buckets import Level, LocalBuckets
from service.security.limits.quotas import (
    ADDRESS,
    WINDOW,
    Quota,
    Quotas,
    by_holder,
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

_AWAY: Final = 1.0
"""Seconds for which Redis is not asked once it did not answer."""
_REFUSED: Final = 10_000
"""Buckets that are known to be empty; Redis is asked about more."""
_ADMIT: Final = Script("service.security.limits", "scripts/admit.lua")


class RateLimiter:
    """The quotas of all callers; *places* are those of what is under way."""

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
        self.places = HeldPlaces(redis, longest=longest, lease=lease, clock=clock)
        self._redis = redis
        self._keys = keys
        self._quotas = quotas
        self._lease = lease
        self._clock = clock
        self._refused = refused
        self._reads = LocalBuckets()
        self._local = LocalBuckets()
        self._empty = LocalBuckets(_REFUSED)
        """What buckets of Redis had when they refused: they have no more than that gives."""
        self._redis_away_until = 0.0

    def admit_read(self, principal: Principal, address: str, project: str) -> Standing | None:
        """Let a read pass, and return how the caller stands.

        Raises:
            QuotaExceeded: it reads more than a replica lets it.
        """
        quotas = self._quotas.of_reads(principal, address, project)
        if not quotas:
            return None
        now = self._clock()
        try:
            standings = _check(self._reads, quotas, now)
        except QuotaExceeded as exc:
            self._refused(exc.bound)
            raise
        for key, standing in zip(quotas, standings, strict=True):
            self._reads.note(key, now + standing.level.reset)
        return scarcest(standings)

    async def admit(
        self, principal: Principal, address: str, project: str, *, cost: int = 1
    ) -> Admission:
        """Take *cost* from each quota of the caller, and a place among what is under way.

        Raises:
            QuotaExceeded: a quota is used up (RATE_LIMIT_EXCEEDED), or too much of the caller is
                under way (TOO_MANY_CONCURRENT_REQUESTS).
        """
        return await self._admitted(self._quotas.of(principal, address, project), project, cost)

    async def count_failed_credential(self, address: str) -> None:
        """Take one from what may be tried at *address* without being valid.

        Raises:
            QuotaExceeded: there was nothing left (TOO_MANY_FAILED_CREDENTIALS).
        """
        await self._admitted(of_failed_credentials(address), "", 1)

    async def _admitted(self, quotas: Sequence[Quota], project: str, cost: int) -> Admission:
        if not quotas:
            return FREE
        try:
            return await self._taken(quotas, project, cost)
        except QuotaExceeded as exc:
            self._refused(exc.bound)
            raise

    async def _taken(self, quotas: Sequence[Quota], project: str, cost: int) -> Admission:
        now = self._clock()
        buckets = {self._key(project, each, "rate"): each for each in quotas if each.requests}
        _check(self._empty, buckets, now, cost)
        # A bucket of Redis is of one project, so that all of a request are in one slot. Who may
        # name any project would have as many of them.
        nearby = by_holder([each for each in buckets.values() if each.kind == ADDRESS])
        _check(self._local, nearby, now, cost)
        places = {self._key(project, each, "now"): each for each in quotas if each.concurrent}
        if now >= self._redis_away_until and self._redis.available:
            admission = await self._by_redis(buckets, places, cost)
            if admission is not None:
                # By the time before Redis was asked: never later than that of its own bucket.
                _take(self._local, nearby, now, cost)
                return admission
        everybody = by_holder(buckets.values())
        now = self._clock()
        _check(self._local, everybody, now, cost)
        return Admission(_take(self._local, everybody, now, cost))

    async def _by_redis(
        self, buckets: dict[bytes, Quota], places: dict[bytes, Quota], cost: int
    ) -> Admission | None:
        """Return what Redis admits, None where it is away."""
        request, asked_at = names.new_id(), self._clock()
        args = [len(buckets), int(WINDOW * 1000), cost, request, max(1, int(self._lease * 1000))]
        args += [each.requests for each in buckets.values()]
        args += [each.concurrent for each in places.values()]
        try:
            async with asyncio.timeout(PATIENCE):
                reply = await self._redis.run(_ADMIT, [*buckets, *places], args)
                if int(reply[0]) > len(buckets) and self.places.awaits_release(places):
                    # What has ended is told in batches: nobody waits for the next of them.
                    await self.places.tell_released()
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
            quota, level = standings[refuses - 1].quota, standings[refuses - 1].level
            # Redis told of a moment between asking and now, in milliseconds that are rounded up:
            # who waits as it told is not refused here, nor by it who waits as is told here.
            margin = self._clock() - asked_at + 0.001
            full_at = asked_at + level.reset - 0.001
            self._empty.note(list(buckets)[refuses - 1], full_at, margin=margin)
            level = msgspec.structs.replace(level, wait=wait / 1000)
            raise exceeded(Standing(quota, level))
        if not places:
            return Admission(scarcest(standings))
        ahead = at / 1000 - self._clock()
        admission = Admission(scarcest(standings), tuple(places), request, ahead, bool(last))
        self.places.hold(admission)
        return admission

    def _key(self, project: str, quota: Quota, part: str) -> bytes:
        return self._keys.quota(project, quota.kind, quota.holder, part)


def _check(
    local: LocalBuckets, quotas: Mapping[bytes, Quota], now: float, cost: int = 1
) -> Sequence[Standing]:
    """Return how the caller would stand with *cost* taken from each of *quotas*; take nothing.

    Raises:
        QuotaExceeded: one of them has less, for as long as all of them together do.
    """
    standings = [
        Standing(quota, local.look(key, now, size=quota.requests, window=WINDOW, cost=cost))
        for key, quota in quotas.items()
    ]
    refused = [each for each in standings if each.level.wait]
    if refused:
        raise exceeded(max(refused, key=lambda each: each.level.wait))
    return standings


def _take(
    local: LocalBuckets, quotas: Mapping[bytes, Quota], now: float, cost: int = 1
) -> Standing | None:
    """Take from *local* what `_check` let pass, and return how the caller stands."""
    return scarcest(
        [
            Standing(quota, local.take(key, now, size=quota.requests, window=WINDOW, cost=cost))
            for key, quota in quotas.items()
        ]
    )
