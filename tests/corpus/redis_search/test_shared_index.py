"""Replicas keep one index together: nothing is missing, doubled or late, whoever dies meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from redis.exceptions import ResponseError

from service.corpus.index import SearchScope
from service.corpus.redis_search import store_follower
from service.corpus.redis_search.engine import EngineQuery, ask
from service.corpus.redis_search.entry_keys import CHUNKS, EntryKeys
from service.corpus.redis_search.entry_writer import EntryWriter, LeaseLost
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.reader.counted_chunks import CountedChunks
from service.corpus.redis_search.reader.entry_reads import EntryReads
from service.corpus.redis_search.store_follower import StoreFollower
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import StoredDocument
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
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

SCOPE = SearchScope(data_stores=(STORE,))
TRAM = entry("tram", "The tram runs every ten minutes.", "At night it stops.")


async def found(index: RedisIndex, query: str) -> list[str]:
    hits = await index.search(query, SCOPE, limit=10)
    return [names.last_id(hit.chunk.document) for hit in hits]


def writer(redis: Redis, keys: Keys, owner: str) -> EntryWriter:
    return EntryWriter(redis, EntryKeys(keys, STORE), owner, ThreadPool("index", 1))


async def chunks(redis: Redis, keys: Keys) -> int:
    """Count what the engine has of the data store, shown or not."""
    of = EntryKeys(keys, STORE)
    (reply,) = await ask(redis, of.entries, [EngineQuery(of.index(CHUNKS), "*", 0)])
    return reply.total


async def packed(store: DocumentStore, *ids: str) -> dict[str, bytes]:
    return await store.packed_contents(STORE, ids)


async def test_what_one_replica_stores_all_find(redis: Redis, keys: Keys) -> None:
    async with engines.opened(redis, keys) as one, engines.opened(redis, keys) as other:
        await DocumentStore(redis, keys).put(STORE, [TRAM])
        for index in (one, other):

            async def follows(index: RedisIndex = index) -> bool:
                return await found(index, "tram") == ["tram"]

            await eventually(follows)
        assert await chunks(redis, keys) == 2


async def test_replicas_that_refresh_at_once_write_each_document_once(
    redis: Redis, keys: Keys
) -> None:
    documents = [entry(f"d{n}", f"The tram {n} runs.") for n in range(120)]
    async with engines.opened(redis, keys) as one, engines.opened(redis, keys) as other:
        await DocumentStore(redis, keys).put(STORE, documents)
        async with asyncio.TaskGroup() as tasks:
            for index in (one, other, one):
                tasks.create_task(index.refresh(STORE))
        view = one.upkeep.following.stores[STORE].view
        assert view is not None
        assert (view.totals.documents, view.totals.chunks) == (120, 120)
        assert await chunks(redis, keys) == 120


async def test_a_writer_without_the_lease_changes_nothing(redis: Redis, keys: Keys) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, [TRAM])
    late, other = writer(redis, keys, "late"), writer(redis, keys, "other")
    assert await late.take()
    await late.begin()
    await late.release()
    assert await other.take()
    assert not await late.take()
    with pytest.raises(LeaseLost):
        await late.apply(["tram"], await packed(store, "tram"))
    with pytest.raises(LeaseLost):
        await late.include(5)
    assert await chunks(redis, keys) == 0


class DyingWriter(EntryWriter):
    """Writes the chunks of documents, and dies before it shows them."""

    async def _commit(self, changes: object, words: object, skipped: int) -> None:
        raise Unavailable("it dies here", reason="DIED")


async def test_what_a_dead_writer_left_is_cleared_away_and_written_by_the_next(
    redis: Redis, keys: Keys
) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, [TRAM])
    dying = DyingWriter(redis, EntryKeys(keys, STORE), "dying", ThreadPool("index", 1))
    assert await dying.take()
    await dying.begin()
    with pytest.raises(Unavailable):
        await dying.apply(["tram"], await packed(store, "tram"))
    assert await chunks(redis, keys) == 2
    await dying.release()  # as its end does, in some seconds
    async with engines.opened(redis, keys) as index:
        assert await found(index, "tram") == ["tram"]
        assert await chunks(redis, keys) == 2


@pytest.mark.parametrize(
    "then",
    [
        [entry("tram", "The bus runs.")],
        [entry("tram", "The bus runs.", "It is yellow.", "It is new.", title="The bus")],
        [entry("other", "The bus runs.", language="es")],
    ],
)
async def test_counts_are_those_of_what_is_there(
    redis: Redis, keys: Keys, then: list[StoredDocument]
) -> None:
    """Whatever was replaced and deleted, what is counted is as if the rest had been there first."""
    store, grown, fresh = DocumentStore(redis, keys), keys, Keys(keys.prefix + "b")
    async with engines.opened(redis, grown, [TRAM]) as index:
        await store.put(STORE, then)
        await store.delete(STORE, {"tram"} - {each.id for each in then})
        await index.refresh(STORE)
    async with engines.opened(redis, fresh, then):
        pass
    told: list[dict[bytes, bytes]] = []
    for each in (grown, fresh):
        of = EntryKeys(each, STORE)
        counted: dict[bytes, bytes] = {}
        for key in (of.terms, of.totals):
            fields = await redis.execute(key, "HGETALL", key)
            counted |= dict(zip(fields[::2], fields[1::2], strict=True))
        told.append({f: n for f, n in counted.items() if f not in (b"position", b"given")})
    assert told[0] == told[1]


class RefusedWriter(EntryWriter):
    """Takes the lease once, and is refused by Redis when it would keep it."""

    taken = 0

    async def take(self) -> bool:
        """Take the lease, the first time."""
        self.taken += 1
        if self.taken > 1:
            raise ResponseError("BUSY Redis is busy running a script.")
        return await super().take()

    async def apply(self, ids: Sequence[str], packed: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """Write when it was refused."""
        await eventually(lambda: self.taken > 1)
        return await super().apply(ids, packed)


async def test_a_lease_that_redis_refuses_to_keep_ends_nothing_else(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its task is one of those that the whole service stands on."""
    monkeypatch.setattr(store_follower, "LEASE", 4)
    store, of = DocumentStore(redis, keys), EntryKeys(keys, STORE)
    await store.put(STORE, [TRAM])
    refused = RefusedWriter(redis, of, "refused", ThreadPool("index", 1))
    reads = EntryReads(redis, of, asyncio.get_running_loop(), CountedChunks(), lambda: None)
    async with asyncio.TaskGroup() as tasks:
        follower = StoreFollower(STORE, store, refused, reads, tasks, lambda _: None)
        await follower.catching_up.refresh(tasks)
        assert follower.has_documents
        assert refused.taken > 1


