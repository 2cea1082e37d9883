"""Complete queries from the titles of the documents.

Other models that the documents name complete from what users did; nothing of that is kept, so
they suggest nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from service.answering.requests import field_checks
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.index import DocumentIndex, SearchScope
from sessions import names
from sessions.errors import InvalidArgument
from sessions.resources.complete_query import (
    AdvancedCompleteQueryRequest,
    AdvancedCompleteQueryResponse,
    AdvancedQuerySuggestion,
    CompleteQueryRequest,
    CompleteQueryResponse,
    QuerySuggestion,
    SuggestionType,
)

SUGGESTIONS: Final = 10
"""Suggestions of one reply, at most."""
_TAIL: Final = 8
"""Words at the end of a query that are completed by themselves, at most."""

_TITLES: Final = frozenset({"", "document", "document-completable"})
_MODELS: Final = _TITLES | {"search-history", "user-event"}


class Suggestion(NamedTuple):
    """A title that goes on from the query: *rank* 0 where it begins with it."""

    rank: int
    text: str
    data_stores: tuple[str, ...]


class CompleteQueryMethod:
    """Suggests how a query may go on."""

    def __init__(self, index: DocumentIndex, catalogue: Catalogue) -> None:
        self._index = index
        self._catalogue = catalogue

    async def complete(self, request: CompleteQueryRequest) -> CompleteQueryResponse:
        """Return what the query may become.

        Raises:
            NotFound: there is no such data store.
            InvalidArgument: the model is unknown, or a field is too long.
        """
        _check(request.query, request.query_model, request.user_pseudo_id)
        found, tail = await self._suggested(
            request.data_store,
            request.query,
            request.query_model,
            tail=request.include_tail_suggestions,
        )
        return CompleteQueryResponse(
            query_suggestions=tuple(QuerySuggestion(suggestion=one.text) for one in found),
            tail_match_triggered=tail,
        )

    async def complete_advanced(
        self, parent: str, request: AdvancedCompleteQueryRequest
    ) -> AdvancedCompleteQueryResponse:
        """Return what the query may become, with scores and data stores.

        Raises:
            NotFound, InvalidArgument: as `complete`.
        """
        _check(request.query, request.query_model, request.user_pseudo_id)
        for at, spec in enumerate(
            request.boost_spec.condition_boost_specs if request.boost_spec else ()
        ):
            if not -1 <= spec.boost <= 1:
                field = f"boostSpec.conditionBoostSpecs[{at}].boost"
                raise InvalidArgument(f"{field}: give -1 to 1", field=field)
        limit = _limit(request)
        found, tail = await self._suggested(
            parent, request.query, request.query_model, tail=request.include_tail_suggestions
        )
        return AdvancedCompleteQueryResponse(
            query_suggestions=tuple(
                AdvancedQuerySuggestion(
                    suggestion=one.text,
                    score=round(1 / (1 + one.rank), 2),
                    data_store=one.data_stores,
                )
                for one in found[:limit]
            ),
            tail_match_triggered=tail and limit > 0,
        )

    async def _suggested(
        self, parent: str, query: str, model: str, *, tail: bool
    ) -> tuple[Sequence[Suggestion], bool]:
        """Return suggestions, and whether only the end of the query was completed."""
        stores = await self._catalogue.data_stores(parent)
        typed = " ".join(query.split())
        if not typed or model not in _TITLES:
            return (), False
        titles: dict[str, dict[str, None]] = {}
        for one in await self._index.list_documents(SearchScope(data_stores=tuple(stores))):
            titles.setdefault(one.title, {})[names.data_store_of(one.document)] = None
        found = completions(typed, titles)
        words = typed.split(" ")
        first = max(1, len(words) - _TAIL)
        for at in range(first, len(words) if tail and not found else first):
            head = " ".join(words[:at])
            if found := completions(" ".join(words[at:]), titles):
                found = [s._replace(text=f"{head} {s.text}") for s in found]
                return found[:SUGGESTIONS], True
        return found[:SUGGESTIONS], False


def completions(typed: str, titles: dict[str, dict[str, None]]) -> list[Suggestion]:
    """Return the *titles* that *typed* may become, those that begin with it first."""
    wanted = typed.casefold()
    parts = tuple(dict.fromkeys(wanted.split()))
    found = [
        Suggestion(rank, title, tuple(stores))
        for title, stores in titles.items()
        if (rank := _rank(wanted, parts, title.casefold())) is not None
    ]
    return sorted(found, key=lambda one: (one.rank, len(one.text), one.text))


def _rank(wanted: str, parts: Sequence[str], title: str) -> int | None:
    if title.startswith(wanted):
        return 0
    if f" {wanted}" in f" {title}":
        return 1
    begun: Iterable[str] = title.split()
    whole = all(any(word.startswith(part) for word in begun) for part in parts)
    return 2 if whole else None


def _check(query: str, model: str, user: str) -> None:
    if len(query) > field_checks.MAX_QUERY:
        raise InvalidArgument(f"query: at most {field_checks.MAX_QUERY} characters", field="query")
    if len(user) > field_checks.MAX_USER:
        field = "userPseudoId"
        raise InvalidArgument(f"{field}: at most {field_checks.MAX_USER} characters", field=field)
    if model not in _MODELS:
        raise InvalidArgument(
            f"queryModel: there is no model '{model[:100]}'; use document", field="queryModel"
        )


def _limit(request: AdvancedCompleteQueryRequest) -> int:
    """Return how many query suggestions are wanted."""
    if request.suggestion_types and SuggestionType.QUERY not in request.suggestion_types:
        return 0
    for at, spec in enumerate(request.suggestion_type_specs):
        if spec.max_suggestions < 0:
            field = f"suggestionTypeSpecs[{at}].maxSuggestions"
            raise InvalidArgument(f"{field}: give 0 or more", field=field)
        if spec.suggestion_type is SuggestionType.QUERY and spec.max_suggestions:
            return min(spec.max_suggestions, SUGGESTIONS)
    return SUGGESTIONS
