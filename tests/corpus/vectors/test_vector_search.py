"""Chunks are embedded in the background, once, and found by their meaning from then on."""

from __future__ import annotations

import asyncio
import contextlib
from array import array
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import pytest

from service.corpus.index import Boost, SearchContext, SearchScope
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from service.corpus.vectors import embedding_rounds, query_meanings
from service.corpus.vectors.vector_search import VectorSearch
from service.embeddings.embedder import TextKind, unit
from sessions import names
from sessions.errors import ResourceExhausted, Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import OTHER, STORE
from tests.embeddings.doubles import HashingEmbedder
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

LIBRARY = (
    entry("pool", "The swimming pool opens at nine.", "A ticket costs five euro.", n=1),
    entry("dogs", "Dogs need a licence. The licence costs 90 euro a year.", n=2),
    entry("parking", "A parking permit costs 30 euro a year.", n=3),
)
SCOPE = SearchScope(data_stores=(STORE,))
ODD = "swimmingpools ninefold"
"""No word of it is in the store."""


AnyIndex = TantivyIndex | RedisIndex
AnyVectors = VectorSearch | SharedVectors


class Opened:
    """An index with vectors, and what was told of its queries."""

    def __init__(self, index: AnyIndex, vectors: AnyVectors, told: list[bool]) -> None:
        self.index = index
        self.vectors = vectors
        self.told = told

    async def found(self, query: str, scope: SearchScope = SCOPE) -> list[str]:
        """Return the ids of the documents that *query* finds, best first."""
        hits = await self.index.search(query, scope, limit=5)
        return list(dict.fromkeys(names.last_id(hit.chunk.document) for hit in hits))

    async def embedded(self, count: int) -> None:
        """Return when so many chunks are embedded and compared."""

        await eventually(lambda: self.vectors.count == count)


class Opener(Protocol):
    """Opens an index with vectors over the store of the test."""

    def __call__(self, embedder: HashingEmbedder) -> AbstractAsyncContextManager[Opened]: ...


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look every moment, and after a failure soon again."""
    for pause in ("_POLL", "_ELSEWHERE", "_LONGEST_PAUSE"):
        monkeypatch.setattr(embedding_rounds, pause, 0.02)
    monkeypatch.setattr(query_meanings, "_SPARED", 0.02)


@pytest.fixture(params=["embedded", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    """Name an index as `COLLOQUY_INDEX` does; what stands here is asked of each."""
    return request.param


@pytest.fixture
async def redis(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[Redis]:
    """Open a server that has what the index needs."""
    server = "redis_server" if kind == "embedded" else "query_engine_server"
    async with connection.connect(request.getfixturevalue(server).url) as redis:
        yield redis


@pytest.fixture
async def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that holds `LIBRARY`."""
    store = DocumentStore(redis, keys)
    await store.put(STORE, LIBRARY)
    return store


@pytest.fixture
def opened(kind: str, redis: Redis, keys: Keys, store: DocumentStore) -> Opener:
    @contextlib.asynccontextmanager
    async def open_one(embedder: HashingEmbedder) -> AsyncGenerator[Opened]:
        told: list[bool] = []
        if kind == "embedded":
            vectors = VectorSearch(embedder, redis, keys, store, observe=told.append)
            index = TantivyIndex(store, vectors=vectors)
        else:
            vectors = SharedVectors(embedder, redis, keys, store, observe=told.append)
            index = RedisIndex(redis, keys, store, vectors=vectors)
        async with index:
            await index.wait_ready()
            yield Opened(index, vectors, told)

    return open_one


