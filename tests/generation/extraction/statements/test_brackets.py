"""Which of several ranges the amount of a query falls in."""

from __future__ import annotations

import pytest

from service.generation.extraction.statements import brackets
from tests.generation.extraction.pages import answer, page


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("notice for a two week trip", "For between 1 week - 2 weeks: 4 weeks before"),
        ("notice for 3 months", "More than 4 weeks: 5 weeks before"),
        ("I left after 8 months", "After less than 1 year you get 4 weeks of pay"),
        ("bonus on a 60k salary", "£50,001–£70,000: £1,000"),
        ("we have 12 employees", "Fewer than 25 employees: 10 % off"),
        ("a fine after 30 days", "30 days or more: 5 dollars"),
        ("for 5 guests", "1 - 10 guests: 2 rooms"),
    ],
)
def test_an_amount_falls_in_its_range(query: str, statement: str) -> None:
    assert brackets.fit(query, statement) == 1.0


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("notice for a two week trip", "For greater than 2 weeks you must give 3 months"),
        ("notice for a two week trip", "For 2 days: 1 week before"),
        ("bonus on a 60k salary", "Up to £50,000: £500"),
    ],
)
def test_an_amount_falls_in_no_other_range(query: str, statement: str) -> None:
    assert brackets.fit(query, statement) < 0


@pytest.mark.parametrize(
    ("query", "statement"),
    [
        ("how much notice", "For 2 days: 1 week before"),
        ("notice for a two week trip", "We plan every two weeks."),
        ("what changed in 2014", "In 2014 there were 5 rooms"),
        ("for 5 guests", "5 rooms have 2 beds"),
    ],
)
def test_what_names_no_amount_or_another_thing_is_of_no_range(query: str, statement: str) -> None:
    assert brackets.fit(query, statement) == 0


def test_the_item_of_the_range_is_told() -> None:
    moving = page(
        "Moving out",
        "Tell us in time:\n\n"
        "- Stays of 1 day to 6 days: tell us 2 days before you leave the house for good\n"
        "- Stays of 1 week to 3 weeks: tell us 5 days before you leave the house for good\n"
        "- Stays of more than 3 weeks: tell us 2 months before you leave the house for good\n",
    )
    assert "5 days before" in answer(
        "How many days before do I tell you for a 2 week stay?", moving
    )


def test_long_texts_of_numbers_are_read_in_no_time() -> None:
    assert brackets.fit("for 5 guests", "1 - 2 " * 100_000) == 0
