"""Which questions a query asks."""

from __future__ import annotations

import time

import pytest

from service.language import question_parts


@pytest.mark.parametrize(
    ("language", "query", "parts"),
    [
        (
            "en",
            "How do I add a card and how do I remove it?",
            ("How do I add a card", "how do I remove it?"),
        ),
        (
            "en",
            "What does it cost, and after how many days is it void?",
            ("What does it cost", "after how many days is it void?"),
        ),
        ("en", "What is a pass? How much is it?", ("What is a pass?", "How much is it?")),
        (
            "de",
            "Was ist ein Ausweis und wie viel kostet er?",
            ("Was ist ein Ausweis", "wie viel kostet er?"),
        ),
        (
            "es",
            "¿Qué es un pase y cuánto cuesta?",
            ("¿Qué es un pase", "cuánto cuesta?"),
        ),
        ("zh", "什么是停车证？多少钱？", ("什么是停车证？", "多少钱？")),
    ],
)
def test_a_query_has_its_questions(language: str, query: str, parts: tuple[str, ...]) -> None:
    assert question_parts.cut(query, language) == parts


@pytest.mark.parametrize(
    "query",
    [
        "What is the difference between a pass and a permit?",
        "My card is lost. How do I get another?",
        "Hello and what now",
        "What is a pass and why?",
        "",
        "Is it so? Is it? Is he? Is she?",
        "What is a pass and " * 100,
    ],
)
def test_a_query_that_asks_one_thing_stays_whole(query: str) -> None:
    assert question_parts.cut(query) == (query,)


def test_a_long_query_is_read_at_once() -> None:
    started = time.process_time()
    for text in (", and " * 100, "? " * 299, " " * 600, "and how " * 75):
        question_parts.cut(text)
    assert time.process_time() - started < 2
