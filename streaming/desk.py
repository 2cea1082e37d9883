"""Hold the answers that this replica writes, from the lease that it was granted to their end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Final

from redis.exceptions import ResponseError

from sessions.connection import Redis
from sessions.errors import ServiceError, Unavailable
from sessions.keys import Keys
from sessions.resources import answers
from streaming import control
from streaming import log as logs
from streaming.claims import Claim, Craft
from streaming.drafts import Draft
from streaming.events import Failed, Started, Succeeded
from streaming.jobs import Job, Stop
from streaming.lease import Leases
from streaming.log import Entry
from streaming.machine import AnswerMachine
from streaming.positions import Position
from streaming.tail import Tail
from streaming.transitions import Finished, Moved, Transitions
from streaming.writer import Writer

_FIRST: Final = Position(1, 0)
_RETRY: Final = 0.25  # seconds between two attempts to store an end while Redis is away

logger = logging.getLogger(__name__)


class Desk:
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
        craft: Craft,
    ) -> None:
        self._tasks = tasks
        self._redis = redis
        self._keys = keys
        self._tail = tail
        self._writer = writer
        self._leases = leases
        self._transitions = transitions
        self._craft = craft
        self._jobs: dict[str, Job] = {}
        self._drafts: dict[str, Draft] = {}
        self._starting = 0
        self._emptied = asyncio.Event()
        self._closed = False

    def __contains__(self, answer: str) -> bool:
        return answer in self._jobs

    def __len__(self) -> int:
        return len(self._jobs)

    def stop(self, answer: str, why: Stop) -> None:
        """Stop *answer*, if it is here."""
        if job := self._jobs.get(answer):
            job.stop(why)

    def publish(self, answer: str) -> None:
        """Tell other replicas what is written of *answer*, if it is here: one of them follows."""
        if (draft := self._drafts.get(answer)) and not draft.public:
            draft.public = True
            if latest := draft.latest:  # so that a gap shows, should nothing more come for long
                self._tasks.create_task(self.announce(answer, [latest]), name=f"publish {answer}")

    def close(self) -> None:
        """Hand over at once whatever is started from now on."""
        self._closed = True

    def hand_over(self) -> None:
        """Hand over everything that is here."""
        for job in self._jobs.values():
            job.stop(Stop.HANDOVER)

    async def emptied(self) -> None:
        """Wait until nothing is written here."""
        while self._jobs or self._starting:
            self._emptied.clear()
            await self._emptied.wait()

    def begin(
        self, claim: Claim, started: Started, deadline: float, *, public: bool = False
    ) -> None:
        """Write an answer from the start; *deadline* is by Redis' clock. See `start`."""
        machine = AnswerMachine(claim.answer)
        machine.apply(started)
        self.start(claim, machine, [Entry(_FIRST, started)], deadline, public=public)

    def start(
        self,
        claim: Claim,
        machine: AnswerMachine,
        told: Sequence[Entry],
        deadline: float,
        *,
        ending: Succeeded | Failed | None = None,
        public: bool,
    ) -> None:
        """Write, or only end, an answer whose lease has just been granted and whose log is *told*.

        *machine* has folded it. It is *public* where other replicas may follow it already.
        """
        answer = claim.answer
        left = (deadline - self._leases.clock.now) / 1000
        job = Job(claim, machine, asyncio.get_running_loop().time() + left, ending)
        if self._closed:
            job.stop(Stop.HANDOVER)
        self._jobs[answer] = job
        tell = self._tail.own(answer)
        tell(told)
        draft = self._drafts[answer] = self._writer.open(
            answer,
            told[-1].position,
            tell=tell,
            on_lost=lambda: job.stop(Stop.LOST),
            public=public,
        )
        self._leases.hold(answer, claim.epoch)
        self._tasks.create_task(self._run(job, draft), name=answer)

    async def _run(self, job: Job, draft: Draft) -> None:
        """Write *job* to its end, or let it go; no Exception gets out."""
        began = asyncio.get_running_loop().time()
        try:
            job.enter()
            ending = await job.write(self._craft.generate, draft)
            stored = await self._store(job, draft, ending)
            seconds = round(asyncio.get_running_loop().time() - began, 3)
            about = {"answer": job.claim.answer, "ending": type(ending).__name__}
            logger.info("answer_finished", extra=about | {"seconds": seconds})
            await self._tell_others(job.claim, draft, ending, stored)
        except asyncio.CancelledError:
            await self._let_go(job, draft)
            if job.stopped is None:
                raise
        except Exception:
            logger.exception("finishing_failed", extra={"answer": job.claim.answer})
            job.stopped = Stop.LOST
            await self._let_go(job, draft)
        finally:
            del self._jobs[job.claim.answer], self._drafts[job.claim.answer]
            self._emptied.set()

    async def _store(self, job: Job, draft: Draft, ending: Succeeded | Failed) -> Finished:
        """Store the end behind everything else, tell it here, and start who waited for it.

        Raises:
            CancelledError: the answer is not ours any more.
        """
        await draft.flushed()
        job.machine.apply(ending)
        stored = await self._finish(job, draft, ending)
        if stored is None:
            job.stopped = Stop.LOST
            raise asyncio.CancelledError
        answer = job.claim.answer
        self._leases.drop(answer)
        draft.close()
        self._tail.told(answer, [Entry(draft.last.following, ending)])
        self._tail.end(answer)
        if stored.next:
            self._starting += 1
            self._tasks.create_task(self._begin_next(stored), name=stored.next)
        return stored

    async def _finish(self, job: Job, draft: Draft, ending: Succeeded | Failed) -> Finished | None:
        """Store the end; while Redis is away, try again. Return None where it is not ours."""
        name, answer = job.claim.answer, job.machine.answer
        closing = self._close(job.claim, answer)
        while await draft.flushed():
            try:
                return await self._transitions.finish(name, answer, draft.last, ending, closing)
            except Unavailable:
                await asyncio.sleep(_RETRY)
            except Moved:
                self._writer.check(draft)
        return None

    def _close(self, claim: Claim, answer: answers.Answer) -> bytes | None:
        try:
            return self._craft.closing(claim, answer)
        except Exception:
            # A supervisor: whatever is wrong with the reply, the answer ends.
            logger.exception("closing_failed", extra={"answer": claim.answer})
            return None

    async def _begin_next(self, stored: Finished) -> None:
        """Write the answer that waited. If that fails its lease runs out, and it is adopted."""
        answer = stored.next
        try:
            if record := await self._transitions.record(answer):
                claim = Claim(
                    answer=answer,
                    session=record.session,
                    kind=record.kind,
                    request=record.request,
                )
                self.begin(claim, record.started, stored.deadline, public=True)
                await self.announce(answer, [Entry(_FIRST, record.started)])
        except Unavailable:
            logger.warning("next_not_started", extra={"answer": answer})
        finally:
            self._starting -= 1
            self._emptied.set()

    async def _tell_others(
        self, claim: Claim, draft: Draft, ending: Succeeded | Failed, stored: Finished
    ) -> None:
        try:
            await self.announce(claim.answer, [Entry(draft.last.following, ending)])
            await self._craft.touched(claim.session, stored.updated)
        except ServiceError:
            logger.warning("end_not_told", extra={"answer": claim.answer})  # it will be read

    async def _let_go(self, job: Job, draft: Draft) -> None:
        """Write no more; where this replica stops, others may take the answer at once."""
        answer = job.claim.answer
        task = asyncio.current_task()
        if task is not None and job.stopped is not None:
            task.uncancel()
        self._leases.drop(answer)
        draft.close()
        self._tail.disown(answer)
        logger.info("answer_let_go", extra={"answer": answer, "why": str(job.stopped)})
        if job.stopped is not Stop.LOST:
            with contextlib.suppress(Unavailable, ResponseError):
                await self._transitions.release(answer, job.claim.epoch)
                message = control.FREE + answer.encode()
                await self._redis.publish(self._keys.control(control.EVERYONE), message)

    async def announce(self, answer: str, entries: Sequence[Entry]) -> None:
        """Tell *entries*, which a script wrote, to the replicas that follow *answer*.

        What is not heard is read when they compare; a failure is not worth more.
        """
        channel = self._keys.channel(answer)
        with contextlib.suppress(Unavailable, ResponseError):
            for entry in entries:
                field, value = logs.encode(entry.event, reset=entry.reset)
                payload = logs.payload(entry.position, field, value)
                await self._redis.publish(channel, payload)
