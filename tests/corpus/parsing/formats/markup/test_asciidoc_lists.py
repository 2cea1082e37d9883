"""A list of AsciiDoc is whole, with what belongs to its items."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure


def read(text: str) -> list[tuple[str, int, str]]:
    found = structure(parsing.parse(text.encode(), filename="page.adoc"))
    return [(kind, level, said) for kind, level, _, said in found]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("* a\nb\n** c\n* d", [("- a b", 0), ("- c", 1), ("- d", 0)]),
        ("- a\n\n- b", [("- a", 0), ("- b", 0)]),
        (". a\n\n.. b\n\n. c", [("1. a", 0), ("1. b", 1), ("2. c", 0)]),
        ("4. a\n5. b", [("4. a", 0), ("5. b", 0)]),
        ("[start=3]\n. a\n. b", [("3. a", 0), ("4. b", 0)]),
        ("* [x] a\n* [ ] b", [("- a", 0), ("- b", 0)]),
        (". a\n* b\n. c", [("1. a", 0), ("- b", 1), ("2. c", 0)]),
    ],
)
def test_items_have_their_numbers_and_depth(text: str, read_as: list[tuple[str, int]]) -> None:
    assert [(said, level) for _, level, said in read(text)] == read_as


def test_what_a_plus_attaches_interrupts_no_list() -> None:
    text = ". a\n+\n--\nMore on a.\n\nAnd more.\n--\n\n. b\n+\n....\ncode\n....\n. c\n"
    assert read(text) == [
        ("item", 0, "1. a"),
        ("text", 1, "More on a."),
        ("text", 1, "And more."),
        ("item", 0, "2. b"),
        ("code", 1, "code"),
        ("item", 0, "3. c"),
    ]


def test_terms_have_what_they_mean() -> None:
    text = "Zone:: Where you park.\nFee::\n\nWhat you pay.\n+\nIt is paid once.\n"
    assert read(text) == [
        ("term", 0, "Zone"),
        ("definition", 0, "Where you park."),
        ("term", 0, "Fee"),
        ("definition", 0, "What you pay."),
        ("definition", 0, "It is paid once."),
    ]


def test_a_term_that_asks_is_answered() -> None:
    assert read("[qanda]\nWhat is a zone?::\n  A part of the town.\n") == [
        ("question", 1, "What is a zone?"),
        ("text", 0, "A part of the town."),
    ]
