"""An index over one data store on a real Query Engine, for tests of what it finds."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from service.corpus.document_access import DocumentPolicy
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import StoredDocument
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.texts import STORE


@contextlib.asynccontextmanager
async def opened(
    redis: Redis,
    keys: Keys,
    documents: Sequence[StoredDocument] = (),
    *,
    policy: Callable[[str], Awaitable[DocumentPolicy]] | None = None,
    vectors: SharedVectors | None = None,
) -> AsyncGenerator[RedisIndex]:
    """Open an index in which *documents* can be found."""
    store = DocumentStore(redis, keys)
    await store.put(STORE, documents)
    async with RedisIndex(redis, keys, store, policy=policy, vectors=vectors) as index:
        await index.wait_ready()
        yield index
