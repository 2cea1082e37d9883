"""Queries that mean the same words are one phrase, and what looks personal is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.language.queries import phrases


@pytest.mark.parametrize(
    ("query", "phrase"),
    [
        ("  Parking   PERMIT\tprice? ", "parking permit price"),
        ("¿Cuánto cuesta?", "cuánto cuesta"),
        ("停车许可证怎么办理？", "停车许可证怎么办理"),
        ("Form 27 for 2026", "form 27 for 2026"),
        ("ｐａｒｋｉｎｇ", "parking"),
    ],
)
def test_case_white_space_and_marks_around_do_not_count(query: str, phrase: str) -> None:
    assert phrases.of_query(query) == phrase


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "a",
        "42",
        "write to ann@example.org",
        "ann [at] example",
        "www.example.org/me",
        "https://example.org",
        "call 030 123 45 67",
        "born 12.03.1985",
        "case 123456",
        "case １２３４５６",
        "DE89 3704 0044 0532 0130 00",
        "x" * 129,
        "word " * 17,
        "hidden\u200btext",
        "right\u202eleft",
    ],
)
def test_what_says_nothing_or_looks_personal_is_no_phrase(query: str) -> None:
    assert phrases.of_query(query) == ""


@given(st.text(max_size=200))
def test_a_phrase_is_itself_a_phrase(text: str) -> None:
    phrase = phrases.of_query(text)
    assert phrases.of_query(phrase) == phrase
    assert len(phrase) <= phrases.LONGEST


def test_texts_are_compared_without_case_and_accents() -> None:
    assert phrases.folded("Über  ÇA Straße") == "uber ca strasse"
    assert phrases.folded("Ёлка") == "елка"
    assert phrases.folded("が") == "が"
    assert phrases.folded("한국") == "한국"
