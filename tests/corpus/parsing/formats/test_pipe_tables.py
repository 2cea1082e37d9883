"""Tables of every dialect of Markdown are tables."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure

ROWS = [("row", "Code: 5001 | Meaning: Try again."), ("row", "Code: 6001 | Meaning: No name.")]


@pytest.mark.parametrize(
    "table",
    [
        "| Code | Meaning |\n|---|---|\n| 5001 | Try again. |\n| 6001 | No name. |",
        "| Code | Meaning |\n| 5001 | Try again. |\n|6001|No name.|",
        "Codes and more.\n| **Code** | Meaning |\n|5001| Try again. |\n| 6001 | No name. |",
    ],
)
def test_lines_between_bars_are_a_table(table: str) -> None:
    found = structure(parsing.parse(table.encode(), mime="text/markdown"))
    assert [(kind, text) for kind, _, _, text in found][-2:] == ROWS


def test_a_first_line_with_numbers_names_no_columns() -> None:
    found = structure(parsing.parse(b"| 5001 | Try. |\n| 6001 | No. |", mime="text/markdown"))
    assert [text for _, _, _, text in found] == ["5001 | Try.", "6001 | No."]


def test_code_keeps_its_bars() -> None:
    text = "```\n| a | b |\n| c | d |\n```"
    assert parsing.parse(text.encode(), mime="text/markdown").body == "| a | b |\n| c | d |"
