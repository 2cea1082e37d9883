"""Bring answers to life: accept them, write them, end them, whatever happens to a process.

An answer is a task of the process, not of whoever asked. Each replica has one `Runner`; together
they see to it that every accepted answer ends: an owner that is not heard of is replaced, one that
stops hands over, and who was replaced is fenced by the log itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

import msgspec

from sessions import names, resource_states, spans
from sessions.codec import json_codec
from sessions.errors import ResourceExhausted, ServiceError, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from sessions.spans import UNTRACED, SpanKind, Tracer
from sessions.supervision import contained, detached, forever
from streaming.log import control_messages, publications
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.events import TERMINAL, Started
from streaming.log.positions import BEGINNING
from streaming.log.publications import Inbox
from streaming.log.submissions import Submission, SubmittedAnswer
from streaming.log.transitions import Transitions
from streaming.log.write_measures import WriteMeasures
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from streaming.running import running_replicas, terminal_events
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.generation_task import StopReason
from streaming.running.leases import TTL, Leases
from streaming.running.reaper import Reaper
from streaming.running.releases import Releases
from streaming.running.running_answers import FIRST, RunningAnswers
from streaming.running.takeover import Takeover

logger = logging.getLogger(__name__)

LIMIT: Final = 120.0
"""Seconds that an answer may take, from the moment at which it no longer waits."""

_LOOK: Final = 2.0  # seconds between two looks at the stored state, for who waits for the end
_LEAVE: Final = 5.0  # seconds that handing over may take, if Redis does not answer


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How long things take, in seconds."""

    ttl: float = TTL
    """Silence after which an owner is replaced."""
    renew_every: float | None = None
    """Pause between renewals; None for a fifth of *ttl*, or half a second where that is less."""
    reap_every: float = 0.3
    """Pause between looks for expired leases, more or less; one costs under a millisecond."""
    limit: float = LIMIT


_TIMING: Final = Timing()


