"""Leases that are renewed, lost and found expired."""

from __future__ import annotations

import time

import pytest

from sessions import names
from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.running.generation_task import StopReason
from streaming.running.leases import Leases, RedisClock
from streaming.running.reaper import Reaper
from tests.streaming import doubles
from tests.waiting import LONG

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


class Held:
    """Leases of one owner, over answers of any sessions."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis = redis
        self.keys = keys
        self.stopped: list[tuple[str, StopReason]] = []
        self.leases = Leases(
            redis, keys, "me", ttl=5, stop=lambda answer, why: self.stopped.append((answer, why))
        )

    async def grant(self, session: str, *, owner: str = "me", until: float = 0) -> str:
        """Hold the lease of an answer that *owner* owns, and that ends at *until*."""
        answer = names.answer(names.session(doubles.PARENT, session), "1")
        key, index = self.keys.answer(answer), self.index(answer)
        await self.redis.execute(key, "HSET", key, "owner", owner, "epoch", 1)
        await self.redis.execute(index, "ZADD", index, until, answer)
        self.leases.hold(answer, 1)
        return answer

    def index(self, answer: str) -> bytes:
        return self.keys.leases(self.keys.partition(names.parent(answer)))

    async def until(self, answer: str) -> float | None:
        until = await self.redis.execute(self.index(answer), "ZSCORE", self.index(answer), answer)
        return None if until is None else float(until)


@pytest.fixture
async def held(redis: Redis, keys: Keys) -> Held:
    held = Held(redis, keys)
    await held.leases.sync()
    return held


async def test_a_renewal_extends_every_lease(held: Held) -> None:
    answers = [await held.grant(str(n)) for n in range(5)]
    before = await held.redis.now_ms()
    await held.leases.renew()
    after = await held.redis.now_ms()
    for answer in answers:
        until = await held.until(answer)
        assert until is not None
        assert before + 5000 - 50 <= until <= after + 5000
    assert held.stopped == []


async def test_a_renewal_never_shortens_a_lease(held: Held) -> None:
    far = float(await held.redis.now_ms() + 60_000)
    answer = await held.grant("1", until=far)
    await held.leases.renew()
    assert await held.until(answer) == far


async def test_a_renewal_does_not_grant_what_is_not_there(held: Held) -> None:
    """The answer has ended meanwhile: its lease is not revived."""
    answer = await held.grant("1")
    await held.redis.execute(held.index(answer), "ZREM", held.index(answer), answer)
    await held.leases.renew()
    assert await held.until(answer) is None


async def test_who_slept_does_not_extend_the_lease_of_another(redis: Redis, keys: Keys) -> None:
    """Or an answer whose new owner died at once would wait for the old one's lease."""
    held = Held(redis, keys)
    await held.leases.sync()
    held.leases.ttl = 0.0  # whatever is granted is over
    soon = float(await redis.now_ms() + 100)
    theirs = await held.grant("1", owner="somebody else", until=soon)
    ours = await held.grant("2")
    held.leases.ttl = 5.0
    await held.leases.renew()
    assert held.stopped == [(theirs, StopReason.LOST)]
    assert await held.until(theirs) == soon
    assert (await held.until(ours) or 0) > soon


async def test_an_answer_that_another_owns_is_lost_once(held: Held) -> None:
    answer = await held.grant("1", owner="somebody else")
    await held.leases.renew()
    await held.leases.renew()
    assert held.stopped == [(answer, StopReason.LOST)]


async def test_a_cancellation_is_found_by_the_next_renewal(held: Held) -> None:
    """Should the message to the owner be lost."""
    answer = await held.grant("1")
    key = held.keys.answer(answer)
    await held.redis.execute(key, "HSET", key, "cancel", 1)
    await held.leases.renew()
    assert held.stopped == [(answer, StopReason.CANCELLED)]


async def test_what_is_dropped_is_not_renewed(held: Held) -> None:
    answer = await held.grant("1")
    held.leases.drop(answer)
    held.leases.drop(answer)
    await held.leases.renew()
    assert await held.until(answer) == 0


async def test_the_clock_is_that_of_redis(held: Held) -> None:
    await held.leases.renew()
    assert abs(held.leases.clock.now - await held.redis.now_ms()) < 100


async def test_a_clock_that_was_never_set_tells_no_time() -> None:
    with pytest.raises(Unavailable):
        _ = RedisClock().now


def reply(milliseconds: float) -> list[bytes]:
    return [b"%d" % (milliseconds // 1000), b"%d" % (milliseconds % 1000 * 1000)]


async def test_a_late_reply_sets_no_clock_back() -> None:
    """It lay there while this process slept."""
    clock = RedisClock()
    clock.set(reply(1_000_000))
    clock.set(reply(997_500), time.monotonic() - 3)
    assert 1_000_000 <= clock.now < 1_000_000 + 1000 * LONG


@pytest.mark.parametrize("told", [980_000, 1_040_000])
async def test_a_clock_that_was_set_is_followed(told: int) -> None:
    """That of Redis, or that of another node: what was known before does not agree."""
    clock = RedisClock()
    clock.set(reply(1_000_000))
    clock.set(reply(told), time.monotonic() - 3)
    assert told <= clock.now < told + 1000 * LONG


async def test_the_reaper_finds_exactly_what_has_expired(held: Held) -> None:
    now = await held.redis.now_ms()
    old = {await held.grant(str(n), until=now - 1000) for n in range(20)}
    for n in range(20, 40):
        await held.grant(str(n), until=now + 60_000)
    found: list[str] = []
    reaper = Reaper(held.redis, held.keys, held.leases.clock, found.append, ttl=5)
    await reaper.reap()
    assert (set(found), len(found)) == (old, 20)


async def test_a_reaper_whose_process_slept_believes_leases(held: Held) -> None:
    """Its clock is behind until it is set again; Redis was there all the time."""
    now = await held.redis.now_ms()
    old = await held.grant("1", until=now - 10_000)
    seconds = now // 1000 - 5
    held.leases.clock.set([b"%d" % seconds, b"0"])
    found: list[str] = []
    reaper = Reaper(held.redis, held.keys, held.leases.clock, found.append, ttl=5)
    await reaper.reap()
    assert found == [old]
