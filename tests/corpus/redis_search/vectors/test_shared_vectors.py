"""All replicas compare with one set of vectors, of what is there and of nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Collection

import pytest

from service.corpus import document_filters
from service.corpus.document_access import DocumentPolicy, Viewer
from service.corpus.index import SearchScope
from service.corpus.redis_search import engine
from service.corpus.redis_search.entry_keys import CHUNKS, EntryKeys
from service.corpus.redis_search.entry_writer import EntryWriter
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vector_keys import VectorKeys, model_id
from service.corpus.redis_search.vectors import vector_writer
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.redis_search.vectors.vector_writer import VectorWriter
from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors import embedding_rounds
from service.corpus.vectors.document_embedding import EmbeddingLeaseLost
from service.corpus.vectors.vector_store import VectorStore
from service.embeddings.embedder import TextKind
from service.thread_pools import ThreadPool
from sessions import names
from sessions.errors import Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests import query_engine, redis_servers
from tests.corpus.doubles import entry
from tests.corpus.redis_search import engines
from tests.corpus.texts import STORE
from tests.embeddings.doubles import DIMENSIONS, HashingEmbedder
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

POOL = entry("pool", "The swimming pool opens at nine.", "A ticket costs five euro.", team="all")
DOGS = entry("dogs", "Dogs need a licence.", team="hr")
ODD = "swimmingpools ninefold"
"""No word of it is in the store."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look every moment."""
    for pause in ("_POLL", "_ELSEWHERE"):
        monkeypatch.setattr(embedding_rounds, pause, 0.02)


class Replica:
    """A replica with vectors."""

    def __init__(
        self, index: RedisIndex, vectors: SharedVectors, embedder: HashingEmbedder
    ) -> None:
        self.index = index
        self.vectors = vectors
        self.embedder = embedder

    async def found(self, query: str, viewer: Viewer | None = None) -> list[str]:
        """Return the ids of the documents that *query* finds, best first."""
        scope = SearchScope(data_stores=(STORE,), viewer=viewer or Viewer())
        hits = await self.index.search(query, scope, limit=5)
        return list(dict.fromkeys(names.last_id(hit.chunk.document) for hit in hits))

    async def finds(self, query: str, document: str) -> None:
        """Return when *query* finds this document first."""

        async def found() -> bool:
            with contextlib.suppress(Unavailable):  # while Redis comes back
                return (await self.found(query))[:1] == [document]
            return False

        await eventually(found)

    async def embedded(self, count: int) -> None:
        """Return when so many chunks are compared."""
        await eventually(lambda: self.vectors.count == count)


@contextlib.asynccontextmanager
async def replica(
    redis: Redis,
    keys: Keys,
    *,
    model: str = "hashing",
    policy: DocumentPolicy | None = None,
) -> AsyncGenerator[Replica]:
    store = DocumentStore(redis, keys)
    embedder = HashingEmbedder(model)
    vectors = SharedVectors(embedder, redis, keys, store)

    async def policy_of(_: str) -> DocumentPolicy:
        return policy or DocumentPolicy()

    async with engines.opened(redis, keys, policy=policy_of, vectors=vectors) as index:
        yield Replica(index, vectors, embedder)


def of_model(keys: Keys, model: str = "hashing") -> VectorKeys:
    return EntryKeys(keys, STORE).vectors(model_id(model, DIMENSIONS))


async def vectors_of(redis: Redis, keys: Keys, model: str = "hashing") -> Collection[bytes]:
    """Return the keys of all vectors that there are."""
    prefix = of_model(keys, model).prefix
    return {
        key
        async for page in redis.scan(f"{keys.prefix}:*")
        for key in page
        if key.startswith(prefix)
    }


@pytest.fixture
async def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that holds two documents."""
    store = DocumentStore(redis, keys)
    await store.put(STORE, [POOL, DOGS])
    return store


async def test_what_one_replica_embeds_all_compare_with(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    async with replica(redis, keys) as one, replica(redis, keys) as other:
        for each in (one, other):
            await each.embedded(3)
            await each.finds(ODD, "pool")
        assert len(await vectors_of(redis, keys)) == 3


async def test_no_vector_is_left_of_what_was_deleted_or_replaced(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    kept = VectorStore(redis, keys, "hashing")
    async with replica(redis, keys) as here:
        await here.embedded(3)
        await store.put(STORE, [entry("pool", "Cats sleep.")])
        await store.delete(STORE, ["dogs"])
        await here.index.refresh(STORE)
        await here.embedded(1)
        assert len(await vectors_of(redis, keys)) == 1
        await store.drop(STORE)
        await here.index.refresh(STORE)
        await here.embedded(0)
        assert await vectors_of(redis, keys) == set()

        async def forgotten() -> bool:
            return await kept.count(STORE) == 0

        await eventually(forgotten)


async def test_who_sees_only_some_documents_finds_no_other_by_its_meaning(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    told = document_filters.parse_policy("team: ANY(claims.teams)", field="policy")
    async with replica(redis, keys, policy=DocumentPolicy(filter=told)) as here:
        await here.embedded(3)
        assert await here.found(ODD, Viewer(claims={"teams": ("hr",)})) == ["dogs"]
        assert (await here.found(ODD, Viewer(claims={"teams": ("all",)})))[0] == "pool"
        assert await here.found(ODD) == []


async def test_many_vectors_move_to_a_graph_while_all_are_found(
    redis: Redis, keys: Keys, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also by a replica that does not know of it yet."""
    async with replica(redis, keys) as late:
        await late.embedded(3)
        monkeypatch.setattr(vector_writer, "GRAPH", 3)
        async with replica(redis, keys) as here:
            await store.put(STORE, [entry("cats", "Cats sleep all day.")])
            own = of_model(keys)

            async def moved() -> bool:
                return await redis.execute(own.state, "HGET", own.state, "graph") == b"1"

            await eventually(moved)
            assert await engine.create(redis, ["FT.CREATE", own.flat, "SCHEMA", "x", "TEXT"])
            await engine.drop(redis, own.flat)
            for each in (here, late):
                await each.finds(ODD, "pool")
                await each.finds("sleepycats", "cats")
            await store.put(STORE, [entry("owls", "Owls hoot.")])
            await here.embedded(5)
            await here.finds("hooting", "owls")
            await store.delete(STORE, ["owls"])
            await here.index.refresh(STORE)
            await here.embedded(4)
            assert "owls" not in await here.found("hooting")


