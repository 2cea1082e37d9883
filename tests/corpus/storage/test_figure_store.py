"""Images are kept with their documents: they come, stay and go in the same step."""

from __future__ import annotations

import msgspec
import pytest
from redis import crc

from service.corpus.storage import figure_store
from service.corpus.storage.document_store import DocumentStore
from service.corpus.storage.figure_store import FigureStore
from service.corpus.stored_documents import StoredDocument, StoredFigure
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> DocumentStore:
    return DocumentStore(redis, keys)


@pytest.fixture
def figures(redis: Redis, keys: Keys) -> FigureStore:
    return FigureStore(redis, keys)


def image(data: bytes, chunk: int = 0) -> StoredFigure:
    digest = data.ljust(figure_store.DIGEST, b"\x00")
    return StoredFigure(chunk=chunk, digest=digest, mime="image/png", size=len(data), data=data)


def shown(document: str, *images: StoredFigure) -> StoredDocument:
    return msgspec.structs.replace(entry(document, "One.", "Two."), figures=images)


async def count(redis: Redis, keys: Keys) -> list[int]:
    """Return how many lists and how many images are stored."""
    parts = [keys.corpus(STORE, part) for part in figure_store.PARTS]
    return [int(await redis.execute(part, "HLEN", part)) for part in parts]


async def test_images_lie_in_the_slot_of_their_documents(keys: Keys) -> None:
    parts = ("documents", *figure_store.PARTS)
    assert len({crc.key_slot(keys.corpus(STORE, part)) for part in parts}) == 1


async def test_images_are_found_by_their_document_and_digest(
    store: DocumentStore, figures: FigureStore
) -> None:
    one, two = image(b"one"), image(b"t\xff\x00", 1)
    await store.put(STORE, [entry("none", "x"), shown("a", one, two), shown("b", one)])
    found = await figures.figures(STORE, ["a", "none", "absent"])
    assert found == {"a": tuple(msgspec.structs.replace(each, data=b"") for each in (one, two))}
    wanted = [(STORE, "a", two.digest), (STORE, "b", two.digest), (STORE, "b", one.digest)]
    assert await figures.images(wanted) == [two.data, b"", one.data]
    assert await figures.figures(STORE, []) == {}
    assert await figures.images([]) == []


async def test_images_are_replaced_and_deleted_with_their_document(
    store: DocumentStore, figures: FigureStore, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, [shown("a", image(b"one"), image(b"two")), shown("b", image(b"one"))])
    await store.put(STORE, [shown("a", image(b"two"))])
    assert await count(redis, keys) == [2, 2]
    assert [f.digest for f in (await figures.figures(STORE, ["a"]))["a"]] == [image(b"two").digest]
    await store.put(STORE, [shown("a"), shown("c", image(b"three"))])
    assert await count(redis, keys) == [2, 2]
    await store.delete(STORE, ["b", "absent"])
    assert await count(redis, keys) == [1, 1]
    await store.drop(STORE)
    assert await count(redis, keys) == [0, 0]


async def test_a_document_whose_fields_change_keeps_its_images(
    store: DocumentStore, figures: FigureStore, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, [shown("a", image(b"one"))])
    seen = await store.read(names.document(STORE, "a"))
    assert await store.swap(STORE, entry("a", "One.", "Two.", title="New"), seen)
    assert await count(redis, keys) == [1, 1]
    seen = await store.read(names.document(STORE, "a"))
    assert not await store.swap(STORE, shown("a", image(b"lost")), b"other")
    assert await store.swap(STORE, shown("a", image(b"two"), image(b"three")), seen)
    assert await count(redis, keys) == [1, 2]
    seen = await store.read(names.document(STORE, "a"))
    assert await store.swap(STORE, shown("a"), seen)
    assert await count(redis, keys) == [0, 0]


async def test_a_damaged_list_is_none_and_is_replaced(
    store: DocumentStore, figures: FigureStore, redis: Redis, keys: Keys
) -> None:
    await store.put(STORE, [shown("a", image(b"one"))])
    key = keys.corpus(STORE, "figures")
    for damaged in (b"", b"\xff", b"\x01" + b"x" * 16 + b"\xc1"):
        await redis.execute(key, "HSET", key, "a", damaged)
        assert await figures.figures(STORE, ["a"]) == {}
        await store.put(STORE, [shown("a", image(b"two"))])
        assert list(await figures.figures(STORE, ["a"])) == ["a"]
