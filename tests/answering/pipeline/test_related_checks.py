"""Which suggestions are offered: those that are answered, and from somewhere else."""

from __future__ import annotations

import asyncio

import pytest

from service.answering.pipeline import related_checks, retrieving
from service.answering.pipeline.retrieving import Retrieved
from service.answering.related.related_questions import MOST, SUGGESTED, RelatedQuestion
from service.corpus.index import Chunk, Hit
from service.language import content_terms, index_terms
from service.query_readings import QueryReading, QueryWord
from sessions.errors import Unavailable
from sessions.resources import answer_query

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
        if question == "breaks":
            raise RuntimeError(question)
        if question == "hangs":
            await asyncio.Event().wait()
        return found(fees)

    asked = ("fails", "breaks", "hangs", "answered")
    suggestions = [RelatedQuestion(question, fees) for question in asked]
    assert await related_checks.answered(suggestions, ask, ()) == ("answered",)


async def test_no_more_are_asked_and_offered_than_their_bounds() -> None:
    asked = list[str]()

    async def ask(question: str) -> Retrieved:
        asked.append(question)
        return found(chunk("a", question))

    many = [RelatedQuestion(str(number), chunk("a", str(number))) for number in range(100)]
    assert len(await related_checks.answered(many, ask, ())) == MOST
    assert len(asked) == SUGGESTED


ASKED = answer_query.AnswerQueryRequest(
    related_questions_spec=answer_query.RelatedQuestionsSpec(enable=True)
)


async def instead(
    query: str, *, relevance: float = 0.0, topic: str = "What is a lease?"
) -> tuple[str, ...]:
    """Return what is offered where the page on fees is found, and *topic* is for beginners."""
    near, basic = chunk("a", "What are the fees?"), chunk("b", "Introduction", topic)

    async def ask(question: str) -> Retrieved:
        return found(near if question == "What are the fees?" else basic)

    async def find_topics(words: str) -> Retrieved:
        return found(basic)

    return await related_checks.offered_instead(
        ASKED, query, found(near, relevance), ask, reading(query), find_topics, "en"
    )


def reading(query: str) -> QueryReading:
    """Return how *query* is read where each word of it tells as much."""
    words = query.lower().strip("?").split()
    telling = [word for word in words if not content_terms.is_function_word(word)]
    stems = [(word, tuple(index_terms.of(word, "en"))) for word in telling]
    return QueryReading(
        text=query,
        words=tuple(
            QueryWord(text=word, readings=read, weight=0.5, known=True) for word, read in stems
        ),
    )


async def test_a_refusal_offers_what_is_near() -> None:
    assert await instead("Which fees are due?") == ("What are the fees?",)


async def test_what_shares_no_telling_word_is_not_near_however_it_was_found() -> None:
    assert await instead("Who opens the gate?", relevance=0.15) == ("What is a lease?",)


async def test_an_answer_offers_more_of_its_document_and_what_shares_its_topic() -> None:
    told, same = chunk("a", "What is told?"), chunk("a", "Who pays later?")
    near, far = chunk("b", "What are the fees of pools?"), chunk("c", "When is the fair?")
    hits = [Hit(chunk=one, score=1.0, relevance=0.9) for one in (told, far, near, same)]

    async def ask(question: str) -> Retrieved:
        return found(next(one for one in (told, same, near, far) if question in one.headings))

    query = "Which fees are due?"
    offered = await related_checks.offered(
        ASKED, query, retrieving.by_chunks(hits), ask, reading(query), hits[:1]
    )
    assert offered == ("What are the fees of pools?", "Who pays later?")


@pytest.mark.parametrize(
    ("headings", "is_offered"),
    [
        (("Fees", "Who pays later?"), True),
        (("Fees", "Cars", "Who pays later?"), True),
        (("Who pays later?",), False),
        (("Pools", "Who pays later?"), False),
        (("Pools", "Towels", "Who pays later?"), False),
    ],
)
async def test_of_a_long_document_what_stands_beside_the_answer_is_near(
    headings: tuple[str, ...], *, is_offered: bool
) -> None:
    told, other = chunk("a", "Fees", "Cars"), chunk("a", *headings)
    hits = [Hit(chunk=one, score=1.0, relevance=0.9) for one in (told, other)]

    async def ask(question: str) -> Retrieved:
        return found(other)

    query = "Which charges are due?"
    offered = await related_checks.offered(
        ASKED, query, retrieving.by_chunks(hits), ask, reading(query), hits[:1]
    )
    assert offered == (("Who pays later?",) if is_offered else ())


async def test_a_refusal_offers_what_the_portal_is_about_where_nothing_is_near() -> None:
    assert await instead("Who won the world cup?") == ("What is a lease?",)
    assert await instead("Who won the world cup?", topic="Index") == ()


async def test_nothing_is_offered_to_who_does_not_want_it() -> None:
    async def never(question: str) -> Retrieved:
        raise AssertionError(question)

    request, near = answer_query.AnswerQueryRequest(), found(chunk("a", "What are the fees?"))
    assert (
        await related_checks.offered_instead(
            request, "fees", near, never, reading("fees"), never, "en"
        )
        == ()
    )
