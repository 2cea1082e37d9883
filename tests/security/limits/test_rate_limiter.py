"""Quotas hold over all replicas together, and each replica holds them while Redis is away."""

from __future__ import annotations

import contextlib
import itertools
import signal
import time

import pytest

from service.metrics import BOUNDS
from service.security.limits.quotas import READS, Quotas
from service.security.limits.rate_limiter import Admission, RateLimiter
from service.security.limits.standings import QuotaExceeded
from service.security.principals import Principal, PrincipalKind
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests import redis_servers

pytestmark = pytest.mark.anyio

_VISITOR = Principal(kind=PrincipalKind.VISITOR, id="visitor:p:visitor-1", project="p")
_NONE = dict[str, int]()


def limiter(redis: Redis, keys: Keys, rates: dict[str, int], **places: int) -> RateLimiter:
    """Return the limiter of one replica."""
    return RateLimiter(redis, keys, Quotas(rates, places), longest=5)


async def admit(replica: RateLimiter, who: Principal = _VISITOR, cost: int = 1) -> Admission:
    """Ask from one address, in one project."""
    return await replica.admit(who, "192.0.2.1", "p", cost=cost)


async def admitted(replicas: list[RateLimiter], asked: int, who: Principal = _VISITOR) -> int:
    """Return how many of the *asked* requests are admitted by replicas that take turns."""
    count = 0
    for replica in itertools.islice(itertools.cycle(replicas), asked):
        with contextlib.suppress(QuotaExceeded):
            await admit(replica, who)
            count += 1
    return count


async def test_replicas_share_the_quotas(redis: Redis, keys: Keys) -> None:
    """Whoever is asked, the quota is one."""
    replicas = [limiter(redis, keys, {"visitor": 8}) for _ in range(2)]
    assert await admitted(replicas, 20) == 8


async def test_a_new_visitor_wins_nothing(redis: Redis, keys: Keys) -> None:
    """All visitors of an address draw on what the address has."""
    replica = limiter(redis, keys, {"visitor": 4, "address": 6})
    people = [Principal(kind=PrincipalKind.VISITOR, id=f"visitor:p:visitor-{n}") for n in range(5)]
    assert sum([await admitted([replica], 3, each) for each in people]) == 6


async def test_what_is_refused_takes_nothing(redis: Redis, keys: Keys) -> None:
    """A visitor over its quota leaves that of its project to the others."""
    replicas = [limiter(redis, keys, {"visitor": 2, "project": 4}) for _ in range(2)]
    assert await admitted(replicas, 10) == 2
    other = Principal(kind=PrincipalKind.VISITOR, id="visitor:p:visitor-2")
    assert await admitted(replicas, 10, other) == 2
    with pytest.raises(QuotaExceeded) as refused:
        await admit(replicas[0], Principal(kind=PrincipalKind.USER, id="user:p:u"))
    assert refused.value.reason == "RATE_LIMIT_EXCEEDED"
    assert refused.value.metadata == {"quota": "project", "quota_limit": "4/minute"}
    assert refused.value.retry_after == 15


async def test_what_is_left_is_told(redis: Redis, keys: Keys) -> None:
    """Of the scarcest quota."""
    replica = limiter(redis, keys, {"visitor": 4, "project": 100})
    standing = (await admit(replica)).standing
    assert standing is not None
    assert (standing.quota.kind, standing.level.remaining) == ("visitor", 3)
    assert 14 < standing.level.reset <= 15


async def test_a_costly_request_counts_as_several(redis: Redis, keys: Keys) -> None:
    """One that costs more than there can ever be takes all there is."""
    replica = limiter(redis, keys, {"visitor": 5})
    await admit(replica, cost=4)
    with pytest.raises(QuotaExceeded):
        await admit(replica, cost=2)
    await admit(replica)
    await admit(limiter(redis, keys, {"address": 3}), cost=10)


async def test_a_flood_is_refused_without_redis(redis: Redis, keys: Keys) -> None:
    """What a bucket refused stays refused until it gives again."""
    now = 100.0
    quotas = Quotas({"visitor": 1}, _NONE)
    replica = RateLimiter(redis, keys, quotas, longest=5, clock=lambda: now)
    await admit(replica)
    with pytest.raises(QuotaExceeded):
        await admit(replica)
    # The bucket is full once more, which this replica would hear if it asked.
    await redis.execute(b"", b"DEL", keys.quota("p", "visitor", _VISITOR.id, "rate"))
    now += 59
    with pytest.raises(QuotaExceeded) as refused:
        await admit(replica)
    assert refused.value.retry_after == 1
    now += 1
    await admit(replica)


