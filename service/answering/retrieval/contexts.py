"""Retrieve contexts from a corpus: by the one index, told as distances (api.md 14.5, 14.6).

The index finds candidates; `vectors` says how far each of them is, and thresholds, order and
reranking follow from that. `Nearest` is the same seen as an index, so that answers are written
from exactly what `retrieve` shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.retrieval import vectors
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.index import Hit, Index, SearchScope
from service.thread_pools import ThreadPools
from sessions import names
from sessions.resources import answer_query, retrieve_contexts, search_requests
from sessions.resources.search_requests import SearchResultMode

DEFAULT: Final = 10
"""Contexts that are retrieved where none are counted."""
MOST: Final = 100
"""Contexts that one call may ask for."""
_CANDIDATES: Final = 50
"""Chunks whose distance is measured, at least; twice what is asked for, if that is more."""
_PAGE: Final = re.compile(r"[0-9]{1,9}")
_RANK: Final = 60
"""Evens out the first ranks where two orders are joined (reciprocal rank fusion)."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the found chunks are contexts, and in which order.

    *below* and *above* are open bounds of the distance and the similarity (1 - distance). *dense*
    is the weight of distances against the order of the index, 1 for distances alone; with
    *rerank* contexts are ordered and scored by how likely they answer.
    """

    below: float | None = None
    above: float | None = None
    dense: float = 1.0
    rerank: bool = False

    def admit(self, distance: float) -> bool:
        """Tell whether a chunk at *distance* is a context."""
        near = self.below is None or distance < self.below
        return near and (self.above is None or 1.0 - distance > self.above)


class ContextScope(msgspec.Struct, frozen=True, kw_only=True):
    """What a retrieval may reach, and how: a corpus, or (without bounds) a data store or engine."""

    parent: str
    filter: str = ""
    count: int = DEFAULT
    bounds: Bounds | None = None
    data_stores: tuple[search_requests.DataStoreSpec, ...] = ()

    def params(self) -> answer_query.SearchParams:
        """Return what the pipeline is to search."""
        return answer_query.SearchParams(
            max_return_results=self.count,
            filter=self.filter,
            search_result_mode=SearchResultMode.CHUNKS,
            data_store_specs=self.data_stores,
        )


class Near(msgspec.Struct, frozen=True):
    """A hit and how far it is from the query."""

    hit: Hit
    distance: float
    score: float


class Nearest:
    """An `Index` that finds the nearest chunks within *bounds*, nearest first."""

    def __init__(self, index: Index, bounds: Bounds, pools: ThreadPools) -> None:
        self._index = index
        self._bounds = bounds
        self._pools = pools

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, nearest first; see `Index.search`."""
        return [near.hit for near in await self.near(query, scope, limit=limit)]

    async def near(self, query: str, scope: SearchScope, *, limit: int) -> list[Near]:
        """Return at most *limit* hits with their distances.

        A chunk that shares no word with the query is no candidate, however many are asked for.
        """
        wanted = max(_CANDIDATES, 2 * limit)
        hits = await self._index.search(query, scope, limit=wanted)
        found = [hit for hit in hits if hit.chunk.text.strip()]
        measured = await self._pools.measuring.run(_measured, query, found)
        return self._ordered(measured)[:limit]

    def _ordered(self, measured: Sequence[Near]) -> list[Near]:
        """Return what is within bounds, best first; *measured* is in the order of the index."""
        sparse = {near.hit.chunk.name: rank for rank, near in enumerate(measured)}
        kept = sorted(
            (near for near in measured if self._bounds.admit(near.distance)),
            key=lambda near: (near.distance, sparse[near.hit.chunk.name]),
        )
        if self._bounds.rerank:
            kept.sort(key=lambda near: -near.hit.relevance)
            return [Near(near.hit, near.distance, round(near.hit.relevance, 6)) for near in kept]
        if self._bounds.dense < 1.0:
            alpha = self._bounds.dense
            dense = {near.hit.chunk.name: rank for rank, near in enumerate(kept)}
            kept.sort(
                key=lambda near: (
                    -alpha / (_RANK + dense[near.hit.chunk.name])
                    - (1.0 - alpha) / (_RANK + sparse[near.hit.chunk.name])
                )
            )
        return kept


def _measured(query: str, hits: Sequence[Hit]) -> list[Near]:
    """Measure how far *hits* are; blocks for a millisecond or three per text seen first."""
    found: list[Near] = []
    for hit in hits:
        context = "\n".join((hit.chunk.title, *hit.chunk.headings))
        distance = vectors.distance(query, hit.chunk.text, context)
        found.append(Near(hit, distance, distance))
    return found


class Contexts:
    """Retrieves what a `ContextScope` reaches."""

    def __init__(self, index: Index, corpora: RagCorpora, pools: ThreadPools) -> None:
        self._index = index
        self._corpora = corpora
        self._pools = pools

    def index_for(self, reach: ContextScope) -> Index:
        """Return the index that the pipeline is to search."""
        return (
            self._index if reach.bounds is None else Nearest(self._index, reach.bounds, self._pools)
        )

    async def check(self, reach: ContextScope) -> None:
        """Refuse what cannot be reached.

        Raises:
            NotFound: there is no such corpus, data store or engine.
        """
        await self._corpora.data_stores(reach.parent)

    async def retrieve(
        self, query: str, reach: ContextScope
    ) -> tuple[retrieve_contexts.Context, ...]:
        """Return the contexts of *query*, as documented.

        Raises:
            InvalidArgument: the filter cannot be read.
            NotFound: there is no such corpus.
            Unavailable: the index is not there.
        """
        stores = tuple(await self._corpora.data_stores(reach.parent))
        nearest = Nearest(self._index, reach.bounds or Bounds(), self._pools)
        scope = SearchScope(data_stores=stores, filter=reach.filter)
        found = await nearest.near(query, scope, limit=reach.count)
        return tuple(view(near) for near in found)


def view(near: Near) -> retrieve_contexts.Context:
    """Return the documented form of *near*."""
    chunk = near.hit.chunk
    return retrieve_contexts.Context(
        source_uri=chunk.uri or chunk.title,
        source_display_name=chunk.title,
        text=chunk.text,
        score=near.score,
        chunk=retrieve_contexts.RagChunk(
            text=chunk.text,
            page_span=pages(chunk.page),
            file_id=names.last_id(chunk.document),
            chunk_id=names.last_id(chunk.name),
        ),
        distance=near.distance,
    )


def page_number(identifier: str) -> int:
    """Return the page that a ``pageIdentifier`` means, 0 where it is no number of a page."""
    return int(identifier) if _PAGE.fullmatch(identifier) else 0


def pages(page: int) -> retrieve_contexts.PageSpan | None:
    """Return the pages of a chunk that begins on *page*, None where there are no pages."""
    return retrieve_contexts.PageSpan(first_page=page, last_page=page) if page else None
