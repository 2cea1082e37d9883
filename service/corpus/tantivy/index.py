"""Find chunks with tantivy, in this process, kept fresh from Redis.

Each data store has an index of its own (`data_store_index`). At the start they are taken from
disk, where an earlier process left them, or built; from then on the feed says what changed.
Whatever they hold can be rebuilt: nothing is lost with the process, nor with the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from service.corpus.document_access import DocumentPolicy, Viewer
from service.corpus.document_filters import ALL, Filter
from service.corpus.index import Chunk, Hit, ListedDocument, SearchScope
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import scoped_search, snapshot_manifest, snapshots
from service.corpus.tantivy.candidates import MeaningSearch
from service.corpus.tantivy.data_store_index import DataStoreIndex
from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.tantivy.snapshot_manifest import Manifest
from service.corpus.tantivy.snapshot_schedule import DataStoreSnapshot
from service.corpus.tantivy.writer_threads import WriterThreads
from service.corpus.vectors.vector_search import VectorSearch
from service.language.synonyms import BUILT_IN, Synonyms
from service.query_readings import QueryReading
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import Unavailable
from sessions.supervision import PASSING

POLL: Final = 0.25
"""Seconds between two looks at what changed."""
SWEEP: Final = 10.0
"""Seconds after which each data store is looked at even if nobody announced a change."""

_RETRY: Final = 1.0
_SEARCHES: Final = 4
"""Searches that threads are busy with at a time; tantivy leaves the interpreter to others."""
_CLOSING: Final = 5.0
"""Seconds that the last snapshots may take."""
_log = logging.getLogger(__name__)


class TantivyIndex:
    """An `index.Index` in this process; an async context manager that owns its tasks.

    Searches of a data store fail with `Unavailable` until everything in it can be found that was
    stored at the start. With a *folder* the next start begins where this process ends. *observe*,
    if given, is told of each failure, which is tried again. With *vectors* chunks are found by
    their meaning as well as by their words, and by *synonyms* of these. *policy* tells which
    documents of a data store are for whom; without it all are for everybody.
    """

    def __init__(
        self,
        store: DocumentStore,
        *,
        folder: Path | None = None,
        observe: Callable[[BaseException], None] | None = None,
        vectors: VectorSearch | None = None,
        synonyms: Synonyms = BUILT_IN,
        policy: Callable[[str], Awaitable[DocumentPolicy]] | None = None,
    ) -> None:
        self._store = store
        self._policy = policy
        self._root = folder
        self._observe = observe or _ignore
        self._vectors = vectors
        self._synonyms = synonyms
        self._workers = WriterThreads()
        self._folder: IndexFolder | None = None
        self._stores: dict[str, DataStoreIndex] = {}
        self._moment = 0
        self._searches = ThreadPool("search", _SEARCHES)
        self._opened = asyncio.Event()
        self._named = asyncio.Event()
        self._loaded = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._own: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> TantivyIndex:
        """Begin to read and to follow; `wait_ready` tells when everything can be found."""
        await self._tasks.__aenter__()
        for work in (self._follow, self._load, self._keep):
            self._own.append(self._tasks.create_task(work(), name=f"index-{work.__name__}"))
        if self._vectors is not None:
            embedding = self._vectors.keep_up(self._searchable)
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

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found here.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self._opened.wait()
        await self._index_of(data_store).refresh(self._tasks)

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, best first; stable for equal scores.

        Raises:
            InvalidArgument: the filter or a boost condition cannot be read.
            Unavailable: the index is still being read.
        """
        plan = scoped_search.plan(scope)
        meaning = await self._by_meaning(query, scope)
        readers = await self._readers_for(scope)
        return await self._searches.run(
            scoped_search.search, readers, query, plan, limit, meaning, self._synonyms
        )

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read in the data stores of *scope*.

        Raises:
            Unavailable: the index is still being read.
        """
        readers = await self._readers_for(scope)
        return await self._searches.run(scoped_search.read_query, readers, query, self._synonyms)

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return the chunks *first* to *last* of *document*, both included, those that there are.

        Raises:
            Unavailable: the index is still being read.
        """
        scope = SearchScope(data_stores=(names.data_store_of(document),), viewer=viewer)
        return [
            found.chunk(document)
            for _, reader in await self._readers_for(scope)
            for found in reader.read_chunks(names.last_id(document), first, last)
        ]

    async def list_documents(self, scope: SearchScope) -> Sequence[ListedDocument]:
        """Return the documents in *scope*, by data store and id.

        Raises:
            InvalidArgument: the filter cannot be read.
            Unavailable: the index is still being read.
        """
        condition = scoped_search.plan(scope).condition
        return [
            ListedDocument(
                document=names.document(name, each.id),
                title=each.content.title,
                uri=each.content.uri,
                struct_data=each.content.struct_data,
                questions=each.questions,
            )
            for name, reader in await self._readers_for(scope)
            for each in reader.list_documents(condition)
        ]

    async def sight(
        self, data_stores: Sequence[str], viewer: Viewer
    ) -> Callable[[str], bool] | None:
        """Return what tells of the name of a document whether there is one that *viewer* may see.

        Raises:
            Unavailable: the index is still being read.
        """
        scope = SearchScope(data_stores=tuple(data_stores), viewer=viewer)
        conditions = await self._conditions(scope)
        if all(condition == ALL for condition in conditions.values()):
            return None
        readers = dict(await self._searches.run(_within, self._readers(scope), conditions))

        def sees(document: str) -> bool:
            reader = readers.get(names.data_store_of(document))
            return reader is not None and reader.number(names.last_id(document)) is not None

        return sees

    def state(self, data_store: str) -> object:
        """Return what equals itself as long as `list_documents` tells the same of *data_store*.

        Raises:
            Unavailable: the index is still being read.
        """
        # Weak, or who remembers a state would keep an index in memory that is gone.
        return tuple(
            weakref.ref(reader)
            for _, reader in self._readers(SearchScope(data_stores=(data_store,)))
        )

    async def _by_meaning(self, query: str, scope: SearchScope) -> MeaningSearch | None:
        """Return how to search by what *query* means; None without vectors, or for now."""
        if self._vectors is None:
            return None
        meaning = await self._vectors.read(query, scope.context)
        return None if meaning is None else MeaningSearch(meaning, self._vectors.table)

    def _searchable(self) -> dict[str, IndexReader]:
        """Return the data stores that can be searched, by name, as they are now."""
        stores = self._stores.items()
        return {name: store.reader for name, store in stores if store.reader is not None}

    def _readers(self, scope: SearchScope) -> list[tuple[str, IndexReader]]:
        """Return the data stores of *scope* by name, each in the state that it has now."""
        readers: list[tuple[str, IndexReader]] = []
        for name in dict.fromkeys(scope.data_stores):
            store = self._stores.get(name)
            if not self._named.is_set() or (store is not None and store.reader is None):
                raise Unavailable("the index is being read; try again", reason="INDEX_NOT_READY")
            if store is not None and store.reader is not None:
                readers.append((name, store.reader))
        return readers

    async def _readers_for(self, scope: SearchScope) -> list[tuple[str, IndexReader]]:
        """Return the data stores of *scope* by name, each with what its viewer may see of it."""
        conditions = await self._conditions(scope)
        readers = self._readers(scope)
        if all(condition == ALL for condition in conditions.values()):
            return readers
        # Beside the event loop: the first time a condition is held against every document.
        return await self._searches.run(_within, readers, conditions)

    async def _conditions(self, scope: SearchScope) -> Mapping[str, Filter]:
        """Return what the viewer of *scope* may see of each of its data stores."""
        stores = dict.fromkeys(scope.data_stores, ALL)
        if self._policy is None or scope.viewer.sees_all:
            return stores
        return {name: (await self._policy(name)).condition(scope.viewer) for name in stores}

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
        changed, self._moment = await self._store.feed.changed(self._moment)
        for data_store in changed:
            self._index_of(data_store).touch(self._tasks)

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
        """Write snapshots, one after the other."""
        while True:
            await asyncio.sleep(POLL)
            for store in list(self._stores.values()):
                try:
                    await store.publish()
                except PASSING:
                    raise
                except BaseException as exc:  # noqa: BLE001
                    self._observe(exc)


def _within(
    readers: Sequence[tuple[str, IndexReader]], conditions: Mapping[str, Filter]
) -> list[tuple[str, IndexReader]]:
    return [(name, reader.within(conditions[name])) for name, reader in readers]


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
