"""Orders and relaxed filters, as plain functions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.requests import order_by
from service.answering.retrieval import document_ranking
from service.answering.retrieval.document_ranking import Item
from service.corpus import document_filters
from service.corpus.document_filters import Facts

FIELDS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(-3, 3),
    st.sampled_from(["", "a", "B", "ä"]),
    st.lists(st.integers(0, 2), max_size=2),
    st.dictionaries(st.sampled_from("xy"), st.integers(0, 2), max_size=2),
)
STRUCTS = st.dictionaries(st.sampled_from(["a", "b"]), FIELDS)
ORDERS = st.sampled_from(["", "a", "a desc", "a, b desc", "b desc, a desc", "a.x desc"])


def items(structs: list[dict[str, Any]]) -> list[Item]:
    return [Item(f"n{at}", f"n{at}", "", "", struct) for at, struct in enumerate(structs)]


@given(structs=st.lists(STRUCTS, max_size=8), order=ORDERS)
def test_an_order_is_one_that_pages_can_go_on_in(structs: list[dict[str, Any]], order: str) -> None:
    """What follows an item is exactly what stands behind it: nothing twice, nothing skipped."""
    keys = order_by.parse(order, field="orderBy")
    ordered = document_ranking.ordered(items(structs), keys)
    assert sorted(item.name for item in ordered) == sorted(f"n{n}" for n in range(len(structs)))
    places = [document_ranking.key(item, keys) for item in ordered]
    for (at, one), (other_at, other) in itertools.product(enumerate(places), repeat=2):
        assert document_ranking.follows(one, other, keys) == (at > other_at)


@pytest.mark.parametrize("order", ["rank", "rank desc"])
def test_what_lacks_the_field_comes_last_in_either_direction(order: str) -> None:
    found = document_ranking.ordered(
        items([{}, {"rank": 1.0}, {"rank": 2.0}]), order_by.parse(order, field="orderBy")
    )
    assert found[-1].name == "n0"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('a: ANY("x")', None),
        ('b: ANY("x")', 'b: ANY("x")'),
        ('a: ANY("x") AND b: ANY("y")', 'b: ANY("y")'),
        ('a: ANY("x") OR b: ANY("y")', 'b: ANY("y")'),
        ('NOT a: ANY("x")', None),
        ("NOT (a = 1 OR b = 2) AND b > 0", "NOT (b = 2) AND b > 0"),
    ],
)
def test_a_relaxed_filter_has_no_condition_on_the_field(text: str, left: str | None) -> None:
    relaxed = document_ranking.without_fields(document_filters.parse(text), ["a"])
    if left is None or relaxed is None:
        assert relaxed == left
        return
    for b in (0.0, 1.0, 2.0, "x", "y"):
        facts = Facts(id="", struct_data={"b": b})
        assert document_filters.matches(relaxed, facts) == document_filters.matches(
            document_filters.parse(left), facts
        )
