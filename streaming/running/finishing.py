"""Store how answers end, and see to it for a while that no failover takes that away.

An end that a failover lost would have its answer, which readers saw end, written anew by whoever
takes it over. Who wrote it knows the end best: it is stored again, byte for byte.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.resources import answers
from sessions.supervision import PASSING
from streaming.log.events import Failed, Succeeded
from streaming.log.transitions import FinishOutcome, LogEndsElsewhere, Transitions
from streaming.log.write_buffer import WriteBuffer
from streaming.log.writer import Writer
from streaming.running.answer_author import Assignment, Closing
from streaming.running.generation_task import GenerationTask

GUARD: Final = 5.0
"""Seconds on a socket that lasts after which an end is taken to be with the replicas of Redis."""

_LONGEST: Final = 60.0  # seconds after which an end is left alone, though Redis is away
_MOST: Final = 512  # ends that are guarded at a time
_RETRY: Final = 0.25  # seconds between two attempts to store an end

logger = logging.getLogger(__name__)


class PendingFinish(NamedTuple):
    """How *generation* ends: behind what is in *buffer* comes *terminal*.

    *closing* goes to the turns.
    """

    generation: GenerationTask
    buffer: WriteBuffer
    terminal: Succeeded | Failed
    closing: bytes | None


class Finisher:
    """The ends of the answers that are written here. What guards them are tasks of *tasks*.

    How an answer ends is STORING before it is told. Then it is GUARDED while its socket lasts, and
    RESTORING once that was exchanged, until the end is DONE with. A test walks this:

    ==================  =========  =========  =========
    ..                  STORING    GUARDED    RESTORING
    ==================  =========  =========  =========
    stored              GUARDED    ..         GUARDED
    stored anew         ..         ..         GUARDED
    not ours            LOST       ..         LOST
    log ends elsewhere  STORING    ..         RESTORING
    log is lost         LOST       DONE       LOST
    Redis is away       STORING    ..         RESTORING
    refused             STORING    ..         RESTORING
    refused for long    REFUSED    ..         REFUSED
    socket lasts        ..         DONE       ..
    socket exchanged    ..         RESTORING  ..
    a minute passes     ..         UNSURE     UNSURE
    closed              ..         DONE       DONE
    ==================  =========  =========  =========

    What is REFUSED before it was told is left to whoever takes the answer over. LOST, it is another
    replica's, or deleted. UNSURE, it was told, and stays as Redis has it.
    """

    def __init__(
        self,
        tasks: asyncio.TaskGroup,
        redis: Redis,
        writer: Writer,
        transitions: Transitions,
        closing: Closing,
        *,
        patience: float,
        granted: Callable[[FinishOutcome], None],
    ) -> None:
        """Bear for *patience* seconds that Redis refuses an end.

        *granted* is called where storing an end again has granted who waited for it.
        """
        self._tasks = tasks
        self._redis = redis
        self._writer = writer
        self._transitions = transitions
        self._closing = closing
        self._patience = patience
        self._granted = granted
        self._guards: dict[asyncio.Task[None], None] = {}
        self._closed = False

    def close(self) -> None:
        """Guard nothing more."""
        self._closed = True
        for guard in self._guards:
            guard.cancel()

    def prepare(
        self, generation: GenerationTask, buffer: WriteBuffer, terminal: Succeeded | Failed
    ) -> PendingFinish:
        """Return how *generation* ends, whose machine has folded *terminal*, too.

        What goes to the turns is made once: stored again it must be the same, byte for byte.
        """
        closing = self._closing_of(generation.assignment, generation.machine.answer, terminal)
        return PendingFinish(generation, buffer, terminal, closing)

    def _closing_of(
        self, assignment: Assignment, answer: answers.Answer, terminal: Succeeded | Failed
    ) -> bytes | None:
        try:
            return self._closing(assignment, answer, terminal)
        except PASSING:
            raise
        except BaseException:
            # A supervisor: whatever is wrong with the reply, the answer ends.
            logger.exception("closing_failed", extra={"answer": assignment.answer})
            return None

    async def store(self, finish: PendingFinish) -> FinishOutcome | None:
        """Store *finish* behind everything else; where Redis cannot, try again.

        It may be called again, and returns the same then. Return None where it is not ours.

        Raises:
            ResponseError: Redis refuses it, beyond the deadline of the answer and our patience.
        """
        generation, buffer, terminal, closing = finish
        name, answer = generation.assignment.answer, generation.machine.answer
        clock = asyncio.get_running_loop().time
        # Beyond its deadline, too: all is generated, and what Redis lacks, say memory, comes back.
        until = max(generation.deadline, clock() + self._patience)
        while await buffer.flushed():
            try:
                return await self._transitions.finish(name, answer, buffer.last, terminal, closing)
            except LogEndsElsewhere:
                self._writer.check(buffer)  # what is missing is appended first, or it is lost
                continue
            except Unavailable:
                pass
            except ResponseError as exc:
                if clock() > until:
                    raise
                logger.warning("end_refused", extra={"answer": name, "error": str(exc)})
            await asyncio.sleep(_RETRY)
        return None

    def guard(self, finish: PendingFinish, stored: FinishOutcome) -> None:
        """Store *finish* again should it be lost; it was *stored*. Its buffer is closed then."""
        if self._closed:
            finish.buffer.close()
            return
        if len(self._guards) >= _MOST:
            next(iter(self._guards)).cancel()  # it has waited longest
        name = f"guard {finish.generation.assignment.answer}"
        guard = self._tasks.create_task(self._guard(finish, stored), name=name)
        self._guards[guard] = None
        guard.add_done_callback(self._guards.pop)

    async def _guard(self, finish: PendingFinish, stored: FinishOutcome) -> None:
        about = {"answer": finish.generation.assignment.answer}
        try:
            async with asyncio.timeout(_LONGEST):
                while await self._is_in_doubt(finish.buffer):
                    again = await self.store(finish)
                    if again is None:
                        logger.warning("end_lost", extra=about)
                        break
                    if again != stored:  # else the first was there still, and returned
                        logger.warning("end_stored_again", extra=about)
                        self._granted(again)
                    stored = again
        except TimeoutError:
            logger.warning("end_in_doubt", extra=about)
        except PASSING:
            raise
        except BaseException:
            # A supervisor: the end was told, and nobody waits for this.
            logger.exception("guarding_failed", extra=about)
        finally:
            finish.buffer.close()

    async def _is_in_doubt(self, buffer: WriteBuffer) -> bool:
        """Wait until the log was compared on another socket, or this one has lasted."""
        while True:
            try:
                async with asyncio.timeout(GUARD):
                    await buffer.compared()
            except TimeoutError:
                node = self._redis.connection(buffer.key)
                if node is not None and node.socket is buffer.socket:
                    return False
            else:
                return not buffer.state.is_over
