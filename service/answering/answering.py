"""Answers queries for callers that wait for the end, stream it, or come back for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from service.answering.sessionless import Sessionless
from service.answering.turns import Turns
from sessions import lifecycle, names
from sessions.errors import Internal, failure
from sessions.resources import answers, queries
from sessions.store import AnswerStore, SessionStore
from streaming.elements import Element, token
from streaming.events import Failed
from streaming.log import EventLog
from streaming.reading import elements
from streaming.runner import Runner
from streaming.subscription import Origin


class Answering:
    """The answer methods, for every surface that is not the WebSocket."""

    def __init__(
        self,
        turns: Turns,
        sessionless: Sessionless,
        runner: Runner,
        origin: Origin,
        log: EventLog,
        sessions: SessionStore,
        answers: AnswerStore,
    ) -> None:
        self._turns = turns
        self._sessionless = sessionless
        self._runner = runner
        self._origin = origin
        self._log = log
        self._sessions = sessions
        self._answers = answers

    async def answer(
        self, serving_config: str, request: queries.AnswerQueryRequest
    ) -> queries.AnswerQueryResponse:
        """Return the finished answer; in asynchronous mode the answer that has just begun.

        Raises:
            ServiceError: the request was refused, or the answer FAILED for that reason.
        """
        if not request.session:
            ask = await self._turns.checked(serving_config, request)
            answer = await self._sessionless.answer(ask)
            return queries.AnswerQueryResponse(answer=answer, answer_query_token=token(""))
        accepted = await self._turns.ask(serving_config, request)
        if request.asynchronous_mode:
            answer = await self._answers.get(accepted.answer)
        else:
            answer = await self._finished(accepted.answer)
        return queries.AnswerQueryResponse(
            answer=answer,
            session=await self._sessions.get(names.parent(accepted.answer)),
            answer_query_token=token(accepted.answer),
        )

    async def stream(
        self, serving_config: str, request: queries.AnswerQueryRequest
    ) -> AsyncIterator[Element]:
        """Accept the query and return the elements of its answer.

        Raises:
            ServiceError: the request was refused; nothing was begun.
        """
        if not request.session:
            ask = await self._turns.checked(serving_config, request)
            return self._sessionless.elements(ask)
        accepted = await self._turns.ask(serving_config, request)
        return elements(self._origin, accepted.answer)

    async def get(self, name: str) -> answers.Answer:
        """Return the answer *name*: as stored when it has ended, else as far as it was told.

        Raises:
            NotFound: there is no such answer, or its session is gone.
            Unavailable: Redis is away.
        """
        stored = await self._answers.get(name)
        if lifecycle.is_terminal(stored.state):
            return stored
        told = await self._log.fold(name)
        return told.answer if told.started else stored

    async def _finished(self, name: str) -> answers.Answer:
        """Wait for the end of the answer *name*; one that FAILED raises what it failed of."""
        answer = await self._runner.finished(name)
        if answer.state is answers.State.FAILED:
            entries = await self._log.read(name)
            last = entries[-1].event if entries else None
            if isinstance(last, Failed):
                raise failure(last.code, last.message, reason=last.reason, answer=name)
            raise Internal("the answer failed", reason="ANSWER_FAILED", answer=name)
        return answer
