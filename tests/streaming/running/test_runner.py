"""Answers that one replica accepts, writes and ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.errors import (
    FailedPrecondition,
    NotFound,
    ResourceExhausted,
    Unavailable,
)
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from streaming.log import events
from streaming.log.positions import BEGINNING, Position
from streaming.running.answer_author import Assignment
from streaming.running.runner import Timing
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
async def one(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet()) as replica:
        yield replica


async def test_an_answer_is_told_logged_and_stored_alike(one: Replica) -> None:
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "É ", "azul.", None)
    terminal = await reader.ended()
    stored = await one.stored(accepted.answer)
    assert reader.text == stored.answer_text == "É azul."
    assert stored.state is answers.State.SUCCEEDED
    assert stored.create_time == doubles.AT
    assert stored.complete_time == terminal.at
    log = await one.told(accepted.answer)
    assert [entry.position for entry in log][:2] == [Position(1, 0), Position(1, 1)]
    assert log[-len(reader.entries) :] == reader.entries


async def test_finished_returns_the_stored_answer(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, "text", None)
    finished = await one.runner.finished(accepted.answer)
    assert finished == await one.stored(accepted.answer)


async def test_finished_does_not_wait_for_what_has_ended(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, None)
    first = await one.runner.finished(accepted.answer)
    assert await one.runner.finished(accepted.answer) == first


async def test_finished_knows_no_answer_that_is_not_there(one: Replica) -> None:
    with pytest.raises(NotFound):
        await one.runner.finished(names.answer("s", "1"))


async def test_a_turn_is_appended_when_its_answer_starts(one: Replica, redis: Redis) -> None:
    accepted = await one.submit(title="a question")
    session = names.parent(accepted.answer)
    turns = await redis.execute(one.keys.turns(session), "LRANGE", one.keys.turns(session), 0, -1)
    assert turns == [f"turn {accepted.answer}".encode()]
    key = one.keys.session(session)
    fields = await redis.execute(key, "HMGET", key, "active", "title", "json", "updated", "ended")
    assert fields[:3] == [accepted.answer.encode(), b"a question", b"{}"]
    assert fields[3] == fields[4]


async def test_a_conversation_gets_its_reply_at_the_end(one: Replica, redis: Redis) -> None:
    accepted = await one.submit(kind="converse")
    one.puppet.say(accepted.answer, "hello", None)
    await one.runner.finished(accepted.answer)
    session = names.parent(accepted.answer)
    turns = await redis.execute(one.keys.turns(session), "LRANGE", one.keys.turns(session), 0, -1)
    assert turns == [f"turn {accepted.answer}".encode(), b"hello"]


async def test_an_answer_ends_even_where_its_reply_cannot_be_made(redis: Redis, keys: Keys) -> None:
    class Broken(Puppet):
        def closing(
            self, assignment: Assignment, answer: answers.Answer, _: object
        ) -> bytes | None:
            raise ValueError("a bug")

    async with doubles.replica(redis, keys, Broken()) as one:
        accepted = await one.submit(kind="converse")
        one.puppet.say(accepted.answer, "text", None)
        finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.SUCCEEDED


async def test_the_end_leaves_no_lease_and_lets_the_log_expire(one: Replica, redis: Redis) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, None)
    await one.runner.finished(accepted.answer)
    session = names.parent(accepted.answer)
    leases = one.keys.leases(one.keys.partition(session))
    log, key = one.keys.log(accepted.answer), one.keys.session(session)
    assert await redis.execute(leases, "ZCARD", leases) == 0
    assert 0 < await redis.execute(log, "TTL", log) <= 600
    assert await redis.execute(key, "HGET", key, "active") == b""
    await eventually(lambda: one.touched == [session, session])


async def test_lists_show_what_was_accepted_though_its_asker_left(one: Replica) -> None:
    asked = asyncio.create_task(one.submit())
    await eventually(lambda: one.runner.running > 0)
    asked.cancel()
    await asyncio.wait([asked])
    await eventually(lambda: len(one.touched) == 1)


async def test_what_was_accepted_is_told_though_lists_cannot_show_it(
    redis: Redis, keys: Keys
) -> None:
    class Unlisted(Replica):
        async def _touch(self, session: str) -> None:
            raise Unavailable("Redis is away", reason="REDIS_AWAY")

    one = Unlisted(keys, redis, Puppet(), doubles.QUICK)
    async with one.tail, one.runner:
        accepted = await one.submit()
        one.puppet.say(accepted.answer, "text", None)
        assert (await one.runner.finished(accepted.answer)).answer_text == "text"


async def test_the_same_idempotency_key_gives_the_same_answer(one: Replica) -> None:
    first = doubles.submission(idempotency="k")
    again = doubles.submission(first.session, idempotency="k")
    accepted = await one.runner.submit(first)
    repeated = await one.runner.submit(again)
    assert not accepted.repeated
    assert repeated.repeated
    assert repeated.answer == accepted.answer
    assert len(one.puppet.assignments) <= 1


async def test_a_session_that_is_not_there_is_not_made_up(one: Replica) -> None:
    with pytest.raises(NotFound):
        await one.submit(names.session(doubles.PARENT, "1"))


async def test_a_completed_conversation_takes_no_more(one: Replica, redis: Redis) -> None:
    name = names.conversation(doubles.PARENT, names.new_id())
    key = one.keys.session(name)
    await redis.execute(key, "HSET", key, "json", "{}", "completed", 1)
    with pytest.raises(FailedPrecondition) as refusal:
        await one.submit(name, kind="converse")
    assert refusal.value.reason == "CONVERSATION_COMPLETED"


async def test_queries_of_one_session_are_answered_in_order(one: Replica, redis: Redis) -> None:
    """Two at once: the second starts when the first has ended, and only then has a turn."""
    first = await one.submit()
    session = names.parent(first.answer)
    second = await one.submit(session)
    third = await one.submit(session)
    assert second.position == third.position == BEGINNING
    readers = [Reader(one.tail, accepted.answer) for accepted in (first, second, third)]
    for accepted in (third, second, first):
        one.puppet.say(accepted.answer, accepted.answer, None)
    for reader in readers:
        await reader.ended()
    order = [first.answer, second.answer, third.answer]
    assert [assignment.answer for assignment in one.puppet.assignments] == order
    turns = await redis.execute(one.keys.turns(session), "LRANGE", one.keys.turns(session), 0, -1)
    assert turns == [f"turn {answer}".encode() for answer in order]
    assert [reader.text for reader in readers] == order
    assert readers[1].entries[0].position == Position(1, 0)


async def test_the_queue_has_a_bound(one: Replica) -> None:
    first = await one.submit()
    session = names.parent(first.answer)
    for _ in range(16):
        await one.submit(session)
    with pytest.raises(ResourceExhausted) as refusal:
        await one.submit(session)
    assert refusal.value.reason == "QUEUE_FULL"


async def test_a_cancelled_answer_stops_at_once_and_keeps_its_text(one: Replica) -> None:
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "so far")
    await reader.until("so far")
    await one.runner.cancel(accepted.answer)
    terminal = await reader.ended()
    stored = await one.stored(accepted.answer)
    assert isinstance(terminal, events.Failed)
    assert (terminal.reason, terminal.code) == ("CANCELLED", 1)
    assert (stored.state, stored.answer_text) == (answers.State.FAILED, "so far")
    assert one.puppet.closed == [accepted.answer]


async def test_cancelling_twice_or_after_the_end_changes_nothing(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, "all", None)
    finished = await one.runner.finished(accepted.answer)
    await one.runner.cancel(accepted.answer)
    await one.runner.cancel(accepted.answer)
    assert await one.stored(accepted.answer) == finished


async def test_cancelling_right_after_acceptance_ends_it_as_well(one: Replica) -> None:
    """Before its task has run at all."""
    accepted = await one.submit()
    await one.runner.cancel(accepted.answer)
    finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED
    assert await one.field(accepted.answer, "error") is not None


async def test_a_waiting_answer_that_is_cancelled_leaves_the_queue(
    one: Replica, redis: Redis
) -> None:
    first = await one.submit()
    session = names.parent(first.answer)
    second, third = await one.submit(session), await one.submit(session)
    reader = Reader(one.tail, second.answer)
    await one.runner.cancel(second.answer)
    assert isinstance(await reader.ended(), events.Failed)
    assert (await one.runner.finished(second.answer)).state is answers.State.FAILED
    one.puppet.say(first.answer, None)
    one.puppet.say(third.answer, None)
    await one.runner.finished(third.answer)
    assert [assignment.answer for assignment in one.puppet.assignments] == [
        first.answer,
        third.answer,
    ]


async def test_cancelling_knows_no_answer_that_is_not_there(one: Replica) -> None:
    with pytest.raises(NotFound):
        await one.runner.cancel(names.answer("s", "1"))


async def test_a_failure_of_the_craft_is_how_the_answer_ends(one: Replica) -> None:
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    failure = Unavailable("the model is away", reason="MODEL_UNAVAILABLE")
    one.puppet.say(accepted.answer, "so", failure)
    terminal = await reader.ended()
    assert isinstance(terminal, events.Failed)
    assert (terminal.reason, terminal.code) == ("MODEL_UNAVAILABLE", 14)
    assert (await one.stored(accepted.answer)).answer_text == "so"


@pytest.mark.parametrize(
    "fault",
    [
        ValueError("a bug"),
        TimeoutError("not ours"),
        events.Grounded(supports=(), score=1.0),
        events.Succeeded(at=doubles.AT),
    ],
)
async def test_a_bug_of_the_craft_is_an_internal_failure(
    one: Replica, fault: Exception | events.AnswerEvent
) -> None:
    """An exception, an event that cannot follow, or one that is the runner's."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, fault)
    terminal = await reader.ended()
    assert isinstance(terminal, events.Failed)
    assert terminal.code == 13


