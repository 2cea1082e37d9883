"""Which headings do what a how-to asks for."""

from __future__ import annotations

import pytest

from service.generation.extraction.queries import deeds
from tests.generation.extraction.pages import answer, page


@pytest.mark.parametrize(
    ("topic", "heading"),
    [
        ("make a chart", "Editing chart titles"),
        ("make a chart", "How to export a chart"),
        ("set up a queue", "2.1 Deleting queues"),
        ("create a chart", "Update a chart"),
    ],
)
def test_a_heading_with_another_deed_differs(topic: str, heading: str) -> None:
    assert deeds.is_same(topic, heading, "en") is False


@pytest.mark.parametrize(
    ("topic", "heading"),
    [
        ("make a chart", "Inserting charts"),
        ("make a chart", "Editing and creating charts"),
        ("make a chart", "Chart types"),
        ("make a chart", "Export options"),
        ("open the quick search", "Searching mail"),
        ("frobnicate a chart", "Editing charts"),
        ("hacer un gráfico", "Borrar un gráfico"),
    ],
)
def test_a_heading_with_the_same_deed_or_none_does_not(topic: str, heading: str) -> None:
    language = "es" if topic.startswith("hacer") else "en"
    assert deeds.is_same(topic, heading, language) is not False


SHEETS = page(
    "Editing chart titles",
    """\
# Editing chart titles

To edit the title of a chart:

1. Click the chart twice.
2. Type the title.
""",
)
CHARTS = page(
    "Inserting charts",
    """\
# Inserting charts

## Chart in a sheet

1. Mark the cells.
2. Choose "Chart" in the menu.
""",
)


def test_steps_are_told_under_the_same_deed_by_another_word() -> None:
    told = answer("How do I make a chart?", SHEETS, CHARTS)
    assert "Mark the cells" in told
    assert "Type the title" not in told


def test_what_comes_after_a_deed_does_not_tell_how_it_is_done() -> None:
    queues = page(
        "Queues",
        """\
# Queues

## Update a queue

After you create a queue, you can rename it, close it or lend it.

## Add a queue

To add a queue:

1. Open the menu.
2. Choose "New", and give it a name.
""",
    )
    assert answer("How do I create a queue?", queues).startswith("To add a queue:")


def test_steps_under_what_they_are_for_go_before_what_only_points_to_them() -> None:
    boats = page(
        "Boats",
        """\
# Boats

## Lend a boat

You can lend a boat to another member across the clubs of the bay. Use the following procedure.

The clubs must have agreed before.

### To lend a boat

1. Open the list of boats.
2. Choose "Lend".
3. Enter who gets it.
""",
    )
    told = answer("How do I lend a boat to another member?", boats)
    assert told.endswith("3. Enter who gets it.")
    assert "following procedure" not in told
