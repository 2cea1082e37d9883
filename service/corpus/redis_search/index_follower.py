"""Keep the indexes of all data stores as the store is, together with the other replicas."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
from collections.abc import Callable, Coroutine, Mapping
from types import TracebackType
from typing import Any, Final

from service.corpus.following.feed_follower import FeedFollower
from service.corpus.redis_search import engine
from service.corpus.redis_search.entry_keys import EntryKeys, fingerprint
from service.corpus.redis_search.entry_writer import EntryWriter
from service.corpus.redis_search.index_formats import IndexFormats
from service.corpus.redis_search.reader.counted_chunks import CountedChunks
from service.corpus.redis_search.reader.entry_reads import EntryReads
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.redis_search.reader.viewed_store import ViewedStore
from service.corpus.redis_search.store_follower import StoreFollower
from service.corpus.storage.document_store import DocumentStore
from service.thread_pools import ThreadPool
from sessions.errors import ServiceError
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

Views = Callable[[], Mapping[str, StoreView]]
"""Returns the data stores that can be searched, by name, as they are now."""


class IndexFollower:
    """The indexes of all data stores; an async context manager that owns its tasks."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        store: DocumentStore,
        observe: Callable[[BaseException], None],
        embed: Callable[[Views], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """*observe* is told of each failure, which is tried again.

        *embed* keeps the vectors of what can be searched, for as long as it runs.
        """
        self._embed = embed
        self._redis = redis
        self._keys = keys
        self._store = store
        self._observe = observe
        self._owner = secrets.token_hex(8)
        self._threads = ThreadPool("index", 1)
        self._chunks = CountedChunks()
        self._formats = IndexFormats(redis, keys)
        self.following: Final = FeedFollower(
            store, self._made, observe=observe, before=self._mark_used, beside=self._beside
        )

    async def __aenter__(self) -> IndexFollower:
        """Begin to follow; `following` tells when everything can be found.

        Raises:
            FailedPrecondition: Redis has no Query Engine, or the service may not use it.
        """
        await engine.check(self._redis, self._keys)
        await self.following.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following; the others go on."""
        await self.following.stop()
        with contextlib.suppress(ServiceError):  # it is taken for gone in a while
            await self._formats.leave(fingerprint(), self._owner)

    def moment(self, data_store: str) -> ViewedStore | None:
        """Return what can be searched of *data_store* now; None where there is no such store.

        Raises:
            Unavailable: the index is being built.
        """
        store = self.following.shown(data_store)
        return store.viewed if store is not None and store.has_documents else None

    def _doubt(self, data_store: str) -> None:
        """Look soon whether the engine has the index of *data_store*."""
        if data_store in self.following.stores:
            self.following.stores[data_store].doubt()
            self.following.touch(data_store)

    def _searchable(self) -> dict[str, StoreView]:
        stores = self.following.stores.items()
        return {name: store.view for name, store in stores if store.view is not None}

    def _made(self, data_store: str) -> StoreFollower:
        keys = EntryKeys(self._keys, data_store)
        loop, lost = asyncio.get_running_loop(), functools.partial(self._doubt, data_store)
        return StoreFollower(
            data_store,
            self._store,
            EntryWriter(self._redis, keys, self._owner, self._threads),
            EntryReads(self._redis, keys, loop, self._chunks, lost),
            self.following.tasks,
            self._observe,
        )

    def _beside(self) -> list[Coroutine[Any, Any, None]]:
        return [] if self._embed is None else [self._embed(self._searchable)]

    async def _mark_used(self) -> None:
        await self._formats.mark_used(fingerprint(), self._owner)
