"""What blocks mean counts beside their words, where somebody can compare them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Prompt
from service.language.sentences import spans
from tests.generation.extraction.pages import answer, page

pytestmark = pytest.mark.anyio

QUERY = "How do I hand back a badge?"
BADGES = page(
    "Badges",
    """\
## Getting a badge

A badge is handed out at the door; have your passport ready.

## Returning

Whoever leaves puts the badge into the letter box at the gate.
""",
)


async def written(cosines: dict[str, float]) -> str:
    """Return the answer where texts with such words lie so near to the query, others at 0."""
    seen = list[str]()

    async def nearness(question: str, texts: Sequence[str]) -> list[float]:
        assert question == QUERY
        seen.extend(texts)
        return [next((near for word, near in cosines.items() if word in t), 0.0) for t in texts]

    generator = ExtractiveGenerator(spans, nearness=nearness)
    pieces = generator.generate(Prompt(query=QUERY, sources=tuple(BADGES)))
    text = "".join([piece.text async for piece in pieces])
    assert any(one.startswith("Badges: Returning\nWhoever") for one in seen)
    return text


async def test_what_means_the_query_is_chosen_before_what_says_its_words() -> None:
    assert answer(QUERY, BADGES).startswith("A badge is handed out")
    assert "letter box" in await written({"letter box": 0.6, "passport": 0.1})


async def test_blocks_that_are_all_as_near_are_chosen_by_their_words() -> None:
    even = {"letter box": 0.5, "passport": 0.5}
    assert await written(even) == answer(QUERY, BADGES)


async def test_where_nobody_can_tell_in_time_words_choose() -> None:
    async def nearness(question: str, texts: Sequence[str]) -> Sequence[float]:
        return ()

    generator = ExtractiveGenerator(spans, nearness=nearness)
    pieces = generator.generate(Prompt(query=QUERY, sources=tuple(BADGES)))
    assert "".join([piece.text async for piece in pieces]) == answer(QUERY, BADGES)
