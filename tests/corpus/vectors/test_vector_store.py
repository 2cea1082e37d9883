"""The vectors of documents in Redis."""

from __future__ import annotations

from array import array

import pytest

from service.corpus.storage.document_store import DocumentStore
from service.corpus.vectors import vector_store
from service.corpus.vectors.vector_store import VectorStore
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import STORE
from tests.embeddings.doubles import hashed

pytestmark = pytest.mark.anyio

VECTORS = vector_store.compress(b"digest", [hashed("a pool"), hashed("a dog")])


@pytest.fixture
async def store(redis: Redis, keys: Keys) -> VectorStore:
    """Return a store beside a document ``a`` and a document ``b``."""
    await DocumentStore(redis, keys).put(STORE, [entry("a", "A pool."), entry("b", "A dog.")])
    return VectorStore(redis, keys, "model")


async def test_what_was_kept_is_read(store: VectorStore) -> None:
    await store.keep(STORE, {"a": VECTORS})
    assert await store.read(STORE, ["a", "b"]) == {"a": VECTORS}


async def test_each_model_has_vectors_of_its_own(
    store: VectorStore, redis: Redis, keys: Keys
) -> None:
    await store.keep(STORE, {"a": VECTORS})
    assert await VectorStore(redis, keys, "another").read(STORE, ["a"]) == {}


async def test_nothing_is_kept_of_documents_that_are_gone(
    store: VectorStore, redis: Redis, keys: Keys
) -> None:
    await store.keep(STORE, {"a": VECTORS, "c": VECTORS})
    assert await store.read(STORE, ["a", "c"]) == {"a": VECTORS}
    await store.forget(STORE, ["a"])
    assert await store.read(STORE, ["a"]) == {"a": VECTORS}  # it is still there
    await DocumentStore(redis, keys).delete(STORE, ["a"])
    await store.forget(STORE, ["a"])
    assert await store.read(STORE, ["a"]) == {}


async def test_vectors_that_nobody_uses_go(store: VectorStore, redis: Redis, keys: Keys) -> None:
    await store.keep(STORE, {"a": VECTORS})
    key = keys.corpus(STORE, store.part)
    assert 29 * 86_400 < await redis.execute(key, "TTL", key) <= 30 * 86_400


async def test_one_replica_embeds_at_a_time(store: VectorStore, redis: Redis, keys: Keys) -> None:
    other = VectorStore(redis, keys, "model")
    assert await store.lease(STORE)
    assert await store.lease(STORE)
    assert not await other.lease(STORE)
    await other.release(STORE)
    assert not await other.lease(STORE)
    await store.release(STORE)
    assert await other.lease(STORE)


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff",
        b"\x94\xc4\x01x\x02\xc4\x00\xc4\x03abc",
        b"\x93\xc0\x02\xc4\x04abcd",
        b"\x94\xc4\x01x\x01\xc4\x04\x00\x00\xc0\x7f\xc4\x01a",  # a scale that is no number
    ],
)
async def test_damaged_vectors_count_as_missing(
    store: VectorStore, redis: Redis, keys: Keys, damaged: bytes
) -> None:
    key = keys.corpus(STORE, store.part)
    await redis.execute(key, "HSET", key, "a", damaged)
    assert await store.read(STORE, ["a"]) == {}


def test_rounding_keeps_the_angles() -> None:
    vector = hashed("the swimming pool opens at nine")
    made = vector_store.compress(b"", [vector, array("f", [0.0] * len(vector))])
    parts, scales = array("b", made.parts), array("f", made.scales)
    rounded = [part * scales[0] for part in parts[: len(vector)]]
    assert sum(a * b for a, b in zip(vector, rounded, strict=True)) == pytest.approx(1, abs=0.01)
    assert not any(parts[len(vector) :])
    assert vector_store.compress(b"", []).parts == b""
