"""Submits queries to the runner: the one way by which an answer that is stored begins."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Final

import msgspec
from msgspec import structs

from service.answering.methods.pipeline_requests import PipelineRequests
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.recorded_results import RecordedResults
from service.corpus.document_access import Viewer
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources import answer_query, answers, conversations, sessions
from sessions.stores import store_set
from streaming.log.submissions import Submission, SubmittedAnswer
from streaming.running.runner import Runner

NEW: Final = "-"
"""The id of a session or conversation that asks for a new one."""
ANSWER: Final = "answer"
CONVERSE: Final = "converse"


class QuerySubmitter:
    """Submits queries and what is said in conversations; what it refuses leaves no trace.

    Whatever can be refused is refused before the runner is asked: from then on the query counts
    against the bounds of its session, and a new session is stored.
    """

    def __init__(
        self,
        runner: Runner,
        requests: PipelineRequests,
        recorded: RecordedResults,
    ) -> None:
        """*recorded* are the results of earlier searches, that a query may come back to."""
        self._runner = runner
        self._requests = requests
        self._recorded = recorded

    async def submit_query(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
        viewer: Viewer,
        *,
        key: str = "",
        caller: str = "",
    ) -> SubmittedAnswer:
        """Accept a query of *viewer* in a session; without one, or with ``-``, one is opened.

        With a *key* the same request of the same *caller* is accepted once in 24 hours, however
        often it comes; others' keys are other ones.

        Raises:
            InvalidArgument, NotFound: see `PipelineRequests.of_query`; or there is no such session.
            ResourceExhausted: too many queries wait in this session.
            Unavailable: Redis is away, or the service stops.
        """
        pipeline_request = await self._requests.of_query(serving_config, request, viewer)
        parent = pipeline_request.parent
        session = _session(request.session, parent)
        is_new = names.last_id(session) == NEW
        digest = _digest(session, request, key, caller) if key else ""
        if is_new:
            session = names.session(parent, _id_of(digest) if key else names.new_id())
        pipeline_request, query_id = await self._with_recorded(pipeline_request, session)
        answer = _new_answer(session)
        query = sessions.Query(text=(request.query and request.query.text) or "", query_id=query_id)
        turn = sessions.Turn(query=query, answer=answer.name)
        return await self._runner.submit(
            Submission(
                answer=answer.name,
                session=session,
                kind=ANSWER,
                request=json_codec.dump(pipeline_request),
                opening=json_codec.dump(turn),
                answer_json=json_codec.dump(answer),
                session_json=store_set.new_session(request.user_pseudo_id) if is_new else None,
                idempotency=digest,
                title=query.text or "",
            )
        )

    async def submit_conversation(
        self,
        name: str,
        request: conversations.ConverseConversationRequest,
        viewer: Viewer,
        *,
        key: str = "",
        caller: str = "",
    ) -> SubmittedAnswer:
        """Accept what *viewer* says in the conversation *name*; id ``-`` opens a new one.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such conversation, serving config, data store or engine.
            FailedPrecondition: the conversation is completed.
            ResourceExhausted, Unavailable: as `submit_query`.
        """
        name = names.checked(name, names.CONVERSATION, field="name")
        parent = names.parent(name)
        pipeline_request = await self._requests.of_conversation(parent, request, viewer)
        is_new = names.last_id(name) == NEW
        digest = _digest(name, request, key, caller) if key else ""
        if is_new:
            name = names.conversation(parent, _id_of(digest) if key else names.new_id())
        answer = _new_answer(name)
        given = request.conversation or conversations.Conversation()
        message = conversations.ConversationMessage(
            user_input=request.query, create_time=answer.create_time
        )
        return await self._runner.submit(
            Submission(
                answer=answer.name,
                session=name,
                kind=CONVERSE,
                request=json_codec.dump(pipeline_request),
                opening=json_codec.dump(message),
                answer_json=json_codec.dump(answer),
                session_json=store_set.new_conversation(given.user_pseudo_id) if is_new else None,
                idempotency=digest,
            )
        )

    async def _with_recorded(
        self, pipeline_request: PipelineRequest, session: str
    ) -> tuple[PipelineRequest, str]:
        """Return the request with what an earlier search found, and the id of its query.

        The query keeps the id that it names where that is remembered as one of a search in its
        session; any other query is a new one.
        """
        request = pipeline_request.request
        query_id = request.query.query_id if request.query else ""
        spec = request.search_spec or answer_query.SearchSpec()
        results = None
        if query_id and spec.search_result_list is None:
            results = await self._recorded.recall(session, query_id, pipeline_request.viewer)
        if results is None:
            return pipeline_request, names.question(names.location(session), names.new_id())
        # Instead of the search parameters, not beside them: the answer is written from these.
        spec = answer_query.SearchSpec(search_result_list=results)
        request = structs.replace(request, search_spec=spec)
        return structs.replace(pipeline_request, request=request), query_id


def _session(given: str, parent: str) -> str:
    """Return the session that is named, or the name of a new one of *parent*."""
    session = names.checked(given or names.session(parent, NEW), names.SESSION, field="session")
    if names.parent(session) != parent:
        raise InvalidArgument(
            f"session: must be one of {parent}, as the serving config", field="session"
        )
    return session


def _new_answer(session: str) -> answers.Answer:
    return answers.Answer(
        name=names.answer(session, names.new_id()),
        state=answers.State.IN_PROGRESS,
        create_time=dt.datetime.now(dt.UTC),
    )


def _digest(owner: str, request: msgspec.Struct, key: str, caller: str) -> str:
    """Tell one submission from another: who asks whom, with which *key*, and what.

    Ids of sessions are made of it: nobody can tell one without the caller's secret.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in (owner.encode(), key.encode(), caller.encode(), json_codec.dump(request)):
        # Each with its length, or two submissions that are cut otherwise would be one.
        digest.update(len(part).to_bytes(4) + part)
    return digest.hexdigest()


def _id_of(digest: str) -> str:
    """Derive the id of a new session from its submission, so that a repeat finds the same one."""
    return str(int(digest[:15], 16) + 1)
