"""Words and numbers that are written in several ways."""

from __future__ import annotations

from service.answering.proof import word_forms
from service.language import content_terms


def shared(text: str, language: str) -> list[str]:
    return word_forms.of_terms(content_terms.all_of(text, language), language)


def test_verbs_without_rule_have_one_form() -> None:
    assert len({*shared("write wrote written", "en")}) == 1


def test_numbers_are_the_same_as_words_and_figures() -> None:
    assert shared("three 3 3.00", "en") == ["3"] * 3
    assert shared("drei trois tres", "de") == ["3"] * 3


def test_numbers_stay_what_they_are() -> None:
    assert shared("10 100 3.50 1.10", "en") == ["10", "100", "3.50", "1.10"]
