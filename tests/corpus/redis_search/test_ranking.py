"""The index in Redis ranks as the embedded one does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.corpus.index import Index, SearchContext, SearchScope
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.doubles import entry
from tests.corpus.texts import STORE
from tests.embeddings.doubles import HashingEmbedder
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

DOCUMENTS = (
    entry("fees", "A parking permit costs 30 euro a year.", "Visitors pay by the day."),
    entry("dogs", "A dog licence costs 90 euro a year.", "Puppies need none.", title="Dog licence"),
    entry("pool", "The pool opens at nine.", "A day costs 5 euro, a year 90.", title="Swimming"),
    entry("permit", "Where to park with a permit: in your zone."),
    entry("delete", "To delete a permit, write to us."),
)
CONTEXT = SearchContext(queries=("Is a dog legal?", "Where do I park?"), answer="A dog is legal.")


async def ranked(index: Index, query: str, context: SearchContext) -> Sequence[tuple[str, float]]:
    scope = SearchScope(data_stores=(STORE,), context=context)
    hits = await index.search(query, scope, limit=10)
    return [(hit.chunk.name, round(hit.relevance, 6)) for hit in hits]


@pytest.mark.parametrize("context", [SearchContext(), CONTEXT], ids=["first", "follow-up"])
@pytest.mark.parametrize(
    "query",
    [
        "parking permit",
        "What does a licence cost a year?",
        "erase my permit",
        "pool opnes",
        "puppies day",
        "¿Cuánto cuesta la piscina?",
    ],
)
async def test_the_same_chunks_come_with_the_same_relevance(
    redis: Redis, keys: Keys, query: str, context: SearchContext
) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, DOCUMENTS)
    async with TantivyIndex(store) as one, RedisIndex(redis, keys, store) as other:
        await one.wait_ready()
        await other.wait_ready()
        first = await ranked(one, query, context)
        assert first
        found = await ranked(other, query, context)
        assert dict(found) == dict(first)
        assert found[0] == first[0]


@pytest.mark.parametrize("query", ["tram", "tram line at night", "the harbour tram, a ferry"])
async def test_long_documents_weigh_what_they_do_in_the_embedded_index(
    redis: Redis, keys: Keys, query: str
) -> None:
    """Of many chunks and of few, with a word in most of them or in one."""
    said = ["The tram runs along the line.", "At night it stops at the harbour.", "A ferry goes."]
    store = DocumentStore(redis, keys)
    await store.put(
        STORE,
        [entry(f"d{n}", *(said[: 1 + n % 3] * (1 + n)), title=f"Page {n}") for n in range(6)],
    )
    async with TantivyIndex(store) as one, RedisIndex(redis, keys, store) as other:
        scores: list[dict[str, float]] = []
        for index in (one, other):
            await index.wait_ready()
            hits = await index.search(query, SearchScope(data_stores=(STORE,)), limit=50)
            scores.append({hit.chunk.name: hit.score for hit in hits})
        assert len(scores[0]) > 6
        assert scores[1] == pytest.approx(scores[0], rel=0.01)


async def test_a_document_is_found_by_the_number_in_its_title(redis: Redis, keys: Keys) -> None:
    """It weighs in the whole document what it does in a chunk, whatever others say more often."""
    store = DocumentStore(redis, keys)
    said = "The tram line and the bus line: a tram, a bus, a tram line."
    others = [entry(f"d{n}", said, said, title=f"Notice {n}") for n in range(100, 130)]
    others += [entry(f"e{n}", "A dog.", "A cat.", title=f"Notice {n}") for n in range(200, 260)]
    wanted = entry("wanted", "A tram.", "It runs on a line.", title="Notice 2869")
    await store.put(STORE, [*others, wanted])
    async with TantivyIndex(store) as one, RedisIndex(redis, keys, store) as other:
        for index in (one, other):
            await index.wait_ready()
            found = await ranked(index, "tram line, tram line, tram line 2869", SearchContext())
            assert "/wanted/" in found[0][0]


async def test_what_is_meant_is_found_without_a_word_of_it(redis: Redis, keys: Keys) -> None:
    store = DocumentStore(redis, keys)
    await store.put(STORE, [entry("dogs", "A licence."), entry("pool", "Swimming.")])
    vectors = SharedVectors(HashingEmbedder(), redis, keys, store)
    async with RedisIndex(redis, keys, store, vectors=vectors) as index:
        await index.wait_ready()
        await eventually(lambda: vectors.count == 2)
        scope = SearchScope(data_stores=(STORE,))
        hits = await index.search("swimmers", scope, limit=1)
        assert [names.last_id(hit.chunk.document) for hit in hits] == ["pool"]
        assert hits[0].cosine is not None
