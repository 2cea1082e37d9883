"""Answers whose owner is not heard of any more, taken over by another replica."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from streaming.log import event_log, events
from streaming.log.positions import Position
from streaming.log.transitions import Transitions
from streaming.running.runner import Timing
from tests.streaming import doubles
from tests.streaming.doubles import QUICK, SILENT, Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

NEVER = Timing(ttl=0.6, reap_every=3600)
CITED = events.Cited(
    citations=(
        answers.Citation(
            start_index="0", end_index="99", sources=(answers.CitationSource(reference_id="0"),)
        ),
    )
)


@pytest.fixture
async def silent(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    """A replica that renews no lease, so that all it owns is soon taken over."""
    async with doubles.replica(redis, keys, Puppet(), SILENT) as replica:
        yield replica


@pytest.fixture
async def watcher(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    """A replica that only has readers."""
    async with doubles.replica(redis, keys, Puppet(), NEVER) as replica:
        yield replica


async def _watch(watcher: Replica, answer: str) -> Reader:
    reader = Reader(watcher.tail, answer)
    await watcher.tail.ready(answer)
    return reader


async def test_an_answer_without_text_runs_again_without_reset(
    silent: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    async with doubles.replica(redis, keys, Puppet()) as other:
        reader = Reader(other.tail, accepted.answer)
        await other.tail.ready(accepted.answer)
        other.puppet.say(accepted.answer, "anew", None)
        await reader.ended()
    assert reader.text == "anew"
    assert not any(entry.reset for entry in reader.entries)
    assignment = other.puppet.assignments[0]
    assert (assignment.epoch, assignment.attempts) == (2, 1)
    assert assignment.written.answer_text == ""
    assert silent.counted == {"accepted": 1}
    assert other.counted == {"taken over": 1}


async def test_readers_are_told_to_drop_text_that_cannot_be_continued(
    silent: Replica, watcher: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    here = await _watch(watcher, accepted.answer)
    silent.puppet.say(accepted.answer, "old text")
    await here.until("old text")
    async with doubles.replica(redis, keys, Puppet()) as other:
        other.puppet.say(accepted.answer, "new text", None)
        finished = await other.runner.finished(accepted.answer)
    await here.ended()
    resets = [entry.position for entry in here.entries if entry.reset]
    assert resets == [Position(2, 0)]
    assert finished.answer_text == here.text == "new text"
    assert other.puppet.assignments[0].written == answers.Answer()


async def test_a_generator_that_continues_goes_on_behind_what_was_told(
    silent: Replica, watcher: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    here = await _watch(watcher, accepted.answer)
    silent.puppet.say(accepted.answer, "first, ")
    await here.until("first, ")
    async with doubles.replica(redis, keys, Puppet(continues=True)) as other:
        other.puppet.say(accepted.answer, "then", None)
        finished = await other.runner.finished(accepted.answer)
    await here.ended()
    assert finished.answer_text == here.text == "first, then"
    assert not any(entry.reset for entry in here.entries)
    assert other.puppet.assignments[0].written.answer_text == "first, "
    assert finished.create_time == doubles.AT


@pytest.mark.parametrize(
    "entry",
    [("e", event_log.encode(CITED)[1]), ("e", b'{"type":"of a later version"}'), ("d", b"\xff")],
)
@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_log_that_makes_no_sense_is_written_anew(
    silent: Replica, redis: Redis, keys: Keys, entry: tuple[str, bytes], cancelled: bool
) -> None:
    """Whatever happened to it, its answer ends, and the next one of the session has its turn."""
    accepted = await silent.submit()
    answer, key = accepted.answer, keys.log(accepted.answer)
    await redis.execute(key, "XADD", key, "1-1", "d", "lost")
    await redis.execute(key, "XADD", key, "1-2", *entry)
    if cancelled:
        await redis.execute(keys.answer(answer), "HSET", keys.answer(answer), "cancel", 1)
    async with doubles.replica(redis, keys, Puppet(continues=True)) as other:
        other.puppet.say(answer, "anew", None)
        finished = await other.runner.finished(answer)
        assert [assignment.written.answer_text for assignment in other.puppet.assignments] == [
            ""
        ] * (not cancelled)
    state = answers.State.FAILED if cancelled else answers.State.SUCCEEDED
    assert (finished.state, finished.answer_text) == (state, "" if cancelled else "anew")
    began = await redis.execute(key, "XRANGE", key, "2-0", "2-0")
    assert [field for _, (field, _) in began] == [event_log.RESET]


async def test_the_replaced_owner_stops_and_writes_nothing_more(
    silent: Replica, redis: Redis, keys: Keys
) -> None:
    """Redis itself refuses its appends; its generator is closed."""
    accepted = await silent.submit()
    here = Reader(silent.tail, accepted.answer)
    silent.puppet.say(accepted.answer, "old")
    await here.until("old")
    async with doubles.replica(redis, keys, Puppet()) as other:
        await eventually(lambda: other.runner.running == 1)
        silent.puppet.say(accepted.answer, "zombie")
        await eventually(lambda: silent.puppet.closed == [accepted.answer])
        other.puppet.say(accepted.answer, "new", None)
        finished = await other.runner.finished(accepted.answer)
    await here.until("new")
    assert finished.answer_text == "new"
    assert "zombie" not in doubles.text_of(await silent.told(accepted.answer))


async def test_a_reader_that_attaches_triggers_the_take_over(
    silent: Replica, redis: Redis, keys: Keys
) -> None:
    """Nobody reaps here; waiting for the end adopts what has expired."""
    accepted = await silent.submit()
    await eventually(lambda: _is_expired(silent, accepted.answer))
    async with doubles.replica(redis, keys, Puppet(), NEVER) as other:
        other.puppet.say(accepted.answer, "text", None)
        assert (await other.runner.finished(accepted.answer)).answer_text == "text"


async def test_a_lease_that_runs_is_respected(redis: Redis, keys: Keys) -> None:
    async with (
        doubles.replica(redis, keys, Puppet()) as one,
        doubles.replica(redis, keys, Puppet()) as other,
    ):
        accepted = await one.submit()
        await other.runner.adopt(accepted.answer)
        assert other.runner.running == 0
        assert await one.field(accepted.answer, "epoch") == b"1"


async def test_renewals_keep_an_answer_with_its_owner(redis: Redis, keys: Keys) -> None:
    """Longer than a lease lasts, with others that look for expired ones all the time."""
    quick = Timing(ttl=0.15, reap_every=0.02)
    async with (
        doubles.replica(redis, keys, Puppet(), quick) as one,
        doubles.replica(redis, keys, Puppet(), quick) as other,
    ):
        accepted = await one.submit()
        deadline = await _lease(one, accepted.answer) + 2 * 150
        await eventually(lambda: _runs_until(one, accepted.answer, deadline))
        one.puppet.say(accepted.answer, "text", None)
        await one.runner.finished(accepted.answer)
        assert other.puppet.assignments == []


async def test_after_two_take_overs_the_answer_fails_and_keeps_its_text(
    silent: Replica, watcher: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    answer = accepted.answer
    here = await _watch(watcher, answer)
    silent.puppet.say(answer, "kept")
    await here.until("kept")
    async with (
        doubles.replica(redis, keys, Puppet(continues=True), SILENT) as second,
        doubles.replica(redis, keys, Puppet(continues=True), SILENT) as third,
        doubles.replica(redis, keys, Puppet(continues=True), SILENT) as last,
    ):
        for taker in (second, third):
            await eventually(lambda: _is_expired(silent, answer))
            await taker.runner.adopt(answer)
            assert taker.runner.running == 1
        await eventually(lambda: _is_expired(silent, answer))
        await last.runner.adopt(answer)
        finished = await last.runner.finished(answer)
        assert last.puppet.assignments == []
    terminal = (await silent.told(answer))[-1].event
    assert isinstance(terminal, events.Failed)
    assert terminal.reason == "WRITER_LOST"
    assert (finished.state, finished.answer_text) == (answers.State.FAILED, "kept")


async def test_only_one_of_many_takes_an_answer_over(
    silent: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    others = [doubles.replica(redis, keys, Puppet(), QUICK) for _ in range(4)]
    async with others[0] as a, others[1] as b, others[2] as c, others[3] as d:
        await eventually(lambda: sum(one.runner.running for one in (a, b, c, d)) == 1)
        for one in (a, b, c, d):
            one.puppet.say(accepted.answer, "text", None)
        await a.runner.finished(accepted.answer)
    assignments = [assignment for one in (a, b, c, d) for assignment in one.puppet.assignments]
    assert [assignment.epoch for assignment in assignments] == [2]


async def test_a_cancelled_answer_of_a_lost_owner_is_not_run_again(
    silent: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    async with doubles.replica(redis, keys, Puppet()) as other:
        key = keys.answer(accepted.answer)
        await redis.execute(key, "HSET", key, "cancel", 1)
        finished = await other.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED
    assert other.puppet.assignments == []


async def test_whether_text_is_continued_is_not_asked_where_only_the_end_is_missing(
    silent: Replica, watcher: Replica, redis: Redis, keys: Keys
) -> None:
    """Should it not be possible to tell, the answer would never end."""
    accepted = await silent.submit()
    here = await _watch(watcher, accepted.answer)
    silent.puppet.say(accepted.answer, "text")
    await here.until("text")
    key = keys.answer(accepted.answer)
    await redis.execute(key, "HSET", key, "cancel", 1)
    puppet = Puppet()
    del puppet.continues
    async with doubles.replica(redis, keys, puppet) as other:
        finished = await other.runner.finished(accepted.answer)
    assert (finished.state, finished.answer_text) == (answers.State.FAILED, "text")


async def test_an_answer_past_its_deadline_is_not_run_again(redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Puppet()) as other:
        submission = doubles.submission()
        dead = Transitions(redis, keys, "dead", ttl=0.2, limit=0)
        await dead.begin(submission, events.Started(at=doubles.AT))
        finished = await other.runner.finished(submission.answer)
        assert other.puppet.assignments == []
        terminal = (await other.told(submission.answer))[-1].event
    assert isinstance(terminal, events.Failed)
    assert terminal.reason == "DEADLINE_EXCEEDED"
    assert finished.state is answers.State.FAILED


async def test_a_skipped_answer_is_complete_for_the_next_owner(
    silent: Replica, watcher: Replica, redis: Redis, keys: Keys
) -> None:
    accepted = await silent.submit()
    here = await _watch(watcher, accepted.answer)
    reason = answers.AnswerSkippedReason.NO_RELEVANT_CONTENT
    silent.puppet.say(accepted.answer, events.Skipped(reasons=(reason,), text="nothing"))
    await eventually(lambda: bool(here.entries))
    async with doubles.replica(redis, keys, Puppet()) as other:
        finished = await other.runner.finished(accepted.answer)
    assert finished.state is answers.State.SUCCEEDED
    assert finished.answer_skipped_reasons == (reason,)


async def test_a_replica_that_stops_hands_over_at_once(redis: Redis, keys: Keys) -> None:
    """Long before a lease would run out, and without counting as a failure."""
    patient = Timing(ttl=30, reap_every=3600)
    async with doubles.replica(redis, keys, Puppet(), patient) as other:
        async with doubles.replica(redis, keys, Puppet(), patient) as one:
            accepted = await one.submit()
            reader = Reader(one.tail, accepted.answer)
            one.puppet.say(accepted.answer, "old")
            await reader.until("old")
        await eventually(lambda: other.runner.running == 1)
        other.puppet.say(accepted.answer, "new", None)
        assert (await other.runner.finished(accepted.answer)).answer_text == "new"
        assert other.puppet.assignments[0].attempts == 0


async def test_what_waits_goes_to_another_replica_where_one_stops(redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Puppet()) as other:
        async with doubles.replica(redis, keys, Puppet()) as one:
            first = await one.submit()
            second = await one.submit(names.parent(first.answer))
            one.puppet.say(first.answer, "first", None)
            other.puppet.say(second.answer, "second", None)
            await one.runner.drain(5)
        assert (await other.runner.finished(first.answer)).answer_text == "first"
        assert (await other.runner.finished(second.answer)).answer_text == "second"


async def test_cancelling_reaches_the_owner_from_another_replica(redis: Redis, keys: Keys) -> None:
    async with (
        doubles.replica(redis, keys, Puppet()) as one,
        doubles.replica(redis, keys, Puppet()) as other,
    ):
        accepted = await one.submit()
        await other.runner.cancel(accepted.answer)
        finished = await other.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED
    assert one.puppet.closed == [accepted.answer]


async def _lease(one: Replica, answer: str) -> float:
    key = one.keys.leases(one.keys.partition(names.parent(answer)))
    return float(await one.redis.execute(key, "ZSCORE", key, answer))


async def _is_expired(one: Replica, answer: str) -> bool:
    return await _lease(one, answer) <= await one.redis.now_ms()


async def _runs_until(one: Replica, answer: str, deadline: float) -> bool:
    return await _lease(one, answer) >= deadline