@pytest.mark.parametrize("many", [0, 1])
async def test_filters_hold_on_the_graph_whether_they_leave_many_or_few(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    monkeypatch.setattr(vector_writer, "GRAPH", 0)
    cats = [entry(f"c{n}", f"Cats sleep, {n}.", n=n) for n in range(40)]
    pools = [entry(f"p{n}", f"Swimming pool {n}.", n=100 + n) for n in range(40)]
    await DocumentStore(redis, keys).put(STORE, [*cats, *pools])
    async with replica(redis, keys) as here:
        await here.embedded(80)
        monkeypatch.setattr(vector_writer, "GRAPH", 60 * (1 - many))
        scope = SearchScope(data_stores=(STORE,), filter="n < 40")
        hits = await here.index.search(ODD, scope, limit=50)
        assert {names.last_id(h.chunk.document)[0] for h in hits} == {"c"}
        assert all(hit.cosine is not None for hit in hits)


async def test_many_documents_are_on_the_graph_at_once(
    redis: Redis, keys: Keys, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_writer, "GRAPH", 2)
    async with replica(redis, keys) as here:
        await here.finds(ODD, "pool")
        with pytest.raises(Exception, match=r"(?i)no such index|unknown index"):
            await redis.execute(own := of_model(keys).flat, "FT.SEARCH", own, "*")


async def test_an_index_that_the_engine_lost_is_made_anew(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    async with replica(redis, keys) as here:
        await here.finds(ODD, "pool")
        await engine.drop(redis, of_model(keys).flat)
        assert (await here.found("dogs licence"))[0] == "dogs"  # by its words
        await here.finds(ODD, "pool")


async def test_another_model_embeds_beside_and_the_one_that_nobody_uses_goes(
    redis: Redis, keys: Keys, store: DocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with replica(redis, keys) as before, replica(redis, keys, model="newer") as here:
        for each in (before, here):
            await each.embedded(3)
            await each.finds(ODD, "pool")
    monkeypatch.setattr(vector_writer, "_UNUSED", 0)
    async with replica(redis, keys, model="newest") as here:
        await here.embedded(3)
        for model in ("hashing", "newer"):
            assert await vectors_of(redis, keys, model) == set()


async def test_nothing_is_embedded_twice_where_the_index_is_built_anew(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    async with replica(redis, keys) as here:
        await here.embedded(3)
        name = EntryKeys(keys, STORE).index(CHUNKS)
        await engine.drop(redis, name)
        with contextlib.suppress(Unavailable):
            await here.found("dogs")

        async def anew() -> bool:
            with contextlib.suppress(Unavailable):
                return await here.found(ODD) != []
            return False

        await eventually(anew)
        assert len([texts for kind, texts in here.embedder.asked if kind is TextKind.DOCUMENT]) == 3


async def test_what_nobody_may_write_any_more_is_not_written(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    """As where the model was deleted, or the document replaced, while it was embedded."""
    own = EntryKeys(keys, STORE)
    async with engines.opened(redis, keys):
        writer = VectorWriter(redis, own, of_model(keys), DIMENSIONS)
        there = (await writer.entries(["dogs"]))["dogs"]
        with pytest.raises(EmbeddingLeaseLost):
            await writer.write(there, [bytes(2 * DIMENSIONS)])
        await writer.begin(2)
        await store.delete(STORE, ["dogs"])
    async with engines.opened(redis, keys) as index:
        await index.refresh(STORE)
        await writer.write(there, [bytes(2 * DIMENSIONS)])
        assert await vectors_of(redis, keys) == set()


class ForgetfulWriter(EntryWriter):
    """Looks for models once, and then once more when it hears that there are others."""

    looked = 0

    async def _models(self) -> list[VectorKeys]:
        self.looked += 1
        return [] if self.looked == 1 else await super()._models()


async def test_vectors_of_a_model_that_came_meanwhile_go_with_their_chunks(
    redis: Redis, keys: Keys, store: DocumentStore
) -> None:
    async with replica(redis, keys) as here:
        await here.embedded(3)
    writer = ForgetfulWriter(redis, EntryKeys(keys, STORE), "any", ThreadPool("index", 1))
    assert await writer.take()
    await writer.apply(["dogs"], {})
    assert writer.looked > 1
    assert len(await vectors_of(redis, keys)) == 2


async def test_vectors_outlive_a_restart_of_redis(query_engine_server: object, keys: Keys) -> None:
    kept = ("--appendonly", "yes", "--appendfsync", "always")
    with redis_servers.folder() as folder, query_engine.server(folder, *kept) as server:
        async with connection.connect(server.url) as redis:
            await DocumentStore(redis, keys).put(STORE, [POOL, DOGS])
            async with replica(redis, keys) as here:
                await here.finds(ODD, "pool")
                server.stop()
                server.start()
                await eventually(lambda: redis.available)
                await here.finds(ODD, "pool")
                assert len(await vectors_of(redis, keys)) == 3
