"""What becomes of an answer while it is written, and what is done about failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import pytest

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import away
from sessions.resources import answers
from streaming.log.answer_machine import AnswerMachine
from streaming.log.events import AnswerEvent, StepChanged
from streaming.log.log_commands import LogCommands
from streaming.log.positions import Position
from streaming.log.write_buffer import WriteBuffer
from streaming.running.answer_author import Assignment
from streaming.running.generation_task import (
    FOLLOWS,
    GenerationStage,
    GenerationState,
    GenerationTask,
    StopReason,
)
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


ASSIGNMENT = Assignment(answer="a", session="s", kind="answer", request=b"")
WAYS: Mapping[GenerationState, Sequence[StopReason | GenerationStage]] = {
    GenerationState.GRANTED: (),
    GenerationState.GENERATING: (GenerationStage.ENTERED,),
    GenerationState.CANCELLED: (GenerationStage.ENTERED, StopReason.CANCELLED),
    GenerationState.FINISHING: (GenerationStage.ENTERED, GenerationStage.GENERATED),
    GenerationState.SPARED: (
        GenerationStage.ENTERED,
        GenerationStage.GENERATED,
        StopReason.HANDOVER,
    ),
    GenerationState.FINISHED: (
        GenerationStage.ENTERED,
        GenerationStage.GENERATED,
        GenerationStage.STORED,
    ),
    GenerationState.HANDED_OVER: (GenerationStage.ENTERED, StopReason.HANDOVER),
    GenerationState.LOST: (GenerationStage.ENTERED, StopReason.LOST),
}


class Writing:
    """A task that takes the steps it is told, and so can be stopped between any two."""

    def __init__(self) -> None:
        self.generation = GenerationTask(ASSIGNMENT, AnswerMachine(), deadline=0)
        self._task = asyncio.current_task()
        assert self._task is not None

    async def take(self, what: StopReason | GenerationStage) -> bool:
        """Return whether the task was cancelled by *what*, or refused to take it."""
        try:
            match what:
                case GenerationStage.ENTERED:
                    self.generation.enter()
                case GenerationStage.GENERATED:
                    await self.generation.write(_nothing, _buffer())
                case GenerationStage.STORED:
                    self.generation.leave()
                case _:
                    self.generation.stop(what)
                    await asyncio.sleep(0)  # where a cancellation is raised
        except asyncio.CancelledError:
            while self._task and self._task.uncancel():
                pass
            return True
        return False


async def _nothing(_: Assignment) -> AsyncIterator[AnswerEvent]:
    for event in ():
        yield event


def _buffer() -> WriteBuffer:
    return WriteBuffer(
        *("a", Position(1, 0), LogCommands(b"log", b"channel", b"PUBLISH")),
        schedule=lambda buffer: None,
        on_acknowledged=lambda entries: None,
        on_lost=lambda: None,
    )


STEPS = (*StopReason, *GenerationStage)


@pytest.mark.parametrize("what", STEPS, ids=str)
@pytest.mark.parametrize("state", GenerationState, ids=lambda state: state.name)
async def test_the_writing_of_an_answer_goes_where_it_is_drawn(
    state: GenerationState, what: StopReason | GenerationStage
) -> None:
    """Every reason to stop and every step in every state; what is stopped is cancelled."""
    writing = Writing()
    for way in WAYS[state]:
        await writing.take(way)
    assert writing.generation.state is state
    drawn = FOLLOWS[state].get(what)
    cancelled = await writing.take(what)
    assert writing.generation.state is (drawn or state)
    if isinstance(what, GenerationStage):
        assert cancelled == (drawn is None)
    else:
        begun = state is not GenerationState.GRANTED
        assert cancelled == (begun and drawn not in (None, GenerationState.SPARED))


def _taken(what: StopReason | GenerationStage) -> dict[str, str]:
    return {state.name: row[what].name for state, row in FOLLOWS.items() if what in row}


def test_the_drawing_is_what_was_meant() -> None:
    """It is what is executed, too: this says it once more, in other words."""
    begun = ("GRANTED", "GENERATING", "CANCELLED", "FINISHING", "SPARED", "HANDED_OVER")
    assert _taken(StopReason.LOST) == dict.fromkeys((*begun, "LOST"), "LOST")
    assert _taken(StopReason.CANCELLED) == dict.fromkeys(("GRANTED", "GENERATING"), "CANCELLED")
    handed_over = dict.fromkeys(begun, "HANDED_OVER")
    assert _taken(StopReason.HANDOVER) == handed_over | {"FINISHING": "SPARED", "LOST": "LOST"}
    entered = {"GRANTED": "GENERATING", "CANCELLED": "CANCELLED"}
    assert _taken(GenerationStage.ENTERED) == entered
    generated = dict.fromkeys(("GENERATING", "CANCELLED", "HANDED_OVER"), "FINISHING")
    assert _taken(GenerationStage.GENERATED) == generated
    assert _taken(GenerationStage.STORED) == dict.fromkeys(("FINISHING", "SPARED"), "FINISHED")


async def test_only_redis_is_waited_for(one: Replica) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, Unavailable("the model is away", reason="MODEL_UNAVAILABLE"))
    finished = await one.runner.finished(accepted.answer)
    assert finished.state is answers.State.FAILED


def test_logs_say_as_ever_why_an_answer_was_let_go() -> None:
    told = [str(why) for why in StopReason]
    assert told == ["Stop.CANCELLED", "Stop.LOST", "Stop.HANDOVER"]
