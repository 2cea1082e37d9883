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
    ],
)
def test_a_heading_with_another_deed_differs(topic: str, heading: str) -> None:
    assert deeds.differ(topic, [heading], "en")


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
    assert not deeds.differ(topic, [heading], language)


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
