"""Embed documents beside the queries, which go first, and keep their vectors in Redis."""

from __future__ import annotations

import asyncio
import time
from array import array
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import IndexContent, unpack
from service.corpus.vectors import vector_store
from service.corpus.vectors.vector_length import VectorLength
from service.corpus.vectors.vector_store import DocumentVectors, VectorStore
from service.embeddings.embedder import Embedder, TextKind
from service.thread_pools import ThreadPool
from sessions.errors import Unavailable

READ: Final = 200
"""Documents whose vectors or texts are read at once."""
_BATCH: Final = 16
"""Chunks embedded at once: a fifth of a second with the local model."""
_REST: Final = 1.0
"""The pause after a batch, as a share of the time it took: queries come first."""


class EmbeddingLeaseLost(Unavailable):
    """Another replica embeds the data store now; what was embedded before is kept."""


class DocumentEmbedding:
    """Embeds documents with the model of *embedder*; whoever asks has the lease of *store*."""

    def __init__(
        self,
        embedder: Embedder,
        store: VectorStore,
        documents: DocumentStore,
        length: VectorLength,
        threads: ThreadPool,
    ) -> None:
        self._embedder = embedder
        self._store = store
        self._documents = documents
        self._length = length
        self._threads = threads

    async def embed(
        self, data_store: str, ids: Sequence[str]
    ) -> AsyncGenerator[tuple[str, DocumentVectors]]:
        """Embed those of the documents *ids* that can be read; yield each when it is kept.

        Raises:
            EmbeddingLeaseLost: another replica goes on.
            ServiceError: the model cannot be asked now.
        """
        for at in range(0, len(ids), READ):
            packed = await self._documents.packed_contents(data_store, ids[at : at + READ])
            for document_id, value in packed.items():
                # In a thread: a document of 20 MB takes a second to unpack and to compress.
                if (content := await self._threads.run(unpack, value)) is None:
                    continue
                vectors = await self._vectors(data_store, content)
                digest = vector_store.document_digest(value)
                made = await self._threads.run(vector_store.compress, digest, vectors)
                await self._store.keep(data_store, {document_id: made})
                yield document_id, made

    async def learn_length(self) -> int:
        """Return how many parts the vectors of the model have."""
        if not self._length.parts:
            self._length.note(await self._embedder.embed(["-"], TextKind.DOCUMENT))
        return self._length.parts

    async def _vectors(self, data_store: str, content: IndexContent) -> list[array[float]]:
        vectors: list[array[float]] = []
        texts = texts_of(content)
        for at in range(0, len(texts), _BATCH):
            if not await self._store.lease(data_store):
                raise EmbeddingLeaseLost("another replica embeds", reason="MODEL_UNAVAILABLE")
            began = time.monotonic()
            made = await self._embedder.embed(texts[at : at + _BATCH], TextKind.DOCUMENT)
            self._length.note(made)
            vectors += made
            await asyncio.sleep(_REST * (time.monotonic() - began))
        if len({len(vector) for vector in vectors}) > 1:
            raise Unavailable("the model changes", reason="MODEL_UNAVAILABLE")
        return vectors


def texts_of(content: IndexContent) -> Sequence[str]:
    """Return what is embedded of each chunk: its text, under its headings and title."""
    return [
        "\n".join(dict.fromkeys((content.title, *chunk.headings, chunk.text)))
        for chunk in content.chunks
    ]
