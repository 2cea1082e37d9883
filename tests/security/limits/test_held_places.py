"""So many requests of a caller are under way at once, whichever replicas work at them."""

from __future__ import annotations

import contextlib
import itertools
import time

import pytest

from service.security.limits.held_places import Admission
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.limits.standings import QuotaExceeded
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.security.limits.replicas import VISITOR, admit, limiter

pytestmark = pytest.mark.anyio


async def test_only_so_many_requests_are_worked_at(redis: Redis, keys: Keys) -> None:
    """A place is free again once its request is released, also by another replica's hearing."""
    replicas = [limiter(redis, keys, {}, visitor=2) for _ in range(2)]
    first = await admit(replicas[0])
    await admit(replicas[1])
    with pytest.raises(QuotaExceeded, match="2 requests of this visitor") as refused:
        await admit(replicas[1])
    assert refused.value.reason == "TOO_MANY_CONCURRENT_REQUESTS"
    replicas[0].places.release(first)
    await replicas[0].places.tell_released()
    await admit(replicas[1])


@pytest.mark.parametrize("most", [1, 2, 5])
async def test_who_asks_replicas_in_turn_is_never_too_many(
    redis: Redis, keys: Keys, most: int
) -> None:
    """Though none of them has told its batch of what has ended."""
    replicas = [limiter(redis, keys, {}, visitor=most) for _ in range(3)]
    for replica in itertools.islice(itertools.cycle(replicas), 7 * most):
        await replica.places.release_before_end(await admit(replica))


async def test_who_asks_one_after_the_other_is_never_too_many(redis: Redis, keys: Keys) -> None:
    """However fast, and though what has ended is told to Redis in batches."""
    replica = limiter(redis, keys, {}, visitor=1)
    for _ in range(5):
        replica.places.release(await admit(replica))
    await admit(replica)
    with pytest.raises(QuotaExceeded):
        await admit(replica)


async def test_a_place_is_kept_until_its_answer_has_ended(redis: Redis, keys: Keys) -> None:
    """However often its reader goes away and comes back."""
    replica = limiter(redis, keys, {}, visitor=1)
    replica.places.release_after("a", await admit(replica))
    replica.places.ended("b")
    await replica.places.tell_released()
    with pytest.raises(QuotaExceeded):
        await admit(replica)
    replica.places.ended("a")
    replica.places.ended("a")
    await replica.places.tell_released()
    await admit(replica)


async def test_places_of_a_dead_replica_lapse(redis: Redis, keys: Keys) -> None:
    """Nobody releases or renews them, however long an answer may take."""
    replica = RateLimiter(redis, keys, Quotas({}, {"visitor": 1}), longest=600, lease=0.001)
    await admit(replica)
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        with contextlib.suppress(QuotaExceeded):
            await admit(replica)
            return
    pytest.fail("the place never lapsed")


async def test_places_are_renewed_while_their_client_is_there(redis: Redis, keys: Keys) -> None:
    """By the clock of Redis; who goes away keeps its place for a lease, and no longer."""
    now = 0.0
    quotas = Quotas({}, {"visitor": 9})
    replica = RateLimiter(redis, keys, quotas, longest=600, lease=5, clock=lambda: now)
    place = keys.quota("p", "visitor", VISITOR.id, "now")
    stays, goes = await admit(replica), await admit(replica)
    replica.places.release_after("a", goes)

    async def until(admission: Admission) -> float:
        return float(await redis.execute(place, b"ZSCORE", place, admission.request))

    before = await until(stays), await until(goes)
    replica.places.left("a")
    now = 3.0
    await replica.places.renew()
    assert await until(stays) == pytest.approx(before[0] + 3000, abs=50)
    assert await until(goes) == before[1]
    replica.places.release(stays)
    await replica.places.tell_released()
    await replica.places.renew()
    assert await redis.execute(place, b"ZSCORE", place, stays.request) is None
    late = await admit(replica)
    before = await until(late), 0.0
    now = 700.0
    await replica.places.renew()
    assert await until(late) == before[0]
