"""Replicas for tests: everything of `streaming` that one process has, and a puppet that writes."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Final

import msgspec

from sessions import names
from sessions.codec import json_codec
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from streaming.log import event_log, events
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.submissions import Submission, SubmittedAnswer
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.runner import Runner, Timing
from tests.waiting import LONG

PARENT: Final = names.SAMPLE_DATA_STORE
AT: Final = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
QUICK: Final = Timing(ttl=0.6, reap_every=0.05)
SILENT: Final = Timing(ttl=0.25, renew_every=3600, reap_every=3600)
"""One that never renews a lease, as if it were frozen or cut off."""


class Puppet:
    """Generates what the test tells it to, for each answer."""

    def __init__(self, *, continues: bool = False) -> None:
        self.continues = continues
        self.assignments: list[Assignment] = []
        self.closed: list[str] = []
        self._told: dict[str, asyncio.Queue[events.AnswerEvent | BaseException | None]] = {}

    def say(self, answer: str, *told: events.AnswerEvent | str | BaseException | None) -> None:
        """Have *answer* go on: with events, text, a failure, or None for the end."""
        for item in told:
            event = events.TextAppended(text=item) if isinstance(item, str) else item
            self.waiting(answer).put_nowait(event)

    def waiting(self, answer: str) -> asyncio.Queue[events.AnswerEvent | BaseException | None]:
        """Return what *answer* was told to say, and has not said yet."""
        return self._told.setdefault(answer, asyncio.Queue())

    async def generate(self, assignment: Assignment) -> AsyncIterator[events.AnswerEvent]:
        self.assignments.append(assignment)
        queue = self.waiting(assignment.answer)
        try:
            while (item := await queue.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self.closed.append(assignment.answer)

    def closing(self, assignment: Assignment, answer: answers.Answer, _: object) -> bytes | None:
        """Append a reply to conversations."""
        return answer.answer_text.encode() if assignment.kind == "converse" else None


class Replica:
    """One process' worth of streaming."""

    def __init__(self, keys: Keys, redis: Redis, puppet: Puppet, timing: Timing) -> None:
        self.keys = keys
        self.redis = redis
        self.puppet = puppet
        self.log = EventLog(redis, keys)
        self.tail = Tail(redis, keys, self.log, check_every=0.2)
        self.touched: list[str] = []
        author = AnswerAuthor(
            generate=puppet.generate,
            closing=puppet.closing,
            continues=lambda assignment: puppet.continues,
            touch=self._touch,
        )
        self.counted: Counter[str] = Counter()
        self.runner = Runner(
            redis,
            keys,
            self.log,
            self.tail,
            author,
            timing=timing,
            accepted=lambda: self.counted.update(["accepted"]),
            taken_over=lambda: self.counted.update(["taken over"]),
        )

    async def _touch(self, session: str) -> None:
        self.touched.append(session)

    async def submit(self, session: str = "", **changes: object) -> SubmittedAnswer:
        """Submit an answer in *session*, or in a new one."""
        return await self.runner.submit(submission(session, **changes))

    async def stored(self, answer: str) -> answers.Answer:
        """Return the answer as it is stored."""
        key = self.keys.answer(answer)
        return json_codec.load(answers.Answer, await self.redis.execute(key, "HGET", key, "json"))

    async def field(self, answer: str, field: str) -> bytes | None:
        """Return a field of the answer's hash."""
        key = self.keys.answer(answer)
        return await self.redis.execute(key, "HGET", key, field)

    async def told(self, answer: str) -> list[LogEntry]:
        """Return the whole log."""
        return await self.log.read(answer)


@contextlib.asynccontextmanager
async def replica(
    redis: Redis, keys: Keys, puppet: Puppet, timing: Timing = QUICK
) -> AsyncGenerator[Replica]:
    """Run a replica."""
    one = Replica(keys, redis, puppet, timing)
    async with one.tail, one.runner:
        yield one


def submission(session: str = "", **changes: object) -> Submission:
    """Build a submission to *session*, or to a new one."""
    new = not session
    session = session or names.session(PARENT, names.new_id())
    answer = names.answer(session, names.new_id())
    stored = answers.Answer(name=answer, state=answers.State.IN_PROGRESS, create_time=AT)
    plain = Submission(
        answer=answer,
        session=session,
        kind="answer",
        request=b"{}",
        opening=f"turn {answer}".encode(),
        answer_json=json_codec.dump(stored),
        session_json=b"{}" if new else None,
    )
    return msgspec.structs.replace(plain, **changes)


class Reader:
    """Hears what a tail tells of one answer."""

    def __init__(self, tail: Tail, answer: str) -> None:
        self.calls: list[Sequence[LogEntry]] = []
        self.news = asyncio.Event()
        self.unfollow = tail.follow(answer, self._hear)

    def _hear(self, told: Sequence[LogEntry]) -> None:
        self.calls.append(told)
        self.news.set()

    @property
    def entries(self) -> list[LogEntry]:
        return [entry for told in self.calls for entry in told]

    @property
    def text(self) -> str:
        """The text told so far, by the last writer that began anew."""
        text = ""
        for entry in self.entries:
            if entry.reset:
                text = ""
            if isinstance(entry.event, events.TextAppended):
                text += entry.event.text
        return text

    async def until(self, text: str) -> None:
        """Wait until exactly *text* was told."""
        async with asyncio.timeout(LONG):
            while self.text != text:
                self.news.clear()
                await self.news.wait()

    async def ended(self) -> events.Succeeded | events.Failed:
        """Wait for the end and return it."""
        async with asyncio.timeout(LONG):
            while True:
                if self.entries:
                    last = self.entries[-1].event
                    if isinstance(last, events.Succeeded | events.Failed):
                        return last
                self.news.clear()
                await self.news.wait()


def text_of(entries: Sequence[LogEntry]) -> str:
    """Return the text of a log."""
    return event_log.fold(entries).answer.answer_text
