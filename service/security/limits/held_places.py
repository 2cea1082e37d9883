"""Count what is under way of each caller, on all replicas together.

Each request holds a place in a sorted set of Redis (``scripts/admit.lua``) until its work has
ended. A place lapses with its lease, which its replica renews.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Sequence
from typing import Final

import msgspec

from service.security.limits.standings import Standing
from sessions.redis.connection import Redis
from sessions.redis.resp_socket import pack

PATIENCE: Final = 0.25
"""Seconds that Redis has to answer: one that is frozen must not hold up all."""
LEASE: Final = 5.0
"""Seconds for which a place is held without word of its replica, as that of an answer: those of one
that was killed are free soon."""
_RENEWING: Final = LEASE / 4
"""Seconds between two renewals: three may be missed."""
_RELEASING: Final = 0.1
"""Seconds between two times at which ended requests are told to Redis, all in one batch."""


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


class HeldPlaces:
    """The places that requests of this replica hold."""

    def __init__(
        self, redis: Redis, *, longest: float, lease: float, clock: Callable[[], float]
    ) -> None:
        """A request is worked at *longest* seconds at most; *lease* are those of its place."""
        self._redis = redis
        self._longest = longest
        self._lease = lease
        self._clock = clock
        self._held: dict[str, tuple[float, Admission]] = {}
        """What holds a place by its id, and until when at most; oldest first."""
        self._answers: dict[str, Admission] = {}
        self._renew_at = 0.0
        self._released: dict[bytes, list[str]] = {}

    def hold(self, admission: Admission) -> None:
        """Renew the places of *admission* from now on."""
        self._held[admission.request] = self._clock() + self._longest, admission

    def awaits_release(self, places: Collection[bytes]) -> bool:
        """Whether Redis counts requests in *places* that have ended already."""
        return not self._released.keys().isdisjoint(places)

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
