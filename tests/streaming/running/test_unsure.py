"""Answers of which a replica does not learn that they are its own: nobody waits for a lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.errors import Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from streaming.log import events
from streaming.log.transitions import Transitions
from streaming.running.runner import Timing
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Replica
from tests.streaming.lossy_redis import Lossy
from tests.waiting import eventually

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]

PATIENT = Timing(ttl=30, reap_every=3600)
"""Whoever waits for a lease to run out waits in vain."""
SCRIPTS = {
    name: Script("streaming.log", f"scripts/{name}.lua")
    for name in ("begin", "take_over", "finish", "release")
}


@pytest.fixture
async def lossy(redis_server: Server, redis: Redis) -> AsyncIterator[Lossy]:
    for script in SCRIPTS.values():
        await redis.execute(b"", "SCRIPT", "LOAD", script.source)
    async with Lossy(redis_server.socket).opened() as lossy:
        yield lossy


@pytest.fixture
async def one(lossy: Lossy, keys: Keys) -> AsyncIterator[Replica]:
    """A replica whose way to Redis is bad."""
    async with (
        connection.connect(lossy.url) as redis,
        doubles.replica(redis, keys, Puppet(), PATIENT) as replica,
    ):
        yield replica


@pytest.fixture
async def other(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet(), PATIENT) as replica:
        yield replica


async def _is_written(answer: str, *replicas: Replica) -> Replica:
    """Wait until one of *replicas* writes *answer*, and return it."""

    def writers() -> list[Replica]:
        return [
            each
            for each in replicas
            for assignment in each.puppet.assignments
            if assignment.answer == answer
        ]

    await eventually(lambda: bool(writers()))
    return writers()[0]


async def test_an_acceptance_that_is_not_heard_of_is_asked_for_again(
    one: Replica, lossy: Lossy
) -> None:
    """Who asks notices nothing: it is accepted once, with or without a key."""
    for key in ("k", ""):
        submission = doubles.submission(idempotency=key)
        lossy.lose(submission.opening)
        accepted = await one.runner.submit(submission)
        assert (accepted.answer, accepted.repeated) == (submission.answer, False)
        one.puppet.say(submission.answer, "text", None)
        assert (await one.runner.finished(submission.answer)).answer_text == "text"
        turns = one.keys.turns(submission.session)
        assert len(await one.redis.execute(turns, "LRANGE", turns, 0, -1)) == 1


async def test_a_place_in_the_queue_is_taken_once(one: Replica, lossy: Lossy) -> None:
    first = await one.submit()
    submission = doubles.submission(names.parent(first.answer))
    lossy.lose(submission.opening)
    await one.runner.submit(submission)
    for answer in (first.answer, submission.answer):
        one.puppet.say(answer, "text", None)
        assert (await one.runner.finished(answer)).answer_text == "text"
    turns = one.keys.turns(submission.session)
    assert len(await one.redis.execute(turns, "LRANGE", turns, 0, -1)) == 2


async def test_an_answer_whose_acceptance_is_not_heard_of_is_written_all_the_same(
    one: Replica, other: Replica, lossy: Lossy
) -> None:
    """Whoever asks again with the same key gets it."""
    submission = doubles.submission(idempotency="k")
    lossy.lose(submission.opening, times=2)
    with pytest.raises(Unavailable):
        await one.runner.submit(submission)
    writer = await _is_written(submission.answer, one, other)
    assert writer.puppet.assignments[0].attempts == 0
    again = await one.runner.submit(doubles.submission(submission.session, idempotency="k"))
    assert (again.answer, again.repeated) == (submission.answer, True)
    writer.puppet.say(submission.answer, "text", None)
    assert (await one.runner.finished(submission.answer)).answer_text == "text"


async def test_a_take_over_that_is_not_heard_of_is_no_failure(
    one: Replica, other: Replica, lossy: Lossy
) -> None:
    submission = doubles.submission()
    dead = Transitions(other.redis, other.keys, "dead", ttl=0, limit=60)
    await dead.begin(submission, events.Started(at=doubles.AT))
    lossy.lose(SCRIPTS["take_over"].sha.encode())
    with pytest.raises(Unavailable):
        await one.runner.adopt(submission.answer)
    writer = await _is_written(submission.answer, one, other)
    assignment = writer.puppet.assignments[0]
    assert (assignment.epoch, assignment.attempts) == (3, 1)


async def test_an_answer_that_waited_is_given_up_where_it_cannot_be_read(
    one: Replica, other: Replica, lossy: Lossy
) -> None:
    first = await one.submit()
    second = await one.submit(names.parent(first.answer))
    question = pack(b"HMGET", one.keys.answer(second.answer), b"state")
    lossy.lose(question.partition(b"\r\n")[2])
    one.puppet.say(first.answer, None)
    writer = await _is_written(second.answer, one, other)
    writer.puppet.say(second.answer, "text", None)
    assert (await other.runner.finished(second.answer)).answer_text == "text"


async def test_a_replica_that_stops_waits_for_an_end_that_is_being_stored(
    one: Replica, other: Replica, lossy: Lossy
) -> None:
    """It may have been granted the next answer with it, which then is handed over."""
    first = await one.submit()
    second = await one.submit(names.parent(first.answer))
    elsewhere = await one.submit()
    lossy.hold(SCRIPTS["finish"].sha.encode())
    one.puppet.say(first.answer, "text", None)
    await lossy.held.wait()
    draining = asyncio.ensure_future(one.runner.drain(0))
    await eventually(lambda: elsewhere.answer in one.puppet.closed)
    lossy.go_on()
    writer = await _is_written(second.answer, other)
    assert writer.puppet.assignments[-1].attempts == 0
    await draining
    assert (await other.runner.finished(first.answer)).answer_text == "text"
