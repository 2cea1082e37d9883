"""The structure of a document is the same, whatever format it is kept in."""

from __future__ import annotations

import pytest

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus.texts import structure

MARKDOWN = """# Parking

Visitors park in hall B. It opens at seven. Before you come, which is easier by bus, please read \
all of this page with care, and do the following:

1. Register your car.

   The number plate is enough.

   ```
   plate AB 123
   ```

2. Pay:
   - by card
   - in cash

> **Note:** Keep the ticket.

3. Put the ticket behind the window.

## What does a day cost?

Four euros.

Prices with tax:

| Zone | Fee |
|------|-----|
| North | 4 € |
| South | 3 € |

**Who is a visitor?**

Who does not live here.

**Season ticket:** a ticket for one year.
"""

HTML = """<h1>Parking</h1><p>Visitors park in hall B. It opens at seven. Before you come, which is
easier by bus, please read all of this page with care, and do the following:</p>
<ol><li><p>Register your car.</p><p>The number plate is enough.</p><pre>plate AB 123</pre></li>
<li>Pay:<ul><li>by card</li><li>in cash</li></ul></li></ol>
<div class="callout">Note: Keep the ticket.</div>
<ol start="3"><li>Put the ticket behind the window.</ol>
<h2>What does a day cost?</h2><p>Four euros.</p><p>Prices with tax:</p>
<table><tr><th>Zone<th>Fee</tr><tr><td>North<td>4 €</tr><tr><td>South<td>3 €</tr></table>
<p><b>Who is a visitor?</b></p><p>Who does not live here.</p>
<p><strong>Season ticket:</strong> a ticket for one year.</p>"""

PLAIN = """Parking

Visitors park in hall B. It opens at seven. Before you come, which is easier by bus, please read \
all of this page with care, and do the following:

1. Register your car.

   The number plate is enough.

   ```
   plate AB 123
   ```

2. Pay:
   - by card
   - in cash

Note: Keep the ticket.

3. Put the ticket behind the window.

What does a day cost?

Four euros.

Prices with tax:

Zone: North | Fee: 4 €
Zone: South | Fee: 3 €

Who is a visitor?

Who does not live here."""

LEAD = (
    "Before you come, which is easier by bus, please read all of this page with care, and do the "
    "following:"
)
TABLE = [
    ("heading", 1, 1, "Parking"),
    ("text", 0, 2, "Visitors park in hall B. It opens at seven."),
    ("lead", 0, 3, LEAD),
    ("item", 0, 3, "1. Register your car."),
    ("text", 1, 3, "The number plate is enough."),
    ("code", 1, 3, "plate AB 123"),
    ("item", 0, 3, "2. Pay:"),
    ("item", 1, 3, "- by card"),
    ("item", 1, 3, "- in cash"),
    ("note", 1, 3, "Note: Keep the ticket."),
    ("item", 0, 3, "3. Put the ticket behind the window."),
    ("question", 2, 4, "What does a day cost?"),
    ("text", 0, 4, "Four euros."),
    ("lead", 0, 5, "Prices with tax:"),
    ("row", 0, 5, "Zone: North | Fee: 4 €"),
    ("row", 0, 5, "Zone: South | Fee: 3 €"),
    ("question", 3, 6, "Who is a visitor?"),
    ("text", 0, 6, "Who does not live here."),
    ("term", 0, 7, "Season ticket:"),
    ("definition", 0, 7, "a ticket for one year."),
]  # fmt: skip


@pytest.mark.parametrize("source", [("text/markdown", MARKDOWN), ("text/html", HTML)], ids="mh")
def test_pages_keep_their_structure(source: tuple[str, str]) -> None:
    mime, text = source
    assert structure(parsing.parse(text.encode(), mime=mime)) == TABLE


def test_plain_text_shows_most_of_it() -> None:
    """What is set in bold it cannot show, and a fence of code is a part of the code."""
    found = structure(parsing.parse(PLAIN.encode(), mime="text/plain"))
    assert [(kind, whole) for kind, _, whole, _ in found] == [
        (kind, whole) for kind, _, whole, _ in TABLE[:-2]
    ]
    assert [text for _, _, _, text in found if "```" not in text] == [
        text for kind, _, _, text in TABLE[:-2] if kind != "code"
    ]


def test_an_accordion_and_a_list_of_terms_are_pairs() -> None:
    text = """<details><summary>How long is it open?</summary><p>All night.</p></details>
<dl><dt>Ticket<dt>Card<dd>What you pay with.<dd>Or <em>show</em>.<dt>Bay<dd>A place.</dl>"""
    assert structure(parsing.parse(text.encode(), mime="text/html")) == [
        ("question", 1, 1, "How long is it open?"),
        ("text", 0, 1, "All night."),
        ("term", 0, 2, "Ticket"),
        ("term", 0, 2, "Card"),
        ("definition", 0, 2, "What you pay with."),
        ("definition", 0, 2, "Or show."),
        ("term", 0, 3, "Bay"),
        ("definition", 0, 3, "A place."),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Q: Why?\n\nA: So.", ["question", "text"]),
        ("1. Q: Why is it so?\n\nA. It is.", ["question", "text"]),
        ("Attention : travaux.", ["note"]),
        ("注意：请勿停车。", ["note"]),
        ("Tip of the day", ["text"]),
        ("Run this:\n\n    make", ["lead", "code"]),
        ("It runs.\n\n    make", ["text", "code"]),
        ("### Accepted:\n- a\n- b", ["heading", "item", "item"]),
    ],
)
def test_words_say_what_a_paragraph_is(text: str, kinds: list[str]) -> None:
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [kind for kind, _, _, _ in found] == kinds
    wholes = {whole for _, _, whole, _ in found}
    assert len(wholes) == (2 if "It runs" in text else 1)


def test_a_whole_does_not_go_on_behind_a_heading() -> None:
    text = "1. a\n2. b\n\n# Next\n\n3. c"
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [whole for _, _, whole, _ in found] == [1, 1, 2, 3]


def test_every_paragraph_is_a_whole_of_its_own() -> None:
    parsed = parsing.parse(b"One day.\n\nAnother day.", mime="text/markdown")
    assert [(block.kind, block.whole) for block in parsed.blocks] == [
        (BlockKind.TEXT, 1),
        (BlockKind.TEXT, 2),
    ]


def test_the_caption_of_a_table_leads_to_its_rows() -> None:
    page = (
        "<p>There are several.<p><b>Table 7.1. List of desktops</b><table><tr><th>name<th>size"
        "<tr><td>gnome<td>9<tr><td>xfce<td>3</table>"
    )
    found = structure(parsing.parse(page.encode(), filename="a.html"))
    assert [(kind, whole) for kind, _, whole, _ in found] == [
        ("text", 1),
        ("lead", 2),
        ("row", 2),
        ("row", 2),
    ]
