"""Which questions are suggested."""

from __future__ import annotations

from service.answering.related import related_questions
from service.corpus.index import Chunk


def chunk(*headings: str, text: str = "You can.", title: str = "Licenses") -> Chunk:
    """Return a chunk under *headings*."""
    return Chunk(
        name="c", document="d", title=title, text=text, headings=headings, start_byte=0, end_byte=1
    )


def asked(query: str, chunks: list[Chunk]) -> list[str]:
    """Return what is suggested beside *query*."""
    return [one.question for one in related_questions.suggestions(query, chunks)]


def test_distinct_questions_that_were_not_asked() -> None:
    chunks = [
        chunk("How do I renew my license?"),
        chunk("Renew your license"),
        chunk("Renewing licenses"),
        *(chunk(f"Replace a lost {thing}") for thing in "plate permit card title form".split()),
    ]
    found = asked("how can I renew my license", chunks)
    assert found[0] == "How do I replace a lost plate?"
    assert len(found) == len(set(found)) == 5


def test_questions_within_the_text_and_titles_count_too() -> None:
    text = "It is free.\nCan I pay by card?\nYes, at each office.\nWhat then?"
    found = asked("fees", [chunk("Fees", text=text, title="Paying a fine")])
    assert found == ["Can I pay by card?", "How do I pay a fine?"]


def test_nothing_is_related_to_nothing() -> None:
    assert asked("fees", []) == []


def test_suggestions_are_in_the_language_of_the_query() -> None:
    chunks = [chunk("¿Cómo puedo pagar la multa?", title="Multas"), chunk("How do I pay my fine?")]
    assert asked("What does it cost to renew my license?", chunks) == ["How do I pay my fine?"]


def test_what_is_far_from_the_query_makes_no_place_for_what_is_near() -> None:
    chunks = [*(chunk(f"Replace a lost {thing}") for thing in "plate card title form".split() * 3)]
    chunks.append(chunk("Renew your permit"))
    found = related_questions.suggestions(
        "permit", chunks, lambda question, _: "permit" in question
    )
    assert [one.question for one in found] == ["How do I renew my permit?"]