async def test_only_so_many_requests_are_worked_at(redis: Redis, keys: Keys) -> None:
    """A place is free again once its request is released, also by another replica's hearing."""
    replicas = [limiter(redis, keys, {}, visitor=2) for _ in range(2)]
    first = await admit(replicas[0])
    await admit(replicas[1])
    with pytest.raises(QuotaExceeded, match="2 requests of this visitor") as refused:
        await admit(replicas[1])
    assert refused.value.reason == "TOO_MANY_CONCURRENT_REQUESTS"
    replicas[0].release(first)
    await replicas[0].tell_released()
    await admit(replicas[1])


@pytest.mark.parametrize("most", [1, 2, 5])
async def test_who_asks_replicas_in_turn_is_never_too_many(
    redis: Redis, keys: Keys, most: int
) -> None:
    """Though none of them has told its batch of what has ended."""
    replicas = [limiter(redis, keys, {}, visitor=most) for _ in range(3)]
    for replica in itertools.islice(itertools.cycle(replicas), 7 * most):
        await replica.release_before_end(await admit(replica))


async def test_who_asks_one_after_the_other_is_never_too_many(redis: Redis, keys: Keys) -> None:
    """However fast, and though what has ended is told to Redis in batches."""
    replica = limiter(redis, keys, {}, visitor=1)
    for _ in range(5):
        replica.release(await admit(replica))
    await admit(replica)
    with pytest.raises(QuotaExceeded):
        await admit(replica)


async def test_a_place_is_kept_until_its_answer_has_ended(redis: Redis, keys: Keys) -> None:
    """However often its reader goes away and comes back."""
    replica = limiter(redis, keys, {}, visitor=1)
    replica.release_after("a", await admit(replica))
    replica.ended("b")
    await replica.tell_released()
    with pytest.raises(QuotaExceeded):
        await admit(replica)
    replica.ended("a")
    replica.ended("a")
    await replica.tell_released()
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
    place = keys.quota("p", "visitor", _VISITOR.id, "now")
    stays, goes = await admit(replica), await admit(replica)
    replica.release_after("a", goes)

    async def until(admission: Admission) -> float:
        return float(await redis.execute(place, b"ZSCORE", place, admission.request))

    before = await until(stays), await until(goes)
    replica.left("a")
    now = 3.0
    await replica.renew()
    assert await until(stays) == pytest.approx(before[0] + 3000, abs=50)
    assert await until(goes) == before[1]
    replica.release(stays)
    await replica.tell_released()
    await replica.renew()
    assert await redis.execute(place, b"ZSCORE", place, stays.request) is None
    late = await admit(replica)
    before = await until(late), 0.0
    now = 700.0
    await replica.renew()
    assert await until(late) == before[0]


async def test_each_refusal_is_counted_by_what_was_met(redis: Redis, keys: Keys) -> None:
    """Whether Redis refused it, memory did, or it was a read."""
    met: list[str] = []
    quotas = Quotas({"visitor": 1}, {"visitor": 9, "project": 1})
    replica = RateLimiter(redis, keys, quotas, longest=5, refused=met.append)
    await admit(replica)
    for _ in range(2):
        with pytest.raises(QuotaExceeded):
            await admit(replica)
    for _ in range(READS + 1):
        with contextlib.suppress(QuotaExceeded):
            replica.admit_read(_VISITOR, "192.0.2.1", "p")
    with pytest.raises(QuotaExceeded) as refused:
        await admit(replica, Principal(kind=PrincipalKind.USER, id="user:p:u"))
    assert refused.value.metadata == {"quota": "project", "quota_limit": "1 at once"}
    assert met == ["visitor"] * 3 + ["concurrent_requests"]
    assert set(met) <= set(BOUNDS)


async def test_reads_ask_nobody(redis: Redis, keys: Keys) -> None:
    """Each replica counts them for itself, and gives more of them."""
    replica = limiter(redis, keys, {"visitor": 2})
    for _ in range(2 * READS):
        replica.admit_read(_VISITOR, "192.0.2.1", "p")
    with pytest.raises(QuotaExceeded):
        replica.admit_read(_VISITOR, "192.0.2.1", "p")
    await admit(replica)


async def test_a_frozen_redis_holds_up_nobody(own_server: redis_servers.Server) -> None:
    """Each replica goes on by its own count, within the time that Redis has to answer."""
    async with connection.connect(own_server.url) as redis:
        replica = limiter(redis, Keys(), {"visitor": 3})
        await admit(replica)
        own_server.signal(signal.SIGSTOP)
        try:
            before = time.monotonic()
            assert await admitted([replica], 5) == 3
            assert time.monotonic() - before < 1
        finally:
            own_server.signal(signal.SIGCONT)


async def test_the_buckets_of_a_project_are_in_one_slot(
    redis_cluster: redis_servers.Cluster, keys: Keys
) -> None:
    """Or a cluster would refuse to take from all of them at once."""
    async with connection.connect(redis_cluster.url) as redis:
        rates = {"visitor": 3, "address": 3, "project": 3}
        assert await admitted([limiter(redis, keys, rates, visitor=9, project=9)], 5) == 3
