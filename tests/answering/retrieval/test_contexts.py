from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.answering.retrieval.context_scopes import DistanceBounds
from service.answering.retrieval.contexts import Near, Nearest, as_context
from service.corpus.index import Hit, SearchScope
from service.thread_pools import ThreadPools
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


async def test_a_reranking_orders_and_scores_by_relevance() -> None:
    found = await near(DistanceBounds(rerank=True))
    assert [(one.score, number) for one, number in zip(found, numbers(found), strict=True)] == [
        (0.9, 1),
        (0.8, 2),
        (0.2, 0),
    ]


async def test_a_weight_of_nothing_for_distances_keeps_the_order_of_the_index() -> None:
    assert numbers(await near(DistanceBounds(dense=0.0))) == [0, 1, 2]


async def test_a_context_is_told_as_documented() -> None:
    context = as_context((await near(DistanceBounds()))[0])
    assert context.source_display_name == context.source_uri == "Title 2"
    assert context.score == context.distance
    assert context.chunk is not None
    assert (context.chunk.file_id, context.chunk.chunk_id) == ("2", "c2")
