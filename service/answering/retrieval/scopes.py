"""Where a query is looked for: the data stores of a request, each as the request wants it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.answering.requests import order_by as orders
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import document_ranking
from service.answering.retrieval.document_ranking import Item
from service.corpus.index import Boost, Hit, Index, SearchContext, SearchScope
from sessions import names
from sessions.resources import answer_query
from sessions.resources.search_requests import BoostSpec, DataStoreSpec

RELEVANT: Final = 0.2
"""From this relevance on a hit is a reason to answer: on developer data 5 % of what portals can be
asked stay below it, and 76 % of foreign queries; the generator refuses most of the others."""

_NO_CONTEXT: Final = SearchContext()
_CANDIDATES: Final = 60
"""Chunks among which the first ones of an order other than relevance are looked for."""


class ScopeGroup(NamedTuple):
    """Data stores that are searched alike, and how many documents are taken of them."""

    scope: SearchScope
    max_documents: int | None


def groups(
    pipeline_request: PipelineRequest,
    params: answer_query.SearchParams,
    data_stores: Sequence[str],
    context: SearchContext = _NO_CONTEXT,
) -> list[ScopeGroup]:
    """Return the data stores that are searched, those that are searched alike together.

    Of *data_stores* those that *params* name, or all where it names none; no data store lies in two
    groups, and what is wanted of one of them concerns no other.
    """
    specs = params.data_store_specs or tuple(DataStoreSpec(data_store=s) for s in data_stores)
    alike: dict[tuple[str, tuple[Boost, ...], str], list[tuple[str, int]]] = {}
    for spec in specs:
        name = names.canonical(spec.data_store)
        expression = _both(params.filter, spec.filter)
        boosts = (*_boosts(params.boost_spec), *_boosts(spec.boost_spec))
        if name in data_stores:
            # One with a count of its own is searched alone: among others it might get none.
            apart = name if spec.num_results else ""
            alike.setdefault((expression, boosts, apart), []).append((name, spec.num_results))
    return [
        ScopeGroup(
            SearchScope(
                data_stores=tuple(name for name, _ in stores),
                viewer=pipeline_request.viewer,
                filter=expression,
                boosts=boosts,
                preferred_documents=_preferred(pipeline_request),
                context=context,
            ),
            stores[0][1] or None,
        )
        for (expression, boosts, _), stores in alike.items()
    ]


async def search(
    index: Index, query: str, groups: Sequence[ScopeGroup], limit: int, order_by: str = ""
) -> list[Hit]:
    """Return the hits of all groups, best first: *limit* of them, or more in the order of a field.

    With *order_by* the hits worth an answer come by the fields of their documents.

    Raises:
        InvalidArgument: a filter or a condition cannot be read.
        Unavailable: the index is not there.
    """
    found: list[Hit] = []
    count = max(limit, _CANDIDATES) if order_by else limit
    for group in groups:
        hits = await index.search(query, group.scope, limit=count)
        found += hits if group.max_documents is None else _first(hits, group.max_documents)
    if len(groups) > 1:  # those of one are in the order of the index already
        found.sort(key=lambda hit: -hit.score)
    return _ordered(found[:count], order_by)


def _first(hits: Sequence[Hit], most: int) -> list[Hit]:
    """Keep the hits of the *most* documents that come first."""
    documents = list(dict.fromkeys(hit.chunk.document for hit in hits))[:most]
    return [hit for hit in hits if hit.chunk.document in documents]


def _ordered(hits: list[Hit], order_by: str) -> list[Hit]:
    if not order_by.strip():
        return hits
    order = orders.parse(order_by, field="orderBy")
    relevant = [hit for hit in hits if hit.relevance >= RELEVANT] or hits
    documents = {
        chunk.document: Item(
            chunk.document, chunk.document, chunk.title, chunk.uri, chunk.struct_data
        )
        for chunk in (hit.chunk for hit in relevant)
    }
    ordered = document_ranking.ordered(list(documents.values()), order)
    rank = {item.name: number for number, item in enumerate(ordered)}
    return sorted(relevant, key=lambda hit: rank[hit.chunk.document])


def _both(one: str, other: str) -> str:
    """Return the filter that holds where both do; an empty one always holds."""
    given = [expression for expression in (one, other) if expression.strip()]
    return (
        " AND ".join(f"({expression})" for expression in given)
        if len(given) > 1
        else "".join(given)
    )


def _boosts(spec: BoostSpec | None) -> tuple[Boost, ...]:
    conditions = spec.condition_boost_specs if spec else ()
    return tuple(Boost(one.condition, one.boost) for one in conditions)


def _preferred(pipeline_request: PipelineRequest) -> tuple[str, ...]:
    """Return the documents that the user of a conversation has before them."""
    converse = pipeline_request.converse
    query = converse.query if converse else None
    context = query.context if query else None
    if context is None:
        return ()
    active = (context.active_document,) if context.active_document else ()
    return tuple(names.canonical(name) for name in (*active, *context.context_documents))
