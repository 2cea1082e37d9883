"""Find chunks with tantivy, in the memory of this process, kept fresh from Redis.

Each data store is a shard. At the start all are read from the store; from then on the feed says
what changed. Whatever a shard holds can be rebuilt: nothing is lost with the process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

from service.corpus import searching
from service.corpus.index import Hit, Listed, SearchScope
from service.corpus.shards import Shard
from service.corpus.store import DocumentStore, Passages
from service.corpus.views import View
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import Unavailable
from sessions.supervision import PASSING

POLL: Final = 0.25
"""Seconds between two looks at what changed."""
SWEEP: Final = 30.0
"""Seconds after which each data store is looked at even if nobody announced a change."""

_RETRY: Final = 1.0
_AT_ONCE: Final = 2_000
"""Documents that are read from Redis before they are written to a shard together."""
_INLINE: Final = 2_000
"""Chunks below which a search is over before a thread would have begun with it."""
_SEARCHES: Final = 4
"""Searches that threads are busy with at a time; tantivy leaves the interpreter to others."""


class TantivyIndex:
    """An `index.Index` in this process; an async context manager that owns its task.

    Searches fail with `Unavailable` until `ready`. *observe*, if given, is told of each failed
    look at the feed.
    """

    def __init__(
        self, store: DocumentStore, *, observe: Callable[[BaseException], None] | None = None
    ) -> None:
        self._store = store
        self._observe = observe
        self._shards: dict[str, Shard] = {}
        self._positions: dict[str, int] = {}
        self._moment = 0
        self._writing = asyncio.Lock()
        self._searches = ThreadPool("search", _SEARCHES)
        self._writes = ThreadPool("index", 1)
        self._loaded = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._follower: asyncio.Task[None] | None = None

    async def __aenter__(self) -> TantivyIndex:
        """Begin to read and to follow; `wait_ready` tells when everything can be found."""
        await self._tasks.__aenter__()
        self._follower = self._tasks.create_task(self._follow(), name="index-follower")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following."""
        if self._follower is not None:
            self._follower.cancel()
        await self._tasks.__aexit__(kind, error, trace)

    @property
    def ready(self) -> bool:
        """Tell whether everything that was stored at the start can be found."""
        return self._loaded.is_set()

    async def wait_ready(self) -> None:
        """Return when `ready`."""
        await self._loaded.wait()

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found here."""
        async with self._writing:
            await self._catch_up(data_store)

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, best first; stable for equal scores.

        Raises:
            InvalidArgument: the filter or a boost condition cannot be read.
            Unavailable: the index is still being read.
        """
        plan = searching.plan(scope)
        views = self._views(scope)
        if sum(view.chunks for _, view in views) <= _INLINE:
            return searching.search(views, query, plan, limit)
        return await self._searches.run(searching.search, views, query, plan, limit)

    async def listed(self, scope: SearchScope) -> Sequence[Listed]:
        """Return the documents in *scope*, by data store and id.

        Raises:
            InvalidArgument: the filter cannot be read.
            Unavailable: the index is still being read.
        """
        condition = searching.plan(scope).condition
        return [
            Listed(
                document=names.document(name, known.id),
                title=known.passages.title,
                uri=known.passages.uri,
                struct_data=known.passages.struct_data,
            )
            for name, view in self._views(scope)
            for known in view.listed(condition)
        ]

    def _views(self, scope: SearchScope) -> list[tuple[str, View]]:
        """Return the data stores of *scope* by name, each in the state that it has now."""
        if not self.ready:
            raise Unavailable("the index is being read; try again", reason="INDEX_NOT_READY")
        return [
            (name, self._shards[name].view)
            for name in dict.fromkeys(scope.data_stores)
            if name in self._shards
        ]

    async def _follow(self) -> None:
        """Keep the shards as the store is, for as long as the process runs."""
        swept = 0.0
        while True:
            try:
                await self._look()
                now = asyncio.get_running_loop().time()
                if now - swept > SWEEP:
                    swept = now
                    await self.sweep()
                self._loaded.set()
                await asyncio.sleep(POLL)
            except PASSING:
                raise
            # A supervisor: nothing may end the task, nor the service with it.
            except BaseException as exc:  # noqa: BLE001 - told to who observes
                if self._observe is not None:
                    self._observe(exc)
                await asyncio.sleep(_RETRY)

    async def _look(self) -> None:
        """Catch up with the data stores that were announced since the last look."""
        changed, moment = await self._store.feed.changed(self._moment)
        for data_store in changed:
            await self.refresh(data_store)
        self._moment = moment

    async def sweep(self) -> None:
        """Look at every data store: a writer may have died before it announced a change."""
        for data_store in list(self._shards):
            await self.refresh(data_store)

    async def _catch_up(self, data_store: str) -> None:
        while True:
            after = self._positions.get(data_store, 0)
            changes = await self._store.feed.read(data_store, after)
            if changes.whole:
                await self._read_anew(data_store)
            elif changes.ids:
                found = await self._store.passages(data_store, changes.ids)
                gone = [i for i in changes.ids if i not in found]
                await self._apply(self._shard(data_store), found, gone)
            self._positions[data_store] = changes.position
            if changes.position == after or changes.whole:
                return

    async def _read_anew(self, data_store: str) -> None:
        """Replace the shard by what the store holds; it is searched as it was until then."""
        shard = Shard()
        pages: dict[str, Passages] = {}
        async for page in self._store.all_passages(data_store):
            pages.update(page)
            if len(pages) >= _AT_ONCE:
                await self._apply(shard, pages, [])
                pages = {}
        await self._apply(shard, pages, [])
        if len(shard):
            self._shards[data_store] = shard
        else:
            self._shards.pop(data_store, None)

    def _shard(self, data_store: str) -> Shard:
        return self._shards.setdefault(data_store, Shard())

    async def _apply(self, shard: Shard, found: dict[str, Passages], gone: list[str]) -> None:
        if found or gone:
            await self._writes.run(shard.apply, found, gone)
