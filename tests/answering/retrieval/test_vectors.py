from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.answering.retrieval import vectors

PASSAGE = (
    "The office is open from Monday to Friday. A renewal of a passport costs 80 €. The fee is paid "
    "online by card. Children under twelve pay half of it."
)
ANSWERABLE = (
    "How much is the renewal of a passport?",
    "What do children pay?",
    "When is the office open?",
)
ELSEWHERE = (
    "Who won the world cup in 1998?",
    "Where can I park my bicycle?",
    "best pizza recipe with mushrooms",
)


@settings(max_examples=60)
@given(st.text(max_size=80), st.text(max_size=200), st.text(max_size=20))
def test_distances_lie_on_the_documented_scale(query: str, text: str, context: str) -> None:
    assert 0 <= vectors.distance(query, text, context) <= 2


def test_a_text_is_at_no_distance_from_itself() -> None:
    assert vectors.distance(PASSAGE, PASSAGE) == pytest.approx(0, abs=1e-5)


def test_texts_without_a_common_word_are_at_distance_one() -> None:
    assert vectors.distance("pizza mushrooms", PASSAGE) == 1.0


@pytest.mark.parametrize("query", ANSWERABLE)
def test_what_a_text_answers_is_nearer_than_the_usual_threshold(query: str) -> None:
    assert vectors.distance(query, PASSAGE) < 0.55


@pytest.mark.parametrize("query", ELSEWHERE)
def test_what_it_does_not_answer_is_farther(query: str) -> None:
    assert vectors.distance(query, PASSAGE) > 0.65


def test_inflections_and_accents_do_not_matter() -> None:
    base = vectors.distance("passport renewals", PASSAGE)
    assert base == vectors.distance("PASSPORTS renewal", PASSAGE)


def test_the_headings_above_a_text_bring_it_nearer() -> None:
    text = "They arrive within five days."
    assert vectors.distance("How long do refunds take?", text) == 1.0
    assert vectors.distance("How long do refunds take?", text, "Refunds") < 1.0


@pytest.mark.parametrize(
    ("query", "text"),
    [("许可证多少钱", "许可证的费用是十欧元。"), ("отпуск", "Отпуск длится 28 дней.")],
)
def test_other_scripts_are_measured_as_well(query: str, text: str) -> None:
    assert vectors.distance(query, text) < 0.8
