"""Take running answers over from owners that are not heard of any more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from sessions import log_context, spans
from sessions.errors import FailedPrecondition, ServiceError, Unavailable
from sessions.resources import answers
from sessions.spans import Tracer
from sessions.supervision import PASSING
from streaming.log import event_log as logs
from streaming.log.answer_machine import AnswerMachine
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.positions import Position
from streaming.log.transitions import AnswerRecord, LogEndsElsewhere, Transitions
from streaming.log.writer import Writer
from streaming.running import terminal_events
from streaming.running.answer_author import Assignment, Continues
from streaming.running.leases import RedisClock
from streaming.running.releases import Releases
from streaming.running.running_answers import RunningAnswers

TAKE_OVERS: Final = 2
"""How often an answer is begun or continued by another replica; then it has failed."""

logger = logging.getLogger(__name__)


class TakenAnswer(NamedTuple):
    """An answer that is ours now.

    *entries* is its whole log, up to and including the first entry of our epoch. *deadline* is by
    Redis' clock. Where *terminal* is given it only remains to be stored.
    """

    assignment: Assignment
    machine: AnswerMachine
    entries: list[LogEntry]
    deadline: float
    terminal: Succeeded | Failed | None


class Takeover:
    """Takes answers over, one compare-and-set each: of any number of replicas one succeeds."""

    def __init__(
        self,
        transitions: Transitions,
        log: EventLog,
        clock: RedisClock,
        continues: Continues,
        running: RunningAnswers,
        writer: Writer,
        releases: Releases,
        tracer: Tracer,
        taken_over: Callable[[], None] = lambda: None,
    ) -> None:
        """Hand what is taken over to *running*; *taken_over* is called for each."""
        self._transitions = transitions
        self._log = log
        self._clock = clock
        self._continues = continues
        self._running = running
        self._writer = writer
        self._releases = releases
        self._tracer = tracer
        self._taken_over = taken_over
        self._taking: set[str] = set()

    async def take(self, answer: str) -> None:
        """Take *answer* over and write it here, unless it is here, or this replica stops.

        Raises:
            Unavailable: Redis is away.
        """
        # The reaper, readers and who released it may all ask at once; one attempt is enough.
        if self._running.closed or answer in self._running or answer in self._taking:
            return
        self._taking.add(answer)
        log_context.replace(answer=answer)
        try:
            taken = await self.attempt(answer)
            if taken is None:
                return
            epoch = taken.assignment.epoch
            spans.CURRENT.set(self._tracer.remote(taken.assignment.trace))
            logger.info("answer_taken_over", extra={"answer": answer, "epoch": epoch})
            self._taken_over()
            self._running.start(
                taken.assignment,
                taken.machine,
                taken.entries,
                taken.deadline,
                terminal=taken.terminal,
                public=True,
            )
        finally:
            self._taking.discard(answer)
        await self._writer.publish(answer, taken.entries[-1:])

    async def take_quietly(self, answer: str) -> None:
        """Do so where nobody waits for it: what fails is logged."""
        try:
            await self.take(answer)
        except ServiceError:
            logger.warning("take_over_failed", extra={"answer": answer})  # the next round tries
        except PASSING:
            raise
        except BaseException:
            logger.exception("take_over_failed", extra={"answer": answer})

    async def attempt(self, answer: str) -> TakenAnswer | None:
        """Take *answer* over; return None where its lease runs, it waits, has ended, or is gone.

        Raises:
            Unavailable: Redis is away.
        """
        while True:
            record = await self._transitions.read_record(answer)
            if record is None or record.epoch == 0:  # ended, or waiting: it has no lease to expire
                return None
            try:
                return await self._attempt(answer, record)
            except LogEndsElsewhere:
                continue  # its owner lives, or another came first: the next look shows it

    async def _attempt(self, answer: str, record: AnswerRecord) -> TakenAnswer | None:
        # Where another replica comes first it is never ended, and so never told.
        span = self._tracer.remote(record.trace).child("take over answer")
        entries, top, machine = await self._read(answer)
        terminal = _terminal(record, machine, self._clock.now)
        assignment = Assignment(
            answer=answer,
            session=record.session,
            kind=record.kind,
            request=record.request,
            epoch=record.epoch + 1,
            attempts=record.attempts + 1,
            written=machine.answer if machine else answers.Answer(),
            trace=span.context,
        )
        if machine is None:
            reset = top is not None
        else:
            # Text that nobody continues is withdrawn, or readers would have two beginnings. What
            # only remains to be ended keeps it, and stages before the text may be told again.
            has_text = machine.text_size > 0
            reset = terminal is None and has_text and not self._continues(assignment)
        if reset or machine is None:
            assignment = msgspec.structs.replace(assignment, written=answers.Answer())
            machine = AnswerMachine(answer)
        first = LogEntry(Position(assignment.epoch, 0), record.started, reset)
        try:
            if not await self._transitions.take_over(answer, top, first):
                return None
        except Unavailable:
            self._releases.release_unconfirmed(answer, assignment.epoch)
            raise
        machine.apply(Started(at=record.started.at))
        span.set({"colloquy.answer": answer, "colloquy.epoch": assignment.epoch})
        span.set({"colloquy.attempts": assignment.attempts, "colloquy.reset": reset})
        span.end()
        return TakenAnswer(assignment, machine, [*entries, first], record.deadline, terminal)

    async def _read(
        self, answer: str
    ) -> tuple[list[LogEntry], Position | None, AnswerMachine | None]:
        """Return the log, where it ends, and its fold: None where it is empty or makes no sense.

        The latter must not be: but whatever was written, the answer has to end.
        """
        try:
            entries = await self._log.read(answer)
            machine = logs.fold(entries, name=answer) if entries else None
            return entries, entries[-1].position if entries else None, machine
        except (FailedPrecondition, msgspec.DecodeError, UnicodeDecodeError) as exc:
            logger.warning("log_makes_no_sense", extra={"answer": answer, "error": str(exc)})
            return [], await self._log.top(answer), None


def _terminal(
    record: AnswerRecord, machine: AnswerMachine | None, now: float
) -> Succeeded | Failed | None:
    """Return how the answer ends where nobody should generate it any more.

    A cancellation comes first: who asked for it waits for that, whatever else befell the answer.
    """
    if record.cancel:
        return terminal_events.cancelled()
    if record.attempts >= TAKE_OVERS:
        return terminal_events.failed(
            "WRITER_LOST", "whoever wrote the answer was lost, repeatedly", 14
        )
    if record.deadline <= now:
        return terminal_events.out_of_time()
    if machine is not None and machine.skipped:
        return Succeeded(at=terminal_events.now())
    return None
