"""Search: find, page, show, count, sum up, and record it in a session (api.md 8.1 to 8.4)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.requests import queries, search_validation
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import document_ranking, facets, found_cache
from service.answering.retrieval.document_ranking import DocumentRanker, Item, Key
from service.answering.retrieval.found_cache import FoundCache
from service.answering.retrieval.results import ResultBuilder
from service.answering.views import replies
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.index import DocumentIndex
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.codec import json_codec
from sessions.errors import FailedPrecondition, InvalidArgument, NotFound
from sessions.listing import page_requests
from sessions.listing.page_tokens import PageTokens
from sessions.resources import conversations, sessions, summaries
from sessions.resources.search_requests import SearchRequest, SessionSpec
from sessions.resources.search_results import (
    Facet,
    QueryExpansionInfo,
    SearchResponse,
    SessionInfo,
)
from sessions.stores.store_set import SessionStore

DOCUMENTS: Final = 100
"""Documents of one page, at most (api.md 5.1)."""
CHUNKS: Final = 50
"""Chunks of one page, at most."""

_SIZE: Final = 10
_NEW: Final = "-"
_MARK: Final = 6
_CONTEXT: Final = 10


class SearchCursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a traversal stands: how much there is, and what was shown.

    By relevance, *seen* are digests of all that was shown, for the order may change between two
    pages; in the order of a field, *after* is where the last one stands. *session* and *query_id*
    are the turn that the first page was recorded as.
    """

    total: int
    seen: bytes = b""
    after: Key = ()
    session: str = ""
    query_id: str = ""


_PLACES: Final = msgspec.msgpack.Decoder(SearchCursor)


class _Page(NamedTuple):
    """What one page shows of *total* items, and where the next one begins, if there is one."""

    items: Sequence[Item]
    place: SearchCursor
    is_last: bool


class SearchMethods:
    """The search methods."""

    def __init__(
        self,
        index: DocumentIndex,
        catalogue: Catalogue,
        documents: DocumentStore,
        sessions: SessionStore,
        finds: FoundCache,
        sessionless: StatelessAnswers,
        tokens: PageTokens,
        models: Sequence[str] = (),
    ) -> None:
        """*models* are the ids that a summary may name besides ``stable`` and ``preview``."""
        self._index = index
        self._catalogue = catalogue
        self._showing = ResultBuilder(documents)
        self._sessions = sessions
        self._finds = finds
        self._sessionless = sessionless
        self._tokens = tokens
        self._models = frozenset(models)

    async def search(self, serving_config: str, request: SearchRequest) -> SearchResponse:
        """Return one page of what is found.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such serving config, data store, engine, branch or session.
            FailedPrecondition: chunks are asked for of a data store without chunks.
            Unavailable: the index is not there.
        """
        parent = names.check_serving_config(serving_config)
        search_validation.check(request, parent)
        if spec := request.content_search_spec:
            queries.check_summary_spec(spec.summary_spec, self._models)
        stores = await self._catalogue.data_stores(parent)
        await self._check_stores(request, stores)
        earlier = await self._earlier(request)
        finder = DocumentRanker(self._index, request, stores, earlier)
        items = await finder.items()
        page = _page(request, items, await self._place(serving_config, request))
        is_first = not request.page_token
        results = await self._showing.results(request, page.items)
        facets = await _facets(finder, request, items) if is_first else ()
        summary = await self._summary(parent, request) if is_first else None
        turn = await self._recorded(parent, request, page)
        return SearchResponse(
            results=results,
            facets=facets,
            total_size=page.place.total,
            attribution_token=secrets.token_urlsafe(18),
            next_page_token=await self._token(serving_config, request, page, turn),
            summary=summary,
            query_expansion_info=QueryExpansionInfo(),
            session_info=turn,
        )

    async def _place(self, serving_config: str, request: SearchRequest) -> SearchCursor | None:
        """Return where the page begins that *request* has a token for, None for the first."""
        token = request.page_token
        bound = _bound(serving_config, request)
        return await self._tokens.resumed(_PLACES, token, *bound) if token else None

    async def _token(
        self, serving_config: str, request: SearchRequest, page: _Page, turn: SessionInfo | None
    ) -> str:
        if page.is_last:
            return ""
        place = page.place
        if turn is not None:
            place = msgspec.structs.replace(place, session=turn.name, query_id=turn.query_id)
        return await self._tokens.token(place, *_bound(serving_config, request))

    async def _check_stores(self, request: SearchRequest, stores: Sequence[str]) -> None:
        """Refuse data stores and branches that are not searched here, and chunks of no chunks."""
        for at, spec in enumerate(request.data_store_specs):
            if names.canonical(spec.data_store) not in stores:
                field = f"dataStoreSpecs[{at}].dataStore"
                raise InvalidArgument(
                    f"{field}: '{spec.data_store[:200]}' is not searched by this serving config",
                    field=field,
                )
        if request.branch:
            branch = names.canonical(request.branch)
            if branch not in {f"{store}/branches/0" for store in stores}:
                raise InvalidArgument("branch: is not one of this serving config", field="branch")
        if not search_validation.by_chunk(request):
            return
        for name in stores:
            config = (await self._catalogue.get_data_store(name)).document_processing_config
            if config is None or config.chunking_config is None:
                raise FailedPrecondition(
                    "content_search_spec.search_result_mode CHUNKS needs a data store with "
                    f"documentProcessingConfig.chunkingConfig; '{name}' has none: use DOCUMENTS",
                    reason="DATA_STORE_NOT_CHUNKED",
                    resource=name,
                )

    async def _earlier(self, request: SearchRequest) -> list[str]:
        """Return the earlier queries of the session, the latest first."""
        if not request.session or names.last_id(request.session) == _NEW:
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

    async def _summary(self, parent: str, request: SearchRequest) -> summaries.Summary | None:
        """Return the summary of what is found, where one is asked for."""
        spec = request.content_search_spec.summary_spec if request.content_search_spec else None
        if spec is None:
            return None
        asked = conversations.ConverseConversationRequest(
            query=conversations.TextInput(input=request.query),
            user_labels=request.user_labels,
            safe_search=request.safe_search,
            summary_spec=msgspec.structs.replace(
                spec,
                use_semantic_chunks=spec.use_semantic_chunks or search_validation.by_chunk(request),
            ),
            filter=request.filter,
            boost_spec=request.boost_spec,
        )
        query = replies.as_query(asked)
        if query.search_spec and (params := query.search_spec.search_params):
            within = msgspec.structs.replace(params, data_store_specs=request.data_store_specs)
            wanted = msgspec.structs.replace(query.search_spec, search_params=within)
            query = msgspec.structs.replace(query, search_spec=wanted)
        answer = await self._sessionless.answer(
            PipelineRequest(parent=parent, request=query, converse=asked)
        )
        return replies.reply(answer, spec).summary

    async def _recorded(
        self, parent: str, request: SearchRequest, page: _Page
    ) -> SessionInfo | None:
        """Record the search as a turn of its session, once for all its pages."""
        if not request.session:
            return None
        if request.page_token:
            return SessionInfo(name=page.place.session, query_id=page.place.query_id)
        session = names.canonical(request.session)
        spec = request.session_spec or SessionSpec()
        query_id = spec.query_id or names.question(names.location(session), names.new_id())
        if not spec.query_id:
            turn = sessions.Turn(query=sessions.Query(text=request.query, query_id=query_id))
            session = await self._turn(parent, session, request.user_pseudo_id, turn)
        found = found_cache.as_results(
            page.items,
            spec.search_result_persistence_count,
            by_chunk=search_validation.by_chunk(request),
        )
        await self._finds.keep(session, query_id, found)
        return SessionInfo(name=session, query_id=query_id)

    async def _turn(self, parent: str, session: str, user: str, turn: sessions.Turn) -> str:
        if names.last_id(session) == _NEW:
            made = sessions.Session(user_pseudo_id=user, turns=(turn,))
            return (await self._sessions.create(parent, made)).name
        await self._sessions.append(session, turn)
        return session


