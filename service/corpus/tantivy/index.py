"""Find chunks with tantivy, in this process, kept fresh from Redis.

Each data store has an index of its own (`data_store_index`); `index_upkeep` keeps them.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

from service.corpus.document_access import DocumentPolicy, Viewer
from service.corpus.document_filters import ALL, Filter
from service.corpus.index import Chunk, Hit, ListedDocument, SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import meaning_search
from service.corpus.tantivy.index_upkeep import IndexUpkeep
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.vectors.vector_search import VectorSearch
from service.language.synonyms import BUILT_IN, Synonyms
from service.query_readings import QueryReading
from service.thread_pools import ThreadPool
from sessions import names

_SEARCHES: Final = 4
"""Searches that threads are busy with at a time; tantivy leaves the interpreter to others."""


class TantivyIndex:
    """An `index.Index` in this process; an async context manager that owns its tasks.

    Searches of a data store fail with `Unavailable` until everything in it can be found that was
    stored at the start. With a *folder* the next start begins where this process ends. *observe*,
    if given, is told of each failure, which is tried again, and *searched* of each search: whether
    it ``found`` something or ``nothing``, or ``failed``, and its seconds. With *vectors* chunks are
    found by their meaning as well as by their words, and by *synonyms* of these. *policy* tells
    which documents of a data store are for whom; without it all are for everybody.
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
        searched: Callable[[str, float], None] | None = None,
    ) -> None:
        self._policy = policy
        self._searched = searched
        self._vectors = vectors
        self._synonyms = synonyms
        self._searches = ThreadPool("search", _SEARCHES)
        embed = None if vectors is None else vectors.keep_up
        self.upkeep = IndexUpkeep(store, folder=folder, observe=observe, embed=embed)

    async def __aenter__(self) -> TantivyIndex:
        """Begin to read and to follow; `wait_ready` tells when everything can be found."""
        await self.upkeep.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following, and leave on disk what is not there yet."""
        await self.upkeep.__aexit__(kind, error, trace)

    @property
    def ready(self) -> bool:
        """Tell whether everything that was stored at the start can be found.

        A data store whose index fails does not count: it alone cannot be searched.
        """
        return self.upkeep.following.ready

    async def wait_ready(self) -> None:
        """Return when `ready`."""
        await self.upkeep.following.wait_ready()

    @property
    def damaged(self) -> int:
        """How many documents cannot be found since what is stored of them is damaged."""
        return self.upkeep.following.damaged

    @property
    def searching(self) -> int:
        """How many searches run or wait."""
        return self._searches.calls

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found here.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self.upkeep.following.refresh(data_store)

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, best first; stable for equal scores.

        Raises:
            InvalidArgument: the filter or a boost condition cannot be read.
            Unavailable: the index is still being read.
        """
        plan = scoped_search.plan(scope)
        began, outcome = time.monotonic(), "failed"
        try:
            hits = await self._search(query, scope, plan, limit)
            outcome = "found" if hits else "nothing"
        finally:
            if self._searched is not None:
                self._searched(outcome, time.monotonic() - began)
        return hits

    async def _search(
        self, query: str, scope: SearchScope, plan: scoped_search.ScopePlan, limit: int
    ) -> Sequence[Hit]:
        vectors = self._vectors
        meaning = None if vectors is None else await vectors.read(query, scope.context)
        readers = await self._readers_for(scope)
        by_meaning = None
        if vectors is not None and meaning is not None:
            by_meaning = meaning_search.search(meaning, vectors.table, readers)
        return await self._searches.run(
            scoped_search.search, readers, query, plan, limit, by_meaning, self._synonyms
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
            return reader is not None and bool(reader.numbers((names.last_id(document),)))

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

    def _readers(self, scope: SearchScope) -> list[tuple[str, IndexReader]]:
        """Return the data stores of *scope* by name, each in the state that it has now."""
        found = [(name, self.upkeep.reader(name)) for name in dict.fromkeys(scope.data_stores)]
        return [(name, reader) for name, reader in found if reader is not None]

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


def _within(
    readers: Sequence[tuple[str, IndexReader]], conditions: Mapping[str, Filter]
) -> list[tuple[str, IndexReader]]:
    return [(name, reader.within(conditions[name])) for name, reader in readers]
