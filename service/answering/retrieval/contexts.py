"""Retrieve contexts from a corpus: by the one index, told as distances.

The index finds candidates; `vectors` says how far each of them is, and thresholds, order and
reranking follow from that. `Nearest` is the same seen as an index, so that answers are written
from exactly what `retrieve` shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.retrieval import pages, vectors
from service.answering.retrieval.context_scopes import ContextScope, DistanceBounds
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.index import Chunk, Hit, Index, SearchScope
from service.query_readings import QueryReading
from service.thread_pools import ThreadPools
from sessions import names
from sessions.resources import retrieve_contexts

_CANDIDATES: Final = 50
"""Chunks whose distance is measured, at least; twice what is asked for, if that is more."""
_RANK: Final = 60
"""Evens out the first ranks where two orders are joined (reciprocal rank fusion)."""


class Near(msgspec.Struct, frozen=True):
    """A hit and how far it is from the query."""

    hit: Hit
    distance: float
    score: float


class Nearest:
    """An `Index` that finds the nearest chunks within *bounds*, nearest first."""

    def __init__(self, index: Index, bounds: DistanceBounds, pools: ThreadPools) -> None:
        self._index = index
        self._bounds = bounds
        self._pools = pools

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, nearest first; see `Index.search`."""
        return [near.hit for near in await self.near(query, scope, limit=limit)]

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read; see `Index.read_query`."""
        return await self._index.read_query(query, scope)

    async def read_chunks(self, document: str, first: int, last: int) -> Sequence[Chunk]:
        """Return chunks of *document*; see `Index.read_chunks`."""
        return await self._index.read_chunks(document, first, last)

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
    """Retrieves from where a `ContextScope` says."""

    def __init__(self, index: Index, corpora: RagCorpora, pools: ThreadPools) -> None:
        self._index = index
        self._corpora = corpora
        self._pools = pools

    def index_for(self, scope: ContextScope) -> Index:
        """Return the index that the pipeline is to search."""
        if scope.bounds is None:
            return self._index
        return Nearest(self._index, scope.bounds, self._pools)

    async def retrieve(
        self, query: str, scope: ContextScope
    ) -> tuple[retrieve_contexts.Context, ...]:
        """Return the contexts of *query*, as documented.

        Raises:
            InvalidArgument: the filter cannot be read.
            NotFound: there is no such corpus.
            Unavailable: the index is not there.
        """
        data_stores = tuple(await self._corpora.data_stores(scope.parent))
        nearest = Nearest(self._index, scope.bounds or DistanceBounds(), self._pools)
        searched = SearchScope(data_stores=data_stores, filter=scope.filter)
        found = await nearest.near(query, searched, limit=scope.count)
        return tuple(as_context(near) for near in found)


def as_context(near: Near) -> retrieve_contexts.Context:
    """Return the documented form of *near*."""
    chunk = near.hit.chunk
    return retrieve_contexts.Context(
        source_uri=chunk.uri or chunk.title,
        source_display_name=chunk.title,
        text=chunk.text,
        score=near.score,
        chunk=retrieve_contexts.RagChunk(
            text=chunk.text,
            page_span=pages.span(chunk.page, chunk.last_page),
            file_id=names.last_id(chunk.document),
            chunk_id=names.last_id(chunk.name),
        ),
        distance=near.distance,
    )
