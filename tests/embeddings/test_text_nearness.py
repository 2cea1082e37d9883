"""How near texts are to a question, and what becomes of it when the embedder fails."""

from __future__ import annotations

import asyncio

import pytest

from service.embeddings import text_nearness
from service.embeddings.embedder import TextKind
from service.embeddings.text_nearness import TextNearness
from sessions.errors import Unavailable
from tests.embeddings.doubles import HashingEmbedder

pytestmark = pytest.mark.anyio

QUESTION = "When does the swimming pool open?"
TEXTS = ["Dogs need a licence.", "The pool is open from nine."]


async def test_what_says_about_the_same_is_nearer() -> None:
    dogs, pool = await TextNearness(HashingEmbedder()).cosines(QUESTION, TEXTS)
    assert dogs < pool <= 1.0


async def test_the_vectors_of_texts_are_kept_for_the_next_question() -> None:
    embedder = HashingEmbedder()
    nearness = TextNearness(embedder)
    first = await nearness.cosines(QUESTION, TEXTS)
    assert await nearness.cosines(QUESTION, [TEXTS[1], TEXTS[0]]) == first[::-1]
    asked = [texts for kind, texts in embedder.asked if kind is TextKind.DOCUMENT]
    assert asked == [TEXTS, []]


async def test_an_embedder_that_failed_is_left_alone_for_a_while() -> None:
    embedder = HashingEmbedder()
    embedder.fails = Unavailable("it is gone", reason="MODEL_UNAVAILABLE")
    nearness = TextNearness(embedder)
    assert not await nearness.cosines(QUESTION, TEXTS)
    embedder.fails = None
    assert not await nearness.cosines(QUESTION, TEXTS)
    assert not embedder.asked


async def test_nobody_waits_long_for_an_embedder() -> None:
    embedder = HashingEmbedder()
    embedder.waits = asyncio.Event()
    async with asyncio.timeout(20 * text_nearness.PATIENCE):
        assert not await TextNearness(embedder).cosines(QUESTION, TEXTS)


async def test_vectors_of_another_length_are_not_compared() -> None:
    """An endpoint may serve another model under the same name from one question to the next."""
    embedder = HashingEmbedder()
    nearness = TextNearness(embedder)
    before = await nearness.cosines(QUESTION, TEXTS)
    embedder.dimensions = 64
    assert not await nearness.cosines(QUESTION, TEXTS)
    assert len(await nearness.cosines(QUESTION, TEXTS)) == len(before)
