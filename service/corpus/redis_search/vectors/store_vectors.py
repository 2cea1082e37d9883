"""Keep the vectors of one data store in the Query Engine, together with the other replicas.

What was embedded lies beside the documents (`vectors.vector_store`) and outlives each format of the
index; from there it is taken into the engine, in the order in which documents came to the index.
"""

from __future__ import annotations

import contextlib
import time
from typing import Final

from service.corpus.redis_search.entries import IndexedDocument
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.redis_search.vector_keys import VectorKeys
from service.corpus.redis_search.vectors import vector_writer
from service.corpus.redis_search.vectors.vector_writer import VectorState, VectorWriter
from service.corpus.vectors.document_embedding import DocumentEmbedding, EmbeddingLeaseLost
from service.corpus.vectors.vector_store import DocumentVectors, VectorStore
from service.thread_pools import ThreadPool
from sessions.errors import Unavailable

_TOUCH: Final = 60.0
"""Seconds between two times that a replica says what it compares with."""


class StoreVectors:
    """The vectors of the data store *name* that have so many *parts*."""

    def __init__(
        self,
        name: str,
        keys: VectorKeys,
        parts: int,
        writer: VectorWriter,
        store: VectorStore,
        embedding: DocumentEmbedding,
        threads: ThreadPool,
    ) -> None:
        self._name = name
        self.keys = keys
        self.parts = parts
        self._writer = writer
        self._store = store
        self._embedding = embedding
        self._threads = threads
        self._doubted = True
        self._touched = 0.0
        self.state = VectorState()
        """What of them is searched."""

    def doubt(self) -> None:
        """Have it looked, when it next catches up, whether the engine has the index."""
        self._doubted = True

    async def touch(self) -> None:
        """Say, every now and then, that they are compared with."""
        if time.monotonic() - self._touched >= _TOUCH:
            await self._writer.touch()
            await self._store.touch(self._name)
            self._touched = time.monotonic()

    async def catch_up(self, view: StoreView) -> bool:
        """Bring them in step with *view*; False where another replica does, or it takes longer."""
        self.state = await self._writer.state()
        given = view.totals.given
        surplus = await self._store.count(self._name) > view.totals.documents
        grown = self.state.graph or self.state.chunks <= vector_writer.GRAPH
        if self.state.position >= given and grown and not (surplus or self._doubted):
            return True
        if not await self._store.lease(self._name):
            return False
        try:
            self.state = await self._writer.begin(view.totals.chunks)
            self._doubted = False
            await self._write(given)
            if surplus:
                await self._store.sweep(self._name)
            return await self._writer.grow()
        except EmbeddingLeaseLost:
            return False
        finally:
            await self._store.release(self._name)
            self.state = await self._writer.state()

    async def _write(self, given: int) -> None:
        """Write those of all documents up to the number *given*, and of what has come since."""
        position = self.state.position
        while page := await self._writer.following(position):
            there = await self._writer.entries([i for i, _ in page])
            # What has another number now comes again later.
            wanted = {i: there[i] for i, n in page if i in there and there[i].number == n}
            await self._write_some(wanted)
            position = page[-1][1]
            await self._include(position)
        await self._include(max(position, given))

    async def _write_some(self, wanted: dict[str, IndexedDocument]) -> None:
        stored = await self._store.read(self._name, list(wanted))
        missing: list[str] = []
        for i, entry in wanted.items():
            if i in stored and self._fits(stored[i], entry):
                await self._write_one(entry, stored[i])
            elif entry.attributes.chunks:
                missing.append(i)
        async with contextlib.aclosing(self._embedding.embed(self._name, missing)) as embedded:
            async for i, made in embedded:
                if made.dimensions != self.parts and made.count:
                    raise Unavailable("the model changes", reason="MODEL_UNAVAILABLE")
                if self._fits(made, wanted[i]):
                    await self._write_one(wanted[i], made)

    async def _write_one(self, entry: IndexedDocument, vectors: DocumentVectors) -> None:
        # In a thread: a document of 20 MB has vectors for a second of it.
        packed = await self._threads.run(vector_writer.packed, vectors)
        await self._writer.write(entry, packed)

    async def _include(self, position: int) -> None:
        if not await self._store.lease(self._name):
            raise EmbeddingLeaseLost("another replica embeds", reason="MODEL_UNAVAILABLE")
        await self._writer.include(position)
        self.state = await self._writer.state()

    def _fits(self, vectors: DocumentVectors, entry: IndexedDocument) -> bool:
        """Tell whether *vectors* are those of what is indexed."""
        same = vectors.digest == entry.attributes.digest
        return same and vectors.has_length(self.parts) and vectors.count == entry.attributes.chunks
