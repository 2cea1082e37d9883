"""AsciiDoc is read as the page that is made of it."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure

PAGE = """\
// A module of the handbook
[id="renting_{context}"]
= Renting a place
Ann Miller <ann@example.org>
v1.2, 2026-03-01
:toc:

You rent a place by `hall rent`.

.Procedure
. Open the hall:
+
[source,terminal]
----
$ hall open <1>
----
<1> It takes a minute.
+
NOTE: Do it by day.

. Choose the place.
.. Click *Places*.
. Leave.

== Fees

[cols="1,2a",options="header"]
|===
|Zone |Fee
|North |30 € a year
|South
|* 40 € a year
|===
"""


def read(text: str) -> list[tuple[str, str]]:
    found = structure(parsing.parse(text.encode(), filename="page.adoc"))
    return [(kind, said) for kind, _, _, said in found]


def test_a_page_keeps_its_sections_steps_code_notes_and_tables() -> None:
    parsed = parsing.parse(PAGE.encode(), filename="renting.adoc")
    assert parsed.title == "Renting a place"
    assert [(kind, level, said) for kind, level, _, said in structure(parsed)] == [
        ("heading", 1, "Renting a place"),
        ("text", 0, "You rent a place by hall rent."),
        ("heading", 2, "Procedure"),
        ("item", 0, "1. Open the hall:"),
        ("code", 1, "$ hall open"),
        ("item", 1, "1. It takes a minute."),
        ("note", 2, "Do it by day."),
        ("item", 0, "2. Choose the place."),
        ("item", 1, "1. Click Places."),
        ("item", 0, "3. Leave."),
        ("heading", 2, "Fees"),
        ("row", 0, "Zone: North | Fee: 30 € a year"),
        ("row", 0, "Zone: South | Fee: 40 € a year"),
    ]


@pytest.mark.parametrize(
    "note",
    [
        "WARNING: Keep the dog out.",
        "[WARNING]\nKeep the dog out.",
        "[WARNING]\n====\nKeep the dog out.\n====",
        "[WARNING]\n--\nKeep the dog out.\n--",
    ],
)
def test_a_note_is_a_box_and_what_follows_is_none(note: str) -> None:
    assert read(f"{note}\n\nAfterwards.\n") == [
        ("note", "Keep the dog out."),
        ("text", "Afterwards."),
    ]


def test_lines_under_a_title_are_a_heading() -> None:
    assert read("Fees\n----\nThey are due.\n\n----\ncode\n----\n") == [
        ("heading", "Fees"),
        ("text", "They are due."),
        ("code", "code"),
    ]


def test_tabs_stand_under_their_names() -> None:
    text = "[tabs]\n====\nLinux::\n+\nRun `a`.\n\nMac::\n+\nRun `b`.\n====\n"
    assert read(f"= Running\n\n{text}") == [
        ("heading", "Running"),
        *(("heading", "Linux"), ("text", "Run a.")),
        *(("heading", "Mac"), ("text", "Run b.")),
    ]


def test_blocks_that_nest_without_end_are_read_in_little_time() -> None:
    text = "\n".join("=" * (4 + depth) for depth in range(2_000)) + "\nDeep.\n"
    assert read(text)[-1][1].endswith("Deep.")
    assert len(read("* a\n+\n" * 5_000)) == 5_000
