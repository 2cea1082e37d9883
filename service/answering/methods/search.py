"""Search: one page of what is found, with its facets and summary, as a turn of its session."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.methods.pipeline_requests import check_chunked
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.requests import conversations as converse_requests
from service.answering.requests import field_checks, search_validation
from service.answering.requests.field_effects import effective_requests
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import facets, recorded_results, search_pages
from service.answering.retrieval.document_ranking import DocumentRanker, Item
from service.answering.retrieval.recorded_results import RecordedResults
from service.answering.retrieval.results import ResultBuilder
from service.answering.retrieval.search_pages import SearchCursor, SearchPage
from service.answering.views import replies
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.corpus.index import DocumentIndex
from service.corpus.storage.document_store import DocumentStore
from service.corpus.storage.query_history import QueryHistory
from sessions import names
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded, InvalidArgument, NotFound
from sessions.listing.page_tokens import PageTokens
from sessions.resources import conversations, sessions, summaries
from sessions.resources.search_requests import SearchAddonSpec, SearchRequest, SessionSpec
from sessions.resources.search_results import (
    Facet,
    QueryExpansionInfo,
    SearchResponse,
    SessionInfo,
)
from sessions.stores.store_set import SessionStore

NEW: Final = "-"
"""The id of a session that asks for a new one."""
_CONTEXT: Final = 10
"""Earlier queries of the session in whose light a search is read."""
_CURSORS: Final = msgspec.msgpack.Decoder(SearchCursor)


class SearchMethods:
    """The search methods."""

    def __init__(
        self,
        index: DocumentIndex,
        catalogue: Catalogue,
        documents: DocumentStore,
        sessions: SessionStore,
        recorded: RecordedResults,
        stateless: StatelessAnswers,
        tokens: PageTokens,
        asked: QueryHistory,
        models: Sequence[str] = (),
        *,
        has_model: bool,
    ) -> None:
        """*models* are the ids that a summary may name besides ``stable`` and ``preview``.

        *has_model* tells whether a model writes the summaries.
        """
        self._index = index
        self._catalogue = catalogue
        self._results = ResultBuilder(documents)
        self._sessions = sessions
        self._recorded_results = recorded
        self._stateless = stateless
        self._tokens = tokens
        self._asked = asked
        self._models = frozenset(models)
        self._has_model = has_model

    async def search(
        self, serving_config: str, request: SearchRequest, viewer: Viewer, *, caller: str = ""
    ) -> SearchResponse:
        """Return one page of what is found for *viewer*; its token is good for the same *caller*.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such serving config, data store, engine, branch or session.
            FailedPrecondition: chunks are asked for of a data store without chunks.
            Unavailable: the index is not there.
        """
        parent = names.check_serving_config(serving_config)
        search_validation.check(request, parent)
        if spec := request.content_search_spec:
            field_checks.check_summary_spec(spec.summary_spec, self._models)
        request = effective_requests.effective(request, has_model=self._has_model)
        data_stores = await self._catalogue.data_stores(parent)
        await self._check_data_stores(request, data_stores)
        context = await self._earlier_queries(request)
        ranker = DocumentRanker(self._index, request, data_stores, viewer, context)
        items = await ranker.items()
        bound = (*_bound_to(serving_config, request, viewer), caller)
        page = search_pages.page(request, items, await self._cursor(request.page_token, bound))
        is_first = not request.page_token
        results = await self._results.results(request, page.items)
        facets = await _facets(ranker, request, items) if is_first else ()
        summary = await self._summary(parent, request, viewer) if is_first else None
        turn = await self._record(parent, request, page)
        if is_first:
            found = dict.fromkeys(names.data_store_of(item.document) for item in page.items)
            owner = turn.name if turn else ""
            self._asked.note(parent, tuple(found), request.query, request.user_pseudo_id, owner)
        return SearchResponse(
            results=results,
            facets=facets,
            total_size=page.cursor.total,
            attribution_token=secrets.token_urlsafe(18),
            next_page_token=await self._token(page, turn, bound),
            summary=summary,
            query_expansion_info=QueryExpansionInfo(),
            session_info=turn,
        )

    async def _cursor(self, token: str, bound: Sequence[str]) -> SearchCursor | None:
        """Return where the page begins that *token* is of, None for the first."""
        return await self._tokens.resumed(_CURSORS, token, *bound) if token else None

    async def _token(self, page: SearchPage, turn: SessionInfo | None, bound: Sequence[str]) -> str:
        if page.is_last:
            return ""
        cursor = page.cursor
        if turn is not None:
            cursor = msgspec.structs.replace(cursor, session=turn.name, query_id=turn.query_id)
        return await self._tokens.token(cursor, *bound)

    async def _check_data_stores(self, request: SearchRequest, data_stores: Sequence[str]) -> None:
        """Refuse data stores and branches that are not searched here, and chunks of no chunks."""
        for at, spec in enumerate(request.data_store_specs):
            if names.canonical(spec.data_store) not in data_stores:
                field = f"dataStoreSpecs[{at}].dataStore"
                raise InvalidArgument(
                    f"{field}: '{spec.data_store[:200]}' is not searched by this serving config",
                    field=field,
                )
        if request.branch:
            branch = names.canonical(request.branch)
            if branch not in {f"{name}/branches/0" for name in data_stores}:
                raise InvalidArgument("branch: is not one of this serving config", field="branch")
        if request.by_chunk:
            field = "content_search_spec.search_result_mode"
            await check_chunked(self._catalogue, data_stores, field=field)

    async def _earlier_queries(self, request: SearchRequest) -> list[str]:
        """Return the earlier queries of the session, the latest first."""
        if not request.session or names.last_id(request.session) == NEW:
            return []
        session = await self._sessions.get(names.canonical(request.session))
        texts = [turn.query.text for turn in session.turns if turn.query and turn.query.text]
        spec = request.session_spec
        if spec and spec.query_id:
            known = {turn.query.query_id for turn in session.turns if turn.query}
            if spec.query_id not in known:
                raise NotFound(
                    f"the session has no query '{spec.query_id[:200]}'",
                    resource=spec.query_id[:200],
                )
        return texts[-_CONTEXT:][::-1]

    async def _summary(
        self, parent: str, request: SearchRequest, viewer: Viewer
    ) -> summaries.Summary | None:
        """Return the summary of what is found, where one is asked for, or why there is none."""
        spec = request.content_search_spec.summary_spec if request.content_search_spec else None
        if spec is None:
            return None
        add_ons = request.search_addon_spec or SearchAddonSpec()
        disabled = add_ons.disable_generative_answer_add_on
        if disabled or not await self._catalogue.has_summaries(parent):
            return replies.without(summaries.SummarySkippedReason.LLM_ADDON_NOT_ENABLED)
        converse = conversations.ConverseConversationRequest(
            query=conversations.TextInput(input=request.query),
            user_labels=request.user_labels,
            safe_search=request.safe_search,
            summary_spec=msgspec.structs.replace(
                spec,
                use_semantic_chunks=spec.use_semantic_chunks or request.by_chunk,
            ),
            filter=request.filter,
            boost_spec=request.boost_spec,
        )
        query = converse_requests.as_query(converse)
        if query.search_spec and (params := query.search_spec.search_params):
            params = msgspec.structs.replace(params, data_store_specs=request.data_store_specs)
            search_spec = msgspec.structs.replace(query.search_spec, search_params=params)
            query = msgspec.structs.replace(query, search_spec=search_spec)
        try:
            answer = await self._stateless.answer(
                PipelineRequest(parent=parent, request=query, converse=converse, viewer=viewer)
            )
        except DeadlineExceeded:
            # What was found is there all the same.
            return replies.without(summaries.SummarySkippedReason.TIME_OUT)
        return replies.reply(answer, spec).summary

    async def _record(
        self, parent: str, request: SearchRequest, page: SearchPage
    ) -> SessionInfo | None:
        """Record the search as a turn of its session, once for all its pages."""
        if not request.session:
            return None
        if request.page_token:
            return SessionInfo(name=page.cursor.session, query_id=page.cursor.query_id)
        session = names.canonical(request.session)
        spec = request.session_spec or SessionSpec()
        query_id = spec.query_id or names.question(names.location(session), names.new_id())
        if not spec.query_id:
            turn = sessions.Turn(query=sessions.Query(text=request.query, query_id=query_id))
            session = await self._append_turn(parent, session, request.user_pseudo_id, turn)
        results = recorded_results.as_results(
            page.items,
            spec.search_result_persistence_count,
            by_chunk=request.by_chunk,
        )
        await self._recorded_results.keep(session, query_id, results)
        return SessionInfo(name=session, query_id=query_id)

    async def _append_turn(self, parent: str, session: str, user: str, turn: sessions.Turn) -> str:
        if names.last_id(session) == NEW:
            new = sessions.Session(user_pseudo_id=user, turns=(turn,))
            return (await self._sessions.create(parent, new)).name
        await self._sessions.append(session, turn)
        return session


def _bound_to(serving_config: str, request: SearchRequest, viewer: Viewer) -> tuple[str, ...]:
    """Return what a token is bound to: what is searched, and all but how much a page shows.

    And *viewer*, whose claims may change: it counts what was found, which they may not see later.
    """
    bare = msgspec.structs.replace(request, page_token="", page_size=0, offset=0, serving_config="")
    asked = json_codec.dump(bare).decode()
    return ("search", serving_config, asked, json_codec.dump(viewer).decode())


async def _facets(
    ranker: DocumentRanker, request: SearchRequest, items: Sequence[Item]
) -> tuple[Facet, ...]:
    counted: list[Facet] = []
    for spec in request.facet_specs:
        excluded = spec.excluded_filter_keys
        # A facet that its own filter does not narrow shows what else could be chosen.
        among = await ranker.items(without=excluded) if excluded else items
        facet = facets.count(spec, among)
        if facet.values:
            counted.append(facet)
    return tuple(counted)