class Runner:
    """Runs the answers of this replica. It works while it is entered: ``async with runner``."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        log: EventLog,
        tail: Tail,
        author: AnswerAuthor,
        *,
        replica: str = "",
        timing: Timing = _TIMING,
        most: int | None = None,
        refused: Callable[[], None] = lambda: None,
        accepted: Callable[[], None] = lambda: None,
        taken_over: Callable[[], None] = lambda: None,
        tracer: Tracer = UNTRACED,
    ) -> None:
        """Run as *replica*, which must be unique, and is made up where it is "".

        With *most* answers here none is accepted; *refused* is called for each. What was accepted
        elsewhere is taken over all the same. *accepted* and *taken_over* are called for each
        that is.

        Enter *tail* before, and leave it after.
        """
        self.replica = replica or secrets.token_hex(6)
        self._redis = redis
        self._keys = keys
        self._tail = tail
        self._tasks = asyncio.TaskGroup()
        self._services: list[asyncio.Task[None]] = []
        self._most = most
        self._refused = refused
        self._accepted = accepted
        self._touch = author.touch
        self._accepting = 0
        ttl = timing.ttl
        transitions = Transitions(redis, keys, self.replica, ttl=ttl, limit=timing.limit)
        self._transitions = transitions
        self._leases = Leases(
            redis, keys, self.replica, ttl=ttl, every=timing.renew_every, stop=self._stop
        )
        clock = self._leases.clock
        self._writer = Writer(redis, keys, log)
        self._reaper = Reaper(redis, keys, clock, self._take_over, ttl=ttl, every=timing.reap_every)
        releases = Releases(self._tasks, redis, keys, transitions, ttl=ttl)
        self._releases = releases
        self._answers = RunningAnswers(
            self._tasks,
            redis,
            tail,
            self._writer,
            self._leases,
            transitions,
            releases,
            author,
            tracer,
        )
        self._takeover = Takeover(
            transitions,
            log,
            clock,
            author.continues,
            self._answers,
            self._writer,
            releases,
            tracer,
            taken_over,
        )

    @property
    def running(self) -> int:
        """How many answers are being written here."""
        return len(self._answers)

    @property
    def in_doubt(self) -> int:
        """How many of them wait for a Redis to say what it has of them."""
        return self._writer.in_doubt

    @property
    def measures(self) -> WriteMeasures:
        """How what is written comes to the logs."""
        return self._writer.measures

    async def __aenter__(self) -> Runner:
        # First: no lease is held, or looked at, without the time of Redis.
        await self._leases.sync()
        await self._tasks.__aenter__()
        for work in (self._writer.run, self._leases.run, self._reaper.run):
            name = f"{type(work.__self__).__name__}.run".lower()
            self._services.append(self._tasks.create_task(forever(work), name=name))
        for channel, hear in self._control():
            self._redis.channels.listen(channel, hear)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # First, and with everything running: what is handed over is written, and its lease renewed,
        # to the last; and what others want cancelled is heard.
        await self.drain(0)
        for channel, hear in self._control():
            self._redis.channels.forget(channel, hear)
        for service in self._services:
            service.cancel()
        await self._tasks.__aexit__(None, None, None)

    async def submit(self, submission: Submission) -> SubmittedAnswer:
        """Accept *submission*: start its answer, or queue it behind the one that is running.

        Atomic and durable: after it the answer ends, in whichever process. Where the caller is
        cancelled it may have been accepted all the same.

        Raises:
            NotFound: there is no such session, and nothing to create it from.
            FailedPrecondition: the conversation is completed (CONVERSATION_COMPLETED).
            ResourceExhausted: too many answers wait in this session (QUEUE_FULL), or are written
                here (TOO_MANY_ANSWERS).
            Unavailable: Redis is away, or this replica stops (SHUTTING_DOWN).
        """
        if self._answers.closed:
            raise Unavailable("this replica stops; ask again", reason="SHUTTING_DOWN")
        # Those that are being accepted count: a flood would pass while Redis is asked.
        if self._most is not None and self.running + self._accepting >= self._most:
            self._refused()
            raise ResourceExhausted(
                "this replica writes as many answers as it may; ask again in a moment",
                reason="TOO_MANY_ANSWERS",
            )
        # Detached: a caller that goes away must not leave an answer granted that nobody writes.
        return await detached(self._tasks, self._submit(submission))

    async def _submit(self, submission: Submission) -> SubmittedAnswer:
        with spans.stage("accept answer", kind=SpanKind.PRODUCER) as span:
            span.set({"colloquy.answer": submission.answer})
            traced = msgspec.structs.replace(submission, trace=span.context)
            submitted = await self._accept(traced)
            # Of the answer, not of the submission: a repeated key leads to the session of its own.
            await self._list(names.parent(submitted.answer))
            return submitted

    async def _list(self, session: str) -> None:
        """Have lists show *session*; what could not be told now is when the answer ends."""
        try:
            await self._touch(session)
        except ServiceError:
            logger.warning("session_not_listed", extra={"session": session})

    async def _accept(self, submission: Submission) -> SubmittedAnswer:
        accepted = json_codec.load(answers.Answer, submission.answer_json)
        started = Started(at=accepted.create_time or terminal_events.now())
        self._accepting += 1
        try:
            begun = await self._transitions.begin(submission, started)
        except Unavailable:
            self._releases.release_unconfirmed(submission.answer, FIRST.epoch)
            raise
        finally:
            self._accepting -= 1
        if not begun.repeated:
            self._accepted()
        # Begun again, it may have waited at first and be here already, granted by who ended before.
        if begun.started and submission.answer not in self._answers:
            assignment = Assignment(
                answer=submission.answer,
                session=submission.session,
                kind=submission.kind,
                request=submission.request,
                trace=submission.trace,
            )
            self._answers.begin(assignment, started, begun.deadline)
        position = FIRST if begun.started else BEGINNING
        return SubmittedAnswer(begun.answer, position, begun.repeated)

    async def cancel(self, answer: str) -> None:
        """Stop *answer* wherever it runs; harmless where it has ended.

        It ends FAILED with the reason CANCELLED and keeps its text.

        Raises:
            NotFound: there is no such answer.
            Unavailable: Redis is away.
        """
        stored = await self._transitions.read_answer(answer)
        if resource_states.is_terminal(stored.state):
            return
        terminal = terminal_events.cancelled()
        stored = msgspec.structs.replace(
            stored, state=answers.State.FAILED, complete_time=terminal.at
        )
        outcome = await self._transitions.cancel(answer, stored, terminal)
        if outcome.withdrawn is not None:
            entries = [LogEntry(FIRST, outcome.withdrawn), LogEntry(FIRST.following, terminal)]
            self._tail.announce(answer, entries)
            await self._writer.publish(answer, entries)
        elif outcome.owner == self.replica and answer in self._answers:
            self._answers.stop(answer, StopReason.CANCELLED)
        elif outcome.owner:
            channel = self._keys.control(outcome.owner)
            await self._redis.publish(channel, control_messages.CANCEL + answer.encode())
            await self.adopt(answer)  # its owner may be gone: then whoever takes it over ends it

    async def trace(self, answer: str) -> str:
        """Return the ``traceparent`` of the acceptance of *answer*, "" where it was not traced.

        Raises:
            Unavailable: Redis is away.
        """
        return await self._transitions.read_trace(answer)

    async def finished(self, answer: str) -> answers.Answer:
        """Wait for the end of *answer*, wherever it runs, and return it.

        Raises:
            NotFound: there is no such answer, or its session was deleted meanwhile.
            Unavailable: Redis is away.
        """
        news = asyncio.Event()
        unfollow = self._tail.follow(answer, lambda entries: _notify(news, entries))
        try:
            await self._tail.ready(answer)  # before the look: an end in between would be missed
            while True:
                news.clear()
                stored = await self._transitions.read_answer(answer)
                if resource_states.is_terminal(stored.state):
                    # Its writer waits as well before it tells anybody, but the end is there before.
                    await self._redis.replicated(self._keys.answer(answer))
                    return stored
                await self.adopt(answer)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK):
                        await news.wait()
        finally:
            unfollow()

    async def adopt(self, answer: str) -> None:
        """Take *answer* over at once if its lease has run out; call it when a reader attaches.

        Just after Redis was away that is left to the reaper, who gives owners time to come back.

        Raises:
            Unavailable: Redis is away.
        """
        if await self._reaper.is_expired(answer):
            await detached(self._tasks, self._takeover.take(answer))

    async def drain(self, grace: float) -> None:
        """Accept nothing more, wait *grace* seconds for what runs, and hand over the rest."""
        self._answers.close()
        # The second time whatever still waits for Redis is cut off: an end that is being stored, a
        # lease that is being given up.
        for seconds in (grace, _LEAVE):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._answers.emptied()
            self._answers.hand_over()

    def _stop(self, answer: str, why: StopReason) -> None:
        self._answers.stop(answer, why)

    def _take_over(self, answer: str) -> None:
        """Take *answer* over, without waiting for it."""
        work = self._takeover.take_quietly(answer)
        self._tasks.create_task(work, name=f"take over {answer}")

    def _control(self) -> Sequence[tuple[bytes, Callable[[bytes], None]]]:
        """Return the channels on which other replicas ask for something, and who hears it."""
        return [
            (self._keys.control(self.replica), self._hear),
            (self._keys.control(control_messages.EVERYONE), self._hear),
            (self._keys.follow_requests(self.replica), self._hear_follower),
        ]

    def _hear_follower(self, message: bytes) -> None:
        request = publications.decode_request(message)
        channel = self._keys.inbox(request.replica, request.answer)
        self._answers.address(request.answer, Inbox(request.replica, request.number, channel))

    def _hear(self, message: bytes) -> None:
        """Do what another replica asks for on a control channel."""
        word, _, name = message.partition(b" ")
        word, answer = word + b" ", name.decode()
        if word == control_messages.CANCEL:
            self._answers.stop(answer, StopReason.CANCELLED)
        elif word == control_messages.FOLLOW:
            self._answers.publish(answer)
        elif word == control_messages.FREE and not self._answers.closed:
            self._take_over(answer)
        elif word == control_messages.WHO:
            self._introduce(answer)

    def _introduce(self, asker: str) -> None:
        work = self._redis.publish(
            self._keys.control(asker), running_replicas.introduction(self._redis)
        )
        self._tasks.create_task(contained(work, "introduction_failed"), name="introduce")


def _notify(news: asyncio.Event, entries: Sequence[LogEntry]) -> None:
    if not entries or isinstance(entries[-1].event, TERMINAL):
        news.set()
