"""Which questions are suggested."""

from __future__ import annotations

import pytest

from service.answering.pipeline import related_questions
from service.corpus.index import Chunk


def chunk(*headings: str, text: str = "You can.", title: str = "Licenses") -> Chunk:
    """Return a chunk under *headings*."""
    return Chunk(
        name="c", document="d", title=title, text=text, headings=headings, start_byte=0, end_byte=1
    )


def asked(query: str, chunks: list[Chunk]) -> list[str]:
    """Return what is suggested beside *query*."""
    return [one.question for one in related_questions.suggestions(query, chunks)]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How do I renew?", "How do I renew?"),
        ("How to renew your license", "How do I renew my license?"),
        ("Renew your license", "How do I renew my license?"),
        ("2. Renewing a license", "How do I renew a license?"),
        ("## **What documents do I need**", "What documents do I need?"),
        ("License fees", "What are the license fees?"),
        ("Refund Policy", "What is the refund policy?"),
        ("SQL Requirements", "What are the SQL requirements?"),
        ("Using the C# library", "How do I use the C# library?"),
        ("Add and remove users", "How do I add and remove users?"),
        ("Buy or rent a locker", "How do I buy or rent a locker?"),
        ("Cómo renovar la licencia", "¿Cómo renovar la licencia?"),
        ("如何保护自己", "如何保护自己？"),
        ("Comment ça marche ?", "Comment ça marche ?"),
        ("How contributions are calculated", "How are contributions calculated?"),
        ("Employee Referral Policy", "What is the Employee Referral Policy?"),
        ("11/22/26, 1:11 PM | How do I pay?", "How do I pay?"),
    ],
)
def test_headings_become_questions(heading: str, question: str) -> None:
    assert related_questions.as_question(heading) == question


@pytest.mark.parametrize(
    "heading",
    [
        "Overview",
        "FAQ",
        "Licenses",
        "",
        "§",
        "Building codes in the city",
        "# Notes",
        "How long it is kept",
        "Upload or retrieval taking a long time",
        "Pay here after the meeting",
    ],
)
def test_headings_that_make_no_question_are_left_out(heading: str) -> None:
    assert not related_questions.as_question(heading, "Some text.")


def test_a_term_that_is_defined_is_asked_for() -> None:
    text = "Spam traps\nSpam traps are addresses that catch spammers."
    assert related_questions.as_question("Spam traps", text) == "What are spam traps?"


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


def test_a_name_keeps_its_capital_within_a_question() -> None:
    text = "Redis Streams are logs. What Redis Streams hold is kept."
    assert related_questions.as_question("Redis Streams", text) == "What are Redis Streams?"


def test_suggestions_are_in_the_language_of_the_query() -> None:
    chunks = [chunk("¿Cómo puedo pagar la multa?", title="Multas"), chunk("How do I pay my fine?")]
    assert asked("What does it cost to renew my license?", chunks) == ["How do I pay my fine?"]
