"""Rank what a search is about: every document, or chunk, that it may show."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from service.corpus import document_filters
from service.corpus.document_access import Viewer
from service.corpus.document_filters import Facts, Filter
from service.corpus.index import Boost, DocumentIndex, Hit, SearchContext, SearchScope
from sessions import names
from sessions.resources.search_requests import BoostSpec, RelevanceThreshold, SearchRequest

POOL: Final = 1000
"""Chunks that a search looks at, at most; an index may give fewer."""
THRESHOLDS: Final = {
    RelevanceThreshold.LOW: 0.2,
    RelevanceThreshold.MEDIUM: 0.35,
    RelevanceThreshold.HIGH: 0.5,
}
"""The relevance that each threshold asks for; LOWEST asks for none."""

Sortable = tuple[int, float, str]
"""A value of any type as one that sorts: numbers before texts, and what is absent last."""
Key = tuple[Sortable, ...]
_ABSENT: Final[Sortable] = (2, 0.0, "")


class Item(NamedTuple):
    """A document or a chunk that a search may show; without a query it has no *hits*."""

    name: str
    document: str
    title: str
    uri: str
    struct_data: Mapping[str, Any]
    hits: tuple[Hit, ...] = ()

    @property
    def relevance(self) -> float:
        """How likely it answers, 0..1; 0 where nothing was asked."""
        return max((hit.relevance for hit in self.hits), default=0.0)

    @property
    def facts(self) -> Facts:
        """What a filter may ask of it."""
        document = names.last_id(self.document)
        return Facts(id=document, uri=self.uri, struct_data=self.struct_data)


class _SearchPlan(NamedTuple):
    """How one group of data stores is searched."""

    scope: SearchScope
    condition: Filter | None
    limit: int


class DocumentRanker:
    """Ranks what *viewer* may see, for one request.

    *context* are the earlier queries of its session, the latest first.
    """

    def __init__(
        self,
        index: DocumentIndex,
        request: SearchRequest,
        data_stores: Sequence[str],
        viewer: Viewer,
        context: Sequence[str] = (),
    ) -> None:
        self._index = index
        self._request = request
        self._data_stores = data_stores
        self._viewer = viewer
        self._context = tuple(context)

    async def items(self, without: Sequence[str] = ()) -> list[Item]:
        """Return what is found, best first; conditions on the fields *without* are left out.

        Raises:
            Unavailable: the index is not there.
        """
        found: list[Item] = []
        for plan in self._plans(without):
            if self._request.query.strip():
                hits = await self._index.search(self._request.query, plan.scope, limit=POOL)
                items = _chunks(hits) if self._request.by_chunk else _documents(hits)
            elif self._request.by_chunk:
                items = []  # without a query nothing tells which chunk of a document to show
            else:
                listed = await self._index.list_documents(plan.scope)
                items = [
                    Item(d.document, d.document, d.title, d.uri, d.struct_data) for d in listed
                ]
            if plan.condition is not None:
                items = [
                    item for item in items if document_filters.matches(plan.condition, item.facts)
                ]
            found += items[: plan.limit]
        least = THRESHOLDS.get(self._request.relevance_threshold, 0.0)
        if self._request.query.strip():
            found = [item for item in found if item.relevance >= least]
            found.sort(key=lambda item: -item.hits[0].score)
        return found

    def _plans(self, without: Sequence[str]) -> Iterator[_SearchPlan]:
        request = self._request
        if not request.data_store_specs:
            limit = request.num_results_per_data_store or POOL * 1000
            yield self._plan(
                self._data_stores, [request.filter], [request.boost_spec], limit, without
            )
        for spec in request.data_store_specs:
            limit = spec.num_results or request.num_results_per_data_store or POOL * 1000
            yield self._plan(
                [names.canonical(spec.data_store)],
                [request.filter, spec.filter],
                [request.boost_spec, spec.boost_spec],
                limit,
                without,
            )

    def _plan(
        self,
        data_stores: Sequence[str],
        expressions: Sequence[str],
        boosts: Sequence[BoostSpec | None],
        limit: int,
        without: Sequence[str],
    ) -> _SearchPlan:
        given = [expression for expression in expressions if expression.strip()]
        condition = None
        if without:
            # Some other filter: the index finds without any, and what it found is filtered here.
            parsed = (
                without_fields(document_filters.parse(expression), without) for expression in given
            )
            condition = document_filters.And(tuple(term for term in parsed if term is not None))
            given = []
        specs = [spec for boost in boosts if boost for spec in boost.condition_boost_specs]
        scope = SearchScope(
            data_stores=tuple(data_stores),
            viewer=self._viewer,
            filter=" AND ".join(f"({expression})" for expression in given),
            boosts=tuple(Boost(spec.condition, spec.boost) for spec in specs),
            context=SearchContext(queries=self._context),
        )
        return _SearchPlan(scope, condition, limit)


def _documents(hits: Sequence[Hit]) -> list[Item]:
    """Gather the hits of each document, in the order of its best one."""
    grouped: dict[str, list[Hit]] = {}
    for hit in hits:
        grouped.setdefault(hit.chunk.document, []).append(hit)
    return [_item(name, tuple(chunks)) for name, chunks in grouped.items()]


def _chunks(hits: Sequence[Hit]) -> list[Item]:
    """Make each hit an item, but those of documents without a text."""
    return [_item(hit.chunk.name, (hit,)) for hit in hits if hit.chunk.text]


def _item(name: str, hits: tuple[Hit, ...]) -> Item:
    chunk = hits[0].chunk
    return Item(name, chunk.document, chunk.title, chunk.uri, chunk.struct_data, hits)


def without_fields(condition: Filter, keys: Sequence[str]) -> Filter | None:
    """Return *condition* without its parts on the fields *keys*, None where nothing is left."""
    match condition:
        case document_filters.And(terms) | document_filters.Or(terms):
            kept = [
                term for term in (without_fields(one, keys) for one in terms) if term is not None
            ]
            return type(condition)(tuple(kept)) if kept or not terms else None
        case document_filters.Not(term):
            inner = without_fields(term, keys)
            return None if inner is None else document_filters.Not(inner)
        case document_filters.ReadableBy():
            return condition
        case _:
            return None if condition.field in keys else condition


def values(struct_data: object, path: Sequence[str]) -> Iterator[object]:
    """Yield the values at the end of *path*, those of arrays one by one."""
    if isinstance(struct_data, list | tuple):
        for element in cast("Sequence[object]", struct_data):
            yield from values(element, path)
    elif not path:
        yield struct_data
    elif isinstance(struct_data, Mapping):
        inner = cast("Mapping[str, object]", struct_data)
        if path[0] in inner:
            yield from values(inner[path[0]], path[1:])


def ordered(items: Sequence[Item], order: Sequence[tuple[str, bool]]) -> list[Item]:
    """Return *items* by the fields of *order*, then by name; what lacks a field comes last."""
    rows = sorted(((key(item, order), item) for item in items), key=lambda row: row[1].name)
    for at, (_, descending) in reversed([*enumerate(order)]):
        rows.sort(key=lambda row: row[0][at], reverse=descending)
        # What is absent comes last in either direction.
        rows.sort(key=lambda row: row[0][at] == _ABSENT)
    return [item for _, item in rows]


def key(item: Item, order: Sequence[tuple[str, bool]]) -> Key:
    """Return where *item* stands in an *order*, for `follows`."""
    return (*(_value(field)(item) for field, _ in order), (1, 0.0, item.name))


def follows(one: Key, other: Key, order: Sequence[tuple[str, bool]]) -> bool:
    """Tell whether *one* comes after *other* in *order*."""
    for mine, its, (_, descending) in zip(one, other, (*order, ("", False)), strict=True):
        if mine != its:
            if _ABSENT in (mine, its):
                return mine == _ABSENT
            return (mine < its) if descending else (mine > its)
    return False


@functools.lru_cache(maxsize=256)
def _value(field: str) -> Callable[[Item], Sortable]:
    path = field.split(".")

    def of(item: Item) -> Sortable:
        found = next(iter(values(item.struct_data, path)), None)
        if isinstance(found, bool):
            return 0, float(found), ""
        if isinstance(found, int | float):
            return 0, float(found), ""
        return (1, 0.0, found) if isinstance(found, str) else _ABSENT

    return of
