"""Answer queries for callers that wait for the end, stream it, or come back for it."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import AsyncIterator

from msgspec import structs

from service.answering.methods.outcomes import Outcomes
from service.answering.methods.pipeline_requests import PipelineRequests
from service.answering.methods.submission import QuerySubmitter
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.retrieval.attachments import Attachments, without_data
from service.corpus.document_access import Viewer
from sessions import names, resource_states, spans
from sessions.errors import NotFound
from sessions.listing import turn_windows
from sessions.resources import answer_query, answers, sessions
from sessions.stores.store_set import AnswerStore, SessionStore
from streaming.log.event_log import EventLog
from streaming.log.positions import Position
from streaming.reading.element_reader import batches, elements
from streaming.reading.elements import PlacedElement, token
from streaming.reading.sources import ReaderSources


class AnswerMethods:
    """The answer methods, for every surface that is not the WebSocket."""

    def __init__(
        self,
        requests: PipelineRequests,
        submitter: QuerySubmitter,
        stateless: StatelessAnswers,
        outcomes: Outcomes,
        sources: ReaderSources,
        log: EventLog,
        session_store: SessionStore,
        answer_store: AnswerStore,
        attachments: Attachments,
    ) -> None:
        self._requests = requests
        self._submitter = submitter
        self._stateless = stateless
        self._outcomes = outcomes
        self._sources = sources
        self._log = log
        self._sessions = session_store
        self._answers = answer_store
        self._attachments = attachments

    async def answer(
        self, serving_config: str, request: answer_query.AnswerQueryRequest, viewer: Viewer
    ) -> answer_query.AnswerQueryResponse:
        """Return the finished answer for *viewer*; in asynchronous mode the one that has begun.

        Raises:
            ServiceError: the request was refused, or the answer FAILED for that reason.
        """
        if not request.session:
            pipeline_request = await self._requests.of_query(serving_config, request, viewer)
            answer = await self._stateless.answer(pipeline_request)
            return answer_query.AnswerQueryResponse(
                answer=answer, answer_query_token=secrets.token_urlsafe(18)
            )
        submitted = await self._submitter.submit_query(serving_config, request, viewer)
        if request.asynchronous_mode:
            # However far it has come by now: `get` says.
            answer = answers.Answer(name=submitted.answer, state=answers.State.IN_PROGRESS)
        else:
            answer = await self._outcomes.wait_for(submitted.answer)
        return answer_query.AnswerQueryResponse(
            answer=answer,
            session=await self._sessions.get(names.parent(submitted.answer)),
            answer_query_token=token(submitted.answer),
        )

    async def stream(
        self, serving_config: str, request: answer_query.AnswerQueryRequest, viewer: Viewer
    ) -> AsyncIterator[PlacedElement]:
        """Accept the query of *viewer* and return the elements of its answer.

        Raises:
            ServiceError: the request was refused; nothing was begun.
        """
        request = _always_rephrased(request)
        if not request.session:
            pipeline_request = await self._requests.of_query(serving_config, request, viewer)
            return self._stateless.elements(pipeline_request)
        submitted = await self._submitter.submit_query(serving_config, request, viewer)
        return elements(self._sources, submitted.answer)

    async def link(self, name: str) -> None:
        """Let the trace of this request, if it has one, point to that of the answer *name*."""
        span = spans.CURRENT.get()
        if span.is_sampled:
            span.link(await self._sources.trace(name))

    def follow(self, name: str, after: Position | None) -> AsyncIterator[list[PlacedElement]]:
        """Return what comes of the answer *name*: first what is there *after* that position.

        It fails as `streaming.reading.element_reader.batches` does.
        """
        return batches(self._sources, name, after, resumes=True)

    async def get(self, name: str) -> answers.Answer:
        """Return the answer *name*: as stored when it has ended, else as far as it was told.

        Raises:
            NotFound: there is no such answer, or its session is gone.
            Unavailable: Redis is away.
        """
        return await self._attachments.resolved_answer(await self._stored(name))

    async def _stored(self, name: str) -> answers.Answer:
        """Return the answer *name* without the bytes of its attachments."""
        stored = await self._answers.get(name)
        if resource_states.is_terminal(stored.state):
            return stored
        told = await self._log.fold(name)
        return told.answer if told.started else stored

    async def session(
        self, query: sessions.ReadSessionRequest, *, found: sessions.Session | None = None
    ) -> sessions.Session:
        """Return a session with the turns, and the answers, that *query* asks for.

        *found* is the session where it was read already. Each answer is as `get` returns it then,
        but of its attachments only the types are told: those of all answers would be too much.

        Raises:
            InvalidArgument: the limit of turns is negative.
            NotFound: there is no such session.
            Unavailable: Redis is away.
        """
        if found is None:
            found = await self._sessions.get(query.name)
        found = turn_windows.cut(found, query.turn_offset, query.turn_limit)
        if not query.include_answer_details:
            return found
        found = await self._sessions.detailed(found)
        turns = [await self._as_told(turn) for turn in found.turns]
        return structs.replace(found, turns=tuple(turns))

    async def _as_told(self, turn: sessions.Turn) -> sessions.Turn:
        """Return *turn* with its answer as far as it was told; few of a session are unfinished."""
        answer = turn.detailed_answer
        if answer is None:
            return turn
        if not resource_states.is_terminal(answer.state):
            with contextlib.suppress(NotFound):  # the session was deleted meanwhile
                answer = await self._stored(answer.name)
        return structs.replace(turn, detailed_answer=without_data(answer))


def _always_rephrased(request: answer_query.AnswerQueryRequest) -> answer_query.AnswerQueryRequest:
    """Return *request* with its rephraser on: a stream cannot turn it off."""
    spec = request.query_understanding_spec
    if spec is None or spec.query_rephraser_spec is None:
        return request
    rephraser = structs.replace(spec.query_rephraser_spec, disable=False)
    spec = structs.replace(spec, query_rephraser_spec=rephraser)
    return structs.replace(request, query_understanding_spec=spec)
