"""The Query Engine tells of vectors what is asked of it, in either of its indexes."""

from __future__ import annotations

import random
import statistics
from array import array
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from service.corpus.redis_search import engine, fact_tags
from service.corpus.redis_search.entry_keys import EntryKeys
from service.corpus.redis_search.vector_keys import VectorKeys
from service.corpus.redis_search.vectors import vector_engine
from service.embeddings.embedder import unit
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio

PARTS = 16
COUNT = 400
TWICE = 2
"""Each document has so many chunks, the second in a language of its own."""
CHANCE = random.Random(1)


def drawn() -> array[float]:
    return unit(CHANCE.gauss(0, 1) for _ in range(PARTS))


QUERY = drawn()
VECTORS = {(number, place): drawn() for number in range(COUNT // TWICE) for place in range(TWICE)}
COSINES = {
    at: sum(a * b for a, b in zip(QUERY, vector, strict=True)) for at, vector in VECTORS.items()
}


class Filled(NamedTuple):
    """An index with all of `VECTORS`."""

    redis: Redis
    keys: VectorKeys
    name: bytes

    async def ask(self, command: bytes) -> list[object]:
        (reply,) = await engine.replies(self.redis, self.name, [command])
        return reply


@pytest.fixture(params=[False, True], ids=["flat", "graph"])
async def index(request: pytest.FixtureRequest, redis: Redis, keys: Keys) -> AsyncIterator[Filled]:
    own = EntryKeys(keys, STORE).vectors("model")
    await engine.create(redis, vector_engine.create(own, PARTS, graph=request.param))
    for (number, place), vector in VECTORS.items():
        key = own.chunk(number, place)
        tags = [fact_tags.EVERY, f"l{place}", *fact_tags.of_samples(key)]
        fields = ("facts", ",".join(tags), "id", f"d{number}")
        await redis.execute(key, "HSET", key, *fields, "vector", vector_engine.packed(vector))
    name = own.graph if request.param else own.flat
    yield Filled(redis, own, name)
    await engine.drop(redis, name)


async def test_the_nearest_of_all_and_of_some_are_found(index: Filled) -> None:
    for within, some in (
        ("", COSINES),
        ("@facts:{l1}", {a: c for a, c in COSINES.items() if a[1]}),
    ):
        reply = await index.ask(vector_engine.nearest(index.name, QUERY, within))
        found = vector_engine.found(reply)
        wanted = sorted(some, key=lambda at: -some[at])[: len(found)]
        assert [one.key for one in found[:10]] == [index.keys.chunk(*at) for at in wanted[:10]]
        assert found[0].document_id == f"d{wanted[0][0]}"
        assert found[0].cosine == pytest.approx(some[wanted[0]], abs=0.002)


async def test_the_cosines_of_given_chunks_are_told_and_of_no_others(index: Filled) -> None:
    asked = [(3, 0), (5, 1), (7, 0)]
    keys = [index.keys.chunk(*at) for at in (*asked, (COUNT, 0))]
    found = vector_engine.found(await index.ask(vector_engine.cosines(index.name, QUERY, keys)))
    assert {one.key: one.cosine for one in found} == {
        index.keys.chunk(*at): pytest.approx(COSINES[at], abs=0.002) for at in asked
    }


async def test_a_sample_tells_how_the_cosines_of_all_lie(index: Filled) -> None:
    whole = vector_engine.sampled(await index.ask(vector_engine.sample(index.name, QUERY, "", 0)))
    assert whole.chunks == COUNT
    assert whole.mean == pytest.approx(statistics.mean(COSINES.values()), abs=0.001)
    assert whole.deviation == pytest.approx(statistics.stdev(COSINES.values()), abs=0.001)
    half = vector_engine.sampled(await index.ask(vector_engine.sample(index.name, QUERY, "", 1)))
    assert COUNT / 3 < half.chunks < COUNT / 1.5
    assert half.mean == pytest.approx(whole.mean, abs=whole.deviation / 3)
    none = await index.ask(vector_engine.sample(index.name, QUERY, "@facts:{none}", 0))
    assert vector_engine.sampled(none).chunks == 0
