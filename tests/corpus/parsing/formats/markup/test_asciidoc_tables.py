"""A table of AsciiDoc is rows, however its cells are written."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import blocks


@pytest.mark.parametrize(
    "table",
    [
        "|===\n|Zone |Fee\n\n|North |30\n|South |40\n|===",
        "[%header,cols=2*]\n|===\n|Zone\n|Fee\n\n|North\n|30\n|South\n|40\n|===",
        '[options="header"]\n|===\n|Zone|Fee\n|North\n|30\n\n|South\n|40\n|===',
        "[%header,format=csv]\n|===\nZone,Fee\nNorth,30\nSouth,40\n|===",
        "[%header]\n,===\nZone,Fee\nNorth,30\nSouth,40\n,===",
    ],
)
def test_rows_have_the_names_of_their_columns(table: str) -> None:
    said = [text for _, text in blocks(parsing.parse(table.encode(), filename="page.adoc"))]
    assert said == ["Zone: North | Fee: 30", "Zone: South | Fee: 40"]


def test_a_cell_reaches_over_rows_and_columns() -> None:
    table = '[%header,cols="1,1,1"]\n|===\n|A |B |C\n.2+|both |1 |2\n|3 |4\n2+|wide |5\n|===\n'
    said = [text for _, text in blocks(parsing.parse(table.encode(), filename="page.adoc"))]
    assert said[:2] == ["A: both | B: 1 | C: 2", "A: both | B: 3 | C: 4"]
    assert "wide" in said[2]


def test_a_bar_that_is_escaped_parts_no_cells() -> None:
    table = "[cols=2*]\n|===\n|a \\| b |c\n|d |e\n|===\n"
    said = [text for _, text in blocks(parsing.parse(table.encode(), filename="page.adoc"))]
    assert said == ["a | b | c", "d | e"]
