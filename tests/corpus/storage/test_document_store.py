"""Documents are kept whole, and every replica learns what changed."""

from __future__ import annotations

import pytest
from redis import crc

from service.corpus import document_filters
from service.corpus.storage import change_feed
from service.corpus.storage.change_feed import Changes
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.codec import json_codec
from sessions.errors import NotFound
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.documents import Document
from tests.corpus.doubles import content, entry
from tests.corpus.texts import OTHER, STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    """Return a store that nobody else uses."""
    return DocumentStore(redis, keys)


def test_everything_of_a_data_store_shares_a_slot(keys: Keys) -> None:
    parts = ("documents", "passages", "digests", "ids", "feed", "number")
    assert len({crc.key_slot(keys.corpus(STORE, part)) for part in parts}) == 1


async def test_what_was_put_is_read_back(store: DocumentStore) -> None:
    put = entry("a", "One.", "Zwö.", title="A", n=1)
    await store.put(STORE, [put])
    name = names.document(STORE, "a")
    assert await store.get(name) == json_codec.load(Document, put.document)
    assert await store.contents(STORE, ["a", "b"]) == {
        "a": content("a", "One.", "Zwö.", title="A", n=1)
    }
    assert await store.digests(STORE, ["a", "b"]) == {"a": b"digest"}
    chunks = await store.chunks(name)
    assert [(c.name, c.text, c.start_byte, c.end_byte) for c in chunks] == [
        (f"{name}/chunks/c1", "One.", 0, 4),
        (f"{name}/chunks/c2", "Zwö.", 5, 10),
    ]


async def test_an_absent_document_is_not_found(store: DocumentStore) -> None:
    with pytest.raises(NotFound):
        await store.get(names.document(STORE, "a"))
    assert await store.chunks(names.document(STORE, "a")) == []


async def test_pages_hold_each_document_once_in_the_order_of_ids(store: DocumentStore) -> None:
    ids = [f"d{number:03}" for number in range(7)]
    await store.put(STORE, [entry(i, "Text.") for i in reversed(ids)])
    seen: list[str] = []
    after = ""
    while True:
        page = await store.page(STORE, limit=3, after=after)
        seen += [document.id for document in page.documents]
        if not (after := page.after):
            break
    assert seen == ids
    assert await store.count(STORE) == 7


async def test_a_batch_larger_than_one_script_call_is_stored(store: DocumentStore) -> None:
    await store.put(STORE, [entry(f"d{number}", "Text.") for number in range(600)])
    assert await store.count(STORE) == 600
    assert len([i async for ids in store.all_ids(STORE) for i in ids]) == 600
    assert (await store.feed.read(STORE, 0)).whole


async def test_deleting_counts_what_was_there(store: DocumentStore) -> None:
    await store.put(STORE, [entry("a", "One."), entry("b", "Two.")])
    assert await store.delete(STORE, ["a", "c"]) == 1
    assert await store.delete(STORE, ["a"]) == 0
    assert [document.id for document in (await store.page(STORE, limit=9)).documents] == ["b"]
    assert await store.contents(STORE, ["a"]) == {}


async def test_filters_choose_documents(store: DocumentStore) -> None:
    await store.put(STORE, [entry("a", "One.", n=1), entry("b", "Two.", n=2), entry("c", "x")])
    assert await store.matching(STORE, document_filters.parse("NOT n > 1")) == ["a", "c"]


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
