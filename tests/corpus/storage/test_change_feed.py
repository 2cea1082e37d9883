"""Whoever follows the feed learns of every change, or that it has to compare all."""

from __future__ import annotations

import pytest

from service.corpus.storage import change_feed
from service.corpus.storage.change_feed import Changes
from service.corpus.storage.document_store import DocumentStore
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import OTHER, STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


async def test_a_reader_of_the_feed_learns_what_changed_since(store: DocumentStore) -> None:
    await store.put(STORE, [entry("a", "One.")])
    start = await store.feed.read(STORE, 0)
    assert start.whole
    assert await store.feed.read(STORE, start.position) == Changes(position=start.position)
    await store.put(STORE, [entry("b", "Two."), entry("c", "Three.")])
    await store.delete(STORE, ["b"])
    changes = await store.feed.read(STORE, start.position)
    head = (await store.feed.heads())[STORE]
    assert changes == Changes(position=head, ids=("b", "c"))
    assert head > start.position


async def test_many_changes_are_read_in_parts(store: DocumentStore) -> None:
    await store.put(STORE, [entry("a", "One.")])
    position = (await store.feed.read(STORE, 0)).position
    for number in range(150):
        await store.swap(STORE, entry(f"d{number}", "Two."), b"")
    seen: list[str] = []
    more = True
    while more:
        changes = await store.feed.read(STORE, position)
        seen, position, more = [*seen, *changes.ids], changes.position, changes.more
    assert seen == [f"d{number}" for number in range(150)]


async def test_what_was_written_in_the_place_of_a_lost_write_is_no_part_of_what_is_known(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    """A failover lost the last entry; as many as were lost have come since."""
    parts = [keys.corpus(STORE, part) for part in ("feed", "number")]
    await store.put(STORE, [entry("a", "One.")])
    before = [await redis.execute(part, "DUMP", part) for part in parts]
    await store.put(STORE, [entry("b", "Two.")])
    known = (await store.feed.heads())[STORE]
    for part, dump in zip(parts, before, strict=True):
        await redis.execute(part, "RESTORE", part, 0, dump, "REPLACE")
    await store.put(STORE, [entry("c", "Three.")])
    assert (await store.feed.read(STORE, known)).whole


async def test_a_reader_that_fell_behind_what_is_kept_reads_anew(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, [entry("a", "One.")])
    start = await store.feed.read(STORE, 0)
    for _ in range(3):
        await store.put(STORE, [entry("a", "One.")])
    key = keys.corpus(STORE, "feed")
    await redis.execute(key, "XTRIM", key, "MAXLEN", 2)
    changes = await store.feed.read(STORE, start.position)
    assert changes == Changes(position=(await store.feed.heads())[STORE], whole=True)


async def test_a_dropped_data_store_is_read_anew_even_after_its_name_is_used_again(
    store: DocumentStore,
) -> None:
    await store.put(STORE, [entry("a", "One.")])
    start = await store.feed.read(STORE, 0)
    await store.drop(STORE)
    assert await store.feed.read(STORE, start.position) == Changes(position=0, whole=True)
    await store.put(STORE, [entry("b", "Two.")])
    assert (await store.feed.read(STORE, start.position)).whole


async def test_the_data_stores_that_changed_are_announced(store: DocumentStore) -> None:
    await store.put(STORE, [entry("a", "One.")])
    changed, moment = await store.feed.changed(0)
    assert changed == [STORE]
    assert await store.feed.changed(moment) == ([], moment)
    await store.put(OTHER, [entry("a", "One.", data_store=OTHER)])
    await store.feed.announce(STORE)
    changed, _ = await store.feed.changed(moment)
    assert changed == [OTHER, STORE]


async def test_data_stores_that_are_long_gone_are_forgotten(
    store: DocumentStore, redis: Redis, keys: Keys
) -> None:
    for name in (STORE, OTHER):
        await store.put(name, [entry("a", "One.", data_store=name)])
    await store.drop(STORE)
    assert (await store.feed.heads())[STORE] == 0
    told = keys.corpus("", "stores")
    for name in (STORE, OTHER):
        await redis.execute(told, "ZADD", told, 2, name)  # long ago
    await store.feed.heads()
    assert list(await store.feed.heads()) == [OTHER]


def test_ids_in_a_feed_entry_are_compact() -> None:
    assert len(change_feed.pack_ids(["a" * 20] * 256)) < 256 * 22
