"""Quotas hold over all replicas together, and each replica holds them while Redis is away."""

from __future__ import annotations

import contextlib
import itertools
import signal
import time

import anyio
import pytest

from service.metrics.metrics import BOUNDS
from service.security.limits.quotas import READS, Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.limits.standings import QuotaExceeded
from service.security.principals import Principal, PrincipalKind
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.security.limits.replicas import VISITOR, admit, limiter

pytestmark = pytest.mark.anyio

_NONE = dict[str, int]()


async def admitted(replicas: list[RateLimiter], asked: int, who: Principal = VISITOR) -> int:
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
    await redis.execute(b"", b"DEL", keys.quota("p", "visitor", VISITOR.id, "rate"))
    now += 59
    with pytest.raises(QuotaExceeded) as refused:
        await admit(replica)
    assert refused.value.retry_after == 1
    now += 1
    await admit(replica)


async def refusal(replica: RateLimiter, cost: int) -> QuotaExceeded:
    """Ask until it is refused: on a busy machine a bucket gives again between two requests."""
    while True:
        try:
            await admit(replica, cost=cost)
        except QuotaExceeded as exc:
            return exc


@pytest.mark.parametrize("cost", [1, 10])
async def test_who_waits_as_told_is_let_in(redis: Redis, keys: Keys, cost: int) -> None:
    """By the replica that refused, which remembers it, and by another, which asks Redis."""
    replicas = [limiter(redis, keys, {"visitor": 1_200, "project": 1_200}) for _ in range(2)]
    await admit(replicas[0], cost=1_200)
    for replica in replicas:
        await refusal(replica, 1)
        refused = await refusal(replica, cost)
        wait = refused.standing.level.wait
        assert refused.retry_after == 1
        await anyio.sleep(wait + 0.002)  # timers may be early by a millisecond
        await admit(replica, cost=cost)


async def test_who_waits_as_told_is_let_in_where_redis_is_slow(redis: Redis, keys: Keys) -> None:
    """What the replica remembers is from some moment between its question and the reply."""
    replica = limiter(redis, keys, {"visitor": 600})
    await admit(replica, cost=600)
    await redis.execute(b"any", "CLIENT", "PAUSE", 60)
    await refusal(replica, 1)
    refused = await refusal(replica, 2)
    await anyio.sleep(refused.standing.level.wait + 0.002)
    await admit(replica, cost=2)


async def test_a_costly_request_waits_for_all_that_it_costs(redis: Redis, keys: Keys) -> None:
    """Also where a cheaper one was refused just before, and is what the replica remembers."""
    replica = limiter(redis, keys, {"visitor": 60})
    await admit(replica, cost=60)
    for cost in (1, 10, 1):
        with pytest.raises(QuotaExceeded) as refused:
            await admit(replica, cost=cost)
        assert refused.value.retry_after == cost


async def test_of_all_that_is_used_up_the_longest_wait_is_told(redis: Redis, keys: Keys) -> None:
    """Reads as well: who waited for the shorter one would be refused again."""
    now = 0.0
    quotas = Quotas({"visitor": 60, "project": 66}, _NONE)
    replica = RateLimiter(redis, keys, quotas, longest=5, clock=lambda: now)
    other = Principal(kind=PrincipalKind.VISITOR, id="visitor:p:visitor-2", project="p")
    for who, reads in ((VISITOR, 60 * READS), (other, 6 * READS)):
        for _ in range(reads):
            replica.admit_read(who, "192.0.2.1", "p")
    now = 0.0999  # just before the visitor's bucket gives again
    replica.admit_read(other, "192.0.2.1", "p")
    with pytest.raises(QuotaExceeded) as refused:
        replica.admit_read(VISITOR, "192.0.2.1", "p")
    assert refused.value.metadata["quota"] == "project"
    now += refused.value.standing.level.wait + 1e-6
    replica.admit_read(VISITOR, "192.0.2.1", "p")


async def test_a_read_that_is_refused_is_told_of_the_bound_of_reads(
    redis: Redis, keys: Keys
) -> None:
    """As each that passed was."""
    replica = limiter(redis, keys, {"visitor": 1})
    told = [replica.admit_read(VISITOR, "192.0.2.1", "p") for _ in range(READS)]
    with pytest.raises(QuotaExceeded) as refused:
        replica.admit_read(VISITOR, "192.0.2.1", "p")
    assert {each.quota.requests for each in told if each} == {READS}
    assert refused.value.standing.quota.requests == READS
    assert refused.value.metadata["quota_limit"] == f"{READS}/minute"


async def test_who_makes_up_projects_gets_no_more_by_it(redis: Redis, keys: Keys) -> None:
    """Who is bound to none may name any: all of them count as one to each replica."""
    nobody = Principal(kind=PrincipalKind.NOBODY, id="nobody")
    met: list[str] = []
    quotas = Quotas({"address": 4, "project": 100}, _NONE)
    replica = RateLimiter(redis, keys, quotas, longest=5, refused=met.append)
    for n in range(9):
        with contextlib.suppress(QuotaExceeded):
            await replica.admit(nobody, "192.0.2.1", f"project-{n}")
    assert met == ["address"] * 5
    await replica.admit(nobody, "192.0.2.2", "project-1")


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
            replica.admit_read(VISITOR, "192.0.2.1", "p")
    with pytest.raises(QuotaExceeded) as refused:
        await admit(replica, Principal(kind=PrincipalKind.USER, id="user:p:u"))
    assert refused.value.metadata == {"quota": "project", "quota_limit": "1 at once"}
    assert met == ["visitor"] * 3 + ["concurrent_requests"]
    assert set(met) <= set(BOUNDS)


async def test_reads_ask_nobody(redis: Redis, keys: Keys) -> None:
    """Each replica counts them for itself, and gives more of them."""
    replica = limiter(redis, keys, {"visitor": 2})
    for _ in range(2 * READS):
        replica.admit_read(VISITOR, "192.0.2.1", "p")
    with pytest.raises(QuotaExceeded):
        replica.admit_read(VISITOR, "192.0.2.1", "p")
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
