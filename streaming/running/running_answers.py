"""Hold the answers that this replica writes, from the lease that it was granted to their end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from redis.exceptions import ResponseError

from sessions.errors import ServiceError, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.supervision import PASSING, contained
from streaming.log import control_messages
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.machine import AnswerMachine
from streaming.log.positions import Position
from streaming.log.transitions import FinishOutcome, Transitions
from streaming.log.write_buffer import BufferState, WriteBuffer
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.finishing import Finisher
from streaming.running.generation_task import GenerationTask, StopReason
from streaming.running.leases import Leases

_FIRST: Final = Position(1, 0)
_RETRY: Final = 0.25  # seconds between two attempts to give an answer up while Redis is away
_MOST: Final = 256  # answers that are given up at a time; the leases of the rest run out

logger = logging.getLogger(__name__)


class RunningAnswers:
    """The answers that are being written here; each is a task of *tasks*, named after it."""

    def __init__(
        self,
        tasks: asyncio.TaskGroup,
        redis: Redis,
        keys: Keys,
        tail: Tail,
        writer: Writer,
        leases: Leases,
        transitions: Transitions,
        author: AnswerAuthor,
    ) -> None:
        self._tasks = tasks
        self._redis = redis
        self._keys = keys
        self._tail = tail
        self._writer = writer
        self._leases = leases
        self._transitions = transitions
        self._author = author
        self._jobs: dict[str, GenerationTask] = {}
        self._drafts: dict[str, WriteBuffer] = {}
        self._endings = Finisher(
            tasks,
            redis,
            writer,
            transitions,
            author.closing,
            patience=leases.ttl,
            granted=self._grant,
        )
        self._starting = 0
        self._unsure = 0
        self._emptied = asyncio.Event()
        self._closed = False

    def __contains__(self, answer: str) -> bool:
        return answer in self._jobs

    def __len__(self) -> int:
        return len(self._jobs)

    def stop(self, answer: str, why: StopReason) -> None:
        """Stop *answer*, if it is here."""
        if job := self._jobs.get(answer):
            job.stop(why)

    def publish(self, answer: str) -> None:
        """Tell other replicas what is written of *answer*, if it is here: one of them follows."""
        if (draft := self._drafts.get(answer)) and not draft.public:
            draft.public = True
            if latest := draft.latest:  # so that a gap shows, should nothing more come for long
                self._spawn(self.announce(answer, [latest]), answer, name=f"publish {answer}")

    def close(self) -> None:
        """Hand over at once whatever is started from now on."""
        self._closed = True

    def hand_over(self) -> None:
        """Hand over everything that is here, and guard the ends of nothing more."""
        self._endings.close()
        for job in self._jobs.values():
            job.stop(StopReason.HANDOVER)

    async def emptied(self) -> None:
        """Wait until nothing is written here."""
        while self._jobs or self._starting:
            self._emptied.clear()
            await self._emptied.wait()

    def begin(
        self, assignment: Assignment, started: Started, deadline: float, *, public: bool = False
    ) -> None:
        """Write an answer from the start; *deadline* is by Redis' clock. See `start`."""
        machine = AnswerMachine(assignment.answer)
        machine.apply(started)
        self.start(assignment, machine, [LogEntry(_FIRST, started)], deadline, public=public)

    def start(
        self,
        assignment: Assignment,
        machine: AnswerMachine,
        told: Sequence[LogEntry],
        deadline: float,
        *,
        ending: Succeeded | Failed | None = None,
        public: bool,
    ) -> None:
        """Write, or only end, an answer whose lease has just been granted and whose log is *told*.

        *machine* has folded it. It is *public* where other replicas may follow it already. Of two
        epochs, the first of which was heard of late, the later one is ours.
        """
        answer = assignment.answer
        if rival := self._jobs.get(answer):
            if rival.assignment.epoch >= assignment.epoch:
                return
            rival.stop(StopReason.LOST)
        left = (deadline - self._leases.clock.now) / 1000
        job = GenerationTask(assignment, machine, asyncio.get_running_loop().time() + left, ending)
        if self._closed:
            job.stop(StopReason.HANDOVER)
        self._jobs[answer] = job
        tell = self._tail.own(answer)
        tell(told)
        draft = self._drafts[answer] = self._writer.open(
            answer,
            told[-1].position,
            on_acknowledged=tell,
            on_lost=lambda: job.stop(StopReason.LOST),
            public=public,
        )
        self._leases.hold(answer, assignment.epoch)
        self._spawn(self._run(job, draft), answer, name=answer)

    def _spawn(self, work: Coroutine[Any, Any, None], answer: str, *, name: str) -> None:
        """Do *work* on *answer* in a task; its failure ends no other answer."""
        self._tasks.create_task(contained(work, "answer_task_failed", answer=answer), name=name)

    async def _run(self, job: GenerationTask, draft: WriteBuffer) -> None:
        """Write *job* to its end, or let it go; nothing but cancellation and exit gets out."""
        began = asyncio.get_running_loop().time()
        try:
            job.enter()
            ending = await job.write(self._author.generate, draft)
            stored = await self._store(job, draft, ending)
            seconds = round(asyncio.get_running_loop().time() - began, 3)
            about = {"answer": job.assignment.answer, "ending": type(ending).__name__}
            logger.info("answer_finished", extra=about | {"seconds": seconds})
            await self._tell_others(job.assignment, draft, ending, stored)
        except asyncio.CancelledError:
            truncated = draft.state is BufferState.TRUNCATED
            self._let_go(job, draft)
            if job.stopped is not StopReason.LOST or truncated:
                await self._release(job.assignment.answer, job.assignment.epoch)
            if job.stopped is None:
                raise
        except PASSING:
            raise
        except BaseException:
            logger.exception("finishing_failed", extra={"answer": job.assignment.answer})
            job.stopped = StopReason.LOST
            self._let_go(job, draft)
        finally:
            if self._jobs.get(job.assignment.answer) is job:
                del self._jobs[job.assignment.answer], self._drafts[job.assignment.answer]
            self._emptied.set()

    async def _store(
        self, job: GenerationTask, draft: WriteBuffer, ending: Succeeded | Failed
    ) -> FinishOutcome:
        """Store the end behind everything else, tell it here, and start who waited for it.

        Raises:
            CancelledError: the answer is not ours any more.
        """
        await draft.flushed()
        job.machine.apply(ending)
        end = self._endings.of(job, draft, ending)
        stored = await self._endings.store(end)
        if stored is None:
            job.stopped = StopReason.LOST
            raise asyncio.CancelledError
        job.leave()
        answer = job.assignment.answer
        self._leases.drop(answer)
        self._endings.guard(end, stored)
        self._tail.announce(answer, [LogEntry(draft.last.following, ending)])
        self._tail.end(answer)
        self._grant(stored)
        return stored

    def _grant(self, stored: FinishOutcome) -> None:
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
        try:
            if (draft := self._drafts.get(answer)) and draft.state.is_over:
                self.disclaim(answer, _FIRST.epoch)
                return
            record = await self._transitions.record(answer)
            if answer not in self and record and record.epoch == _FIRST.epoch:
                assignment = Assignment(
                    answer=answer,
                    session=record.session,
                    kind=record.kind,
                    request=record.request,
                )
                self.begin(assignment, record.started, stored.deadline, public=True)
                await self.announce(answer, [LogEntry(_FIRST, record.started)])
        except (Unavailable, ResponseError):
            logger.warning("next_not_started", extra={"answer": answer})
            self.disclaim(answer, _FIRST.epoch)
        finally:
            self._starting -= 1
            self._emptied.set()

    async def _tell_others(
        self,
        assignment: Assignment,
        draft: WriteBuffer,
        ending: Succeeded | Failed,
        stored: FinishOutcome,
    ) -> None:
        try:
            await self.announce(assignment.answer, [LogEntry(draft.last.following, ending)])
            await self._author.touch(assignment.session)
        except ServiceError:
            logger.warning("end_not_told", extra={"answer": assignment.answer})  # it will be read

    def _let_go(self, job: GenerationTask, draft: WriteBuffer) -> None:
        """Write no more in the epoch of *job*; a later one may have begun here."""
        answer = job.assignment.answer
        task = asyncio.current_task()
        if task is not None and job.stopped is not None:
            task.uncancel()
        draft.close()
        if self._jobs.get(answer) is job:
            self._leases.drop(answer)
            self._tail.disown(answer)
        logger.info("answer_let_go", extra={"answer": answer, "why": str(job.stopped)})

    def disclaim(self, answer: str, epoch: int) -> None:
        """Give *answer* up at once if *epoch* of it was granted to us, which nobody told us."""
        if self._unsure < _MOST:
            self._unsure += 1
            self._spawn(self._disclaim(answer, epoch), answer, name=f"disclaim {answer}")

    async def _disclaim(self, answer: str, epoch: int) -> None:
        try:
            await self._release(answer, epoch)
        finally:
            self._unsure -= 1

    async def _release(self, answer: str, epoch: int) -> None:
        """Have others take *answer* over at once, where *epoch* of it is ours.

        While Redis is away this is tried again; after the time of a lease it is over anyway.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._leases.ttl):
                while True:
                    with contextlib.suppress(Unavailable, ResponseError):
                        if await self._transitions.release(answer, epoch):
                            message = control_messages.FREE + answer.encode()
                            await self._redis.publish(
                                self._keys.control(control_messages.EVERYONE), message
                            )
                        return
                    await asyncio.sleep(_RETRY)

    async def announce(self, answer: str, entries: Sequence[LogEntry]) -> None:
        """Tell *entries*, which a script wrote, to the replicas that follow *answer*.

        What is not heard is read when they compare; a failure is not worth more.
        """
        channel = self._keys.channel(answer)
        with contextlib.suppress(Unavailable, ResponseError):
            for entry in entries:
                field, value = logs.encode(entry.event, reset=entry.reset)
                payload = logs.payload(entry.position, field, value)
                await self._redis.publish(channel, payload)
