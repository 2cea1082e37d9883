"""Embeds what is stored, in the background, and what is asked, for one process.

Nothing waits for it: a chunk that has no vector yet is found by its words, and so is everything
for a query that could not be embedded in time.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from typing import Final

from service.corpus.index import SearchContext
from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors import embedding_rounds
from service.corpus.vectors.document_embedding import READ, DocumentEmbedding, EmbeddingLeaseLost
from service.corpus.vectors.query_meanings import Meaning, QueryMeanings
from service.corpus.vectors.vector_length import VectorLength
from service.corpus.vectors.vector_store import VectorStore
from service.corpus.vectors.vector_table import DocumentDigests, VectorTable
from service.embeddings.embedder import Embedder
from service.thread_pools import ThreadPool
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

MOST: Final = 100_000
"""Chunks of one process that are compared: 200 MB of memory and 15 ms a query with 512 parts."""
_SETTLED_EVERY: Final = 3.0
"""Seconds after which what was embedded meanwhile is compared with."""
_TOUCH: Final = 86_400.0
_log = logging.getLogger(__name__)

States = Callable[[], Mapping[str, DocumentDigests]]


class VectorSearch:
    """The vectors of all data stores that *embedder* makes, as far as this process has them.

    *observe* is told of each query that was to be embedded whether it was.
    """

    def __init__(
        self,
        embedder: Embedder,
        redis: Redis,
        keys: Keys,
        documents: DocumentStore,
        *,
        observe: Callable[[bool], None] | None = None,
        most: int = MOST,
    ) -> None:
        """Begin with nothing; *most* chunks are compared at most."""
        self._store = VectorStore(redis, keys, embedder.name)
        self._threads = ThreadPool("vectors", 1)
        self._length = VectorLength()
        self._meanings = QueryMeanings(embedder, self._length, observe or _ignore)
        self._embedding = DocumentEmbedding(
            embedder, self._store, documents, self._length, self._threads
        )
        self._most = most
        self._tables: dict[str, VectorTable] = {}
        self._complete: dict[str, DocumentDigests] = {}
        self._touched: dict[str, float] = {}
        self._bounded = False
        # What is stored may have the length from before this process began.
        self._length.on_change(self._complete.clear)

    @property
    def count(self) -> int:
        """How many chunks a query is compared with."""
        return sum(table.compared for table in self._tables.values())

    def table(self, data_store: str) -> VectorTable | None:
        """Return the vectors of *data_store*; None where there are none yet."""
        return self._tables.get(data_store)

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        return await self._meanings.read(query, context) if self.count else None

    async def keep_up(self, states: States) -> None:
        """Embed what the data stores hold, as *states* tells by their names, until cancelled."""

        async def embed() -> bool:
            done = True
            for name, state in states().items():
                if self._complete.get(name) is not state:
                    done &= await self._catch_up(name, state)
            await self._drop_gone(states())
            return done

        await embedding_rounds.keep_up(embed)

    async def _catch_up(self, name: str, state: DocumentDigests) -> bool:
        """Bring the vectors of the data store *name* in step; False where another replica does."""
        table, length = self._tables.setdefault(name, VectorTable()), self._length.parts
        # In a thread: each looks at all documents, a tenth of a second for 100,000 of them.
        digests = await self._threads.run(state.digests)
        gone = await self._threads.run(table.keep_only, digests.keys())
        if gone:
            await self._store.forget(name, gone)
        await self._take_stored(name, table, digests)
        missing = await self._threads.run(table.missing, digests, self._length.parts)
        if missing and self._has_room():
            if not await self._store.lease(name):
                await self._settle(table)
                return False
            try:
                # Another replica may have embedded some since they were looked for.
                await self._take_stored(name, table, digests)
                await self._embed(name, table, digests)
            finally:
                await self._store.release(name)
        await self._settle(table)
        if time.monotonic() - self._touched.get(name, -_TOUCH) >= _TOUCH:
            await self._store.touch(name)
            self._touched[name] = time.monotonic()
        if length == self._length.parts:
            self._complete[name] = state
        return True

    async def _take_stored(
        self, name: str, table: VectorTable, digests: Mapping[str, bytes]
    ) -> None:
        """Take the vectors that there are in Redis and not here."""
        parts = self._length.parts
        missing = await self._threads.run(table.missing, digests, parts)
        for at in range(0, len(missing), READ):
            if not self._has_room():
                return
            found = await self._store.read(name, missing[at : at + READ])
            table.put(
                {
                    i: each
                    for i, each in found.items()
                    if digests[i] == each.digest and each.has_length(parts)
                }
            )

    async def _embed(self, name: str, table: VectorTable, digests: Mapping[str, bytes]) -> None:
        """Embed the documents that have no vectors, some chunks at a time."""
        settled = time.monotonic()
        missing = await self._threads.run(table.missing, digests, self._length.parts)
        try:
            async with contextlib.aclosing(self._embedding.embed(name, missing)) as embedded:
                async for document_id, made in embedded:
                    table.put({document_id: made})
                    if not self._has_room():
                        return
                    if time.monotonic() - settled > _SETTLED_EVERY:
                        await self._settle(table)
                        settled = time.monotonic()
        except EmbeddingLeaseLost:
            return  # whoever has it goes on

    async def _settle(self, table: VectorTable) -> None:
        await self._threads.run(table.settle)

    async def _drop_gone(self, states: Mapping[str, DocumentDigests]) -> None:
        for name in self._tables.keys() - states.keys():
            await self._store.forget(name, self._tables[name].keep_only(()))
            del self._tables[name]
            self._complete.pop(name, None)

    def _has_room(self) -> bool:
        """Tell whether more chunks may be compared; what has no room is found by its words."""
        if sum(map(len, self._tables.values())) < self._most:
            self._bounded = False
        elif not self._bounded:
            self._bounded = True
            _log.warning("vectors_bounded", extra={"chunks": self._most})
        return not self._bounded


def _ignore(_: bool) -> None:
    """Observe nothing."""
