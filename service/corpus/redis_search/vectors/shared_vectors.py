"""Searches by what queries mean, with vectors that all replicas share in the Query Engine.

No replica holds any of them. Nothing waits for them: a chunk that has none yet is found by its
words, and so is everything for a query that could not be embedded in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.corpus.following.upkeep import OpenedStore
from service.corpus.index import SearchContext
from service.corpus.ranking.candidates import Candidates, MeaningSearch
from service.corpus.redis_search.entry_keys import EntryKeys
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.redis_search.reader.viewed_store import ViewedStore
from service.corpus.redis_search.vector_keys import model_id
from service.corpus.redis_search.vectors import engine_comparison
from service.corpus.redis_search.vectors.engine_comparison import EngineComparison
from service.corpus.redis_search.vectors.store_vectors import StoreVectors
from service.corpus.redis_search.vectors.vector_writer import VectorWriter
from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors import embedding_rounds
from service.corpus.vectors.document_embedding import DocumentEmbedding
from service.corpus.vectors.query_meanings import Meaning, QueryMeanings
from service.corpus.vectors.vector_length import VectorLength
from service.corpus.vectors.vector_store import VectorStore
from service.embeddings.embedder import Embedder
from service.thread_pools import ThreadPool
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

Views = Callable[[], Mapping[str, StoreView]]


class SharedVectors:
    """The vectors of all data stores that *embedder* makes.

    *observe* is told of each query that was to be embedded whether it was.
    """

    def __init__(
        self,
        embedder: Embedder,
        redis: Redis,
        keys: Keys,
        documents: DocumentStore,
        *,
        observe: Callable[[bool], None] | None = None,
    ) -> None:
        self._model = embedder.name
        self._redis = redis
        self._keys = keys
        self._store = VectorStore(redis, keys, embedder.name)
        self._threads = ThreadPool("vectors", 1)
        length = VectorLength()
        self._meanings = QueryMeanings(embedder, length, observe or _ignore)
        self._embedding = DocumentEmbedding(embedder, self._store, documents, length, self._threads)
        self._stores: dict[str, StoreVectors] = {}
        self._complete: dict[str, StoreView] = {}
        length.on_change(self._begin_anew)

    @property
    def count(self) -> int:
        """How many chunks a query is compared with."""
        return sum(store.state.chunks for store in self._stores.values())

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        return await self._meanings.read(query, context) if self.count else None

    def search(self, meaning: Meaning, opened: Sequence[OpenedStore[ViewedStore]]) -> MeaningSearch:
        """Return how to search by *meaning* in what is *opened*; it blocks."""
        views = {each.name: each.moment.within(each.seen) for each in opened}

        def compare(group: Candidates) -> EngineComparison | None:
            store = self._stores.get(group.data_store)
            if store is None or not store.state.chunks or store.parts != len(meaning.vector):
                return None

            def lost() -> None:
                store.doubt()
                self._complete.pop(group.data_store, None)

            view = views[group.data_store]
            return engine_comparison.compare(
                view, store.keys, store.state, meaning.vector, group, lost
            )

        return MeaningSearch(meaning.share, compare)

    async def keep_up(self, views: Views) -> None:
        """Embed what the data stores hold, as *views* tells by their names, until cancelled."""

        async def embed() -> bool:
            parts = await self._embedding.learn_length()
            done = True
            for name, view in views().items():
                if name not in self._stores:
                    self._stores[name] = self._made(name, parts)
                store = self._stores[name]
                await store.touch()
                if self._complete.get(name) is not view:
                    caught_up = await store.catch_up(view)
                    # Not where the model gave vectors of another length meanwhile.
                    if caught_up and self._stores.get(name) is store:
                        self._complete[name] = view
                    done &= caught_up
            for name in self._stores.keys() - views().keys():
                await self._store.sweep(name)
                self._stores.pop(name, None)
                self._complete.pop(name, None)
            return done

        await embedding_rounds.keep_up(embed)

    def _made(self, data_store: str, parts: int) -> StoreVectors:
        keys = EntryKeys(self._keys, data_store)
        vectors = keys.vectors(model_id(self._model, parts))
        writer = VectorWriter(self._redis, keys, vectors, parts)
        return StoreVectors(
            data_store, vectors, parts, writer, self._store, self._embedding, self._threads
        )

    def _begin_anew(self) -> None:
        """Embed all for vectors of another length; those of before are deleted in a while."""
        self._stores.clear()
        self._complete.clear()


def _ignore(_: bool) -> None:
    """Observe nothing."""
