"""Keep the indexes of all data stores as the store is, and on disk.

At the start they are taken from disk, where an earlier process left them, or built; from then on
the feed says what changed. Whatever they hold can be rebuilt: nothing is lost with the process,
nor with the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import snapshot_manifest, snapshots
from service.corpus.tantivy.data_store_index import DataStoreIndex
from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.tantivy.snapshot_manifest import Manifest
from service.corpus.tantivy.snapshot_schedule import DataStoreSnapshot
from service.corpus.tantivy.writer_threads import WriterThreads
from sessions.errors import Unavailable
from sessions.supervision import PASSING

POLL: Final = 0.25
"""Seconds between two looks at what changed."""
SWEEP: Final = 10.0
"""Seconds after which each data store is looked at even if nobody announced a change."""

MEASURE: Final = 30.0
"""Seconds between two looks at the disk."""

_RETRY: Final = 1.0
_CLOSING: Final = 5.0
"""Seconds that the last snapshots may take."""
_log = logging.getLogger(__name__)

Readers = Callable[[], Mapping[str, IndexReader]]
"""Returns the data stores that can be searched, by name, as they are now."""


class IndexUpkeep:
    """The indexes of all data stores; an async context manager that owns its tasks."""

    def __init__(
        self,
        store: DocumentStore,
        *,
        folder: Path | None,
        observe: Callable[[BaseException], None] | None,
        embed: Callable[[Readers], Coroutine[Any, Any, None]] | None,
    ) -> None:
        """Keep them in *folder*, where there is one.

        *observe* is told of each failure, which is tried again. *embed* keeps the vectors of what
        can be searched, for as long as it runs.
        """
        self._store = store
        self._root = folder
        self._observe = observe or _ignore
        self._embed = embed
        self._workers = WriterThreads()
        self._folder: IndexFolder | None = None
        self._stores: dict[str, DataStoreIndex] = {}
        self._moment = 0
        self._looked = time.monotonic()
        self.disk_bytes = 0
        """What all processes of the installation keep on this disk, when it was last measured."""
        self._opened = asyncio.Event()
        self._named = asyncio.Event()
        self._loaded = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._own: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> IndexUpkeep:
        """Begin to read and to follow; `wait_ready` tells when everything can be found."""
        await self._tasks.__aenter__()
        for work in (self._follow, self._load, self._keep):
            self._own.append(self._tasks.create_task(work(), name=f"index-{work.__name__}"))
        if self._embed is not None:
            embedding = self._embed(self.searchable)
            self._own.append(self._tasks.create_task(embedding, name="index-vectors"))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following, and leave on disk what is not there yet."""
        for task in self._own:
            task.cancel()
        for store in self._stores.values():
            store.stop()
        await self._tasks.__aexit__(kind, error, trace)
        await self._workers.finish()
        if self._folder is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CLOSING):
                    for store in self._stores.values():
                        await store.publish(last=True)
            await self._workers.finish()
            await self._workers.disk.run(self._folder.close)

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
        return sum(len(store.damaged) for store in self._stores.values())

    @property
    def lag(self) -> float:
        """Seconds: what was stored so long ago, and announced, can be found."""
        late = (store.late_since for store in self._stores.values())
        since = min((each for each in late if each is not None), default=self._looked)
        return time.monotonic() - min(since, self._looked)

    def size(self) -> tuple[int, int, int]:
        """Return how many data stores, documents and chunks there are in the indexes."""
        sizes = [store.size() for store in self._stores.values()]
        return len(sizes), sum(size[0] for size in sizes), sum(size[1] for size in sizes)

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found here.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self._opened.wait()
        await self._index_of(data_store).refresh(self._tasks)

    def searchable(self) -> dict[str, IndexReader]:
        """Return the data stores that can be searched, by name, as they are now."""
        stores = self._stores.items()
        return {name: store.reader for name, store in stores if store.reader is not None}

    def reader(self, data_store: str) -> IndexReader | None:
        """Return what can be searched of *data_store* now; None where there is no such store.

        Raises:
            Unavailable: the index is still being read.
        """
        store = self._stores.get(data_store)
        if not self._named.is_set() or (store is not None and store.reader is None):
            raise Unavailable("the index is being read; try again", reason="INDEX_NOT_READY")
        return store.reader if store is not None else None

    def _index_of(self, data_store: str) -> DataStoreIndex:
        """Return the index of *data_store*; one that comes up later begins empty, and can be."""
        if data_store not in self._stores:
            snapshot = DataStoreSnapshot(data_store, self._folder, self._workers)
            made = DataStoreIndex(data_store, self._store, self._workers, snapshot, self._observe)
            self._stores[data_store] = made
            if self._named.is_set():
                made.show()
        return self._stores[data_store]

    async def _follow(self) -> None:
        """Keep the indexes as the store is, for as long as the process runs."""
        swept = 0.0
        while True:
            try:
                if not self._opened.is_set():
                    await self._open()
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
            # A supervisor: nothing may end the task, nor the service with it.
            except BaseException as exc:  # noqa: BLE001
                self._observe(exc)
                await asyncio.sleep(_RETRY)

    async def _open(self) -> None:
        """Take from disk what an earlier process left there, or another one keeps there."""
        if self._root is not None:
            # Versions that differ in what they index, as in an upgrade, each have their own.
            own = f"{await self._store.installation()}-{snapshot_manifest.fingerprint()}"
            disk = self._workers.disk
            try:
                self._folder = await disk.run(IndexFolder, self._root, own)
                for path in await disk.run(self._folder.snapshots):
                    if not self._folder.has_room:
                        break
                    if opened := await disk.run(_opened, self._folder, path):
                        writer, manifest = opened
                        self._index_of(manifest.data_store).open(writer, manifest.position)
            except OSError as exc:
                _log.warning("index_in_memory", extra={"reason": str(exc)})
        self._opened.set()

    async def _look(self) -> None:
        """Catch up with the data stores that were announced since the last look."""
        began = time.monotonic()
        changed, self._moment = await self._store.feed.changed(self._moment)
        for data_store in changed:
            self._index_of(data_store).touch(self._tasks)
        self._looked = began

    async def sweep(self) -> None:
        """Look at every data store: a writer may have died before it announced a change."""
        heads = await self._store.feed.heads(besides=tuple(self._stores))
        for name, head in heads.items():
            if head or name in self._stores:
                store = self._index_of(name)
                if head != store.position:
                    store.touch(self._tasks)
                elif not head and store.is_idle:
                    del self._stores[name]  # it was deleted
                elif not self._named.is_set():
                    store.show()

    async def _load(self) -> None:
        await self._named.wait()
        for store in list(self._stores.values()):
            await store.settled.wait()
        self._loaded.set()

    async def _keep(self) -> None:
        """Write snapshots, one after the other, and measure what is on disk."""
        measured = 0.0
        while True:
            await asyncio.sleep(POLL)
            works: list[Callable[[], Coroutine[Any, Any, None]]]
            works = [store.publish for store in self._stores.values()]
            if time.monotonic() - measured > MEASURE and self._opened.is_set():
                works.append(self._measure)
                measured = time.monotonic()
            for work in works:
                try:
                    await work()
                except PASSING:
                    raise
                except BaseException as exc:  # noqa: BLE001
                    self._observe(exc)

    async def _measure(self) -> None:
        if self._folder is not None:
            self.disk_bytes = await self._workers.disk.run(self._folder.size)


def _ignore(_: BaseException) -> None:
    """Observe nothing."""


def _opened(folder: IndexFolder, path: Path) -> tuple[IndexWriter, Manifest] | None:
    """Open the snapshot at *path*; delete it where it cannot be used."""
    live, seen = folder.new_live(), 0
    try:
        seen = path.stat().st_mtime_ns
        writer, manifest = snapshots.open_snapshot(path, live)
        if folder.snapshot(manifest.data_store) == path:
            return writer, manifest
        reason = "it lies in the place of another"
    except FileNotFoundError:
        reason = ""  # another process has deleted it just now
    except PASSING:
        raise
    except BaseException as exc:  # noqa: BLE001 (native code panics past Exception)
        reason = str(exc)
    folder.discard_live(live)
    with folder.publishing() as alone:
        # Another process may have built it anew meanwhile.
        if reason and alone and path.exists() and path.stat().st_mtime_ns == seen:
            _log.warning("index_discarded", extra={"path": str(path), "reason": reason})
            shutil.rmtree(path, ignore_errors=True)
    return None