def _page(request: SearchRequest, items: Sequence[Item], place: SearchCursor | None) -> _Page:
    """Cut the page at *place*, or the first, out of *items*, and say where the next begins."""
    order = search_validation.order(request.order_by)
    by_place = bool(order) or not request.query.strip()
    most = CHUNKS if search_validation.by_chunk(request) else DOCUMENTS
    size = page_requests.size(request.page_size, default=_SIZE, maximum=most)
    if by_place:
        items = document_ranking.ordered(items, order)
    if place is not None:
        if by_place:
            items = [
                i
                for i in items
                if document_ranking.follows(document_ranking.key(i, order), place.after, order)
            ]
        else:
            seen = {place.seen[at : at + _MARK] for at in range(0, len(place.seen), _MARK)}
            items = [item for item in items if _mark(item) not in seen]
    else:
        place = SearchCursor(len(items), b"".join(_mark(item) for item in items[: request.offset]))
        items = items[request.offset :]
    shown = items[:size]
    place = msgspec.structs.replace(
        place,
        total=max(place.total, len(shown)),
        seen=b"" if by_place else place.seen + b"".join(_mark(item) for item in shown),
        after=document_ranking.key(shown[-1], order) if by_place and shown else (),
    )
    return _Page(shown, place, not shown or len(shown) == len(items))


def _mark(item: Item) -> bytes:
    return hashlib.blake2b(item.name.encode(), digest_size=_MARK).digest()


def _bound(serving_config: str, request: SearchRequest) -> tuple[str, ...]:
    """Return what a token is bound to: what is searched, and all but how much a page shows."""
    bare = msgspec.structs.replace(request, page_token="", page_size=0, offset=0, serving_config="")
    return ("search", serving_config, json_codec.dump(bare).decode())


async def _facets(
    finder: DocumentRanker, request: SearchRequest, items: Sequence[Item]
) -> tuple[Facet, ...]:
    found: list[Facet] = []
    for spec in request.facet_specs:
        excluded = spec.excluded_filter_keys
        counted = await finder.items(without=excluded) if excluded else items
        facet = facets.count(spec, counted)
        if facet.values:
            found.append(facet)
    return tuple(found)
