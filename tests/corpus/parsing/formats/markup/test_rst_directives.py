"""The tables and tabs of reStructuredText are read."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure


def read(text: str) -> list[tuple[str, str]]:
    found = structure(parsing.parse(text.encode(), filename="page.rst"))
    return [(kind, said) for kind, _, _, said in found]


@pytest.mark.parametrize(
    "table",
    [
        (
            ".. list-table:: Fees by zone\n   :header-rows: 1\n   :widths: 20 80\n\n"
            "   * - Zone\n     - Fee\n   * - North\n     - 30 a year,\n       3 a day\n"
            "   * - South\n     - 40\n"
        ),
        (
            '.. csv-table:: Fees by zone\n   :header: "Zone", "Fee"\n\n'
            '   North, "30 a year, 3 a day"\n   South, 40\n'
        ),
    ],
)
def test_a_table_is_rows_with_the_names_of_its_columns(table: str) -> None:
    assert read(f"Renting\n=======\n\n{table}\nIt is paid once.\n")[1:] == [
        ("lead", "Fees by zone:"),
        ("row", "Zone: North | Fee: 30 a year, 3 a day"),
        ("row", "Zone: South | Fee: 40"),
        ("text", "It is paid once."),
    ]


def test_a_tab_stands_under_its_name() -> None:
    text = (
        ".. tabs::\n\n   .. tab:: Linux\n\n      Run the command.\n\n"
        "   .. code-tab:: bash Mac\n\n      hall --mac\n\nAfterwards.\n"
    )
    assert [said for _, said in read(text)] == [
        *("Linux:", "Run the command."),
        *("Mac:", "hall --mac"),
        "Afterwards.",
    ]


def test_a_tree_of_pages_is_no_code() -> None:
    assert read("Renting\n=======\n\n.. toctree::\n   :maxdepth: 2\n\n   fees\n\nText.\n")[1:] == [
        ("text", "Text."),
    ]
