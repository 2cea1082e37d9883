"""Whether a query carries nothing but the name of what everything searched is about."""

from __future__ import annotations

import pytest

from service.language.queries import subject_names
from service.query_readings import QueryReading, QueryWord


def reading(*words: tuple[str, float]) -> QueryReading:
    """Return a reading of words that are known, each with its weight."""
    return QueryReading(
        text="",
        words=tuple(
            QueryWord(text=text, readings=(text,), weight=weight, known=True)
            for text, weight in words
        ),
    )


@pytest.mark.parametrize(
    ("query", "words", "told"),
    [
        ("What is Quillport?", [("quillport", 0.43)], True),
        ("What is a Quillport?", [("quillport", 0.43)], True),
        ("What is a quillport?", [("quillport", 0.43)], False),
        ("What is Quillport?", [("quillport", 0.7)], False),
        ("What is an account?", [("account", 0.1)], False),
        ("What is the Quillport anchor?", [("quillport", 0.43), ("anchor", 0.6)], False),
        ("What is this?", [], False),
        ("What is Account.example?", [("account", 0.1), ("example", 0.1)], True),
    ],
)
def test_a_name_on_every_page_is_the_subject_of_all(
    query: str, words: list[tuple[str, float]], told: bool
) -> None:
    assert subject_names.names_only_subject(query, reading(*words)) is told
