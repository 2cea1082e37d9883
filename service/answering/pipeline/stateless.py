"""Answers a query that belongs to no session: nothing is stored."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence

from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import attached_sources
from service.generation.generator import PastTurn
from sessions.errors import DeadlineExceeded, ServiceError
from sessions.resources import answers
from streaming.log.answer_machine import AnswerMachine
from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, Failed, Started, Succeeded
from streaming.log.positions import Position
from streaming.reading.elements import ElementBuilder, Envelope, PlacedElement


class StatelessAnswers:
    """Runs the pipeline for as long as somebody reads, and no longer."""

    def __init__(
        self,
        pipeline: Pipeline,
        *,
        deadline: float,
        ended: Callable[[PipelineRequest, answers.Answer], None] | None = None,
    ) -> None:
        """Give each answer *deadline* seconds; *ended* is told of each that ended."""
        self._pipeline = pipeline
        self._deadline = deadline
        self._ended = ended

    async def elements(
        self, pipeline_request: PipelineRequest, history: Sequence[PastTurn] = ()
    ) -> AsyncGenerator[PlacedElement]:
        """Yield the elements of the answer; closing the iterator stops the generator.

        *history* are the turns before it, where the caller brings them.

        Raises:
            ServiceError: the answer failed before its first element.
        """
        builder = ElementBuilder(Envelope("", "", secrets.token_urlsafe(18)))
        machine = AnswerMachine()
        seq = 0
        async with contextlib.aclosing(self._events(pipeline_request, history)) as events:
            async for event in events:
                machine.apply(event)
                entry = LogEntry(Position(1, seq), event)
                seq += 1
                if machine.done:
                    yield builder.end(entry, machine.answer)
                    self._tell(pipeline_request, machine.answer)
                elif not isinstance(event, Started):
                    for element in builder.live([entry]):
                        yield element

    async def answer(self, pipeline_request: PipelineRequest) -> answers.Answer:
        """Return the finished answer.

        Raises:
            ServiceError: a stage failed.
            DeadlineExceeded: it took too long.
        """
        machine = AnswerMachine()
        machine.apply(Started(at=_now()))
        events = self._run(pipeline_request, ())
        try:
            async with asyncio.timeout(self._deadline), contextlib.aclosing(events):
                async for event in events:
                    machine.apply(event)
        except TimeoutError as exc:
            raise _too_long() from exc
        machine.apply(Succeeded(at=_now()))
        self._tell(pipeline_request, machine.answer)
        return machine.answer

    async def _run(
        self, pipeline_request: PipelineRequest, history: Sequence[PastTurn]
    ) -> AsyncGenerator[AnswerEvent]:
        """Yield what the pipeline does, with the bytes of what is attached: none of it is kept."""
        attachments = self._pipeline.attachments
        run = self._pipeline.run(pipeline_request, history, answers.Answer())
        async with contextlib.aclosing(run) as events:
            async for event in events:
                yield await attached_sources.resolved(attachments, event) if attachments else event

    def _tell(self, pipeline_request: PipelineRequest, answer: answers.Answer) -> None:
        if self._ended is not None:
            self._ended(pipeline_request, answer)

    async def _events(
        self, pipeline_request: PipelineRequest, history: Sequence[PastTurn]
    ) -> AsyncGenerator[AnswerEvent]:
        yield Started(at=_now())
        begun = False
        due = asyncio.get_running_loop().time() + self._deadline
        try:
            run = self._run(pipeline_request, history)
            async with contextlib.aclosing(run) as events:
                while True:
                    # Not across the yield: a timeout that ended there would cancel the task of
                    # who reads. The deadline is one for all events: a slow reader uses it up.
                    async with asyncio.timeout_at(due):
                        event = await anext(events, None)
                    if event is None:
                        break
                    yield event
                    begun = True
        except (TimeoutError, ServiceError) as exc:
            why = exc if isinstance(exc, ServiceError) else _too_long()
            if not begun:
                raise why from exc
            yield Failed(at=_now(), reason=why.reason, message=why.message, code=why.code)
            return
        yield Succeeded(at=_now())


def _too_long() -> DeadlineExceeded:
    return DeadlineExceeded(
        "the answer took too long; ask something narrower", reason="DEADLINE_EXCEEDED"
    )


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
