"""What fails past `Exception`, as native code that panics does, ends nothing but itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from sessions.errors import Internal
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from sessions.supervision import contained, forever
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.running.answer_author import Assignment
from streaming.running.runner import Timing
from tests.streaming import doubles
from tests.streaming.doubles import SILENT, Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio
NEVER = Timing(ttl=0.6, reap_every=3600)


class Panic(BaseException):
    """What PyO3 makes of a panic in Rust."""


@pytest.fixture
async def one(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet()) as replica:
        yield replica


async def test_a_generator_that_panics_ends_its_answer_and_no_other(one: Replica) -> None:
    other, accepted = await one.submit(), await one.submit()
    one.puppet.say(other.answer, "I go ")
    one.puppet.say(accepted.answer, "Plan", Panic("not a char boundary"))
    failed = await one.runner.finished(accepted.answer)
    assert (failed.state, failed.answer_text) == (answers.State.FAILED, "Plan")
    terminal = (await one.told(accepted.answer))[-1].event
    assert isinstance(terminal, events.Failed)
    assert (terminal.reason, terminal.code) == ("INTERNAL", Internal.code)
    one.puppet.say(other.answer, "on", None)
    assert (await one.runner.finished(other.answer)).answer_text == "I go on"


class Broken(Puppet):
    """Panics wherever the runner asks for something about an answer."""

    def closing(self, assignment: Assignment, answer: answers.Answer, _: object) -> bytes | None:
        raise Panic


async def test_a_panic_beside_the_text_leaves_the_answer_whole(redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Broken()) as one:
        for _ in range(2):
            accepted = await one.submit(kind="converse")
            one.tail.follow(accepted.answer, _panic)
            one.puppet.say(accepted.answer, "text", None)
            assert (await one.runner.finished(accepted.answer)).answer_text == "text"


def _panic(_: Sequence[LogEntry]) -> None:
    raise Panic


async def test_a_panic_after_the_end_was_stored_ends_no_replica(one: Replica) -> None:
    for _ in range(2):
        one.touched = []
        accepted = await one.submit()
        one.touched = Unappendable()
        one.puppet.say(accepted.answer, "text", None)
        assert (await one.runner.finished(accepted.answer)).answer_text == "text"
    await eventually(lambda: one.runner.running == 0)


class Unappendable(list[str]):
    def append(self, _: str) -> None:
        raise Panic


class Doubtful(Puppet):
    """Panics twice where it is asked whether it continues."""

    times = 0

    @property
    def continues(self) -> bool:
        self.times += 1
        if self.times < 3:
            raise Panic
        return True

    @continues.setter
    def continues(self, _: bool) -> None:
        pass


async def test_a_take_over_that_panics_is_tried_again(redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Puppet(), SILENT) as lost:
        accepted = await lost.submit()
        reader = Reader(lost.tail, accepted.answer)
        lost.puppet.say(accepted.answer, "first")
        await reader.until("first")
        async with doubles.replica(redis, keys, Doubtful()) as one:
            one.puppet.say(accepted.answer, ", then", None)
            assert (await one.runner.finished(accepted.answer)).answer_text == "first, then"


async def test_who_attaches_hears_of_a_panic_and_the_others_do_not(
    redis: Redis, keys: Keys
) -> None:
    async with (
        doubles.replica(redis, keys, Puppet(), SILENT) as lost,
        doubles.replica(redis, keys, Doubtful(), NEVER) as one,
    ):
        accepted = await lost.submit()
        reader = Reader(lost.tail, accepted.answer)
        lost.puppet.say(accepted.answer, "text")
        await reader.until("text")
        with pytest.raises(Panic):
            while True:
                await one.runner.adopt(accepted.answer)
        other = await one.submit()
        one.puppet.say(other.answer, None)
        await one.runner.finished(other.answer)


async def test_work_that_must_not_end_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.supervision._PAUSE", 0)
    times: list[int] = []

    async def work() -> None:
        times.append(len(times))
        raise Panic

    task = asyncio.get_running_loop().create_task(forever(work))
    await eventually(lambda: len(times) > 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("passes", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
async def test_cancellation_and_exit_pass(passes: type[BaseException]) -> None:
    async def work() -> None:
        raise passes

    with pytest.raises(passes):
        await contained(work(), "test")