async def test_an_answer_that_takes_too_long_fails(redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Puppet(), Timing(limit=0.05)) as one:
        accepted = await one.submit()
        reader = Reader(one.tail, accepted.answer)
        one.puppet.say(accepted.answer, "so far")
        terminal = await reader.ended()
        assert isinstance(terminal, events.Failed)
        assert terminal.reason == "DEADLINE_EXCEEDED"
        assert (await one.stored(accepted.answer)).answer_text == "so far"


async def test_an_answer_survives_whoever_asked(one: Replica) -> None:
    """A cancelled caller may or may not have been heard; what was accepted goes on."""
    submission = doubles.submission()
    asking = asyncio.ensure_future(one.runner.submit(submission))
    await asyncio.sleep(0)
    asking.cancel()
    one.puppet.say(submission.answer, "text", None)
    with pytest.raises(asyncio.CancelledError):
        await asking
    await eventually(lambda: submission.answer in one.puppet.closed)
    assert (await one.runner.finished(submission.answer)).answer_text == "text"


async def test_a_deleted_session_ends_its_answer_quietly(one: Replica, redis: Redis) -> None:
    """Nothing that is still written finds a place, and nobody waits for ever."""
    accepted = await one.submit()
    answer, session = accepted.answer, names.parent(accepted.answer)
    reader = Reader(one.tail, answer)
    one.puppet.say(answer, "text")
    await reader.until("text")
    waiting = asyncio.ensure_future(one.runner.finished(answer))
    gone = (one.keys.session(session), one.keys.answer(answer), one.keys.log(answer))
    await redis.execute(gone[0], "UNLINK", *gone)
    one.puppet.say(answer, "more")
    with pytest.raises(NotFound):
        await waiting
    await eventually(lambda: reader.calls[-1] == ())
    await eventually(lambda: one.runner.running == 0)
    assert await redis.execute(gone[0], "EXISTS", *gone) == 0


async def test_a_draining_replica_accepts_nothing(one: Replica) -> None:
    await one.runner.drain(0)
    with pytest.raises(Unavailable) as refusal:
        await one.submit()
    assert refusal.value.reason == "SHUTTING_DOWN"


async def test_a_draining_replica_lets_answers_end(one: Replica) -> None:
    accepted = await one.submit()
    draining = asyncio.ensure_future(one.runner.drain(5))
    one.puppet.say(accepted.answer, "whole", None)
    await draining
    assert (await one.stored(accepted.answer)).state is answers.State.SUCCEEDED
