"""What every embedder must do; it runs over each implementation."""

from __future__ import annotations

import contextlib
import math
from array import array
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from service.embeddings.embedder import Embedder, TextKind, unit
from service.embeddings.endpoint import EmbeddingEndpoint, EndpointEmbedder
from service.generation.chat_model import chat_completions
from sessions.errors import Internal
from tests.doubles import OpenAIServer
from tests.embeddings.doubles import HashingEmbedder, embeddings, local_embedder

pytestmark = pytest.mark.anyio

TEXTS = ["The swimming pool opens at nine.", "Dogs need a licence.", "The pool is for swimmers."]


@contextlib.asynccontextmanager
async def endpoint() -> AsyncGenerator[Embedder]:
    async with (
        OpenAIServer(embeddings(backwards=True)) as server,
        chat_completions.client() as http,
    ):
        yield EndpointEmbedder(http, EmbeddingEndpoint(base_url=server.base_url, model="m"))


@pytest.fixture(params=["hashing", "endpoint", "local"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    """Open each embedder."""
    match request.param:
        case "hashing":
            yield HashingEmbedder()
        case "endpoint":
            async with endpoint() as opened:
                yield opened
        case _:
            yield local_embedder()


@pytest.mark.parametrize("kind", TextKind)
async def test_texts_become_vectors_of_length_one_in_their_order(
    embedder: Embedder, kind: TextKind
) -> None:
    vectors = await embedder.embed(TEXTS, kind)
    assert len(vectors) == len(TEXTS)
    assert {(len(v), v.typecode) for v in vectors} == {(len(vectors[0]), "f")}
    assert all(math.hypot(*vector) == pytest.approx(1.0, abs=1e-4) for vector in vectors)
    [alone] = await embedder.embed(TEXTS[1:2], kind)
    assert cosine(alone, vectors[1]) == pytest.approx(1.0, abs=1e-3)


async def test_texts_about_the_same_lie_nearer(embedder: Embedder) -> None:
    pool, dogs, swimmers = await embedder.embed(TEXTS, TextKind.DOCUMENT)
    assert cosine(pool, swimmers) > cosine(pool, dogs)


async def test_nothing_is_embedded_where_nothing_is_asked(embedder: Embedder) -> None:
    assert await embedder.embed([], TextKind.DOCUMENT) == []


async def test_odd_texts_disturb_no_others(embedder: Embedder) -> None:
    odd = ["", " \n", "\x00\x7f🦆", "x" * 100_000, TEXTS[1]]
    vectors = await embedder.embed(odd, TextKind.DOCUMENT)
    [alone] = await embedder.embed([TEXTS[1]], TextKind.DOCUMENT)
    assert len({len(vector) for vector in vectors}) == 1
    assert cosine(vectors[-1], alone) == pytest.approx(1.0, abs=1e-3)


async def test_an_embedder_has_a_name_and_a_weight(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.share is None or 0 < embedder.share <= 1


def test_a_vector_has_length_one_or_none_at_all() -> None:
    assert unit([3, 4]) == array("f", [0.6, 0.8])
    assert unit([0, 0]) == array("f", [0, 0])
    with pytest.raises(Internal):
        unit([math.nan, 1])


def cosine(one: array[float], other: array[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
