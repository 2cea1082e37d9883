"""Write one answer, from its assignment to the event that ends it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import enum
import logging
from collections.abc import AsyncGenerator
from typing import Final, cast

from sessions.errors import FailedPrecondition, Internal, ServiceError, Unavailable
from sessions.redis.resp_socket import FULL
from sessions.supervision import PASSING
from streaming.log import events
from streaming.log.machine import AnswerMachine
from streaming.log.write_buffer import WriteBuffer
from streaming.running.answer_author import Assignment, Generate

logger = logging.getLogger(__name__)

_OURS: Final = frozenset({events.Started, *events.TERMINAL})
_AWAY: Final = frozenset({"REDIS_UNAVAILABLE", FULL})
_AGAIN: Final = 0.25  # seconds until what Redis could not give is asked for again


class StopReason(enum.Enum):
    """Why an answer is not written to its end here."""

    CANCELLED = enum.auto()
    """Somebody asked for it: it ends FAILED."""
    LOST = enum.auto()
    """Another replica writes it, it was deleted, or its log cannot be mended from here."""
    HANDOVER = enum.auto()
    """This replica stops: another one shall go on."""


class GenerationTask:
    """The writing of one answer, by the task that called `enter`.

    *deadline* is in the time of the loop. Where *ending* is given nothing is left to generate.
    """

    def __init__(
        self,
        assignment: Assignment,
        machine: AnswerMachine,
        deadline: float,
        ending: events.Succeeded | events.Failed | None = None,
    ) -> None:
        self.assignment = assignment
        self.machine = machine
        self.stopped: StopReason | None = None
        self.finishing = False
        """Whether all is generated, and only the end is to be stored."""
        self.deadline = deadline
        self._spared = False
        self._ending = ending
        self._task: asyncio.Task[None] | None = None

    def stop(self, why: StopReason) -> None:
        """Stop at once. A cancellation comes too late where the end is being stored.

        A replica that stops waits for that as well: it asks a second time before it is cut off.
        """
        if why is StopReason.CANCELLED and (self.stopped is not None or self.finishing):
            return
        if why is StopReason.HANDOVER and self.finishing and not self._spared:
            self._spared = True
            return
        self.stopped = why
        if self._task is not None:
            self._task.cancel()

    def enter(self) -> None:
        """Make the current task the one that `stop` cancels.

        Raises:
            CancelledError: it was stopped before, and not by a cancellation of the answer.
        """
        self._task = cast("asyncio.Task[None]", asyncio.current_task())
        if self.stopped in (StopReason.LOST, StopReason.HANDOVER):
            raise asyncio.CancelledError

    def leave(self) -> None:
        """Have `stop` cancel nobody any more: the end is stored."""
        self._task = None

    async def write(
        self, generate: Generate, draft: WriteBuffer
    ) -> events.Succeeded | events.Failed:
        """Generate the answer into *draft* and return how it ends: whatever went wrong is that.

        Raises:
            CancelledError: it is not ours to end.
        """
        try:
            ending = self._ending or await self._generate(generate, draft)
        except asyncio.CancelledError:
            if self.stopped is not StopReason.CANCELLED:
                raise
            if self._task is not None:
                self._task.uncancel()
            ending = cancelled()
        except ServiceError as exc:
            ending = failed(exc.reason, exc.message, exc.code)
        except PASSING:
            raise
        except BaseException:
            logger.exception("generating_failed", extra={"answer": self.assignment.answer})
            ending = failed("INTERNAL", "the answer could not be written", Internal.code)
        self.finishing = True
        return ending

    async def _generate(
        self, generate: Generate, draft: WriteBuffer
    ) -> events.Succeeded | events.Failed:
        if self.stopped is StopReason.CANCELLED:
            return cancelled()
        limit = asyncio.timeout_at(self.deadline)
        try:
            async with limit:
                await self._consume(generate, draft)
        except TimeoutError:
            if limit.expired():
                return out_of_time()
            raise
        return events.Succeeded(at=now())

    async def _consume(self, generate: Generate, draft: WriteBuffer) -> None:
        """Generate; while Redis is away and no text is told here, again and again.

        As after a take-over: what was told of the stages before the text may be told twice.
        """
        written = self.machine.text_size  # by earlier epochs: this one begins behind it each time
        while True:
            try:
                return await self._consume_once(generate, draft)
            except Unavailable as exc:
                if exc.reason not in _AWAY or self.machine.text_size > written:
                    raise
            await asyncio.sleep(_AGAIN)

    async def _consume_once(self, generate: Generate, draft: WriteBuffer) -> None:
        told = cast("AsyncGenerator[events.AnswerEvent]", generate(self.assignment))
        machine = self.machine
        async with contextlib.aclosing(told):
            async for event in told:
                if self.stopped is not None:
                    raise asyncio.CancelledError  # it did not listen to the first
                if type(event) in _OURS:
                    raise Internal("only the runner starts and ends", reason="EVENT_NOT_ALLOWED")
                try:
                    machine.apply(event)
                except FailedPrecondition as exc:
                    raise Internal(exc.message, reason=exc.reason) from exc
                draft.add(event)
                if draft.is_full:
                    await draft.room()


def now() -> dt.datetime:
    """Return the time that events carry."""
    return dt.datetime.now(dt.UTC)


def failed(reason: str, message: str, code: int) -> events.Failed:
    """Return the end, now, of an answer that is not complete."""
    return events.Failed(at=now(), reason=reason, message=message, code=code)


def cancelled() -> events.Failed:
    """Return the end of an answer that somebody does not want any more."""
    return failed("CANCELLED", "the answer was cancelled", 1)


def out_of_time() -> events.Failed:
    """Return the end of an answer that took longer than any may."""
    return failed("DEADLINE_EXCEEDED", "the answer took too long", 4)
