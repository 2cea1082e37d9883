"""Hold the answers that this replica writes, from the lease that it was granted to their end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Final, NamedTuple

from redis.exceptions import ResponseError

from sessions import log_context, spans
from sessions.errors import ServiceError, Unavailable
from sessions.redis.connection import Redis
from sessions.spans import Tracer, TraceSpan
from sessions.supervision import PASSING, contained
from streaming.log.answer_machine import AnswerMachine
from streaming.log.event_log import LogEntry
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.positions import Position
from streaming.log.publications import Inbox
from streaming.log.transitions import FinishOutcome, Transitions
from streaming.log.write_buffer import BufferState, WriteBuffer
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.finishing import Finisher
from streaming.running.generation_task import GenerationTask, StopReason
from streaming.running.leases import Leases
from streaming.running.releases import Releases
from streaming.running.writing_span import WritingSpan

FIRST: Final = Position(1, 0)
"""Where an answer begins that was not taken over."""

logger = logging.getLogger(__name__)


class RunningAnswer(NamedTuple):
    """One of them: who generates it, and what takes it to the log."""

    generation: GenerationTask
    buffer: WriteBuffer


class RunningAnswers:
    """The answers that are being written here; each is a task of *tasks*, named after it.

    What becomes of one is drawn in `generation_task.FOLLOWS`. Of two epochs of one answer the later
    is the one that is held, whichever is heard of first.
    """

    def __init__(
        self,
        tasks: asyncio.TaskGroup,
        redis: Redis,
        tail: Tail,
        writer: Writer,
        leases: Leases,
        transitions: Transitions,
        releases: Releases,
        author: AnswerAuthor,
        tracer: Tracer,
    ) -> None:
        self._tasks = tasks
        self._tail = tail
        self._writer = writer
        self._leases = leases
        self._transitions = transitions
        self._releases = releases
        self._author = author
        self._tracer = tracer
        self._running: dict[str, RunningAnswer] = {}
        self._finisher = Finisher(
            tasks,
            redis,
            writer,
            transitions,
            author.closing,
            patience=leases.ttl,
            granted=self._start_next,
        )
        self._starting = 0  # answers that were granted and are not running yet
        self._emptied = asyncio.Event()
        self.closed = False
        """Whether whatever is started from now on is handed over at once."""

    def __contains__(self, answer: str) -> bool:
        return answer in self._running

    def __len__(self) -> int:
        return len(self._running)

    def stop(self, answer: str, why: StopReason) -> None:
        """Stop *answer*, if it is here."""
        if here := self._running.get(answer):
            here.generation.stop(why)

    def publish(self, answer: str) -> None:
        """Tell what is written of *answer* on its channel, if it is here: a replica follows."""
        if (here := self._running.get(answer)) and not here.buffer.public:
            here.buffer.public = True
            self._publish_latest(here.buffer)

    def address(self, answer: str, inbox: Inbox) -> None:
        """Tell what is written of *answer* to *inbox*, if it is here: its replica follows."""
        if (here := self._running.get(answer)) and here.buffer.address(inbox):
            self._publish_latest(here.buffer)

    def _publish_latest(self, buffer: WriteBuffer) -> None:
        if latest := buffer.latest:  # so that a gap shows, should no more come for long
            answer = buffer.answer
            work = self._writer.publish(answer, [latest])
            self._spawn(work, answer, name=f"publish {answer}")

    def close(self) -> None:
        """Hand over at once whatever is started from now on."""
        self.closed = True

    def hand_over(self) -> None:
        """Hand over everything that is here, and guard the ends of nothing more."""
        self._finisher.close()
        for here in self._running.values():
            here.generation.stop(StopReason.HANDOVER)

    async def emptied(self) -> None:
        """Wait until nothing is written here."""
        while self._running or self._starting:
            self._emptied.clear()
            await self._emptied.wait()

    def begin(
        self, assignment: Assignment, started: Started, deadline: float, *, public: bool = False
    ) -> None:
        """Write an answer from the start; *deadline* is by Redis' clock. See `start`."""
        machine = AnswerMachine(assignment.answer)
        machine.apply(started)
        self.start(assignment, machine, [LogEntry(FIRST, started)], deadline, public=public)

    def start(
        self,
        assignment: Assignment,
        machine: AnswerMachine,
        entries: Sequence[LogEntry],
        deadline: float,
        *,
        terminal: Succeeded | Failed | None = None,
        public: bool,
    ) -> None:
        """Write, or only end, an answer whose lease has just been granted.

        *entries* are its log, which *machine* has folded. It is *public* where other replicas may
        follow it already.
        """
        answer = assignment.answer
        if rival := self._running.get(answer):
            # The reply that granted the earlier epoch took longer than its lease.
            if rival.generation.assignment.epoch >= assignment.epoch:
                return
            rival.generation.stop(StopReason.LOST)
        left = (deadline - self._leases.clock.now) / 1000
        until = asyncio.get_running_loop().time() + left
        generation = GenerationTask(assignment, machine, until, terminal)
        if self.closed:
            generation.stop(StopReason.HANDOVER)
        tell = self._tail.own(answer)
        tell(entries)
        # Not what is current here: an answer that waited is begun by the one before it.
        granted = self._tracer.remote(assignment.trace)
        writing = WritingSpan(granted, assignment)
        buffer = self._writer.open(
            answer,
            entries[-1].position,
            on_acknowledged=writing.watching(tell),
            on_lost=lambda: generation.stop(StopReason.LOST),
            public=public,
        )
        self._running[answer] = RunningAnswer(generation, buffer)
        self._leases.hold(answer, assignment.epoch)
        work = self._run(generation, buffer, granted, writing)
        self._spawn(work, answer, name=answer)

    def _spawn(self, work: Coroutine[Any, Any, None], answer: str, *, name: str) -> None:
        """Do *work* on *answer* in a task; its failure ends no other answer."""
        self._tasks.create_task(contained(work, "answer_task_failed", answer=answer), name=name)

    async def _run(
        self,
        generation: GenerationTask,
        buffer: WriteBuffer,
        granted: TraceSpan,
        writing: WritingSpan,
    ) -> None:
        """Write an answer to its end, or let it go; nothing but cancellation and exit gets out."""
        assignment = generation.assignment
        answer = assignment.answer
        log_context.bind(answer=answer)
        # Stages are parts of what granted the right and has ended, not of the writing: a span that
        # is open when its process is killed is never sent, and they would hang on nothing.
        spans.CURRENT.set(granted)
        terminal: Succeeded | Failed | None = None
        began = asyncio.get_running_loop().time()
        try:
            generation.enter()
            terminal = await generation.write(self._author.generate, buffer)
            await self._store(generation, buffer, terminal)
            seconds = round(asyncio.get_running_loop().time() - began, 3)
            about = {"answer": answer, "ending": type(terminal).__name__}
            logger.info("answer_finished", extra=about | {"seconds": seconds})
            await self._tell_others(assignment, buffer, terminal)
        except asyncio.CancelledError:
            truncated = buffer.state is BufferState.TRUNCATED
            self._let_go(generation, buffer)
            # Lost it is another's, but where only its log was cut short it is nobody's.
            if generation.stopped is not StopReason.LOST or truncated:
                await self._releases.release(answer, assignment.epoch)
            if generation.stopped is None:
                raise
        except PASSING:
            raise
        except BaseException:
            logger.exception("finishing_failed", extra={"answer": answer})
            generation.give_up()
            self._let_go(generation, buffer)
        finally:
            writing.end(terminal, str(generation.stopped or ""))
            # A later epoch may be here by now.
            if (here := self._running.get(answer)) and here.generation is generation:
                del self._running[answer]
            self._emptied.set()

    async def _store(
        self, generation: GenerationTask, buffer: WriteBuffer, terminal: Succeeded | Failed
    ) -> None:
        """Store the end behind everything else, tell it here, and start who waited for it.

        Raises:
            CancelledError: the answer is not ours any more.
        """
        await buffer.flushed()
        generation.machine.apply(terminal)
        finish = self._finisher.prepare(generation, buffer, terminal)
        stored = await self._finisher.store(finish)
        if stored is None:
            generation.give_up()
            raise asyncio.CancelledError
        # To stop it from here on would only keep others from hearing that it ended.
        generation.leave()
        answer = generation.assignment.answer
        self._leases.drop(answer)
        self._finisher.guard(finish, stored)
        self._tail.announce(answer, [LogEntry(buffer.last.following, terminal)])
        self._tail.end(answer)
        self._start_next(stored)

    def _start_next(self, stored: FinishOutcome) -> None:
        """Start who waited for what is *stored*."""
        if stored.next:
            self._starting += 1
            self._spawn(self._begin_next(stored), stored.next, name=stored.next)

    async def _begin_next(self, stored: FinishOutcome) -> None:
        """Write the answer that waited, or give it up.

        It may be here already, where a failover took away that it was granted before: then it
        goes on. Where its log was seen to be gone, it is given up: what was told of it in this
        epoch must not be told otherwise in the same.
        """
        answer = stored.next
        log_context.replace(answer=answer)
        try:
            if (here := self._running.get(answer)) and here.buffer.state.is_over:
                self._releases.release_unconfirmed(answer, FIRST.epoch)
                return
            record = await self._transitions.read_record(answer)
            if answer not in self and record and record.epoch == FIRST.epoch:
                assignment = Assignment(
                    answer=answer,
                    session=record.session,
                    kind=record.kind,
                    request=record.request,
                    trace=record.trace,
                )
                self.begin(assignment, record.started, stored.deadline, public=True)
                await self._writer.publish(answer, [LogEntry(FIRST, record.started)])
        except (Unavailable, ResponseError):
            logger.warning("next_not_started", extra={"answer": answer})
            self._releases.release_unconfirmed(answer, FIRST.epoch)
        finally:
            self._starting -= 1
            self._emptied.set()

    async def _tell_others(
        self, assignment: Assignment, buffer: WriteBuffer, terminal: Succeeded | Failed
    ) -> None:
        try:
            last = LogEntry(buffer.last.following, terminal)
            await self._writer.publish(assignment.answer, [last])
            await self._author.touch(assignment.session)
        except ServiceError:
            logger.warning("end_not_told", extra={"answer": assignment.answer})  # it will be read

    def _let_go(self, generation: GenerationTask, buffer: WriteBuffer) -> None:
        """Write no more in the epoch of *generation*; a later one may have begun here."""
        answer = generation.assignment.answer
        task = asyncio.current_task()
        if task is not None and generation.stopped is not None:
            task.uncancel()  # as who does not let a cancellation through has to
        buffer.close()
        if (here := self._running.get(answer)) and here.generation is generation:
            self._leases.drop(answer)
            self._tail.disown(answer)
        logger.info("answer_let_go", extra={"answer": answer, "why": str(generation.stopped)})
