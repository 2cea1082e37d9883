"""Keep what a search of a session found, so that an answer can be written from just that.

The key holds the session beside the id of the query: an id alone, which anybody may send, leads to
nothing that another session found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.retrieval import pages
from service.answering.retrieval.document_ranking import Item
from service.corpus.document_access import Viewer
from service.corpus.index import DocumentIndex
from sessions import names
from sessions.codec import json_codec
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answer_query

DEFAULT_COUNT: Final = 10
"""Results that are kept where the request names no number."""
LIFETIME: Final = 24 * 3600
"""Seconds for which an answer may come back to what was found."""

_MAX_COUNT: Final = 50
_CHUNKS_PER_DOCUMENT: Final = 3


class RecordedResults:
    """The results of searches, by session and query id."""

    def __init__(self, redis: Redis, keys: Keys, index: DocumentIndex) -> None:
        self._redis = redis
        self._keys = keys
        self._index = index

    async def keep(
        self, session: str, query_id: str, results: answer_query.SearchResultList
    ) -> None:
        """Keep what the search of this query found."""
        key = self._keys.search_results(session, query_id)
        await self._redis.execute(key, "SET", key, json_codec.dump(results), "EX", LIFETIME)

    async def recall(
        self, session: str, query_id: str, viewer: Viewer
    ) -> answer_query.SearchResultList | None:
        """Return what was found, None where no such search is remembered.

        What *viewer* may not see is left out, whoever searched: the portal may have.

        Raises:
            Unavailable: Redis is away, or the index is not there.
        """
        key = self._keys.search_results(session, query_id)
        stored = await self._redis.execute(key, "GET", key)
        if stored is None:
            return None
        found = json_codec.load(answer_query.SearchResultList, bytes(stored))
        documents = [_document_of(result) for result in found.search_results]
        stores = {names.data_store_of(document) for document in documents}
        sees = await self._index.sight(tuple(stores), viewer)
        if sees is None:
            return found
        pairs = zip(found.search_results, documents, strict=True)
        return answer_query.SearchResultList(
            search_results=tuple(result for result, document in pairs if sees(document))
        )


def as_results(
    items: Sequence[Item], count: int | None, *, by_chunk: bool
) -> answer_query.SearchResultList:
    """Return the first *count* of *items* as an answer reads given results."""
    kept = items[: min(DEFAULT_COUNT if count is None else count, _MAX_COUNT)]
    made = [_chunk(item) if by_chunk else _document(item) for item in kept]
    return answer_query.SearchResultList(search_results=tuple(made))


def _document_of(result: answer_query.GivenResult) -> str:
    """Return the name of the document of a recorded *result*."""
    if (info := result.unstructured_document_info) is not None:
        return info.document
    return result.chunk_info.chunk.partition("/chunks/")[0] if result.chunk_info else ""


def _document(item: Item) -> answer_query.GivenResult:
    return answer_query.GivenResult(
        unstructured_document_info=answer_query.GivenDocument(
            document=item.document,
            uri=item.uri,
            title=item.title,
            document_contexts=tuple(
                answer_query.Passage(
                    content=hit.chunk.text,
                    page_identifier=pages.identifier(hit.chunk.page, hit.chunk.last_page),
                )
                for hit in item.hits[:_CHUNKS_PER_DOCUMENT]
            ),
        )
    )


def _chunk(item: Item) -> answer_query.GivenResult:
    chunk = item.hits[0].chunk
    return answer_query.GivenResult(
        chunk_info=answer_query.GivenChunk(
            chunk=chunk.name,
            content=chunk.text,
            document_metadata=answer_query.GivenChunkMetadata(uri=chunk.uri, title=chunk.title),
        )
    )
