"""Search the data stores that an upkeep keeps as their documents are."""

from __future__ import annotations

import time
import weakref
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from service.corpus.document_access import DocumentPolicy, Viewer
from service.corpus.document_filters import ALL
from service.corpus.following.meaning_search import SearchedVectors
from service.corpus.following.upkeep import DocumentReader, OpenedStore, StoreMoment, Upkeep
from service.corpus.index import Chunk, Hit, ListedDocument, SearchScope
from service.corpus.ranking import scoped_search
from service.language.synonyms import Synonyms
from service.query_readings import QueryReading
from service.thread_pools import ThreadPool
from sessions import names

M = TypeVar("M", bound=StoreMoment)
U = TypeVar("U", bound=Upkeep[Any])


class FollowedIndex(Generic[U, M]):
    """An `index.FollowingIndex` of what *upkeep* keeps; an async context manager that owns it.

    Searches of a data store fail with `Unavailable` until everything in it can be found that was
    stored at the start.
    """

    def __init__(
        self,
        upkeep: U,
        *,
        searches: int,
        vectors: SearchedVectors[M] | None,
        synonyms: Synonyms,
        policy: Callable[[str], Awaitable[DocumentPolicy]] | None,
        searched: Callable[[str, float], None] | None,
    ) -> None:
        """So many *searches* run at a time.

        With *vectors* chunks are found by their meaning as well as by their words, and by
        *synonyms* of these. *policy* tells which documents of a data store are for whom; without it
        all are for everybody. *searched* is told of each search: whether it ``found`` something or
        ``nothing``, or ``failed``, and its seconds.
        """
        self.upkeep: Final = upkeep
        self._vectors = vectors
        self._synonyms = synonyms
        self._policy = policy
        self._searched = searched
        self._searches = ThreadPool("search", searches)

    async def __aenter__(self) -> Self:
        """Begin to follow; `wait_ready` tells when everything can be found.

        Raises:
            FailedPrecondition: what the index stands on is not there.
        """
        await self.upkeep.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following."""
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
    def lag(self) -> float:
        """Seconds: what was stored so long ago, and announced, can be found."""
        return self.upkeep.following.lag

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
            Unavailable: the index is not whole yet, or Redis is away.
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
        opened = await self._opened(scope)
        texts = (query, *scope.context.queries, scope.context.answer)

        def search() -> Sequence[Hit]:
            readers = _readers(opened, texts)
            near = None
            if vectors is not None and meaning is not None:
                near = vectors.search(meaning, opened)
            return scoped_search.search(readers, query, plan, limit, near, self._synonyms)

        return await self._searches.run(search)

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read in the data stores of *scope*.

        Raises:
            Unavailable: the index is not whole yet, or Redis is away.
        """
        opened = await self._opened(scope)

        def read() -> QueryReading:
            readers = _readers(opened, (query,))
            return scoped_search.read_query(readers, query, self._synonyms)

        return await self._searches.run(read)

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return the chunks *first* to *last* of *document*, both included, those that there are.

        Raises:
            Unavailable: the index is not whole yet, or Redis is away.
        """
        scope = SearchScope(data_stores=(names.data_store_of(document),), viewer=viewer)
        opened = await self._opened(scope)

        def read() -> Sequence[Chunk]:
            return [
                found.chunk(document)
                for _, reader in _readers(opened)
                for found in reader.read_chunks(names.last_id(document), first, last)
            ]

        return await self._searches.run(read)

    async def list_documents(self, scope: SearchScope) -> Sequence[ListedDocument]:
        """Return the documents in *scope*, by data store and id.

        Raises:
            InvalidArgument: the filter cannot be read.
            Unavailable: the index is not whole yet, or Redis is away.
        """
        condition = scoped_search.plan(scope).condition
        opened = await self._opened(scope)

        def read() -> Sequence[ListedDocument]:
            return [
                ListedDocument(
                    document=names.document(name, each.id),
                    title=each.content.title,
                    uri=each.content.uri,
                    struct_data=each.content.struct_data,
                    questions=each.questions,
                )
                for name, reader in _readers(opened)
                for each in reader.list_documents(condition)
            ]

        return await self._searches.run(read)

    async def sight(
        self, data_stores: Sequence[str], viewer: Viewer
    ) -> Callable[[str], bool] | None:
        """Return what tells of the name of a document whether there is one that *viewer* may see.

        Raises:
            Unavailable: the index is not whole yet, or Redis is away.
        """
        opened = await self._opened(SearchScope(data_stores=tuple(data_stores), viewer=viewer))
        if all(each.seen == ALL for each in opened):
            return None

        def read() -> Mapping[str, Container[str]]:
            return {name: reader.known_ids() for name, reader in _readers(opened)}

        visible = await self._searches.run(read)

        def sees(document: str) -> bool:
            return names.last_id(document) in visible.get(names.data_store_of(document), ())

        return sees

    def state(self, data_store: str) -> object:
        """Return what equals itself as long as `list_documents` tells the same of *data_store*.

        Raises:
            Unavailable: the index is not whole yet.
        """
        moment = self.upkeep.moment(data_store)
        # Weak, or who remembers a state would keep an index in memory that is gone.
        return None if moment is None else weakref.ref(moment)

    async def _opened(self, scope: SearchScope) -> Sequence[OpenedStore[M]]:
        """Return the data stores of *scope*, each with what its viewer may see of it."""
        seen = dict.fromkeys(scope.data_stores, ALL)
        if self._policy is not None and not scope.viewer.sees_all:
            seen = {name: (await self._policy(name)).condition(scope.viewer) for name in seen}
        found = [(name, self.upkeep.moment(name), which) for name, which in seen.items()]
        return [OpenedStore(name, at, which) for name, at, which in found if at is not None]


def _readers(
    opened: Sequence[OpenedStore[M]], texts: Sequence[str] = ()
) -> list[tuple[str, DocumentReader]]:
    """Return a reader of each data store, beside the event loop: it may block."""
    return [(each.name, each.moment.reader(each.seen, texts)) for each in opened]
