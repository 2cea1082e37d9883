"""Write one answer, from the right to do so to the event that ends it."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import Final, cast

from sessions.errors import FailedPrecondition, Internal, ServiceError, Unavailable
from sessions.redis.resp_socket import FULL
from sessions.supervision import PASSING
from streaming.log import events
from streaming.log.answer_machine import AnswerMachine
from streaming.log.write_buffer import WriteBuffer
from streaming.running import terminal_events
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

    def __str__(self) -> str:
        return f"Stop.{self.name}"  # what logs have always said


class GenerationStage(enum.Enum):
    """How far the writing of an answer came by itself."""

    ENTERED = enum.auto()
    GENERATED = enum.auto()
    STORED = enum.auto()


class GenerationState(enum.Enum):
    """What becomes of an answer here."""

    GRANTED = "the right to write it is ours; its task has not begun"
    GENERATING = "it is being generated"
    CANCELLED = "its generator is being stopped; then it ends FAILED"
    FINISHING = "all is generated, and how it ends is being stored"
    SPARED = "so, while this replica stops: it was waited for once, and is not again"
    FINISHED = "how it ends is stored"
    HANDED_OVER = "its right is being given up, for another replica"
    LOST = "it is not ours to write"


FOLLOWS: Final[Mapping[GenerationState, Mapping[StopReason | GenerationStage, GenerationState]]] = {
    GenerationState.GRANTED: {
        GenerationStage.ENTERED: GenerationState.GENERATING,
        StopReason.CANCELLED: GenerationState.CANCELLED,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.HANDED_OVER,
    },
    GenerationState.GENERATING: {
        GenerationStage.GENERATED: GenerationState.FINISHING,
        StopReason.CANCELLED: GenerationState.CANCELLED,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.HANDED_OVER,
    },
    GenerationState.CANCELLED: {
        GenerationStage.ENTERED: GenerationState.CANCELLED,
        GenerationStage.GENERATED: GenerationState.FINISHING,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.HANDED_OVER,
    },
    # A cancellation comes too late: what was generated is the answer. A replica that stops waits
    # for Redis once, since whoever takes over would generate all of it anew.
    GenerationState.FINISHING: {
        GenerationStage.STORED: GenerationState.FINISHED,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.SPARED,
    },
    GenerationState.SPARED: {
        GenerationStage.STORED: GenerationState.FINISHED,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.HANDED_OVER,
    },
    GenerationState.FINISHED: {},
    # The second time it is cut off from giving its right up, which waits for Redis as well.
    GenerationState.HANDED_OVER: {
        # Its generator did not listen, and is through.
        GenerationStage.GENERATED: GenerationState.FINISHING,
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.HANDED_OVER,
    },
    GenerationState.LOST: {
        StopReason.LOST: GenerationState.LOST,
        StopReason.HANDOVER: GenerationState.LOST,
    },
}
"""What may happen in each state, and to which it leads. A reason to stop that is not here is
ignored; a step that is not here is not ours to take any more."""

_STOPPED: Final = {
    GenerationState.CANCELLED: StopReason.CANCELLED,
    GenerationState.LOST: StopReason.LOST,
    GenerationState.HANDED_OVER: StopReason.HANDOVER,
}


_GENERATING: Final = GenerationState.GENERATING  # read for each piece, at a tenth of the price


class GenerationTask:
    """The writing of one answer, by the task that called `enter`.

    *deadline* is in the time of the loop. Where *terminal* is given nothing is left to generate.
    """

    def __init__(
        self,
        assignment: Assignment,
        machine: AnswerMachine,
        deadline: float,
        terminal: events.Succeeded | events.Failed | None = None,
    ) -> None:
        self.assignment = assignment
        self.machine = machine
        self.deadline = deadline
        self.state = GenerationState.GRANTED
        self._terminal = terminal
        self._task: asyncio.Task[None] | None = None

    @property
    def stopped(self) -> StopReason | None:
        """Why it is not written to its end; None where it is."""
        return _STOPPED.get(self.state)

    def stop(self, why: StopReason) -> None:
        """Stop at once, where that is not too late."""
        follows = FOLLOWS[self.state].get(why)
        if follows is None:
            return
        self.state = follows
        if follows is not GenerationState.SPARED and self._task is not None:
            self._task.cancel()

    def enter(self) -> None:
        """Make the current task the one that `stop` cancels.

        Raises:
            CancelledError: it was stopped before, and not by a cancellation of the answer.
        """
        self._task = cast("asyncio.Task[None]", asyncio.current_task())
        self._advance(GenerationStage.ENTERED)

    def leave(self) -> None:
        """Have `stop` cancel nobody any more: how it ends is stored, and remains to be told."""
        self._advance(GenerationStage.STORED)
        self._task = None

    def give_up(self) -> None:
        """Learn, in the task itself, that it is not ours to write."""
        self.state = GenerationState.LOST

    def _advance(self, step: GenerationStage) -> None:
        follows = FOLLOWS[self.state].get(step)
        if follows is None:
            raise asyncio.CancelledError
        self.state = follows

    async def write(
        self, generate: Generate, buffer: WriteBuffer
    ) -> events.Succeeded | events.Failed:
        """Generate the answer into *buffer* and return how it ends: whatever went wrong is that.

        Raises:
            CancelledError: it is not ours to end.
        """
        try:
            terminal = self._terminal or await self._generate(generate, buffer)
        except asyncio.CancelledError:
            if self.state is not GenerationState.CANCELLED:
                raise
            if self._task is not None:
                self._task.uncancel()
            terminal = terminal_events.cancelled()
        except ServiceError as exc:
            terminal = terminal_events.failed(exc.reason, exc.message, exc.code)
        except PASSING:
            raise
        except BaseException:
            logger.exception("generating_failed", extra={"answer": self.assignment.answer})
            terminal = terminal_events.failed(
                "INTERNAL", "the answer could not be written", Internal.code
            )
        self._advance(GenerationStage.GENERATED)
        return terminal

    async def _generate(
        self, generate: Generate, buffer: WriteBuffer
    ) -> events.Succeeded | events.Failed:
        if self.state is GenerationState.CANCELLED:  # before its task began
            return terminal_events.cancelled()
        limit = asyncio.timeout_at(self.deadline)
        try:
            async with limit:
                await self._consume(generate, buffer)
        except TimeoutError:
            if limit.expired():  # else it is a failure of the generator, like any other
                return terminal_events.out_of_time()
            raise
        return events.Succeeded(at=terminal_events.now())

    async def _consume(self, generate: Generate, buffer: WriteBuffer) -> None:
        """Generate; while Redis is away and no text is told here, again and again.

        As after a take-over: what was told of the stages before the text may be told twice.
        """
        written = self.machine.text_size  # by earlier epochs: this one begins behind it each time
        while True:
            try:
                return await self._consume_once(generate, buffer)
            except Unavailable as exc:
                # Text that was told must not be told again, and a model words it otherwise.
                if exc.reason not in _AWAY or self.machine.text_size > written:
                    raise
            await asyncio.sleep(_AGAIN)

    async def _consume_once(self, generate: Generate, buffer: WriteBuffer) -> None:
        generated = cast("AsyncGenerator[events.AnswerEvent]", generate(self.assignment))
        machine = self.machine
        async with contextlib.aclosing(generated):
            async for event in generated:
                if self.state is not _GENERATING:
                    raise asyncio.CancelledError  # it did not listen to the first
                if type(event) in _OURS:
                    raise Internal("only the runner starts and ends", reason="EVENT_NOT_ALLOWED")
                try:
                    machine.apply(event)
                except FailedPrecondition as exc:
                    raise Internal(exc.message, reason=exc.reason) from exc
                buffer.add(event)
                if buffer.is_full:
                    await buffer.room()
