"""An entry of a reference answers who names it, and gives way to what explains."""

from __future__ import annotations

import pytest

from service.generation.extraction import entries
from tests.generation.extraction.pages import answer, page

CALLS = page(
    "Ferry::Ticket - a ticket object",
    """\
## load_ticket

Returns the ticket with this number, or undef.

## _set_ticket

Sets the ticket of a berth.
""",
)
TICKETS = page(
    "Using the ferry",
    """\
## Tickets

A ticket is a permit for one crossing. You keep it until you leave the boat.

## Preparing a crossing

1. Choose the boat.
2. Print the ticket at the machine.
""",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("What is a ticket?", "A ticket is a permit"),
        ("How do I print a ticket?", "Print the ticket"),
    ],
)
def test_what_explains_is_told_before_entries(query: str, told: str) -> None:
    assert told in answer(query, CALLS, TICKETS)


def test_an_entry_is_told_to_who_names_it() -> None:
    assert "Returns the ticket" in answer("What does load_ticket do?", CALLS, TICKETS)


def test_a_line_without_a_subject_gives_way_to_steps() -> None:
    menu = page("Freeze rows", "# Freeze rows\n\nFreezes the first row or column of the sheet.\n")
    guide = page(
        "Freezing rows as headers",
        "# Freezing rows as headers\n\n1. Mark the row below the first row.\n2. Choose Freeze.\n",
    )
    assert "Mark the row" in answer("How do I freeze the first row?", menu, guide)


def test_what_a_command_does_is_told_of_that_command_alone() -> None:
    menu = page("Delete layer", "The Delete layer command deletes the current layer.\n")
    basics = page("About images", "## Stacks\n\nA layer is one sheet of the image.\n")
    assert answer("What is a layer?", menu, basics).startswith("A layer is one sheet")
    assert "deletes the current layer" in answer("What does delete layer do?", menu, basics)


@pytest.mark.parametrize(
    ("query", "most"), [("What is a ticket?", True), ("What is load_ticket?", False)]
)
def test_a_text_is_of_entries_where_most_of_it_is(query: str, most: bool) -> None:
    one = CALLS[0]
    assert entries.is_most(one.title, one.headings, one.text, one.blocks, query) is most


def test_prose_under_a_heading_in_capitals_is_no_entry() -> None:
    one = TICKETS[0]
    assert not entries.is_most(one.title, one.headings, one.text, one.blocks, "What is a ticket?")
