"""A query in the words of pages that are in another language."""

from __future__ import annotations

from service.generation.extraction.queries import translated_query
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.language.question_kinds import QuestionKind
from service.query_readings import QueryReading, QueryWord


def word(text: str, *readings: str, known: bool = True) -> QueryWord:
    return QueryWord(text=text, readings=readings, weight=0.5, known=known)


READING = QueryReading(
    text="",
    language="en",
    words=(
        word("kostet", "cost", "price"),
        word("fahrkarte", "ticket"),
        word("xyzzy", "xyzzy", known=False),
    ),
)


def test_a_query_is_told_in_the_words_of_the_pages() -> None:
    translated = translated_query.translate("Was kostet eine Fahrkarte, xyzzy?", "de", READING)
    assert translated.kind is QuestionKind.PRICE
    assert (translated.topic, translated.text) == ("ticket", "cost ticket")


def test_a_translated_query_is_met_by_all_that_its_words_are_read_as() -> None:
    asked = "Was kostet eine Fahrkarte?"
    translated = translated_query.translate(asked, "de", READING)
    query = WeightedQuery(asked, "en", READING, translated=translated)
    assert query.kind is QuestionKind.PRICE
    assert query.share(query.asked({"price", "ticket"})) == 1.0
    assert query.likeness("Tickets") > 0.9
