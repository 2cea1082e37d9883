"""One bad value, dead writer or large neighbour is no matter for the other documents and stores."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from service.corpus.index import SearchScope
from service.corpus.storage.change_feed import ChangeFeed
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import OTHER, STORE
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

DAMAGED = [b"", b"\xc1", b"\x91\xa1\xff", b"\x95\x01\x02\x03\x04\x05", b"\x91" * 100_000]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


async def found(index: TantivyIndex, query: str, *data_stores: str) -> set[str]:
    scope = SearchScope(data_stores=data_stores or (STORE,))
    hits = await index.search(query, scope, limit=10)
    return {hit.chunk.document.rpartition("/")[2] for hit in hits}


@pytest.mark.parametrize("value", DAMAGED)
async def test_a_damaged_document_is_left_out_and_named_once(
    store: DocumentStore, redis: Redis, keys: Keys, value: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    await store.put(STORE, [entry("good", "A tram."), entry("bad", "A tram, too.")])
    passages = keys.corpus(STORE, "passages")
    await redis.execute(passages, "HSET", passages, "bad", value)
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        assert await found(index, "tram") == {"good"}
        assert index.damaged == 1
        await store.feed.announce(STORE)
        await store.put(STORE, [entry("other", "A tram.")])
        await index.refresh(STORE)
        assert await found(index, "tram") == {"good", "other"}
        named = [vars(r)["document"] for r in caplog.records if r.message == "document_damaged"]
        assert named == [f"{STORE}/branches/0/documents/bad"]
        await store.put(STORE, [entry("bad", "A tram, mended.")])
        await index.refresh(STORE)
        assert index.damaged == 0
        assert await found(index, "mended") == {"bad"}


async def test_a_document_that_is_damaged_later_is_no_longer_found(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, [entry("good", "A tram."), entry("bad", "A tram, too.")])
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        await store.put(STORE, [entry("bad", "A bus.")])
        passages = keys.corpus(STORE, "passages")
        await redis.execute(passages, "HSET", passages, "bad", b"\xc1")
        await index.refresh(STORE)
        assert await found(index, "tram bus") == {"good"}


@pytest.mark.parametrize("part", ["documents", "passages", "digests"])
@pytest.mark.parametrize("value", [b"\xff", b"{", b"[]", b'{"id": 7}', b"[" * 100_000])
async def test_a_damaged_value_is_left_out_of_pages(
    store: DocumentStore, redis: Redis, keys: Keys, part: str, value: bytes
) -> None:
    await store.put(STORE, [entry("good", "A tram."), entry("bad", "A tram, too.")])
    key = keys.corpus(STORE, part)
    await redis.execute(key, "HSET", key, "bad", value)
    page = await store.page(STORE, limit=10)
    assert {"good"} <= {document.id for document in page.documents} <= {"good", "bad"}
    assert {"good"} <= {i async for some in store.all_contents(STORE) for i in some}


@pytest.mark.parametrize("part", ["ids", "passages", "feed", "number"])
async def test_a_data_store_that_cannot_be_read_keeps_no_other_from_being_found(
    store: DocumentStore, redis: Redis, keys: Keys, part: str
) -> None:
    await store.put(STORE, [entry("a", "A tram.")])
    await store.put(OTHER, [entry("b", "A tram.", data_store=OTHER)])
    key = keys.corpus(STORE, part)
    await redis.execute(key, "DEL", key)
    await redis.execute(key, "LPUSH" if part != "number" else "SET", key, "odd")
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        assert await found(index, "tram", OTHER) == {"b"}
        if part in ("ids", "passages"):
            with pytest.raises(Unavailable):
                await found(index, "tram", STORE)
        else:
            assert await found(index, "tram", STORE) == {"a"}


class _Dying(ChangeFeed):
    """A feed whose process dies after it has written, before it tells anyone."""

    async def announce(self, data_store: str) -> None:
        raise Unavailable("dead", reason="DEAD")


async def test_documents_of_a_writer_that_died_before_telling_are_found(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    """In a data store that nobody ever heard of, while replicas run and after they have started."""
    async with TantivyIndex(store) as running:
        await running.wait_ready()
        dying = DocumentStore(redis, keys)
        dying.feed = _Dying(redis, keys)
        with pytest.raises(Unavailable):
            await dying.put(STORE, [entry("tram", "A tram.")])
        with pytest.raises(Unavailable):
            await dying.swap(OTHER, entry("bus", "A bus.", data_store=OTHER), b"")
        await running.upkeep.following.sweep()
        await eventually(lambda: _finds(running, "tram bus", {"tram", "bus"}))
        async with TantivyIndex(store) as late:
            await late.wait_ready()
            assert await found(late, "tram bus", STORE, OTHER) == {"tram", "bus"}


async def _finds(index: TantivyIndex, query: str, expected: set[str]) -> bool:
    return await found(index, query, STORE, OTHER) == expected


async def test_a_deleted_data_store_may_come_back(store: DocumentStore) -> None:
    async with TantivyIndex(store) as index:
        await store.put(STORE, [entry("tram", "A tram.")])
        await index.refresh(STORE)
        await store.drop(STORE)
        await index.refresh(STORE)
        await index.upkeep.following.sweep()
        assert await found(index, "tram bus") == set()
        await store.put(STORE, [entry("bus", "A bus.")])
        await eventually(lambda: _finds(index, "tram bus", {"bus"}))


async def test_a_small_change_does_not_wait_for_large_ones(store: DocumentStore) -> None:
    large = [f"{STORE}-large{number}" for number in range(3)]
    for name in large:
        await store.put(name, [entry(f"d{n}", "A bus.", data_store=name) for n in range(2_000)])
    await store.put(STORE, [entry("tram", "A tram.")])
    ended: list[str] = []

    async def refresh(name: str) -> None:
        await index.refresh(name)
        ended.append(name)

    async with TantivyIndex(store) as index, asyncio.TaskGroup() as tasks:
        for name in (*large, STORE):
            tasks.create_task(refresh(name))
    assert sorted(ended) == sorted([STORE, *large])
    assert ended[0] == STORE


async def test_what_is_complete_is_searched_while_the_rest_is_built(store: DocumentStore) -> None:
    large = f"{STORE}-large"
    await store.put(large, [entry(f"d{n}", "A bus.", data_store=large) for n in range(5_000)])
    await store.put(STORE, [entry("tram", "A tram.")])

    async def answers() -> bool:
        with contextlib.suppress(Unavailable):
            return await found(index, "tram") == {"tram"}
        return False

    async with TantivyIndex(store) as index:
        await eventually(answers)
        assert not index.ready
        with pytest.raises(Unavailable):
            await found(index, "tram", STORE, large)
        await index.wait_ready()
        assert len(await found(index, "bus", STORE, large)) == 10


async def test_large_changes_take_turns(store: DocumentStore) -> None:
    """The second, which is smaller, ends before the first: none is written at one go."""
    first, second = f"{STORE}-first", f"{STORE}-second"
    await store.put(first, [entry(f"d{n}", "A bus.") for n in range(5_000)])
    await store.put(second, [entry(f"d{n}", "A bus.") for n in range(1_000)])
    async with TantivyIndex(store) as index, asyncio.TaskGroup() as tasks:
        long = tasks.create_task(index.refresh(first))
        await index.refresh(second)
        assert not long.done()


async def test_who_waits_and_gives_up_leaves_the_index_whole(store: DocumentStore) -> None:
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        await store.put(STORE, [entry(f"d{n}", "A bus.") for n in range(1_500)])
        async with asyncio.TaskGroup() as tasks:
            impatient = tasks.create_task(index.refresh(STORE))
            await asyncio.sleep(0)
            impatient.cancel()
        await store.put(STORE, [entry("tram", "A tram.")])
        await index.refresh(STORE)
        assert await found(index, "tram") == {"tram"}
        assert len(await index.list_documents(SearchScope(data_stores=(STORE,)))) == 1_501
