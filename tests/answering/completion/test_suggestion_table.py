"""What goes on from what was typed is found, with how well it does."""

from __future__ import annotations

import time

import pytest

from service.answering.completion.suggestion_table import Suggestion, SuggestionTable

TEXTS = [
    "Parking permits",
    "Free parking",
    "Parking at the pool",
    "Übergänge",
    "停车许可证办理",
    "Waste",
]


@pytest.fixture(scope="module")
def table() -> SuggestionTable:
    return SuggestionTable(Suggestion(text=text) for text in TEXTS)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("PARK", {"Parking permits": 0, "Parking at the pool": 0, "Free parking": 1}),
        ("pool park", {"Parking at the pool": 2}),
        ("parking p", {"Parking permits": 0, "Parking at the pool": 2}),
        ("uberg", {"Übergänge": 0}),
        ("许可", {"停车许可证办理": 1}),
        ("", {}),
        ("?!", {}),
        ("p" * 200, {}),
        ("parkign", {}),
    ],
)
def test_what_goes_on_from_it_is_ranked(
    table: SuggestionTable, typed: str, wanted: dict[str, int]
) -> None:
    assert {each.suggestion.text: each.rank for each in table.matches(typed)} == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("parkign perm", {"Parking permits": 3}),
        ("prking", {"Parking permits": 3, "Parking at the pool": 3, "Free parking": 3}),
        ("wsate", {"Waste": 3}),
        ("pol", {}),
    ],
)
def test_slips_are_read_where_they_are_wanted(
    table: SuggestionTable, typed: str, wanted: dict[str, int]
) -> None:
    found = table.matches(typed, slips=True)
    assert {each.suggestion.text: each.rank for each in found} == wanted


def test_a_suggestion_is_found_by_its_alternatives_too() -> None:
    table = SuggestionTable([Suggestion(text="snow", alternatives=("parking on ice", "snowing"))])
    assert [(m.rank, m.suggestion.text) for m in table.matches("parking")] == [(0, "snow")]
    assert len(table.matches("sno")) == len(table) == 1


def test_many_suggestions_are_looked_through_in_a_moment() -> None:
    """Somebody waits for each letter; the bound is ten times what it takes."""
    texts = (f"How do I {a}{b} the {b}{a} of {a}?" for a in WORDS for b in WORDS)
    table = SuggestionTable(Suggestion(text=text) for text in texts)
    begun = time.process_time()
    assert table.matches("how do i renewparkng", slips=True)
    assert time.process_time() - begun < 0.5


WORDS = [f"{a}{b}" for a in ("renew", "park", "pay", "find") for b in ("ing", "er", "ment", "s")]
