"""Complete queries from the documents, and from what people asked and found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.completion import listed_suggestions, suggestion_boosts, suggestion_ranking
from service.answering.completion.listed_suggestions import Denied, ListedSuggestions
from service.answering.completion.popular_phrases import BOTH, EVENTS, HISTORY, PopularPhrases
from service.answering.completion.suggestion_boosts import SuggestionBoost
from service.answering.completion.suggestion_ranking import (
    SUGGESTIONS,
    RankedSuggestion,
    SuggestionOrigins,
)
from service.answering.completion.suggestion_table import Match, SuggestionTable
from service.answering.requests import field_checks
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.language.queries import phrases
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources.complete_query import (
    AdvancedCompleteQueryRequest,
    AdvancedCompleteQueryResponse,
    AdvancedQuerySuggestion,
    CompleteQueryRequest,
    CompleteQueryResponse,
    ContentSuggestion,
    ContentType,
    QuerySuggestion,
    RecentSearchSuggestion,
    SuggestionType,
)
from sessions.resources.documents import Document

_TYPED: Final = 500
"""Characters of what is typed that are looked at; words at its end are completed by themselves."""
_DOCUMENTS: Final = "document"
_FIELDS: Final = "document-completable"
_MODELS: Final = frozenset({BOTH, _DOCUMENTS, _FIELDS, HISTORY, EVENTS})
_COMPLETABLE: Final = ("title",)
"""The field of documents whose content the model ``document-completable`` suggests."""


class CompleteQueryMethod:
    """Suggests how a query may go on."""

    def __init__(
        self,
        listed: ListedSuggestions,
        asked: PopularPhrases,
        catalogue: Catalogue,
        pool: ThreadPool,
    ) -> None:
        self._listed = listed
        self._asked = asked
        self._catalogue = catalogue
        self._pool = pool

    async def complete(
        self, request: CompleteQueryRequest, viewer: Viewer
    ) -> CompleteQueryResponse:
        """Return what the query of *viewer* may become.

        Raises:
            NotFound: there is no such data store.
            InvalidArgument: the model is unknown, or a field is too long.
        """
        _check(request.query, request.query_model, request.user_pseudo_id)
        data_stores = await self._catalogue.data_stores(request.data_store)
        found, tail = await self._suggested(
            data_stores,
            request.query,
            request.query_model,
            viewer,
            tail=request.include_tail_suggestions,
        )
        paths = _COMPLETABLE if request.query_model == _FIELDS else ()
        return CompleteQueryResponse(
            query_suggestions=tuple(
                QuerySuggestion(suggestion=one.suggestion.text, completable_field_paths=paths)
                for one in found[:SUGGESTIONS]
            ),
            tail_match_triggered=tail,
        )

    async def complete_advanced(
        self, parent: str, request: AdvancedCompleteQueryRequest, viewer: Viewer
    ) -> AdvancedCompleteQueryResponse:
        """Return suggestions for *viewer* of each type that is asked for, with scores and stores.

        Raises:
            NotFound, InvalidArgument: as `complete`, and where there is no query to complete.
        """
        _check(request.query, request.query_model, request.user_pseudo_id)
        boosts = suggestion_boosts.read(request.boost_spec)
        limits = _limits(request)
        if not request.query.strip() and set(limits) != {SuggestionType.RECENT_SEARCH}:
            raise InvalidArgument(
                "query: say what to complete; only RECENT_SEARCH needs no query", field="query"
            )
        data_stores = await self._catalogue.data_stores(parent)
        reply = AdvancedCompleteQueryResponse()
        if most := limits.get(SuggestionType.QUERY):
            reply = await self._with_queries(reply, data_stores, request, viewer, boosts, most)
        if most := limits.get(SuggestionType.CONTENT):
            content = await self._content(data_stores, request.query, viewer, most)
            reply = msgspec.structs.replace(reply, content_suggestions=content)
        if most := limits.get(SuggestionType.RECENT_SEARCH):
            recent = await self._recent(data_stores, request.query, request.user_pseudo_id, viewer)
            reply = msgspec.structs.replace(reply, recent_search_suggestions=recent[:most])
        return reply

    async def _with_queries(
        self,
        reply: AdvancedCompleteQueryResponse,
        data_stores: Sequence[str],
        request: AdvancedCompleteQueryRequest,
        viewer: Viewer,
        boosts: Sequence[SuggestionBoost],
        most: int,
    ) -> AdvancedCompleteQueryResponse:
        found, tail = await self._suggested(
            data_stores,
            request.query,
            request.query_model,
            viewer,
            tail=request.include_tail_suggestions,
            boosts=boosts,
        )
        paths = _COMPLETABLE if request.query_model == _FIELDS else ()
        suggestions = tuple(
            AdvancedQuerySuggestion(
                suggestion=one.suggestion.text,
                completable_field_paths=paths,
                score=round(one.score, 2),
                data_store=one.suggestion.data_stores,
            )
            for one in found[:most]
        )
        return msgspec.structs.replace(
            reply, query_suggestions=suggestions, tail_match_triggered=tail
        )

    async def _content(
        self, data_stores: Sequence[str], query: str, viewer: Viewer, most: int
    ) -> tuple[ContentSuggestion, ...]:
        """Return the documents whose titles go on from *query*."""
        found, denied = list[Match](), list[Denied]()
        for data_store in data_stores:
            listed = await self._listed.of(data_store, viewer)
            found += await self._pool.run(listed.documents.matches, query)
            denied += listed.denied
        titles = [
            one
            for one in found
            if one.suggestion.is_title
            and not listed_suggestions.is_denied(one.suggestion.text, denied)
        ]
        titles.sort(key=lambda one: (one.rank, len(one.suggestion.text), one.suggestion.document))
        return tuple(
            ContentSuggestion(
                suggestion=suggestion.text,
                content_type=ContentType.THIRD_PARTY,
                document=Document(name=suggestion.document, id=names.last_id(suggestion.document)),
                data_store=names.data_store_of(suggestion.document),
                score=round(suggestion_ranking.score(rank), 2),
                destination_uri=suggestion.uri,
            )
            for rank, suggestion in titles[:most]
        )

    async def _recent(
        self, data_stores: Sequence[str], query: str, user: str, viewer: Viewer
    ) -> tuple[RecentSearchSuggestion, ...]:
        """Return what *user* searched, and goes on from *query*, the latest first."""
        wanted = phrases.folded(query)
        latest = dict[str, tuple[int, float]]()
        for data_store in data_stores:
            denied = (await self._listed.of(data_store, viewer)).denied
            for each in await self._asked.recent(data_store, user):
                shown = f" {phrases.folded(each.phrase)}"
                if f" {wanted}" in shown and not listed_suggestions.is_denied(each.phrase, denied):
                    score = suggestion_ranking.score(0 if shown.startswith(f" {wanted}") else 1)
                    latest[each.phrase] = max((each.at, score), latest.get(each.phrase, (0, 0.0)))
        ordered = sorted(latest.items(), key=lambda item: -item[1][0])
        return tuple(
            RecentSearchSuggestion(
                suggestion=phrase,
                recent_search_time=dt.datetime.fromtimestamp(at / 1000, dt.UTC),
                score=score,
            )
            for phrase, (at, score) in ordered
        )

    async def _suggested(
        self,
        data_stores: Sequence[str],
        query: str,
        model: str,
        viewer: Viewer,
        *,
        tail: bool,
        boosts: Sequence[SuggestionBoost] = (),
    ) -> tuple[Sequence[RankedSuggestion], bool]:
        """Return suggestions, and whether only the end of the query was completed."""
        typed = " ".join(query[-_TYPED:].split())
        if not typed:
            return (), False
        origins = await self._origins(data_stores, model, viewer)
        return await self._pool.run(suggestion_ranking.completed, typed, origins, boosts, tail=tail)

    async def _origins(
        self, data_stores: Sequence[str], model: str, viewer: Viewer
    ) -> SuggestionOrigins:
        tables, denied = list[SuggestionTable](), list[Denied]()
        for data_store in data_stores:
            listed = await self._listed.of(data_store, viewer)
            denied += listed.denied
            if model in (BOTH, _DOCUMENTS):
                tables += [listed.operator, listed.documents]
            elif model == _FIELDS:
                tables.append(listed.titles)
            if model in (BOTH, HISTORY, EVENTS) and listed.is_whole:
                tables.append(await self._asked.table(data_store, model))
        return SuggestionOrigins(tables, denied)


def _check(query: str, model: str, user: str) -> None:
    field_checks.check_at_most(len(query), field_checks.MAX_QUERY, "query", "characters")
    field_checks.check_user(user, field="userPseudoId")
    if model not in _MODELS:
        known = ", ".join(sorted(_MODELS - {BOTH}))
        raise InvalidArgument(
            f"queryModel: there is no model '{model[:100]}'; use {known}", field="queryModel"
        )


def _limits(request: AdvancedCompleteQueryRequest) -> dict[SuggestionType, int]:
    """Return how many suggestions of each type are wanted."""
    wanted = request.suggestion_types or (SuggestionType.QUERY,)
    limits = dict.fromkeys(wanted, SUGGESTIONS)
    for at, spec in enumerate(request.suggestion_type_specs):
        if spec.max_suggestions < 0:
            field = f"suggestionTypeSpecs[{at}].maxSuggestions"
            raise InvalidArgument(f"{field}: give 0 or more", field=field)
        if spec.suggestion_type in limits and spec.max_suggestions:
            limits[spec.suggestion_type] = min(spec.max_suggestions, SUGGESTIONS)
    return limits
