"""Build the results of a search: documents or chunks, with their snippets and extracts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service.answering.retrieval import snippets
from service.answering.retrieval.document_ranking import Item
from service.answering.retrieval.snippets import QueryTerms
from service.corpus.index import Chunk
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.resources import chunks
from sessions.resources.documents import Document
from sessions.resources.search_requests import (
    ContentSearchSpec,
    ExtractiveContentSpec,
    SearchRequest,
    SnippetSpec,
)
from sessions.resources.search_results import DoubleList, RankSignals, SearchResult


class ResultBuilder:
    """Reads the documents of items and writes them as results."""

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents

    async def results(
        self, request: SearchRequest, items: Sequence[Item]
    ) -> tuple[SearchResult, ...]:
        """Return *items* as results; a document that was deleted just now is left out."""
        content = request.content_search_spec or ContentSearchSpec()
        shown: list[SearchResult] = []
        if request.by_chunk:
            for item in items:
                chunk = await self._chunk(item, content)
                shown.append(SearchResult(id=chunk.id, chunk=chunk))
        else:
            query = snippets.query_terms(
                request.query, (hit.chunk.text for item in items for hit in item.hits)
            )
            found = await self._stored(items)
            for item in items:
                if (stored := found.get(item.document)) is not None:
                    document = await self._document(query, item, stored, content)
                    shown.append(SearchResult(id=document.id, document=document))
            items = [item for item in items if item.document in found]
        spec = request.relevance_score_spec
        scored = spec is not None and spec.return_relevance_score
        return tuple(
            _scored(result, item, rank, shows=scored)
            for rank, (result, item) in enumerate(zip(shown, items, strict=True), start=1)
        )

    async def _stored(self, items: Sequence[Item]) -> Mapping[str, Document]:
        """Return the documents of *items* by name."""
        by_store: dict[str, list[str]] = {}
        for item in items:
            ids = by_store.setdefault(names.data_store_of(item.document), [])
            ids.append(names.last_id(item.document))
        return {
            document.name: document
            for data_store, ids in by_store.items()
            for document in (await self._documents.get_many(data_store, ids)).values()
        }

    async def _document(
        self, query: QueryTerms, item: Item, stored: Document, content: ContentSearchSpec
    ) -> Document:
        derived: dict[str, Any] = {"title": item.title, "link": item.uri}
        spec = content.snippet_spec or SnippetSpec()
        if spec.return_snippet or spec.max_snippet_count:
            count = max(1, spec.max_snippet_count)
            derived["snippets"] = snippets.snippets(query, item.hits, count)
        extracts = content.extractive_content_spec or ExtractiveContentSpec()
        if count := extracts.max_extractive_answer_count:
            derived["extractive_answers"] = snippets.answers(query, item.hits, count)
        if count := extracts.max_extractive_segment_count:
            before, after = extracts.num_previous_segments, extracts.num_next_segments
            whole = await self._documents.chunks(item.document) if before or after else ()
            derived["extractive_segments"] = snippets.segments(
                item.hits,
                whole,
                count,
                before,
                after,
                scored=extracts.return_extractive_segment_score,
            )
        return Document(
            name=stored.name,
            id=stored.id,
            schema_id=stored.schema_id,
            struct_data=dict(item.struct_data) or None,
            parent_document_id=stored.parent_document_id,
            derived_struct_data=derived,
        )

    async def _chunk(self, item: Item, content: ContentSearchSpec) -> chunks.Chunk:
        hit = item.hits[0]
        made = msgspec.structs.replace(_chunk(hit.chunk), relevance_score=hit.relevance)
        spec = content.chunk_spec
        if spec is None or not (spec.num_previous_chunks or spec.num_next_chunks):
            return made
        whole = await self._documents.chunks(item.document)
        at = next((n for n, chunk in enumerate(whole) if chunk.name == item.name), None)
        if at is None:
            return made
        before = whole[max(0, at - spec.num_previous_chunks) : at]
        after = whole[at + 1 : at + 1 + spec.num_next_chunks]
        return msgspec.structs.replace(
            made,
            chunk_metadata=chunks.ChunkMetadata(
                previous_chunks=tuple(_chunk(chunk) for chunk in before),
                next_chunks=tuple(_chunk(chunk) for chunk in after),
            ),
        )


def _chunk(chunk: Chunk) -> chunks.Chunk:
    return chunks.Chunk(
        name=chunk.name,
        id=names.last_id(chunk.name),
        content=chunk.text,
        document_metadata=chunks.DocumentMetadata(
            uri=chunk.uri, title=chunk.title, struct_data=chunk.struct_data or None
        ),
        page_span=chunks.PageSpan(page_start=chunk.page, page_end=max(chunk.page, chunk.last_page))
        if chunk.page
        else None,
    )


def _scored(result: SearchResult, item: Item, rank: int, *, shows: bool) -> SearchResult:
    """Return *result* with what it was ranked by, if there was a query."""
    if not item.hits:
        return result
    cosine = item.hits[0].cosine
    signals = RankSignals(
        keyword_similarity_score=round(item.hits[0].score, 4),
        relevance_score=round(item.relevance, 4),
        semantic_similarity_score=None if cosine is None else round(cosine, 4),
        default_rank=float(rank),
    )
    scores = {"relevance_score": DoubleList(values=(item.relevance,))} if shows else {}
    return msgspec.structs.replace(result, rank_signals=signals, model_scores=scores)
