"""Take a running answer over from an owner that is not heard of any more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from sessions.errors import FailedPrecondition, Unavailable
from sessions.resources import answers
from streaming.log import event_log as logs
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.machine import AnswerMachine
from streaming.log.positions import Position
from streaming.log.transitions import AnswerRecord, Moved, Transitions
from streaming.running import generation_task
from streaming.running.answer_author import Assignment, Continues
from streaming.running.leases import RedisClock

TAKE_OVERS: Final = 2
"""How often an answer is begun or continued by another replica; then it has failed."""

logger = logging.getLogger(__name__)


class TakenAnswer(NamedTuple):
    """An answer that is ours now.

    *entries* is its whole log, up to and including the first entry of our epoch. *deadline* is by
    Redis' clock. Where *ending* is given it only remains to be stored.
    """

    assignment: Assignment
    machine: AnswerMachine
    entries: list[LogEntry]
    deadline: float
    ending: Succeeded | Failed | None


class Takeover:
    """Takes answers over, one compare-and-set each: of any number of replicas one succeeds."""

    def __init__(
        self,
        transitions: Transitions,
        log: EventLog,
        clock: RedisClock,
        continues: Continues,
        unsure: Callable[[str, int], None],
    ) -> None:
        """Call *unsure* with an answer and the epoch that may have been granted, or not."""
        self._transitions = transitions
        self._log = log
        self._clock = clock
        self._continues = continues
        self._unsure = unsure

    async def attempt(self, answer: str) -> TakenAnswer | None:
        """Take *answer* over; return None where its lease runs, it waits, has ended, or is gone.

        Raises:
            Unavailable: Redis is away.
        """
        while True:
            record = await self._transitions.record(answer)
            if record is None or record.epoch == 0:
                return None
            try:
                return await self._attempt(answer, record)
            except Moved:
                continue  # its owner lives, or another came first: the next look shows it

    async def _attempt(self, answer: str, record: AnswerRecord) -> TakenAnswer | None:
        entries, top, machine = await self._read(answer)
        ending = _ending(record, machine, self._clock.now)
        assignment = Assignment(
            answer=answer,
            session=record.session,
            kind=record.kind,
            request=record.request,
            epoch=record.epoch + 1,
            attempts=record.attempts + 1,
            written=machine.answer if machine else answers.Answer(),
        )
        if machine is None:
            reset = top is not None
        else:
            reset = ending is None and machine.text_size > 0 and not self._continues(assignment)
        if reset or machine is None:
            assignment = msgspec.structs.replace(assignment, written=answers.Answer())
            machine = AnswerMachine(answer)
        first = LogEntry(Position(assignment.epoch, 0), record.started, reset)
        try:
            if not await self._transitions.take_over(answer, top, first):
                return None
        except Unavailable:
            self._unsure(answer, assignment.epoch)
            raise
        machine.apply(Started(at=record.started.at))
        return TakenAnswer(assignment, machine, [*entries, first], record.deadline, ending)

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


def _ending(
    record: AnswerRecord, machine: AnswerMachine | None, now: float
) -> Succeeded | Failed | None:
    """Return how the answer ends where nobody should generate it any more."""
    if record.cancel:
        return generation_task.cancelled()
    if record.attempts >= TAKE_OVERS:
        return generation_task.failed(
            "WRITER_LOST", "whoever wrote the answer was lost, repeatedly", 14
        )
    if record.deadline <= now:
        return generation_task.out_of_time()
    if machine is not None and machine.skipped:
        return Succeeded(at=generation_task.now())
    return None
