"""The one door by which a query enters, whichever surface it came to."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import msgspec
from msgspec import structs

from service.answering.requests import queries
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import scopes
from service.answering.views import replies
from service.corpus.catalogue.catalogue import Catalogue
from sessions import names
from sessions.codec import json_codec
from sessions.errors import FailedPrecondition, InvalidArgument
from sessions.resources import answer_query, answers, conversations, sessions
from sessions.resources.search_requests import SearchResultMode
from sessions.stores import store_set
from streaming.log.submissions import Submission, SubmittedAnswer
from streaming.running.runner import Runner

NEW: Final = "-"
"""The session or conversation id that asks for a new one (api.md 9.3, 13.2)."""
ANSWER: Final = "answer"
CONVERSE: Final = "converse"


class QuerySubmitter:
    """Checks queries and submits them to the runner; what it refuses leaves no trace."""

    def __init__(
        self,
        runner: Runner,
        catalogue: Catalogue,
        touched: Callable[[str], Awaitable[None]],
        recall: Callable[[str, str], Awaitable[answer_query.SearchResultList | None]],
        models: Sequence[str] = (),
    ) -> None:
        """*touched* is told the session of each accepted query, so that lists show it.

        *recall* returns what a search of a session found, by the id of its query (api.md 8.4).
        *models* are the ids that a request may name besides ``stable`` and ``preview``.
        """
        self._runner = runner
        self._catalogue = catalogue
        self._touched = touched
        self._recall = recall
        self._models = frozenset(models)

    async def checked(
        self, serving_config: str, request: answer_query.AnswerQueryRequest
    ) -> PipelineRequest:
        """Return the ask of a request to *serving_config*, a name in any accepted form.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such serving config, data store or engine.
            FailedPrecondition: chunks are asked for of a data store without chunks.
        """
        config = names.checked(serving_config, names.SERVING_CONFIG, field="servingConfig")
        parent = names.check_serving_config(config)
        queries.check(request, parent, self._models)
        params = (request.search_spec and request.search_spec.search_params) or None
        if params:
            scopes.check(params)
        stores = await self._catalogue.data_stores(parent)
        if params:
            scopes.check_stores(params, stores)
            await self._check_chunked(params, stores)
        return PipelineRequest(parent=parent, request=request)

    async def _check_chunked(
        self, params: answer_query.SearchParams, stores: Sequence[str]
    ) -> None:
        """Refuse chunks where a data store that is searched is not cut into any (api.md 4.2)."""
        if params.search_result_mode is not SearchResultMode.CHUNKS:
            return
        named = {names.canonical(spec.data_store) for spec in params.data_store_specs}
        for name in named or stores:
            config = (await self._catalogue.get_data_store(name)).document_processing_config
            if config is None or config.chunking_config is None:
                raise FailedPrecondition(
                    "search_spec.search_params.search_result_mode CHUNKS needs a data store with "
                    f"documentProcessingConfig.chunkingConfig; '{name}' has none: use DOCUMENTS",
                    reason="DATA_STORE_NOT_CHUNKED",
                    resource=name,
                )

    async def ask(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
        *,
        key: str = "",
        asker: str = "",
    ) -> SubmittedAnswer:
        """Accept a query in a session; without one, or with ``-``, a new session is opened.

        With a *key* the same request of the same *asker* is accepted once in 24 hours, however
        often it comes; others' keys are other ones.

        Raises:
            InvalidArgument, NotFound: see `checked`; or there is no such session.
            ResourceExhausted: too many queries wait in this session.
            Unavailable: Redis is away, or the service stops.
        """
        ask = await self.checked(serving_config, request)
        session = request.session or names.session(ask.parent, NEW)
        session = names.checked(session, names.SESSION, field="session")
        if names.parent(session) != ask.parent:
            raise InvalidArgument(
                f"session: must be one of {ask.parent}, as the serving config", field="session"
            )
        text = (request.query and request.query.text) or ""
        now = dt.datetime.now(dt.UTC)
        fresh = names.last_id(session) == NEW
        digest = _digest(session, request, key, asker) if key else ""
        if fresh:
            session = names.session(ask.parent, _id_of(digest) if key else names.new_id())
        ask, query_id = await self._with_found(ask, session)
        answer = names.answer(session, names.new_id())
        turn = sessions.Turn(query=sessions.Query(text=text, query_id=query_id), answer=answer)
        return await self._submit(
            Submission(
                answer=answer,
                session=session,
                kind=ANSWER,
                request=json_codec.dump(ask),
                opening=json_codec.dump(turn),
                answer_json=json_codec.dump(_in_progress(answer, now)),
                session_json=store_set.new_session(request.user_pseudo_id) if fresh else None,
                idempotency=digest,
                title=text,
            )
        )

    async def _with_found(self, ask: PipelineRequest, session: str) -> tuple[PipelineRequest, str]:
        """Return *ask* with what an earlier search found, and the id of its query.

        The query keeps the id that it names where that is remembered as one of a search in its
        session; any other query is a new one.
        """
        request = ask.request
        query_id = request.query.query_id if request.query else ""
        spec = request.search_spec or answer_query.SearchSpec()
        found = None
        if query_id and spec.search_result_list is None:
            found = await self._recall(session, query_id)
        if found is None:
            return ask, names.question(names.location(session), names.new_id())
        spec = answer_query.SearchSpec(search_result_list=found)
        request = structs.replace(request, search_spec=spec)
        return structs.replace(ask, request=request), query_id

    async def converse(
        self,
        name: str,
        request: conversations.ConverseConversationRequest,
        *,
        key: str = "",
        asker: str = "",
    ) -> SubmittedAnswer:
        """Accept what is said in the conversation *name*; id ``-`` opens a new one.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such conversation, serving config, data store or engine.
            FailedPrecondition: the conversation is completed.
            ResourceExhausted, Unavailable: as `ask`.
        """
        name = names.checked(name, names.CONVERSATION, field="name")
        parent = names.parent(name)
        ask = await self._checked_converse(parent, request)
        now = dt.datetime.now(dt.UTC)
        fresh = names.last_id(name) == NEW
        digest = _digest(name, request, key, asker) if key else ""
        if fresh:
            name = names.conversation(parent, _id_of(digest) if key else names.new_id())
        answer = names.answer(name, names.new_id())
        given = request.conversation or conversations.Conversation()
        said = conversations.ConversationMessage(user_input=request.query, create_time=now)
        return await self._submit(
            Submission(
                answer=answer,
                session=name,
                kind=CONVERSE,
                request=json_codec.dump(ask),
                opening=json_codec.dump(said),
                answer_json=json_codec.dump(_in_progress(answer, now)),
                session_json=store_set.new_conversation(given.user_pseudo_id) if fresh else None,
                idempotency=digest,
            )
        )

    async def _submit(self, submission: Submission) -> SubmittedAnswer:
        accepted = await self._runner.submit(submission)
        await self._touched(names.parent(accepted.answer))
        return accepted

    async def _checked_converse(
        self, parent: str, request: conversations.ConverseConversationRequest
    ) -> PipelineRequest:
        query = request.query.input if request.query else ""
        queries.check_query(query, field="query.input")
        queries.check_context(request.query)
        if request.conversation:
            user = request.conversation.user_pseudo_id
            queries.check_user(user, field="conversation.userPseudoId")
        queries.check_labels(request.user_labels)
        queries.check_filter(request.filter, field="filter")
        if request.boost_spec:
            queries.check_boosts(request.boost_spec.condition_boost_specs, field="boostSpec")
        queries.check_summary_spec(request.summary_spec, self._models)
        if request.serving_config:
            config = names.checked(
                request.serving_config, names.SERVING_CONFIG, field="servingConfig"
            )
            if names.check_serving_config(config) != parent:
                raise InvalidArgument(
                    f"servingConfig: must be one of {parent}, as the conversation",
                    field="servingConfig",
                )
        await self._catalogue.data_stores(parent)
        return PipelineRequest(parent=parent, request=replies.as_query(request), converse=request)


def _in_progress(answer: str, now: dt.datetime) -> answers.Answer:
    return answers.Answer(name=answer, state=answers.State.IN_PROGRESS, create_time=now)


def _digest(owner: str, request: msgspec.Struct, key: str, asker: str) -> str:
    """Tell one submission from another: who asks whom, with which *key*, and what.

    Ids of sessions are made of it: nobody can tell one without the asker's secret.
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in (owner.encode(), key.encode(), asker.encode(), json_codec.dump(request)):
        digest.update(len(part).to_bytes(4) + part)
    return digest.hexdigest()


def _id_of(digest: str) -> str:
    """Derive the id of a new session from its submission, so that a repeat finds the same one."""
    return str(int(digest[:15], 16) + 1)
