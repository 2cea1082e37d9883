"""Find chunks with the Query Engine of Redis, in one index that all replicas share.

Each data store has indexes of its own in the engine, in the slot of its documents: its boundary
holds by construction, and what is a rare word is counted in it alone. A replica keeps nothing in
memory but counts of terms, and is ready at once where another has built the index.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Final, TypeVar

from service.corpus.document_access import DocumentPolicy, Viewer
from service.corpus.document_filters import ALL, Filter
from service.corpus.index import Chunk, Hit, ListedDocument, SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.redis_search import engine, meaning_search
from service.corpus.redis_search.index_follower import IndexFollower
from service.corpus.redis_search.reader.redis_reader import RedisReader
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors.vector_search import VectorSearch
from service.language.synonyms import BUILT_IN, Synonyms
from service.query_readings import QueryReading
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

_SEARCHES: Final = 8
"""Searches that threads are busy with at a time; mostly they wait for Redis."""

T = TypeVar("T")


class RedisIndex:
    """An `index.DocumentIndex` in Redis; an async context manager that owns its tasks.

    *observe*, if given, is told of each failure, which is tried again, and *searched* of each
    search: whether it "found" something, "nothing" or "failed", and its seconds. With *vectors*
    chunks are found by their meaning as well as by their words, and by *synonyms* of these.
    *policy* tells which documents of a data store are for whom; without it all are for everybody.
    """

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        store: DocumentStore,
        *,
        observe: Callable[[BaseException], None] | None = None,
        vectors: VectorSearch | None = None,
        synonyms: Synonyms = BUILT_IN,
        policy: Callable[[str], Awaitable[DocumentPolicy]] | None = None,
        searched: Callable[[str, float], None] | None = None,
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._policy = policy
        self._searched = searched
        self._vectors = vectors
        self._synonyms = synonyms
        self._searches = ThreadPool("search", _SEARCHES)
        embed = None if vectors is None else vectors.keep_up
        self.upkeep = IndexFollower(redis, keys, store, observe or _ignore, embed)

    async def __aenter__(self) -> RedisIndex:
        """Begin to follow; `wait_ready` tells when everything can be found.

        Raises:
            FailedPrecondition: Redis has no Query Engine, or the service may not use it.
        """
        await engine.check(self._redis, self._keys)
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
    def searching(self) -> int:
        """How many searches run or wait."""
        return self._searches.calls

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        await self.upkeep.following.refresh(data_store)

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, best first; stable for equal scores.

        Raises:
            InvalidArgument: the filter or a boost condition cannot be read.
            Unavailable: the index is being built, or Redis is away.
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
        conditions = await self._conditions(scope)
        views = self._views(scope)
        by_meaning = None
        if vectors is not None and meaning is not None:
            seen = {name: (view, conditions[name]) for name, view in views}
            by_meaning = meaning_search.search(meaning, vectors.table, seen)

        def search() -> Sequence[Hit]:
            readers = _readers(views, conditions)
            for _, reader in readers:
                reader.prime((query, *scope.context.queries, scope.context.answer))
            return scoped_search.search(readers, query, plan, limit, by_meaning, self._synonyms)

        return await self._run(views, search)

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read in the data stores of *scope*.

        Raises:
            Unavailable: the index is being built, or Redis is away.
        """
        conditions = await self._conditions(scope)
        views = self._views(scope)

        def read() -> QueryReading:
            readers = _readers(views, conditions)
            for _, reader in readers:
                reader.prime((query,))
            return scoped_search.read_query(readers, query, self._synonyms)

        return await self._run(views, read)

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return the chunks *first* to *last* of *document*, both included, those that there are.

        Raises:
            Unavailable: the index is being built, or Redis is away.
        """
        scope = SearchScope(data_stores=(names.data_store_of(document),), viewer=viewer)
        conditions = await self._conditions(scope)
        views = self._views(scope)

        def read() -> Sequence[Chunk]:
            return [
                found.chunk(document)
                for _, reader in _readers(views, conditions)
                for found in reader.read_chunks(names.last_id(document), first, last)
            ]

        return await self._run(views, read)

    async def list_documents(self, scope: SearchScope) -> Sequence[ListedDocument]:
        """Return the documents in *scope*, by data store and id.

        Raises:
            InvalidArgument: the filter cannot be read.
            Unavailable: the index is being built, or Redis is away.
        """
        condition = scoped_search.plan(scope).condition
        conditions = await self._conditions(scope)
        views = self._views(scope)

        def read() -> Sequence[ListedDocument]:
            return [
                ListedDocument(
                    document=names.document(name, each.id),
                    title=each.content.title,
                    uri=each.content.uri,
                    struct_data=each.content.struct_data,
                    questions=each.questions,
                )
                for name, reader in _readers(views, conditions)
                for each in reader.list_documents(condition)
            ]

        return await self._run(views, read)

    async def sight(
        self, data_stores: Sequence[str], viewer: Viewer
    ) -> Callable[[str], bool] | None:
        """Return what tells of the name of a document whether there is one that *viewer* may see.

        Raises:
            Unavailable: the index is being built, or Redis is away.
        """
        scope = SearchScope(data_stores=tuple(data_stores), viewer=viewer)
        conditions = await self._conditions(scope)
        if all(condition == ALL for condition in conditions.values()):
            return None
        views = self._views(scope)

        def read() -> frozenset[str]:
            return frozenset(
                names.document(name, each.id)
                for name, reader in _readers(views, conditions)
                for each in reader.list_documents(ALL)
            )

        return (await self._run(views, read)).__contains__

    def state(self, data_store: str) -> object:
        """Return what equals itself as long as `list_documents` tells the same of *data_store*.

        Raises:
            Unavailable: the index is being built.
        """
        view = self.upkeep.view(data_store)
        # Weak, or who remembers a state would keep counts in memory that are of no use.
        return None if view is None else weakref.ref(view)

    async def _run(self, views: Sequence[tuple[str, StoreView]], work: Callable[[], T]) -> T:
        """Return what *work*, which reads *views*, returns; it waits for Redis in a thread."""
        try:
            return await self._searches.run(work)
        except Unavailable as exc:
            if exc.reason == engine.MISSING:
                self.upkeep.doubt(name for name, _ in views)
            raise

    def _views(self, scope: SearchScope) -> list[tuple[str, StoreView]]:
        found = [(name, self.upkeep.view(name)) for name in dict.fromkeys(scope.data_stores)]
        return [(name, view) for name, view in found if view is not None]

    async def _conditions(self, scope: SearchScope) -> Mapping[str, Filter]:
        """Return what the viewer of *scope* may see of each of its data stores."""
        stores = dict.fromkeys(scope.data_stores, ALL)
        if self._policy is None or scope.viewer.sees_all:
            return stores
        return {name: (await self._policy(name)).condition(scope.viewer) for name in stores}


def _readers(
    views: Sequence[tuple[str, StoreView]], conditions: Mapping[str, Filter]
) -> list[tuple[str, RedisReader]]:
    """Return a reader of each data store, with what its viewer may see; it may ask Redis."""
    return [
        (name, RedisReader(view if conditions[name] == ALL else view.within(conditions[name])))
        for name, view in views
    ]


def _ignore(_: BaseException) -> None:
    """Observe nothing."""
