"""Answers a query that belongs to no session: nothing is stored (api.md 10, ``session``)."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import secrets
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from service.answering.asks import Ask
from service.answering.pipeline import Pipeline
from service.generation.generator import PastTurn
from sessions.errors import DeadlineExceeded, ServiceError
from sessions.resources import answers
from streaming.elements import Element, Envelope, Teller
from streaming.events import AnswerEvent, Failed, Started, Succeeded
from streaming.log import Entry
from streaming.machine import AnswerMachine
from streaming.positions import Position

_TIMED_OUT: Final = "DEADLINE_EXCEEDED"
_TOO_LONG: Final = "the answer took too long; ask something narrower"


class Sessionless:
    """Runs the pipeline for as long as somebody reads, and no longer (api.md 12.4)."""

    def __init__(self, pipeline: Pipeline, *, deadline: float) -> None:
        """Give each answer *deadline* seconds."""
        self._pipeline = pipeline
        self._deadline = deadline

    async def elements(self, ask: Ask, history: Sequence[PastTurn] = ()) -> AsyncGenerator[Element]:
        """Yield the elements of the answer; closing the iterator stops the generator.

        *history* are the turns before it, where the caller brings them.

        Raises:
            ServiceError: the answer failed before its first element.
        """
        teller = Teller(Envelope("", "", secrets.token_urlsafe(18)))
        machine = AnswerMachine()
        seq = 0
        async with contextlib.aclosing(self._events(ask, history)) as events:
            async for event in events:
                machine.apply(event)
                entry = Entry(Position(1, seq), event)
                seq += 1
                if machine.done:
                    yield teller.end(entry, machine.answer)
                elif not isinstance(event, Started):
                    for element in teller.live([entry]):
                        yield element

    async def answer(self, ask: Ask) -> answers.Answer:
        """Return the finished answer.

        Raises:
            ServiceError: a stage failed.
            DeadlineExceeded: it took too long.
        """
        machine = AnswerMachine()
        machine.apply(Started(at=_now()))
        try:
            async with (
                asyncio.timeout(self._deadline),
                contextlib.aclosing(self._pipeline.run(ask, (), answers.Answer())) as events,
            ):
                async for event in events:
                    machine.apply(event)
        except TimeoutError as exc:
            raise DeadlineExceeded(_TOO_LONG, reason=_TIMED_OUT) from exc
        machine.apply(Succeeded(at=_now()))
        return machine.answer

    async def _events(self, ask: Ask, history: Sequence[PastTurn]) -> AsyncGenerator[AnswerEvent]:
        yield Started(at=_now())
        told = False
        try:
            async with (
                asyncio.timeout(self._deadline),
                contextlib.aclosing(self._pipeline.run(ask, history, answers.Answer())) as events,
            ):
                async for event in events:
                    yield event
                    told = True
        except TimeoutError:
            yield Failed(
                at=_now(),
                reason=_TIMED_OUT,
                message=_TOO_LONG,
                code=DeadlineExceeded.code,
            )
            return
        except ServiceError as exc:
            if not told:
                raise
            yield Failed(at=_now(), reason=exc.reason, message=exc.message, code=exc.code)
            return
        yield Succeeded(at=_now())


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
