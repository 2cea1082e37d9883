from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from service.answering.retrieval.context_scopes import ContextOrder, ContextScope, DistanceBounds
from service.answering.retrieval.contexts import Contexts, Near, Nearest, as_context
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.index import Hit, SearchScope
from service.corpus.storage.document_store import DocumentStore
from service.generation.generator import Source
from service.thread_pools import ThreadPools
from sessions.errors import InvalidArgument
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.answering.doubles import ScriptedIndex, hit

pytestmark = pytest.mark.anyio
QUERY = "How much does the renewal of a passport cost?"
HITS = (
    hit(0, "The museum opens at ten.", relevance=0.2),
    hit(1, "A library card costs 3 €.", relevance=0.9),
    hit(2, "The renewal of a passport costs 80 €.", relevance=0.8),
    hit(3, "  ", relevance=0.1),
)


async def near(
    bounds: DistanceBounds, *, limit: int = 10, hits: Sequence[Hit] = HITS
) -> list[Near]:
    index = Nearest(ScriptedIndex(*hits), bounds, ThreadPools())
    return await index.near(QUERY, SearchScope(data_stores=("d",)), limit=limit)


def numbers(found: Sequence[Near]) -> list[int]:
    return [int(one.hit.chunk.document.rpartition("/")[2]) for one in found]


async def test_the_nearest_comes_first_and_empty_chunks_never() -> None:
    found = await near(DistanceBounds())
    assert numbers(found) == [2, 1, 0]
    assert [one.score for one in found] == sorted(one.distance for one in found)


async def test_thresholds_are_open_bounds() -> None:
    distance = (await near(DistanceBounds()))[0].distance
    assert numbers(await near(DistanceBounds(below=distance))) == []
    assert numbers(await near(DistanceBounds(below=distance + 1e-4))) == [2]
    assert numbers(await near(DistanceBounds(above=1 - distance - 1e-4))) == [2]
    assert numbers(await near(DistanceBounds(above=1 - distance + 1e-4))) == []


async def test_only_so_many_are_returned() -> None:
    assert numbers(await near(DistanceBounds(), limit=2)) == [2, 1]


async def test_a_ranking_orders_and_scores_by_relevance() -> None:
    found = await near(DistanceBounds(order=ContextOrder.RELEVANCE))
    assert [(one.score, number) for one, number in zip(found, numbers(found), strict=True)] == [
        (0.9, 1),
        (0.8, 2),
        (0.2, 0),
    ]


async def test_a_weight_joins_both_distances() -> None:
    """Without embeddings, too: then the first is that of `vectors`."""
    sparse = await near(DistanceBounds(alpha=0.0))
    assert numbers(sparse) == [1, 2, 0]
    assert [one.score for one in sparse] == [one.sparse_distance for one in sparse]
    assert [one.sparse_distance for one in sparse] == pytest.approx([0.1, 0.2, 0.8])
    dense = await near(DistanceBounds(alpha=1.0))
    assert numbers(dense) == numbers(await near(DistanceBounds()))
    both = await near(DistanceBounds(alpha=0.25))
    for one in both:
        assert one.sparse_distance is not None
        weighed = 0.25 * one.distance + 0.75 * one.sparse_distance
        assert one.score == pytest.approx(weighed, abs=1e-6)
    assert [one.score for one in both] == sorted(one.score for one in both)
    assert [one.sparse_distance for one in await near(DistanceBounds())] == [None] * 3


EMBEDDED = tuple(
    msgspec.structs.replace(one, cosine=cosine, by_words=by_words)
    for one, cosine, by_words in zip(
        HITS, (0.9, -0.5, 1.01, 0.3), (0.6, 0.1, 0.3, 0.0), strict=True
    )
)


async def test_distances_are_those_of_embeddings_where_there_are_some() -> None:
    found = await near(DistanceBounds(alpha=0.5), hits=EMBEDDED)
    told = {
        number: (one.distance, one.sparse_distance)
        for number, one in zip(numbers(found), found, strict=True)
    }
    assert told == {2: (0.0, 0.7), 0: (0.1, 0.4), 1: (1.5, 0.9)}
    assert numbers(found) == [0, 2, 1]
    assert numbers(await near(DistanceBounds(above=0.5), hits=EMBEDDED)) == [2, 0]
    assert numbers(await near(DistanceBounds(below=1.5), hits=EMBEDDED)) == [2, 0]


async def test_a_chunk_without_an_embedding_is_measured_by_its_words() -> None:
    (other,) = await near(DistanceBounds(), hits=HITS[1:2])
    found = await near(DistanceBounds(), hits=(EMBEDDED[0], HITS[1]))
    assert [one.distance for one in found] == [0.1, other.distance]


async def test_a_model_ranks_so_many_as_are_wanted_and_some_more() -> None:
    asked: list[tuple[str, int]] = []

    async def by_number(query: str, sources: Sequence[Source]) -> Sequence[float]:
        asked.append((query, len(sources)))
        return [int(source.title.split()[-1]) / 100 for source in sources]

    hits = [hit(number, f"A passport costs {number} €.") for number in range(50)]
    nearest = Nearest(
        ScriptedIndex(*hits), DistanceBounds(order=ContextOrder.MODEL), ThreadPools(), by_number
    )
    scope = SearchScope(data_stores=("d",))
    found = await nearest.near(QUERY, scope, limit=3)
    assert asked == [(QUERY, 20)]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert [one.score for one in found] == [number / 100 for number in numbers(found)]
    await nearest.near(QUERY, scope, limit=30)
    assert asked[-1] == (QUERY, 30)
    assert await nearest.near(QUERY, scope, limit=0) == []


async def test_without_a_model_none_ranks(redis: Redis, keys: Keys) -> None:
    documents = DocumentStore(redis, keys)
    corpora = RagCorpora(redis, keys, documents, Catalogue(redis, keys, documents, ()))
    bounds = DistanceBounds(order=ContextOrder.MODEL)
    scope = ContextScope(parent="p", bounds=bounds, field="query.ragRetrievalConfig")
    contexts = Contexts(ScriptedIndex(), corpora, ThreadPools())
    with pytest.raises(InvalidArgument, match=r"^query\.ragRetrievalConfig\.ranking\.llmRanker"):
        contexts.index_for(scope)
    with pytest.raises(InvalidArgument, match="COLLOQUY_LLM_BASE_URL"):
        await contexts.retrieve(QUERY, scope)


async def test_a_context_is_told_as_documented() -> None:
    context = as_context((await near(DistanceBounds()))[0])
    assert context.source_display_name == context.source_uri == "Title 2"
    assert context.score == context.distance
    assert context.chunk is not None
    assert (context.chunk.file_id, context.chunk.chunk_id) == ("2", "c2")
