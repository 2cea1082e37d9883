"""Read the index of one data store from a worker thread, in few round trips.

Ranking runs in worker threads and asks as it goes (`ranking.store_reader`). It is not made
asynchronous for this index: what a query is read as depends on what the store knows word by word,
in code that both indexes share. So a thread waits here while the event loop asks Redis, on the
sockets that all others use; what can be asked together is, and counts of terms are kept until the
index changes. A search asks Redis two or three times then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from service.corpus.redis_search import engine, entries
from service.corpus.redis_search.engine import EngineQuery, EngineReply
from service.corpus.redis_search.entries import EntryTotals, IndexedDocument
from service.corpus.redis_search.entry_keys import COUNTS, EntryKeys
from service.corpus.redis_search.reader.chunk_scores import FoundChunk
from service.corpus.redis_search.reader.counted_chunks import CountedChunks
from sessions.errors import Unavailable
from sessions.redis.connection import Redis, checked_replies
from sessions.redis.resp_socket import pack

_WAIT: Final = 10.0
"""Seconds after which a thread gives up; each command ends before, by that of its socket."""
_LONG: Final = 120.0
"""The same for all documents of a data store, of which it reads some at a time."""
_PAGE: Final = 1_000
"""Fields that one command reads."""
_READ: Final = ("stored", "title", "headings", "body")

T = TypeVar("T")


class EntryReads:
    """What a data store's index holds; its methods block, and belong in a worker thread."""

    def __init__(
        self,
        redis: Redis,
        keys: EntryKeys,
        loop: asyncio.AbstractEventLoop,
        chunks: CountedChunks,
        lost: Callable[[], None],
    ) -> None:
        """*loop* is that of *redis*, and *chunks* remembers what was found.

        *lost* is called there where the engine does not have the index.
        """
        self._redis = redis
        self.keys = keys
        self._loop = loop
        self._chunks = chunks
        self._lost = lost

    async def totals(self) -> EntryTotals:
        """Return what is counted now; for the event loop."""
        key = self.keys.totals
        return entries.totals(await self._redis.execute(key, "HGETALL", key))

    def ask(self, queries: Sequence[EngineQuery]) -> list[EngineReply]:
        """Return the replies of the engine to *queries*.

        Raises:
            Unavailable: Redis is away, the index is not there, or the engine ran out of time.
        """
        if not queries:
            return []
        try:
            return self._wait(engine.ask(self._redis, self.keys.entries, queries))
        except Unavailable as exc:
            if exc.reason == engine.MISSING:
                self._loop.call_soon_threadsafe(self._lost)
            raise

    def replies(self, commands: Sequence[bytes]) -> list[Any]:
        """Return what the engine replies to packed *commands*; raises as `ask` does."""
        return self._wait(engine.replies(self._redis, self.keys.entries, commands))

    def counted(self, keys: Iterable[bytes]) -> list[FoundChunk]:
        """Return the chunks with these *keys* with how often they have their words."""
        return self._chunks.of(keys, self._counts_of)

    def wholes(self, numbers: Sequence[int]) -> list[bytes | None]:
        """Return what is told of the words of these documents, see `word_counts`."""
        return self._counts_of([self.keys.whole(number) for number in numbers])

    def _counts_of(self, keys: Sequence[bytes]) -> list[bytes | None]:
        return self._batch([pack("HGET", key, COUNTS) for key in keys])

    def counts(self, fields: Sequence[str]) -> list[int]:
        """Return how many chunks have each of some terms, see `entries.term_field`."""
        return [int(each or 0) for each in self._hash_values(self.keys.terms, fields)]

    def entries(self, ids: Sequence[str]) -> dict[str, IndexedDocument]:
        """Return those of the documents with these *ids* that there are, by id."""
        return _decoded(ids, self._hash_values(self.keys.entries, ids))

    def all_entries(self) -> dict[str, IndexedDocument]:
        """Return all documents, by id and in the order of their ids."""
        return dict(sorted(self._wait(self._scanned(), _LONG).items()))

    def chunks(
        self, places: Sequence[tuple[int, int]], ids: Sequence[str]
    ) -> tuple[list[Sequence[bytes | None]], dict[str, IndexedDocument]]:
        """Return what is stored of the chunks at *places*, and the documents with these *ids*.

        Of a chunk these are its `StoredChunk` and the words of its title, headings and body, each
        None where it is gone.
        """
        asked = [pack("HMGET", self.keys.chunk(*place), *_READ) for place in places]
        if ids:
            asked.append(pack("HMGET", self.keys.entries, *ids))
        replies = self._batch(asked)
        read = _decoded(ids, replies.pop()) if ids else {}
        return replies, read

    def _hash_values(self, key: bytes, fields: Sequence[str]) -> list[bytes | None]:
        pages = [fields[at : at + _PAGE] for at in range(0, len(fields), _PAGE)]
        replies = self._batch([pack("HMGET", key, *page) for page in pages])
        return [value for reply in replies for value in reply]

    def _batch(self, packed: Sequence[bytes]) -> list[Any]:
        if not packed:
            return []
        slot = self.keys.entries
        return checked_replies(self._wait(self._redis.batch([(slot, each) for each in packed])))

    async def _scanned(self) -> dict[str, IndexedDocument]:
        found: dict[str, IndexedDocument] = {}
        key, cursor = self.keys.entries, b"0"
        while True:
            cursor, page = await self._redis.execute(key, "HSCAN", key, cursor, "COUNT", _PAGE)
            found |= _decoded([i.decode() for i in page[::2]], page[1::2])
            if cursor == b"0":
                return found

    def _wait(self, work: Coroutine[Any, Any, T], most: float = _WAIT) -> T:
        waiting = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waiting.result(most)
        except TimeoutError:
            waiting.cancel()
            raise Unavailable(
                "the index does not answer; try again", reason="INDEX_TOO_SLOW"
            ) from None


def _decoded(ids: Sequence[str], values: Sequence[bytes | None]) -> dict[str, IndexedDocument]:
    pairs: Mapping[str, bytes | None] = dict(zip(ids, values, strict=True))
    return {i: entries.DECODER.decode(value) for i, value in pairs.items() if value is not None}
