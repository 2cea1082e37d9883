"""The copy on disk of the index of one data store: when it is written, and who builds it.

What the files are is said in `snapshots`, where they lie and who deletes them in `index_folder`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

from service.corpus.tantivy import snapshot_manifest, snapshots
from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.snapshot_manifest import Damaged
from service.corpus.tantivy.writer_threads import WriterThreads

_OFTEN: Final = 5.0
"""Seconds between two snapshots that take no time; see `_SHARE`."""
_SHARE: Final = 50
"""One part in so many of the time goes into snapshots at most, however large they are: each writes
the table of all documents anew."""
_SPARED: Final = 60.0
"""Seconds that a disk is left alone which failed."""
_POLL: Final = 0.25
_PATIENCE: Final = 30.0
"""Seconds after which who builds for others, and does not go on, is not waited for any more."""

_log = logging.getLogger(__name__)


HeldWriter = AbstractAsyncContextManager[tuple[IndexWriter, int]]


class DataStoreSnapshot:
    """The snapshot of *data_store* in the folder of the index, and what is written beside it."""

    def __init__(self, data_store: str, folder: IndexFolder | None, workers: WriterThreads) -> None:
        """Stand on *folder*; without one nothing is kept."""
        self._data_store = data_store
        self._folder = folder
        self._workers = workers
        self._builds = False
        self._spared_until = 0.0
        self._next = 0.0
        self._published = 0
        self._outdated = False

    @property
    def usable(self) -> bool:
        """Tell whether an index can be kept here."""
        return (
            self._folder is not None
            and self._folder.has_room
            and time.monotonic() >= self._spared_until
        )

    def spare(self) -> None:
        """Leave the disk alone for a while, after something failed that may be its fault."""
        self._spared_until = time.monotonic() + _SPARED
        self.end_building()

    def opened(self, position: int) -> None:
        """Remember which *position* the snapshot includes."""
        self._published = position

    def outdate(self) -> None:
        """Have the snapshot replaced at once, whatever position it claims to include."""
        self._outdated, self._next = True, 0.0

    def due(self, position: int, *, last: bool) -> bool:
        """Tell whether a snapshot that includes *position* is missing, and it is time for one."""
        stale = self._outdated or position != self._published
        now = time.monotonic()
        return stale and position > 0 and now >= self._spared_until and (last or now >= self._next)

    async def new_writer(self) -> IndexWriter:
        """Return an empty writer on disk."""
        return await self._workers.disk.run(self._new_writer)

    async def discard(self, writer: IndexWriter) -> None:
        """Delete the files of *writer*, which nobody writes any more; readers of it stay."""
        if writer.folder is not None:
            await self._workers.disk.run(self._given().discard_live, writer.folder)

    async def clear(self) -> None:
        """Delete the snapshot; there is none to be built."""
        self._published, self._outdated = 0, False
        self.end_building()
        if self._folder is not None:
            snapshot = self._folder.snapshot(self._data_store)
            await self._workers.disk.run(shutil.rmtree, snapshot, ignore_errors=True)

    async def wait_for_builder(self) -> tuple[IndexWriter, int] | None:
        """Return what another process of this host has built, or None to build it here.

        Then `end_building` follows, or the next snapshot.
        """
        folder = self._given()
        seen, until = 0, 0.0
        while not folder.begin_building():
            if opened := await self._workers.disk.run(self._open):
                return opened
            if (built_at := folder.built_at()) != seen:
                seen, until = built_at, time.monotonic() + _PATIENCE
            elif time.monotonic() > until:
                return None  # it is frozen; that two build the same does no harm
            await asyncio.sleep(_POLL)
        self._builds = True
        if opened := await self._workers.disk.run(self._open):
            self.end_building()
        return opened

    def go_on_building(self) -> None:
        """Show the processes that wait that it goes on."""
        if self._builds:
            self._given().go_on_building()

    def end_building(self) -> None:
        """Let other processes build, if it was this one's turn."""
        if self._builds:
            self._builds = False
            self._given().end_building()

    async def publish(self, held: Callable[[], HeldWriter]) -> None:
        """Write a snapshot of the writer that *held* gives, which keeps it as it is meanwhile.

        It is left to another process that writes one just now. What fails is logged.
        """
        began = time.monotonic()
        try:
            with self._given().publishing() as alone:
                if alone:
                    await self._publish(held)
        except (OSError, ValueError) as exc:
            _log.warning("index_not_kept", extra={"reason": str(exc)})
            self.spare()
        finally:
            self.end_building()
        self._next = time.monotonic() + max(_OFTEN, _SHARE * (time.monotonic() - began))

    async def _publish(self, held: Callable[[], HeldWriter]) -> None:
        folder, disk = self._given().snapshot(self._data_store), self._workers.disk
        # Held only while its files are linked, which takes milliseconds: then the writer may go on,
        # since links keep what it deletes. Writing the snapshot of a large index takes seconds.
        async with held() as (writer, position):
            if writer.folder is None:
                return
            if not self._outdated and await disk.run(_includes, folder, position):
                self._published = position
                return
            pinned = await disk.run(snapshots.pin, writer, folder)
        await disk.run(snapshots.write, folder, pinned, self._data_store, position)
        self._published, self._outdated = position, False

    def _new_writer(self) -> IndexWriter:
        folder = self._given()
        live = folder.new_live()
        try:
            return IndexWriter(live)
        except BaseException:
            folder.discard_live(live)
            raise

    def _open(self) -> tuple[IndexWriter, int] | None:
        """Return what the snapshot holds, if there is one."""
        folder = self._given()
        snapshot = folder.snapshot(self._data_store)
        with contextlib.suppress(Damaged):
            snapshot_manifest.read(snapshot)
            live = folder.new_live()
            try:
                writer, manifest = snapshots.open_snapshot(snapshot, live)
            except BaseException:
                folder.discard_live(live)
                raise
            return writer, manifest.position
        return None

    def _given(self) -> IndexFolder:
        if self._folder is None:
            raise AssertionError("there is no folder: ask `usable` first")
        return self._folder


def _includes(folder: Path, position: int) -> bool:
    """Tell whether there is a snapshot in *folder* that includes *position*."""
    try:
        return snapshot_manifest.read(folder).position >= position
    except Damaged:
        return False
