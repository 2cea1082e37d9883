"""The index of one data store: what it holds, and which position of the feed that includes.

All its writing happens in one task of its own: nobody who waits for it, and is cancelled, leaves
a thread behind that writes. Data stores wait for each other only where threads are scarce.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Final

from redis.exceptions import ResponseError

from service.corpus.following.catch_up import LONGEST_RETRY, RETRY, CatchUp
from service.corpus.following.damaged_documents import DamagedDocuments
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import document_changes
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.tantivy.snapshot_schedule import DataStoreSnapshot
from service.corpus.tantivy.writer_threads import WriterThreads
from service.native_calls import NativeFault
from sessions.errors import ServiceError
from sessions.supervision import PASSING

IN_MEMORY: Final = 250
"""Documents up to which an index stays in memory: reading them anew takes as long as opening it."""
_log = logging.getLogger(__name__)

Observe = Callable[[BaseException], None]


class DataStoreIndex:
    """The index of the data store *name*, kept as the store is from the first `touch` on."""

    def __init__(
        self,
        name: str,
        store: DocumentStore,
        workers: WriterThreads,
        snapshot: DataStoreSnapshot,
        observe: Observe,
    ) -> None:
        """Begin with nothing; *snapshot* says where it is kept on disk, if anywhere."""
        self._name = name
        self._store = store
        self._workers = workers
        self._snapshot = snapshot
        self._observe = observe
        self._writer = IndexWriter()
        self._shown: IndexWriter | None = None
        self._writing = asyncio.Lock()
        self._failures = 0
        self.catching_up: Final = CatchUp(name, self._catch_up, self._failed)
        self.position = 0
        """What it includes of the feed."""
        self.reader: IndexReader | None = None
        """What can be searched; None until all that was stored at first can be."""
        self.damaged: Final = DamagedDocuments(name)

    def size(self) -> tuple[int, int]:
        """Return how many documents and chunks it holds."""
        return len(self._writer), self._writer.chunks

    def open(self, writer: IndexWriter, position: int) -> None:
        """Go on from a snapshot; it is not shown before it has caught up."""
        self._writer, self.position = writer, position
        self._snapshot.opened(position)

    @property
    def is_shown(self) -> bool:
        """Tell whether it can be searched: all that was stored at first can be found."""
        return self.reader is not None

    @property
    def is_idle(self) -> bool:
        """Tell whether it holds nothing, and nothing is to be done for it."""
        return not (self.catching_up.is_busy or len(self._writer) or self.damaged)

    def begin_empty(self) -> None:
        """Let it be searched as it begins, with nothing: its data store came up later."""
        self._show()

    def _show(self) -> None:
        self._shown = self._writer
        self.reader = self._writer.reader

    async def publish(self, *, last: bool = False) -> None:
        """Keep on disk what it holds now, if it is time for that, or the *last* moment."""
        if self._writer.folder is not None and self._snapshot.due(self.position, last=last):
            await self._snapshot.publish(self._held)

    @contextlib.asynccontextmanager
    async def _held(self) -> AsyncGenerator[tuple[IndexWriter, int]]:
        """Keep everyone from writing meanwhile."""
        async with self._writing:
            yield self._writer, self.position

    async def _catch_up(self, done: Callable[[], None]) -> bool:
        async with self._writing:
            await self._take_changes()
            self._failures = 0
            done()
            return await self._built_on_disk()  # it has grown

    async def _failed(self, exc: BaseException) -> float:
        """Return when to try again; a broken writer is built anew, in memory."""
        self._observe(exc)
        if not _breaks_writer(exc):
            return RETRY
        extra = {"data_store": self._name, "reason": str(exc)}
        _log.error("index_failed", extra=extra, exc_info=exc)
        broken, self._writer, self.position = self._writer, IndexWriter(), 0
        # Its disk may be the cause, so nothing is written there for a while.
        self._snapshot.spare()
        await self._snapshot.discard(broken)
        if broken.folder is not None:  # in memory it may go well
            return 0
        pause = min(RETRY * 2**self._failures, LONGEST_RETRY)
        self._failures += 1
        return pause

    async def _take_changes(self) -> None:
        """Take what was stored before the call, and show it."""
        more = True
        while more:
            changes = await self._store.feed.read(self._name, self.position)
            if not changes.whole:  # the feed has all that changed since
                await self._take_all(self._writer, changes.ids)
            elif not changes.position:
                await self._empty()
            elif await self._built_on_disk():
                continue  # from the position that it includes
            else:
                await self._compare(self._writer)
                self._snapshot.outdate()
            # After what it stands for: whatever fails before is read and applied again, which
            # changes nothing where it was applied.
            self.position, more = changes.position, changes.more
        self._show()

    async def _empty(self) -> None:
        """Forget everything: the data store is empty, or gone."""
        old, self._writer = self._writer, IndexWriter()
        self.damaged.clear()
        await self._snapshot.discard(old)
        await self._snapshot.clear()

    async def _built_on_disk(self) -> bool:
        """Replace what lies in memory by an index on disk, if that is worth it and can be done.

        One process of the host builds it, and the others take it from there.
        """
        if self._writer.folder is not None or not self._snapshot.usable:
            return False
        if await self._store.count(self._name) <= IN_MEMORY:
            return False
        if opened := await self._snapshot.wait_for_builder():
            self.open(*opened)
            return True
        try:
            writer, head = await self._new_on_disk()
        except BaseException as exc:
            self._snapshot.end_building()
            if isinstance(exc, PASSING) or not _breaks_writer(exc):
                raise
            self._snapshot.spare()
            _log.warning("index_in_memory", extra={"reason": str(exc)})
            return False
        self._writer, self.position = writer, head
        self._snapshot.outdate()
        return True

    async def _new_on_disk(self) -> tuple[IndexWriter, int]:
        """Build an index on disk; return it with the position that it includes."""
        # Read before the documents: what changes while they are compared is told again afterwards.
        head = (await self._store.feed.read(self._name, 0)).position
        writer = await self._snapshot.new_writer()
        try:
            await self._compare(writer)
        except PASSING:
            raise
        except BaseException:
            # What is half built is of no use, and the disk may be full of it.
            await self._snapshot.discard(writer)
            raise
        return writer, head

    async def _compare(self, writer: IndexWriter) -> None:
        """Make *writer* what the store holds now."""
        there = writer.ids()  # what of it the store does not name is gone from there
        async for ids in document_changes.gathered(self._store.all_ids(self._name)):
            there.difference_update(ids)
            await self._take_all(writer, ids)
            self._snapshot.go_on_building()
        await self._take_all(writer, sorted(there))

    async def _take_all(self, writer: IndexWriter, ids: Sequence[str]) -> None:
        """Make the documents with these *ids* in *writer* what they are in the store."""
        for some in document_changes.slices(ids):
            thread = self._workers.thread_for(len(some))
            # The turn is taken before Redis is asked: what waits for the thread lies in memory.
            async with thread.turn:
                packed = await self._store.packed_contents(self._name, some)
                damaged = await thread.threads.run(document_changes.apply, writer, some, packed)
            self.damaged.note(some, damaged)
            # One that is built anew is shown when it is whole (`_catch_up`), never before: until
            # then the old one answers, which lacks nothing that was there.
            if writer is self._shown:
                self._show()
            # In a thread of its own, without the turn: merging may take long, and the thread that
            # writes is for all data stores.
            await self._workers.merging.run(writer.wait_for_merges)


def _breaks_writer(exc: BaseException) -> bool:
    """Tell whether *exc* left a writer broken, as tantivy and the disk do; Redis does not."""
    return isinstance(exc, NativeFault) or not isinstance(exc, ServiceError | ResponseError)
