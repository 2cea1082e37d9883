"""What a job does about failures of what it needs."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import away
from sessions.resources import answers
from streaming.log.events import StepChanged
from streaming.log.machine import AnswerMachine
from streaming.running.answer_author import Assignment
from streaming.running.generation_task import GenerationTask, StopReason
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Replica

pytestmark = pytest.mark.anyio
STEP = StepChanged(0, answers.Step(description="search"))


@pytest.fixture
async def one(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet()) as replica:
        yield replica


async def test_an_answer_waits_for_a_redis_that_its_stages_need(one: Replica) -> None:
    """History and catalogue are read from it; an outage of a moment is no reason to fail."""
    accepted = await one.submit()
    one.puppet.say(accepted.answer, STEP, away(), STEP, away(), STEP, "text", None)
    finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.SUCCEEDED
    assert finished.answer_text == "text"
    assert finished.steps == (STEP.step,)


async def test_text_that_is_told_is_not_told_again(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, "text", away())
    finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED
    assert finished.answer_text == "text"


async def test_who_continues_an_answer_waits_for_redis_as_well(redis: Redis, keys: Keys) -> None:
    """The text of an earlier epoch is no reason to fail: this one has not told any yet."""
    lost, heir = Puppet(continues=True), Puppet(continues=True)
    async with (
        doubles.replica(redis, keys, lost, doubles.SILENT) as first,
        doubles.replica(redis, keys, heir) as second,
    ):
        accepted = await first.submit()
        lost.say(accepted.answer, "one ")
        heir.say(accepted.answer, STEP, away(), STEP, "two", None)
        finished = await second.runner.finished(accepted.answer)
    assert finished.state is answers.State.SUCCEEDED
    assert finished.answer_text == "one two"


def test_an_end_that_is_being_stored_is_cut_off_at_the_second_request() -> None:
    assignment = Assignment(answer="a", session="s", kind="answer", request=b"")
    job = GenerationTask(assignment, AnswerMachine(), deadline=0)
    job.finishing = True
    job.stop(StopReason.HANDOVER)
    assert job.stopped is None
    job.stop(StopReason.HANDOVER)
    assert job.stopped is StopReason.HANDOVER


async def test_only_redis_is_waited_for(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, Unavailable("the model is away", reason="MODEL_UNAVAILABLE"))
    finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED
