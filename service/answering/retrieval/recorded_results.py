"""Keep what a search of a session found, so that an answer can be written from just that.

The key holds the session beside the id of the query: an id alone, which anybody may send, leads to
nothing that another session found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.retrieval import pages
from service.answering.retrieval.document_ranking import Item
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

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def keep(
        self, session: str, query_id: str, results: answer_query.SearchResultList
    ) -> None:
        """Keep what the search of this query found."""
        key = self._keys.search_results(session, query_id)
        await self._redis.execute(key, "SET", key, json_codec.dump(results), "EX", LIFETIME)

    async def recall(self, session: str, query_id: str) -> answer_query.SearchResultList | None:
        """Return what was found, None where no such search is remembered."""
        key = self._keys.search_results(session, query_id)
        stored = await self._redis.execute(key, "GET", key)
        return (
            None
            if stored is None
            else json_codec.load(answer_query.SearchResultList, bytes(stored))
        )


def as_results(
    items: Sequence[Item], count: int | None, *, by_chunk: bool
) -> answer_query.SearchResultList:
    """Return the first *count* of *items* as an answer reads given results."""
    kept = items[: min(DEFAULT_COUNT if count is None else count, _MAX_COUNT)]
    made = [_chunk(item) if by_chunk else _document(item) for item in kept]
    return answer_query.SearchResultList(search_results=tuple(made))


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
