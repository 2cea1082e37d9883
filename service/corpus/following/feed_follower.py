"""Keep an index of each data store as the store is, as the feed of changes tells."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Generic, Protocol, TypeVar

from service.corpus.following.catch_up import CatchUp
from service.corpus.following.damaged_documents import DamagedDocuments
from service.corpus.storage.document_store import DocumentStore
from sessions.errors import Unavailable
from sessions.supervision import PASSING

POLL: Final = 0.25
"""Seconds between two looks at what changed."""
SWEEP: Final = 10.0
"""Seconds after which each data store is looked at even if nobody announced a change."""
_RETRY: Final = 1.0


class FollowedStore(Protocol):
    """The index of one data store."""

    @property
    def catching_up(self) -> CatchUp:
        """The work that keeps it as the store is."""
        ...

    @property
    def position(self) -> int:
        """What it includes of the feed."""
        ...

    @property
    def is_shown(self) -> bool:
        """Tell whether it can be searched: all that was stored at first can be found."""
        ...

    @property
    def is_idle(self) -> bool:
        """Tell whether there is nothing in it, and nothing is to be done for it."""
        ...

    @property
    def damaged(self) -> DamagedDocuments:
        """Those that cannot be found since what is stored of them is damaged."""
        ...

    def begin_empty(self) -> None:
        """Let it be searched as it begins, with nothing: its data store came up later."""
        ...


S = TypeVar("S", bound=FollowedStore)


class FeedFollower(Generic[S]):
    """The indexes of all data stores, by name; an async context manager that owns its tasks."""

    def __init__(
        self,
        documents: DocumentStore,
        make: Callable[[str], S],
        *,
        observe: Callable[[BaseException], None],
        before: Callable[[], Awaitable[None]],
        beside: Callable[[], list[Coroutine[Any, Any, None]]],
    ) -> None:
        """*make* makes the index of a data store.

        *before* is called before each look at all of them, first before anything else, and
        *beside* returns what runs as long as this does. *observe* is told of each failure, which
        is tried again.
        """
        self._documents = documents
        self._make = make
        self._observe = observe
        self._before = before
        self._beside = beside
        self.stores: dict[str, S] = {}
        self._moment = 0
        self._looked = time.monotonic()
        self._begun = asyncio.Event()
        self._named = asyncio.Event()
        self._loaded = asyncio.Event()
        self.tasks: Final = asyncio.TaskGroup()
        self._own: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to follow; `wait_ready` tells when everything can be found."""
        await self.tasks.__aenter__()
        for work in (self._follow(), self._load(), *self._beside()):
            self._own.append(self.tasks.create_task(work, name=f"index-{work.__name__}"))

    async def stop(self) -> None:
        """Follow no more."""
        for task in self._own:
            task.cancel()
        for store in self.stores.values():
            store.catching_up.stop()
        await self.tasks.__aexit__(None, None, None)

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
        """How many documents cannot be found since what is stored of them is damaged."""
        return sum(len(store.damaged) for store in self.stores.values())

    @property
    def lag(self) -> float:
        """Seconds: what was stored so long ago, and announced, can be found."""
        late = (store.catching_up.late_since for store in self.stores.values())
        since = min((each for each in late if each is not None), default=self._looked)
        return time.monotonic() - min(since, self._looked)

    def shown(self, data_store: str) -> S | None:
        """Return the index of *data_store*, which can be searched; None where there is none.

        Raises:
            Unavailable: it is not whole yet.
        """
        store = self.stores.get(data_store)
        if not self._named.is_set() or (store is not None and not store.is_shown):
            raise Unavailable("the index is being built; try again", reason="INDEX_NOT_READY")
        return store

    def touch(self, data_store: str) -> None:
        """Look soon at an index that there is."""
        if data_store in self.stores:
            self.stores[data_store].catching_up.touch(self.tasks)

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self._begun.wait()
        await self.index_of(data_store).catching_up.refresh(self.tasks)

    def index_of(self, data_store: str) -> S:
        """Return the index of *data_store*; one that comes up later begins empty, and can be."""
        if data_store not in self.stores:
            self.stores[data_store] = made = self._make(data_store)
            if self._named.is_set():
                made.begin_empty()
        return self.stores[data_store]

    async def sweep(self) -> None:
        """Look at every data store: a writer may have died before it announced a change."""
        await self._before()
        self._begun.set()
        heads = await self._documents.feed.heads(besides=tuple(self.stores))
        for name, head in heads.items():
            if head or name in self.stores:
                store = self.index_of(name)
                if head != store.position or not store.is_shown:
                    store.catching_up.touch(self.tasks)
                elif not head and store.is_idle:
                    del self.stores[name]  # it was deleted

    async def _follow(self) -> None:
        """Keep the indexes as the store is, for as long as the process runs."""
        swept = 0.0
        while True:
            try:
                if not self._named.is_set():
                    # Before the sweep: what changes while that goes on is announced after this
                    # moment, so that none falls between.
                    self._moment = (await self._documents.feed.changed(0))[1]
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
            # A supervisor: nothing may end the task, nor the service with it.
            except BaseException as exc:  # noqa: BLE001
                self._observe(exc)
                await asyncio.sleep(_RETRY)

    async def _look(self) -> None:
        """Catch up with the data stores that were announced since the last look."""
        began = time.monotonic()
        changed, self._moment = await self._documents.feed.changed(self._moment)
        for data_store in changed:
            self.index_of(data_store).catching_up.touch(self.tasks)
        self._looked = began

    async def _load(self) -> None:
        await self._named.wait()
        for store in list(self.stores.values()):
            await store.catching_up.settled.wait()
        self._loaded.set()
