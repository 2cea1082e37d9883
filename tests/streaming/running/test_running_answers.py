"""Two epochs of one answer that a replica holds, having heard of the first one late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.spans import UNTRACED
from streaming.log import events
from streaming.log.event_log import EventLog
from streaming.log.transitions import BeginOutcome, Transitions
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.leases import Leases
from streaming.running.releases import Releases
from streaming.running.running_answers import RunningAnswers
from streaming.running.takeover import TakenAnswer, Takeover
from tests.streaming import doubles
from tests.streaming.doubles import Puppet
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

STARTED = events.Started(at=doubles.AT)


class Owner:
    """Running answers, without a runner that would look after their leases."""

    def __init__(self, tasks: asyncio.TaskGroup, redis: Redis, keys: Keys, tail: Tail) -> None:
        self.puppet = Puppet()
        self.log = EventLog(redis, keys)
        self.submission = doubles.submission()
        self.transitions = Transitions(redis, keys, "me", ttl=0, limit=60)
        self.leases = Leases(redis, keys, "me", stop=lambda answer, why: None)
        self.writer = Writer(redis, keys, self.log)
        author = AnswerAuthor(
            generate=self.puppet.generate,
            closing=self.puppet.closing,
            continues=lambda assignment: False,
            touch=_touch,
        )
        self.releases = Releases(tasks, redis, keys, self.transitions, ttl=5)
        self.answers = RunningAnswers(
            tasks,
            redis,
            tail,
            self.writer,
            self.leases,
            self.transitions,
            self.releases,
            author,
            UNTRACED,
        )

    async def accept(self) -> BeginOutcome:
        return await self.transitions.begin(self.submission, STARTED)

    async def take_over(self) -> TakenAnswer:
        takeover = Takeover(
            self.transitions,
            self.log,
            self.leases.clock,
            lambda assignment: False,
            self.answers,
            self.writer,
            self.releases,
            UNTRACED,
        )
        taken = await takeover.attempt(self.submission.answer)
        assert taken is not None
        return taken

    def begin(self, begun: BeginOutcome) -> None:
        asked = self.submission
        assignment = Assignment(
            answer=asked.answer, session=asked.session, kind=asked.kind, request=asked.request
        )
        self.answers.begin(assignment, STARTED, begun.deadline)

    def start(self, taken: TakenAnswer) -> None:
        self.answers.start(
            taken.assignment,
            taken.machine,
            taken.entries,
            taken.deadline,
            terminal=None,
            public=True,
        )


async def _touch(session: str) -> None: ...


@pytest.fixture
async def owner(redis: Redis, keys: Keys) -> AsyncIterator[Owner]:
    log = EventLog(redis, keys)
    async with Tail(redis, keys, log) as tail, asyncio.TaskGroup() as tasks:
        owner = Owner(tasks, redis, keys, tail)
        await owner.leases.sync()
        running = tasks.create_task(owner.writer.run())
        yield owner
        owner.answers.hand_over()  # or the guard over its end would be waited for
        running.cancel()


@pytest.mark.parametrize("late", [False, True])
async def test_the_later_epoch_is_the_one_that_is_written(owner: Owner, late: bool) -> None:
    """A reply that took longer than a lease tells of an epoch that is over."""
    begun = await owner.accept()
    answer = owner.submission.answer
    if late:
        owner.start(await owner.take_over())
        owner.begin(begun)
    else:
        owner.begin(begun)
        await eventually(lambda: bool(owner.puppet.assignments))
        owner.start(await owner.take_over())
        await eventually(lambda: owner.puppet.closed == [answer])
    assert len(owner.answers) == 1
    await eventually(
        lambda: bool(owner.puppet.assignments) and owner.puppet.assignments[-1].epoch == 2
    )
    owner.puppet.say(answer, "text", None)
    await owner.answers.emptied()
    assert (await owner.transitions.read_answer(answer)).answer_text == "text"
