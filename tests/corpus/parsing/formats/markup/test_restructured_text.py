"""reStructuredText is read with its tables, terms and notes, and with what Sphinx adds to it."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure


def read(text: str) -> list[tuple[str, str]]:
    found = structure(parsing.parse(text.encode(), filename="page.rst"))
    return [(kind, said) for kind, _, _, said in found]


GRID = """
+-------+------------+
| Zone  | Fee        |
+=======+============+
| North | 30 a year, |
|       | 3 a day    |
+-------+------------+
| South | 40         |
+-------+------------+
"""
SIMPLE = """
=====  ===================
Zone   Fee
=====  ===================
North  30 a year, 3 a day
South  40
=====  ===================
"""
LISTED = """
.. list-table::
   :header-rows: 1
   :widths: 20 80

   * - Zone
     - Fee
   * - North
     - 30 a year,
       3 a day
   * - South
     - 40
"""
COMMAS = """
.. csv-table::
   :header: "Zone", "Fee"

   North, "30 a year, 3 a day"
   South, 40
"""


@pytest.mark.parametrize("table", [GRID, SIMPLE, LISTED, COMMAS])
def test_a_table_is_rows_with_the_names_of_its_columns(table: str) -> None:
    assert read(f"Renting\n=======\n\nAsk.\n{table}\nIt is paid once.\n")[1:] == [
        ("text", "Ask."),
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
        *("Linux", "Run the command."),
        *("Mac", "hall --mac"),
        "Afterwards.",
    ]


def test_what_is_for_a_program_is_not_read() -> None:
    text = (
        ":orphan:\n\nRenting\n=======\n\n.. toctree::\n   :maxdepth: 2\n\n   fees\n\n"
        ".. automodule:: hall\n   :members:\n\n.. include:: /etc/passwd\n\n"
        ".. raw:: html\n\n   <b>no</b>\n\n.. _anchor:\n\n.. a comment\n\nText [1]_ here.\n\n"
        ".. [1] Of 1990.\n"
    )
    assert read(text) == [
        ("heading", "Renting"),
        ("text", "Text here."),
        ("text", "Of 1990."),
    ]


def test_terms_options_and_fields_are_told_with_what_they_mean() -> None:
    text = (
        "Berth\n  A place\n  to lie.\n\nQuay : noun\n  A wall.\n\n"
        ".. option:: --day DAY\n   :module: x\n\n   Opens for a day.\n\n"
        ".. py:function:: open(hall)\n             shut(hall)\n\n   Turns the key.\n\n:Fee: 30\n"
    )
    assert read(text) == [
        ("term", "Berth"),
        ("definition", "A place to lie."),
        ("term", "Quay: noun"),
        ("definition", "A wall."),
        ("term", "--day DAY"),
        ("definition", "Opens for a day."),
        ("term", "open(hall)"),
        ("term", "shut(hall)"),
        ("definition", "Turns the key."),
        ("term", "Fee:"),
        ("definition", "30"),
    ]


def test_notes_steps_roles_and_code_are_read_as_such() -> None:
    text = (
        "Gate\n====\n\n.. note::\n   :collapsible:\n\n"
        "   Bring coins. See :ref:`the fees <fees>`.\n\n"
        ".. versionadded:: 2.1\n   Bells.\n\n.. deprecated:: 3\n\n"
        "#. Press :guilabel:`Open` or ``Esc``:\n\n"
        "   .. code-block:: sh\n      :emphasize-lines: 1\n\n"
        "      open\n\n#. Go\n   in.\n\nAfter `the rules <https://city.example/>`_::\n\n   stop\n\n"
        ".. dropdown:: Is it free?\n\n   It is.\n"
    )
    assert read(text) == [
        ("heading", "Gate"),
        ("note", "Note: Bring coins. See the fees."),
        ("note", "New in version 2.1: Bells."),
        ("note", "Deprecated since version 3."),
        ("item", "1. Press Open or Esc:"),
        ("code", "open"),
        ("item", "2. Go in."),
        ("lead", "After the rules:"),
        ("code", "stop"),
        ("question", "Is it free?"),
        ("text", "It is."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Gate\n==\n\nOpen `at *noon.\n\n.. figure::\n\n| a\n  |b\n",
        "+--+\n|a\n\n- a\n\n   - b\n  - c\n* d\n",
        f"{'- ' * 400}deep",
    ],
)
def test_what_is_written_wrongly_is_read_all_the_same(text: str) -> None:
    said = " ".join(said for _, said in read(text))
    assert all(word in said for word in ("noon", "a", "deep") if word in text)


def test_what_a_page_makes_of_a_role_holds_for_no_other_page() -> None:
    other = "Tide :strong:`high` and :ref:`low <tide>`."
    made = "".join(f".. role:: {name}(raw)\n   :format: html\n\n" for name in ("strong", "ref"))
    read(f"{made}Here :strong:`none` and :ref:`none`.\n")
    assert read(other) == [("text", "Tide high and low.")]


def test_a_title_is_that_of_the_page() -> None:
    parsed = parsing.parse(b"=====\nBoats\n=====\n\nLent.\n", mime="text/prs.fallenstein.rst")
    assert parsed.title == "Boats"
    assert "Lent." in parsed.body