async def test_nothing_is_left_of_a_data_store_that_was_dropped(redis: Redis, keys: Keys) -> None:
    async with engines.opened(redis, keys, [TRAM]) as index:
        await DocumentStore(redis, keys).drop(STORE)
        await index.refresh(STORE)
        assert await found(index, "tram") == []
        of = EntryKeys(keys, STORE)
        left = [key async for page in redis.scan(f"{keys.prefix}:*") for key in page]
        assert [key for key in left if key.startswith(of.prefix(CHUNKS)[:-1])] == []
        assert not {of.entries, of.terms, of.totals, of.garbage}.intersection(left)


async def test_a_damaged_document_hides_no_other(redis: Redis, keys: Keys) -> None:
    async with engines.opened(redis, keys, [TRAM, entry("bus", "The bus runs.")]) as index:
        key = keys.corpus(STORE, "passages")
        await redis.execute(key, "HSET", key, "tram", b"\xc1")
        await DocumentStore(redis, keys).put(STORE, [entry("taxi", "The taxi runs.")])
        whole = EntryKeys(keys, STORE).totals
        await redis.execute(whole, "HSET", whole, "position", 1)  # all is compared anew
        await index.refresh(STORE)
        assert index.damaged == 1
        assert sorted(await found(index, "runs")) == ["bus", "taxi"]


async def test_an_index_that_the_engine_lost_is_built_anew(redis: Redis, keys: Keys) -> None:
    async with engines.opened(redis, keys, [TRAM]) as index:
        name = EntryKeys(keys, STORE).index(CHUNKS)
        await redis.execute(name, "FT.DROPINDEX", name)

        async def follows() -> bool:
            try:
                return await found(index, "tram") == ["tram"]
            except Unavailable:
                return False

        await eventually(follows)


async def test_an_index_that_was_lost_while_it_was_built_is_built_anew(
    redis: Redis, keys: Keys
) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, [TRAM])
    first = writer(redis, keys, "first")
    assert await first.take()
    await first.begin()
    await first.apply(["tram"], await packed(store, "tram"))
    await first.release()
    name = EntryKeys(keys, STORE).index(CHUNKS)
    await redis.execute(name, "FT.DROPINDEX", name)
    async with engines.opened(redis, keys) as index:
        assert await found(index, "tram") == ["tram"]


async def test_the_index_outlives_a_restart_of_redis(
    query_engine_server: object, keys: Keys
) -> None:
    """Nothing is written anew, and nothing is found in part."""
    kept = ("--appendonly", "yes", "--appendfsync", "always")
    documents = [entry(f"d{n}", f"The tram {n} runs.") for n in range(50)]
    with redis_servers.folder() as folder, query_engine.server(folder, *kept) as server:
        async with (
            connection.connect(server.url) as redis,
            engines.opened(redis, keys, documents) as index,
        ):
            before = await writer(redis, keys, "any").totals()
            server.stop()
            server.start()

            async def is_back() -> bool:
                try:
                    hits = await index.search("tram", SCOPE, limit=100)
                except Unavailable:
                    return False
                assert len(hits) == 50
                return True

            await eventually(is_back)
            await index.refresh(STORE)
            assert await writer(redis, keys, "any").totals() == before
            assert await chunks(redis, keys) == 50
