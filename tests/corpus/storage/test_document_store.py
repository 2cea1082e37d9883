"""Documents are kept whole, and every replica learns what changed."""

from __future__ import annotations

import pytest
from redis import crc

from service.corpus import document_filters
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.codec import json_codec
from sessions.errors import NotFound
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.documents import Document
from tests.corpus.doubles import content, entry
from tests.corpus.texts import STORE

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
