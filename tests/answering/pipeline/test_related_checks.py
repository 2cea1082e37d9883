"""Which suggestions are offered: those that are answered, and from somewhere else."""

from __future__ import annotations

import asyncio

import pytest

from service.answering.pipeline import related_checks, retrieving
from service.answering.pipeline.related_questions import MOST, SUGGESTED, RelatedQuestion
from service.answering.pipeline.retrieving import Retrieved
from service.corpus.index import Chunk, Hit
from sessions.errors import Unavailable

pytestmark = pytest.mark.anyio


def chunk(document: str, *headings: str) -> Chunk:
    """Return a chunk of *document* under *headings*."""
    return Chunk(
        name=f"{document}/{headings}",
        document=document,
        title=document,
        text="So.",
        headings=headings,
        start_byte=0,
        end_byte=3,
    )


def found(best: Chunk, relevance: float = 0.9) -> Retrieved:
    """Return what is retrieved where *best* is the best hit."""
    return retrieving.by_chunks([Hit(chunk=best, score=1.0, relevance=relevance)])


async def test_only_what_is_answered_from_where_it_comes_from_is_offered() -> None:
    fees, cards, told = chunk("a", "Fees"), chunk("b", "Cards"), chunk("c", "Told")
    outcomes = {
        "answered": (fees, found(fees)),
        "the same section": (fees, found(fees)),
        "refused": (cards, found(cards, relevance=0.0)),
        "found elsewhere": (cards, found(chunk("d", "Cards"))),
        "told already": (told, found(told)),
        "nothing": (cards, retrieving.by_chunks([])),
    }
    suggestions = [
        RelatedQuestion(question, made_of) for question, (made_of, _) in outcomes.items()
    ]

    async def ask(question: str) -> Retrieved:
        return outcomes[question][1]

    sections = {related_checks.section(told)}
    assert await related_checks.answered(suggestions, ask, sections) == ("answered",)


async def test_what_fails_or_takes_long_is_a_suggestion_less() -> None:
    fees = chunk("a", "Fees")

    async def ask(question: str) -> Retrieved:
        if question == "fails":
            raise Unavailable("gone", reason="INDEX_UNAVAILABLE")
        if question == "hangs":
            await asyncio.Event().wait()
        return found(fees)

    suggestions = [RelatedQuestion(question, fees) for question in ("fails", "hangs", "answered")]
    assert await related_checks.answered(suggestions, ask, ()) == ("answered",)


async def test_no_more_are_asked_and_offered_than_their_bounds() -> None:
    asked = list[str]()

    async def ask(question: str) -> Retrieved:
        asked.append(question)
        return found(chunk("a", question))

    many = [RelatedQuestion(str(number), chunk("a", str(number))) for number in range(100)]
    assert len(await related_checks.answered(many, ask, ())) == MOST
    assert len(asked) == SUGGESTED
