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

from service.corpus.following.feed_follower import POLL, FeedFollower
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import snapshot_manifest, snapshots
from service.corpus.tantivy.data_store_index import DataStoreIndex
from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.tantivy.snapshot_manifest import Manifest
from service.corpus.tantivy.snapshot_schedule import DataStoreSnapshot
from service.corpus.tantivy.writer_threads import WriterThreads
from sessions.supervision import PASSING

MEASURE: Final = 30.0
"""Seconds between two looks at the disk."""

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
        self._opened = False
        self.disk_bytes = 0
        """What all processes of the installation keep on this disk, when it was last measured."""
        self.following: Final = FeedFollower(
            store, self._made, observe=self._observe, before=self._open, beside=self._beside
        )

    async def __aenter__(self) -> IndexUpkeep:
        """Begin to read and to follow; `following` tells when everything can be found."""
        await self.following.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following, and leave on disk what is not there yet."""
        await self.following.stop()
        await self._workers.finish()
        if self._folder is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CLOSING):
                    for store in self.following.stores.values():
                        await store.publish(last=True)
            await self._workers.finish()
            await self._workers.disk.run(self._folder.close)

    def size(self) -> tuple[int, int, int]:
        """Return how many data stores, documents and chunks there are in the indexes."""
        sizes = [store.size() for store in self.following.stores.values()]
        return len(sizes), sum(size[0] for size in sizes), sum(size[1] for size in sizes)

    def searchable(self) -> dict[str, IndexReader]:
        """Return the data stores that can be searched, by name, as they are now."""
        stores = self.following.stores.items()
        return {name: store.reader for name, store in stores if store.reader is not None}

    def moment(self, data_store: str) -> IndexReader | None:
        """Return what can be searched of *data_store* now; None where there is no such store.

        Raises:
            Unavailable: the index is still being read.
        """
        store = self.following.shown(data_store)
        return None if store is None else store.reader

    def _made(self, data_store: str) -> DataStoreIndex:
        snapshot = DataStoreSnapshot(data_store, self._folder, self._workers)
        return DataStoreIndex(data_store, self._store, self._workers, snapshot, self._observe)

    def _beside(self) -> list[Coroutine[Any, Any, None]]:
        embedding = [] if self._embed is None else [self._embed(self.searchable)]
        return [self._keep(), *embedding]

    async def _open(self) -> None:
        """Take from disk what an earlier process left there, or another one keeps there."""
        if self._root is not None and not self._opened:
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
                        self.following.index_of(manifest.data_store).open(writer, manifest.position)
            except OSError as exc:
                _log.warning("index_in_memory", extra={"reason": str(exc)})
        self._opened = True

    async def _keep(self) -> None:
        """Write snapshots, one after the other, and measure what is on disk."""
        measured = 0.0
        while True:
            await asyncio.sleep(POLL)
            works: list[Callable[[], Coroutine[Any, Any, None]]]
            works = [store.publish for store in self.following.stores.values()]
            if time.monotonic() - measured > MEASURE and self._opened:
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
