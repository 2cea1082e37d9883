"""Answers in a cluster whose slots move, and under a master that fails."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.errors import Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from streaming.log.submissions import Submission
from streaming.running.runner import Timing
from tests.redis_servers import Cluster, Sentinels
from tests.sessions.redis.test_cluster import moving
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.3, patience=0.2, opening=0.3, backoff=0.05)
PATIENT = Timing(ttl=30, reap_every=3600)


@pytest.fixture
async def clustered(redis_cluster: Cluster) -> AsyncIterator[Redis]:
    async with connection.connect(redis_cluster.url) as redis:
        yield redis


@pytest.fixture
async def two(clustered: Redis, keys: Keys) -> AsyncIterator[tuple[Replica, Replica]]:
    async with (
        doubles.replica(clustered, keys, Puppet(), PATIENT) as one,
        doubles.replica(clustered, keys, Puppet(), PATIENT) as other,
    ):
        yield one, other


async def _follow(replica: Replica, answer: str) -> Reader:
    reader = Reader(replica.tail, answer)
    await replica.tail.ready(answer)
    return reader


async def test_a_cluster_serves_answers_of_all_sessions(two: tuple[Replica, Replica]) -> None:
    """Written on one replica, heard on another, queued and ended, on every node."""
    one, other = two
    for _ in range(12):
        first = await one.submit()
        second = await one.submit(names.parent(first.answer))
        readers = [await _follow(other, accepted.answer) for accepted in (first, second)]
        for accepted in (first, second):
            one.puppet.say(accepted.answer, "te", "xt", None)
        for reader in readers:
            await reader.ended()
            assert reader.text == "text"


async def test_a_cluster_hands_over(clustered: Redis, keys: Keys) -> None:
    async with doubles.replica(clustered, keys, Puppet(continues=True)) as other:
        async with doubles.replica(clustered, keys, Puppet()) as one:
            accepted = await one.submit()
            reader = await _follow(other, accepted.answer)
            one.puppet.say(accepted.answer, "first")
            await reader.until("first")
        other.puppet.say(accepted.answer, ", then", None)
        await reader.ended()
        assert reader.text == "first, then"


async def test_an_answer_is_written_while_its_slot_moves(
    two: tuple[Replica, Replica], redis_cluster: Cluster
) -> None:
    """Before, while its log is elsewhere and the slot is not, and after."""
    one, other = two
    accepted = await one.submit()
    here, there = Reader(one.tail, accepted.answer), await _follow(other, accepted.answer)
    one.puppet.say(accepted.answer, "before ")
    await here.until("before ")
    with moving(redis_cluster, one.keys.log(accepted.answer)) as move:
        one.puppet.say(accepted.answer, "opened ")
        await here.until("before opened ")
        await asyncio.to_thread(move.carry, one.keys.log(accepted.answer))
        one.puppet.say(accepted.answer, "moving ")
        await here.until("before opened moving ")
    one.puppet.say(accepted.answer, "after", None)
    await here.ended()
    await there.ended()
    assert here.text == there.text == "before opened moving after"
    assert doubles.text_of(await one.told(accepted.answer)) == here.text


async def test_an_answer_goes_on_under_the_next_master(sentinels: Sentinels, keys: Keys) -> None:
    """Whatever the replica had not got yet is appended again."""
    async with (
        connection.connect(sentinels.url, limits=HASTY) as redis,
        doubles.replica(redis, keys, Puppet()) as one,
    ):
        accepted = await one.submit()
        reader = Reader(one.tail, accepted.answer)
        words = [f"{n} " for n in range(50)]
        for word in words[:25]:
            one.puppet.say(accepted.answer, word)
            await reader.until(reader.text + word)
        sentinels.master.signal(signal.SIGKILL)
        one.puppet.say(accepted.answer, *words[25:], None)
        await reader.ended()
        assert reader.text == "".join(words)
        assert doubles.text_of(await one.told(accepted.answer)) == reader.text


async def test_what_is_accepted_while_the_master_is_frozen_is_with_the_next_one(
    sentinels: Sentinels, keys: Keys
) -> None:
    """Whoever asked meanwhile is asked for again there, or told to come back."""
    async with (
        connection.connect(sentinels.url) as redis,
        doubles.replica(redis, keys, Puppet(), PATIENT) as one,
    ):
        submissions = [doubles.submission() for _ in range(10)]
        accepted: list[str] = []

        async def submit(submission: Submission) -> None:
            with contextlib.suppress(Unavailable):
                accepted.append((await one.runner.submit(submission)).answer)

        async with asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
            sentinels.master.signal(signal.SIGSTOP)
            for submission in submissions:
                tasks.create_task(submit(submission))
            await eventually(lambda: _is_promoted(sentinels))
            sentinels.master.signal(signal.SIGCONT)
        for answer in accepted:
            assert sentinels.replica.call("HGET", keys.answer(answer), "state") == b"IN_PROGRESS"
        again = await _submitted(one, doubles.submission())
        assert sentinels.replica.call("EXISTS", keys.answer(again)) == 1


async def _is_promoted(sentinels: Sentinels) -> bool:
    ask = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main")
    named = await asyncio.to_thread(sentinels.sentinel.call, *ask)
    return int(named[1]) == sentinels.replica.port


async def _submitted(replica: Replica, submission: Submission) -> str:
    done: list[str] = []

    async def submitted() -> bool:
        with contextlib.suppress(Unavailable):
            done.append((await replica.runner.submit(submission)).answer)
        return bool(done)

    await eventually(submitted)
    return done[0]


async def test_what_is_told_is_with_the_replica_that_is_waited_for(
    sentinels: Sentinels, keys: Keys
) -> None:
    """And where the replica is gone, the answer is told all the same."""
    async with (
        connection.connect(sentinels.url, replicas=1) as redis,
        doubles.replica(redis, keys, Puppet(), PATIENT) as one,
    ):
        accepted = await one.submit()
        assert sentinels.replica.call("EXISTS", keys.log(accepted.answer)) == 1
        reader = Reader(one.tail, accepted.answer)
        for word in ("te", "xt"):
            one.puppet.say(accepted.answer, word)
            await reader.until(reader.text + word)
            top = reader.entries[-1].position
            (last,) = sentinels.replica.call(
                "XREVRANGE", keys.log(accepted.answer), "+", "-", "COUNT", 1
            )
            assert last[0] == str(top).encode()
        sentinels.replica.signal(signal.SIGKILL)
        one.puppet.say(accepted.answer, "!", None)
        await reader.ended()
        assert reader.text == "text!"


async def test_without_the_replica_that_is_waited_for_text_flows(
    sentinels: Sentinels, keys: Keys
) -> None:
    """It is missed once, and then not waited for: one piece of text a second is no answer."""
    async with (
        connection.connect(sentinels.url, replicas=1) as redis,
        doubles.replica(redis, keys, Puppet(), PATIENT) as one,
    ):
        accepted = await one.submit()
        reader = Reader(one.tail, accepted.answer)
        sentinels.replica.signal(signal.SIGKILL)
        words = [f"{n} " for n in range(20)]
        async with asyncio.timeout(LONG):
            for word in words:
                one.puppet.say(accepted.answer, word)
                await reader.until(reader.text + word)
        one.puppet.say(accepted.answer, None)
        await reader.ended()
        assert reader.text == "".join(words)
