"""Keep the indexes of all data stores as the store is, together with the other replicas."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping
from types import TracebackType
from typing import Any, Final

from service.corpus.redis_search.counted_chunks import CountedChunks
from service.corpus.redis_search.entries import EntryTotals
from service.corpus.redis_search.entry_keys import EntryKeys, fingerprint
from service.corpus.redis_search.entry_reads import EntryReads
from service.corpus.redis_search.entry_writer import EntryWriter
from service.corpus.redis_search.index_formats import IndexFormats
from service.corpus.redis_search.store_follower import StoreFollower
from service.corpus.redis_search.store_view import StoreView
from service.corpus.storage.document_store import DocumentStore
from service.thread_pools import ThreadPool
from sessions.errors import ServiceError, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.supervision import PASSING

POLL: Final = 0.25
"""Seconds between two looks at what changed."""
SWEEP: Final = 10.0
"""Seconds after which each data store is looked at even if nobody announced a change."""
_RETRY: Final = 1.0

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
        self._stores: dict[str, StoreFollower] = {}
        self._moment = 0
        self._named = asyncio.Event()
        self._loaded = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._own: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> IndexFollower:
        """Begin to follow; `wait_ready` tells when everything can be found."""
        await self._tasks.__aenter__()
        for work in (self._follow, self._load):
            self._own.append(self._tasks.create_task(work(), name=f"index-{work.__name__}"))
        if self._embed is not None:
            embedding = self._embed(self._searchable)
            self._own.append(self._tasks.create_task(embedding, name="index-vectors"))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following; the others go on."""
        for task in self._own:
            task.cancel()
        for store in self._stores.values():
            store.stop()
        await self._tasks.__aexit__(kind, error, trace)
        with contextlib.suppress(ServiceError):  # it is taken for gone in a while
            await self._formats.leave(fingerprint(), self._owner)

    @property
    def ready(self) -> bool:
        """Tell whether everything that was stored at the start can be found.

        A data store whose index fails does not count: it alone cannot be searched.
        """
        return self._loaded.is_set()

    async def wait_ready(self) -> None:
        """Return when `ready`."""
        await self._loaded.wait()

    @property
    def damaged(self) -> int:
        """How many documents cannot be found since what is stored of them is damaged.

        They are counted by the replica that met them.
        """
        return sum(len(store.damaged) for store in self._stores.values())

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self._follower_of(data_store).refresh(self._tasks)

    def view(self, data_store: str) -> StoreView | None:
        """Return what can be searched of *data_store* now; None where there is no such store.

        Raises:
            Unavailable: the index is being built.
        """
        store = self._stores.get(data_store)
        if not self._named.is_set() or (store is not None and store.view is None):
            raise Unavailable("the index is being built; try again", reason="INDEX_NOT_READY")
        return store.view if store is not None and store.has_documents else None

    def _searchable(self) -> dict[str, StoreView]:
        stores = self._stores.items()
        return {name: store.view for name, store in stores if store.view is not None}

    def doubt(self, data_stores: Iterable[str]) -> None:
        """Look soon whether the engine has the indexes of *data_stores*."""
        for name in data_stores:
            if name in self._stores:
                self._stores[name].doubt(self._tasks)

    async def sweep(self) -> None:
        """Look at every data store: a writer may have died before it announced a change."""
        await self._formats.mark_used(fingerprint(), self._owner)
        heads = await self._store.feed.heads(besides=tuple(self._stores))
        for name, head in heads.items():
            if head or name in self._stores:
                store = self._follower_of(name)
                if head != store.position or store.view is None:
                    store.touch(self._tasks)
                elif not head and store.is_idle:
                    del self._stores[name]  # it was deleted

    def _follower_of(self, data_store: str) -> StoreFollower:
        if data_store not in self._stores:
            keys = EntryKeys(self._keys, data_store)
            loop = asyncio.get_running_loop()
            self._stores[data_store] = StoreFollower(
                data_store,
                self._store,
                EntryWriter(self._redis, keys, self._owner, self._threads),
                EntryReads(self._redis, keys, loop, self._chunks),
                self._observe,
            )
            if self._named.is_set():  # one that comes up later begins empty, and can be searched
                self._stores[data_store].show(EntryTotals())
        return self._stores[data_store]

    async def _follow(self) -> None:
        """Keep the indexes as the store is, for as long as the process runs."""
        swept = 0.0
        while True:
            try:
                if not self._named.is_set():
                    # Before the sweep: what changes while that goes on is announced after this
                    # moment, so that none falls between.
                    self._moment = (await self._store.feed.changed(0))[1]
                    await self.sweep()
                    self._named.set()
                await self._look()
                now = asyncio.get_running_loop().time()
                if now - swept > SWEEP:
                    await self.sweep()
                    swept = now
                await asyncio.sleep(POLL)
            except PASSING:
                raise
            except BaseException as exc:  # noqa: BLE001 - a supervisor: nothing may end the task
                self._observe(exc)
                await asyncio.sleep(_RETRY)

    async def _look(self) -> None:
        """Catch up with the data stores that were announced since the last look."""
        changed, self._moment = await self._store.feed.changed(self._moment)
        for data_store in changed:
            self._follower_of(data_store).touch(self._tasks)

    async def _load(self) -> None:
        await self._named.wait()
        for store in list(self._stores.values()):
            await store.settled.wait()
        self._loaded.set()