class Doubling(HashingEmbedder):
    """Gives vectors that are so many *times* as long."""

    times = 1

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return the vectors of *texts*."""
        return [unit(each * self.times) for each in await super().embed(texts, kind)]


def embedded(embedder: HashingEmbedder) -> list[str]:
    asked = [texts for kind, texts in embedder.asked if kind is TextKind.DOCUMENT]
    return [text for texts in asked if texts != ["-"] for text in texts]  # how long is one


class TestSearch:
    async def test_what_has_no_word_of_the_query_is_found(
        self, opened: Opener, store: DocumentStore
    ) -> None:
        async with opened(HashingEmbedder()) as here:
            await here.embedded(4)
            hits = await here.index.search(ODD, SCOPE, limit=1)
            assert hits[0].chunk.text == "The swimming pool opens at nine."
            assert hits[0].score == pytest.approx(0.5)
            assert here.told == [True]
            assert (await here.found("dogs licence"))[0] == "dogs"

    async def test_filters_boosts_and_data_stores_hold(
        self, opened: Opener, store: DocumentStore
    ) -> None:
        await store.put(OTHER, [entry("secret", "Swimming pools of nine.", data_store=OTHER)])
        async with opened(HashingEmbedder()) as here:
            await here.embedded(5)
            assert "secret" not in await here.found(ODD)
            filtered = SearchScope(data_stores=(STORE,), filter="n > 1")
            assert set(await here.found(ODD, filtered)) <= {"dogs", "parking"}
            nothing = SearchScope(data_stores=(STORE,), filter="n > 9")
            assert await here.found(ODD, nothing) == []
            lowered = SearchScope(data_stores=(STORE,), boosts=(Boost("n = 1", -1.0),))
            assert (await here.found(ODD, lowered))[0] != "pool"
            both = SearchScope(data_stores=(STORE, OTHER))
            assert set((await here.found(ODD, both))[:2]) == {"secret", "pool"}

    async def test_the_query_before_gives_a_topic(
        self, opened: Opener, store: DocumentStore
    ) -> None:
        embedder = HashingEmbedder()
        async with opened(embedder) as here:
            await here.embedded(4)
            embedder.asked.clear()
            context = SearchContext(queries=("dogs", "pools"), answer="They do.")
            for _ in range(2):  # and what was asked once is remembered
                await here.found("why?", SearchScope(data_stores=(STORE,), context=context))
        assert embedder.asked == [(TextKind.QUERY, ["why?", "dogs"])]

    async def test_what_is_forgotten_while_the_query_is_embedded_is_there_all_the_same(
        self, opened: Opener, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(query_meanings, "_REMEMBERED", 0)
        async with opened(HashingEmbedder()) as here:
            await here.embedded(4)
            await here.found("dogs")
            context = SearchContext(queries=("dogs",))
            scope = SearchScope(data_stores=(STORE,), context=context)
            assert (await here.found("why?", scope))[0] == "dogs"

    async def test_a_query_does_not_wait_for_a_model_that_takes_long(
        self, opened: Opener, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(query_meanings, "_PATIENCE", 0.02)
        embedder = HashingEmbedder()
        async with opened(embedder) as here:
            await here.embedded(4)
            embedder.waits = asyncio.Event()
            assert (await here.found("dogs"))[0] == "dogs"
            assert here.told == [False]

    async def test_words_alone_find_while_it_fails(
        self, opened: Opener, store: DocumentStore
    ) -> None:
        embedder = HashingEmbedder()
        async with opened(embedder) as here:
            await here.embedded(4)
            embedder.fails = Unavailable("away", reason="MODEL_UNAVAILABLE")
            assert (await here.found("dogs"))[0] == "dogs"
            assert await here.found(ODD + " also") == []
            assert here.told
            assert not any(here.told)
            embedder.fails = None

            async def found() -> bool:
                return bool(await here.found(ODD + " again"))

            await eventually(found)

    async def test_who_asks_for_time_is_not_asked_meanwhile(
        self, opened: Opener, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(embedding_rounds, "_LONGEST_PAUSE", 60.0)
        monkeypatch.setattr(query_meanings, "_SPARED", 0.0)
        embedder = HashingEmbedder()
        async with opened(embedder) as here:
            await here.embedded(4)
            embedder.fails = ResourceExhausted("full", reason="MODEL_RATE_LIMITED", retry_after=30)
            await here.found("dogs")
            embedder.fails = None
            assert await here.found(ODD) == []


class TestKeepUp:
    async def test_each_chunk_is_embedded_once_under_its_title(
        self, opened: Opener, store: DocumentStore
    ) -> None:
        """Also where two replicas begin at the same moment, and one comes later."""
        await store.put(STORE, [entry("title", "Text.", title="Title")])
        embedders = [HashingEmbedder() for _ in range(3)]
        async with (
            opened(embedders[0]) as one,
            opened(embedders[1]) as other,
        ):
            await one.embedded(5)
            await other.embedded(5)
        async with opened(embedders[2]) as later:
            await later.embedded(5)
            assert (await later.found(ODD))[0] == "pool"
        texts = [text for each in embedders for text in embedded(each)]
        assert len(texts) == len(set(texts)) == 5
        assert "Title\nText." in texts

    async def test_changes_are_followed(self, opened: Opener, store: DocumentStore) -> None:
        async with opened(HashingEmbedder()) as here:
            await here.embedded(4)
            await store.put(STORE, [entry("pool", "Cats sleep all day.")])
            await store.delete(STORE, ["dogs"])
            await here.index.refresh(STORE)
            await eventually(lambda: here.vectors.count == 2)

            async def found() -> bool:
                return (await here.found("sleepycats"))[:1] == ["pool"]

            await eventually(found)
            await store.drop(STORE)
            await here.index.refresh(STORE)
            await here.embedded(0)

    async def test_another_model_embeds_anew(self, opened: Opener, store: DocumentStore) -> None:
        async with opened(HashingEmbedder()) as here:
            await here.embedded(4)
        another = HashingEmbedder("another")
        async with opened(another) as here:
            await here.embedded(4)
        assert len(embedded(another)) == 4

    async def test_all_is_embedded_anew_when_vectors_have_another_length(
        self, kind: str, opened: Opener
    ) -> None:
        """Also what was stored before this process began; and not back to what there was."""
        embedder = Doubling()
        async with opened(embedder) as here:
            await here.embedded(4)
        embedder.times = 2
        async with opened(embedder) as here:
            await here.embedded(4)

            async def found() -> bool:
                return (await here.found(ODD))[:1] == ["pool"]

            await eventually(found)
            await eventually(lambda: len(embedded(embedder)) == 8)
            embedder.times = 1
            await here.found(ODD + " also")
            # The shared index has the shorter ones still.
            embeddings = 12 if kind == "embedded" else 8
            await eventually(lambda: len(embedded(embedder)) == embeddings)
            embedder.times = 2
            await here.found(ODD + " again")
            embedder.times = 1
            await eventually(found)
            assert len(embedded(embedder)) == embeddings

    async def test_what_fails_is_tried_again(self, opened: Opener, store: DocumentStore) -> None:
        embedder = HashingEmbedder()
        embedder.fails = Unavailable("away", reason="MODEL_UNAVAILABLE")
        async with opened(embedder) as here:
            assert (await here.found("dogs"))[0] == "dogs"
            embedder.fails = None
            await here.embedded(4)

    @pytest.mark.parametrize("kind", ["embedded"], indirect=True)
    async def test_no_more_is_compared_than_there_is_room_for(
        self, redis: Redis, keys: Keys, store: DocumentStore
    ) -> None:
        vectors = VectorSearch(HashingEmbedder(), redis, keys, store, most=1)
        async with TantivyIndex(store, vectors=vectors) as index:
            await index.wait_ready()
            here = Opened(index, vectors, [])
            await eventually(lambda: here.vectors.count >= 1)
            assert here.vectors.count <= 2  # a document is compared whole or not at all
            assert (await here.found("parking"))[0] == "parking"
            assert (await here.found("dogs"))[0] == "dogs"
