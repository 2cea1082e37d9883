"""How late the index is and how much it holds is known at any moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.corpus.following import feed_follower
from service.corpus.index import SearchScope
from service.corpus.storage.change_feed import ChangeFeed
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy import data_store_index, index_upkeep
from service.corpus.tantivy.index import TantivyIndex
from sessions.errors import InvalidArgument, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import OTHER, STORE
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


class Broken(ChangeFeed):
    """A feed of which nothing can be read."""

    async def read(self, data_store: str, after: int) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise Unavailable("away", reason="AWAY")


async def test_an_index_that_is_up_to_date_lags_by_a_look_at_most(store: DocumentStore) -> None:
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        await store.put(STORE, [entry("a", "A tram.")])
        await index.refresh(STORE)
        await eventually(lambda: index.upkeep.following.lag < 2 * feed_follower.POLL)


async def test_an_index_that_cannot_follow_falls_behind_until_it_can(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        feed, store.feed = store.feed, Broken(redis, keys)
        await store.put(STORE, [entry("a", "A tram.")])
        await eventually(lambda: index.upkeep.following.lag > 4 * feed_follower.POLL)
        store.feed = feed
        await index.refresh(STORE)
        await eventually(lambda: index.upkeep.following.lag < 2 * feed_follower.POLL)


async def test_documents_and_chunks_are_counted_as_they_come_and_go(store: DocumentStore) -> None:
    async with TantivyIndex(store) as index:
        await index.wait_ready()
        assert index.upkeep.size() == (0, 0, 0)
        await store.put(STORE, [entry("a", "A tram."), entry("b", "A bus.", "A train.")])
        await store.put(OTHER, [entry("c", "A ferry.", data_store=OTHER)])
        await index.refresh(STORE)
        await index.refresh(OTHER)
        assert index.upkeep.size() == (2, 3, 4)
        await store.put(STORE, [entry("b", "A bus.")])
        await store.delete(STORE, ["a"])
        await index.refresh(STORE)
        assert index.upkeep.size() == (2, 2, 2)


async def test_what_lies_on_disk_is_measured(
    store: DocumentStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_store_index, "IN_MEMORY", 1)
    monkeypatch.setattr(index_upkeep, "MEASURE", 0)
    async with TantivyIndex(store, folder=tmp_path) as index:
        await index.wait_ready()
        await store.put(STORE, [entry(f"d{n}", f"Tram {n}.") for n in range(3)])
        await index.refresh(STORE)
        await eventually(lambda: index.upkeep.disk_bytes > 1_000)


async def test_each_search_is_told_by_what_it_found(store: DocumentStore) -> None:
    told: list[str] = []
    index = TantivyIndex(store, searched=lambda outcome, _: told.append(outcome))
    scope = SearchScope(data_stores=(STORE,))
    with pytest.raises(Unavailable):
        await index.search("tram", scope, limit=10)
    async with index:
        await store.put(STORE, [entry("a", "A tram.")])
        await index.refresh(STORE)
        await index.wait_ready()
        await index.search("tram", scope, limit=10)
        await index.search("zeppelin", scope, limit=10)
        with pytest.raises(InvalidArgument):  # the fault of who asks
            await index.search("tram", SearchScope(data_stores=(STORE,), filter="("), limit=10)
    assert told == ["failed", "found", "nothing"]
