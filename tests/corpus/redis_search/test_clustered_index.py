"""On a Redis Cluster each data store has its index on one shard, and lives and dies with it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Generator, Iterator, Mapping

import pytest
from redis.crc import key_slot

from service.corpus.index import SearchScope
from service.corpus.redis_search.entry_keys import CHUNKS, EntryKeys
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors import embedding_rounds
from sessions import names
from sessions.errors import Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests import query_engine, redis_servers
from tests.corpus.doubles import entry
from tests.embeddings.doubles import HashingEmbedder
from tests.redis_servers import Cluster, Server
from tests.waiting import eventually, until

pytestmark = pytest.mark.anyio

PARENT = "projects/p/locations/global/collections/default_collection/dataStores"
ODD = "swimmingpools ninefold"
"""No word of it is in any store."""


@pytest.fixture(scope="module")
def shards() -> Iterator[Cluster]:
    """Run three shards."""
    if reason := query_engine.missing():
        pytest.skip(reason)
    with redis_servers.folder() as folder, query_engine.cluster(folder) as cluster:
        yield cluster


@pytest.fixture
async def redis(shards: Cluster) -> AsyncIterator[Redis]:
    """Open them."""
    async with connection.connect(shards.url) as redis:
        yield redis


@pytest.fixture
def stores(keys: Keys, shards: Cluster) -> Mapping[int, str]:
    """Name a data store on each shard, by the place of the shard."""
    found: dict[int, str] = {}
    for number in range(1_000):
        name = f"{PARENT}/s{number}"
        found.setdefault(place_of(shards, keys, name), name)
    return found


def slot_of(keys: Keys, data_store: str) -> int:
    return key_slot(EntryKeys(keys, data_store).entries)


def place_of(shards: Cluster, keys: Keys, data_store: str) -> int:
    return slot_of(keys, data_store) * len(shards.nodes) // 16384


class Opened:
    """The index of all shards, with vectors."""

    def __init__(self, index: RedisIndex, vectors: SharedVectors) -> None:
        self.index = index
        self.vectors = vectors

    async def found(self, query: str, *data_stores: str) -> set[str]:
        """Return the names of the documents that *query* finds."""
        hits = await self.index.search(query, SearchScope(data_stores=data_stores), limit=10)
        return {hit.chunk.document for hit in hits}

    async def finds(self, query: str, data_store: str) -> None:
        """Return when *query* finds the document of this data store."""

        async def found() -> bool:
            with contextlib.suppress(Unavailable):
                return await self.found(query, data_store) == {names.document(data_store, "pool")}
            return False

        await eventually(found)


@pytest.fixture
async def here(
    redis: Redis, keys: Keys, stores: Mapping[int, str], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Opened]:
    """Open the index over a document in each data store."""
    monkeypatch.setattr(embedding_rounds, "_POLL", 0.02)
    store = DocumentStore(redis, keys)
    for name in stores.values():
        await store.put(name, [entry("pool", "The swimming pool opens at nine.", data_store=name)])
    vectors = SharedVectors(HashingEmbedder(), redis, keys, store)
    async with RedisIndex(redis, keys, store, vectors=vectors) as index:
        await index.wait_ready()
        await eventually(lambda: vectors.count == len(stores))
        yield Opened(index, vectors)


@contextlib.contextmanager
def lost(shards: Cluster, node: Server) -> Generator[None]:
    """Stop a shard meanwhile; it comes back empty."""
    node.stop()
    try:
        yield
    finally:
        node.start()
        for each in shards.nodes:
            until(lambda each=each: b"cluster_slots_fail:0" in each.call("CLUSTER", "INFO"))


def indexes(server: Server) -> set[bytes]:
    return set(server.call("FT._LIST"))


async def test_each_data_store_is_found_on_its_shard_alone(
    here: Opened, shards: Cluster, keys: Keys, stores: Mapping[int, str]
) -> None:
    assert len(stores) == len(shards.nodes)
    for place, name in stores.items():
        for query in ("pool", ODD):
            assert await here.found(query, name) == {names.document(name, "pool")}
        index = EntryKeys(keys, name).index(CHUNKS)
        assert [index in indexes(node) for node in shards.nodes] == [
            at == place for at in range(len(shards.nodes))
        ]


async def test_data_stores_of_several_shards_are_searched_together(
    here: Opened, stores: Mapping[int, str]
) -> None:
    for query in ("pool", ODD):
        wanted = {names.document(name, "pool") for name in stores.values()}
        assert await here.found(query, *stores.values()) == wanted


async def test_a_data_store_is_found_again_where_its_slot_has_moved(
    here: Opened, shards: Cluster, redis: Redis, keys: Keys, stores: Mapping[int, str]
) -> None:
    """And where it has moved back, to a shard that had its index before."""
    name = stores[0]
    slot = slot_of(keys, name)
    for source, target in ((shards.nodes[0], shards.nodes[1]), (shards.nodes[1], shards.nodes[0])):
        shards.open_move(slot, source, target)
        while some := source.call("CLUSTER", "GETKEYSINSLOT", slot, 1000):
            shards.move_keys(source, target, *some)
        shards.close_move(slot, target)
        await here.finds("pool", name)
        await here.finds(ODD, name)


async def test_while_a_shard_is_away_its_data_stores_are_refused_and_all_others_found(
    here: Opened, shards: Cluster, stores: Mapping[int, str]
) -> None:
    """What is asked of several is refused as well: no part is told for the whole."""
    with lost(shards, shards.nodes[2]):

        async def refused() -> bool:
            try:
                await here.found("pool", stores[2])
            except Unavailable:
                return True
            return False

        await eventually(refused)
        for name in (stores[0], stores[1]):
            assert await here.found("pool", name) == {names.document(name, "pool")}
            assert await here.found(ODD, name) == {names.document(name, "pool")}
        with pytest.raises(Unavailable):
            await here.found("pool", *stores.values())
