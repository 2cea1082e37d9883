"""Retrieve contexts from a corpus: by the one index, told as distances.

The index finds candidates; how far each of them is tell their embeddings, or `vectors` without
these, and thresholds, order and ranking follow from that. `Nearest` is the same seen as an index,
so that answers are written from exactly what `retrieve` shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.requests.field_effects import effective_requests
from service.answering.requests.field_effects.effects import Effect
from service.answering.retrieval import pages, vectors
from service.answering.retrieval.context_scopes import ContextOrder, ContextScope, DistanceBounds
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, Hit, Index, SearchScope
from service.generation.generator import Ranker, Source
from service.query_readings import QueryReading
from service.thread_pools import ThreadPools
from sessions import names
from sessions.resources import retrieve_contexts

_CANDIDATES: Final = 50
"""Chunks whose distance is measured, at least; twice what is asked for, if that is more."""
_RANKED: Final = 20
"""Chunks that a model is asked about, at least: among them it may find a better one."""

_NEEDS_MODEL: Final = "a model is to rank contexts there"


class Near(msgspec.Struct, frozen=True):
    """A hit, how far it is from the query, and by what it is ordered.

    *distance* is 1 - the cosine of the embeddings of query and chunk, or the distance of `vectors`
    for a chunk without one; *sparse_distance* is 1 - its relevance by words, in a hybrid retrieval.
    """

    hit: Hit
    distance: float
    sparse_distance: float | None
    score: float


class Nearest:
    """An `Index` that finds the nearest chunks within *bounds*, nearest first."""

    def __init__(
        self,
        index: Index,
        bounds: DistanceBounds,
        pools: ThreadPools,
        by_model: Ranker | None = None,
    ) -> None:
        self._index = index
        self._bounds = bounds
        self._pools = pools
        self._by_model = by_model

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, nearest first; see `Index.search`."""
        return [near.hit for near in await self.near(query, scope, limit=limit)]

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read; see `Index.read_query`."""
        return await self._index.read_query(query, scope)

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return chunks of *document*; see `Index.read_chunks`."""
        return await self._index.read_chunks(document, first, last, viewer)

    async def near(self, query: str, scope: SearchScope, *, limit: int) -> list[Near]:
        """Return at most *limit* hits with their distances.

        A chunk that neither the words of the query nor their embedding finds is no candidate.

        Raises:
            ServiceError: a model is to rank, and cannot.
        """
        wanted = max(_CANDIDATES, 2 * limit)
        hits = await self._index.search(query, scope, limit=wanted)
        found = [hit for hit in hits if hit.chunk.text.strip()]
        distances = await self._distances(query, found)
        kept = [
            self._near(hit, distance)
            for hit, distance in zip(found, distances, strict=True)
            if self._bounds.admit(distance)
        ]
        # Stable: where scores are equal, the order of the index stays.
        kept.sort(key=lambda near: near.score)
        ranked = await self._ranked(query, kept, max(limit, _RANKED))
        return ranked[:limit]

    async def _distances(self, query: str, hits: Sequence[Hit]) -> Sequence[float]:
        unembedded = [hit for hit in hits if hit.cosine is None]
        if not unembedded:
            return [_distance(hit.cosine or 0.0) for hit in hits]
        measured = iter(await self._pools.measuring.run(_measured, query, unembedded))
        return [next(measured) if hit.cosine is None else _distance(hit.cosine) for hit in hits]

    def _near(self, hit: Hit, distance: float) -> Near:
        if (alpha := self._bounds.alpha) is None:
            return Near(hit, distance, None, distance)
        sparse = round(1.0 - hit.lexical_relevance, 6)
        return Near(hit, distance, sparse, round(alpha * distance + (1.0 - alpha) * sparse, 6))

    async def _ranked(self, query: str, found: Sequence[Near], most: int) -> list[Near]:
        """Return *found* by what is to order them; a model is asked about *most* of them."""
        match self._bounds.order:
            case ContextOrder.DISTANCE:
                return list(found)
            case ContextOrder.RELEVANCE:
                scores = [round(near.hit.relevance, 6) for near in found]
            case ContextOrder.MODEL:
                if self._by_model is None:
                    raise AssertionError("a scope that wants a model was checked")
                found = found[:most]
                sources = [_source(near.hit.chunk) for near in found]
                scores = await self._by_model(query, sources) if sources else ()
        scored = [
            msgspec.structs.replace(near, score=score)
            for near, score in zip(found, scores, strict=True)
        ]
        return sorted(scored, key=lambda near: -near.score)


def _distance(cosine: float) -> float:
    # Vectors are kept in a byte a part, so that their cosine may be a little over 1.
    return round(min(2.0, max(0.0, 1.0 - cosine)), 6)


def _measured(query: str, hits: Sequence[Hit]) -> list[float]:
    """Measure how far *hits* are; blocks for a millisecond or three per text seen first."""
    return [
        vectors.distance(query, hit.chunk.text, "\n".join((hit.chunk.title, *hit.chunk.headings)))
        for hit in hits
    ]


def _source(chunk: Chunk) -> Source:
    return Source(title=chunk.title, headings=chunk.headings, text=chunk.text)


class Contexts:
    """Retrieves from where a `ContextScope` says."""

    def __init__(
        self,
        index: Index,
        corpora: RagCorpora,
        pools: ThreadPools,
        by_model: Ranker | None = None,
    ) -> None:
        """*by_model* ranks contexts where a request wants a model to; None without a model."""
        self._index = index
        self._corpora = corpora
        self._pools = pools
        self._by_model = by_model

    def check(self, scope: ContextScope) -> None:
        """Refuse what cannot be retrieved without a model where there is none.

        Raises:
            InvalidArgument: see `effective_requests.refusal`.
        """
        bounds = scope.bounds or DistanceBounds()
        if bounds.order is ContextOrder.MODEL and self._by_model is None:
            field = f"{scope.field}.ranking.llmRanker"
            raise effective_requests.refusal(Effect.NEEDS_MODEL, field, _NEEDS_MODEL)

    def index_for(self, scope: ContextScope) -> Index:
        """Return the index that the pipeline is to search.

        Raises:
            InvalidArgument: see `check`.
        """
        return self._index if scope.bounds is None else self._nearest(scope)

    def _nearest(self, scope: ContextScope) -> Nearest:
        self.check(scope)
        bounds = scope.bounds or DistanceBounds()
        return Nearest(self._index, bounds, self._pools, self._by_model)

    async def retrieve(
        self, query: str, scope: ContextScope
    ) -> tuple[retrieve_contexts.Context, ...]:
        """Return the contexts of *query*, as documented.

        Raises:
            InvalidArgument: the filter cannot be read; or see `check`.
            NotFound: there is no such corpus.
            Unavailable: the index is not there.
            ServiceError: a model is to rank, and cannot.
        """
        nearest = self._nearest(scope)
        data_stores = tuple(await self._corpora.data_stores(scope.parent))
        searched = SearchScope(data_stores=data_stores, viewer=scope.viewer, filter=scope.filter)
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
        sparse_distance=near.sparse_distance or 0.0,
    )
