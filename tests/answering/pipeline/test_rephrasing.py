"""What a follow-up query becomes."""

from __future__ import annotations

import pytest

from service.answering.pipeline import rephrasing
from service.generation.generator import PastTurn

CARD = [PastTurn("What is the REAL ID card?", "It is a card that you can board planes with.")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("How much does it cost?", "How much does it cost? (REAL ID card)"),
        ("And for veterans?", "And for veterans? (REAL ID card)"),
        ("Why?", "Why? (REAL ID card)"),
        ("What are the costs?", "What are the costs? (REAL ID card)"),
        ("What is the fee for parking?",) * 2,
        ("Is a REAL ID card valid there?", "Is a REAL ID card valid there?"),
        ("How do I register a snowmobile in Vermont?",) * 2,
        ("Is it possible to register a snowmobile in Vermont?",) * 2,
    ],
)
def test_a_query_that_leans_gets_the_topic(query: str, expected: str) -> None:
    assert rephrasing.rephrase(query, CARD) == expected


def test_a_first_query_stays_as_it_is() -> None:
    assert rephrasing.rephrase("How much does it cost?", []) == "How much does it cost?"


def test_leaning_turns_do_not_move_the_topic() -> None:
    turns = [*CARD, PastTurn("How much does it cost?", "It costs $30."), PastTurn("Why?", "")]
    assert rephrasing.rephrase("Where can I get one?", turns).endswith("(REAL ID card)")


def test_a_turn_that_stands_alone_moves_the_topic() -> None:
    turns = [*CARD, PastTurn("How do I register a snowmobile?", "At the office.")]
    assert rephrasing.rephrase("What does it cost?", turns).endswith("(register a snowmobile)") or (
        rephrasing.rephrase("What does it cost?", turns).endswith("(snowmobile)")
    )


def test_what_about_moves_the_topic() -> None:
    turns = [*CARD, PastTurn("What about an enhanced license?", "It is for borders.")]
    assert rephrasing.rephrase("How much is it?", turns).endswith("(enhanced license)")


@pytest.mark.parametrize(
    ("before", "query", "topic"),
    [
        ("¿Qué es la aplicación de autenticación?", "¿Es esto gratis?", "de autenticación"),
        ("什么是身份证？", "它多少钱？", "身份证"),
    ],
)  # fmt: skip
def test_other_languages_have_topics_too(before: str, query: str, topic: str) -> None:
    assert topic in rephrasing.rephrase(query, [PastTurn(before, "")])


def test_of_a_long_turn_the_beginning_and_the_end_are_read() -> None:
    """Who pastes a document into a query still gets a topic, and nobody waits for it."""
    pasted = "What is a REAL ID card? " + "We are to be here. " * 1000
    assert rephrasing.rephrase("What does it cost?", [PastTurn(pasted, "")]).endswith(
        "(REAL ID card)"
    )
    assert not rephrasing.leans(pasted)
    assert rephrasing.leans("We are to be here. " * 1000 + "What does it cost?")


def test_a_query_of_usual_length_is_read_whole() -> None:
    middle = "Snow falls. " * 75
    assert len(query := f"{middle}What does it cost? {middle}") < 2_000
    assert rephrasing.leans(query)
