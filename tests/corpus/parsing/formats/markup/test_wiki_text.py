"""Wiki text in a file is read as the page that the wiki makes of it."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure

DOKUWIKI = """\
====== Parking ======
You park //here// with a **permit**,
see [[town:fees|the fees]] and [[town:zones]].
<note warning>Keep the dog out.</note>

===== How to rent =====
  - Open ''hall.ini''.
    * By day only.
  - Leave.

<code bash>
hall --rent **now**
</code>

^ Zone ^ Fee ^
| North | 30 |
~~NOTOC~~
"""
ZIM = """\
Content-Type: text/x-zim-wiki
Wiki-Format: zim 0.4
Creation-Date: 2011-04-04T21:14:35+02:00

====== Parking ======
The option **Show fees** shows what is due.
It is off at first.

1. Open the hall.
\t* By day only.
2. Leave.

'''
hall --rent
'''
"""


def read(text: str) -> list[tuple[str, int, str]]:
    found = structure(parsing.parse(text.encode(), filename="page.txt"))
    return [(kind, level, said) for kind, level, _, said in found]


def test_a_page_of_a_wiki_keeps_its_structure() -> None:
    assert read(DOKUWIKI) == [
        ("heading", 1, "Parking"),
        ("text", 0, "You park here with a permit, see the fees and zones."),
        ("note", 0, "Keep the dog out."),
        ("heading", 2, "How to rent"),
        ("item", 0, "1. Open hall.ini."),
        ("item", 1, "- By day only."),
        ("item", 0, "2. Leave."),
        ("code", 0, "hall --rent **now**"),
        ("row", 0, "Zone: North | Fee: 30"),
    ]


def test_a_page_of_a_notebook_is_called_by_its_heading_and_keeps_its_lines() -> None:
    assert parsing.parse(ZIM.encode(), filename="page.txt").title == "Parking"
    assert read(ZIM)[1:] == [
        ("text", 0, "The option Show fees shows what is due.\nIt is off at first."),
        ("item", 0, "1. Open the hall."),
        ("item", 1, "- By day only."),
        ("item", 0, "2. Leave."),
        ("code", 0, "hall --rent"),
    ]


def test_fewer_signs_stand_higher_where_a_page_begins_with_few() -> None:
    text = "== Fees ==\nThey are due.\n=== North ===\n'''30''' a year, [https://a.example see].\n"
    assert read(text) == [
        ("heading", 1, "Fees"),
        ("text", 0, "They are due."),
        ("heading", 2, "North"),
        ("text", 0, "30 a year, see."),
    ]


@pytest.mark.parametrize("text", ["a == b == c\n\nIt is so.\n", "=====\nTitle\n=====\n\nText.\n"])
def test_other_signs_of_equality_make_no_wiki(text: str) -> None:
    assert parsing.parse(text.encode(), filename="a.txt").body in (text, text.rstrip("\n"))
