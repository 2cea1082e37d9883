"""A page of HTML is read as its reader sees it."""

from __future__ import annotations

import pytest

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from service.corpus.parsing.parsed_documents import Unreadable
from tests.corpus import pictures
from tests.corpus.texts import blocks, structure

HTML = """<!doctype html><html lang="fr"><head><title>Permis</title><style>p{}</style></head><body>
<nav><ul><li><a href="/">Accueil</a></ul></nav>
<div class="menu">Menu</div>
<main><h1>Permis de
stationner</h1><p>Un <b>permis</b>&nbsp;par foyer.<br>Gratuit.</p>
<ol><li>Choisir<li>Payer</ol>
<table><tr><th>Zone<th>Prix</tr><tr><td>Nord<td>30 €</tr></table>
<pre>a
  b</pre><button>Plus</button></main>
<footer>Mentions</footer><script>alert(1)</script></body></html>"""


def test_html_keeps_the_page_and_drops_what_surrounds_it() -> None:
    parsed = parsing.parse(HTML.encode(), filename="permis.html")
    assert (parsed.title, parsed.language) == ("Permis", "fr")
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Permis de stationner"),
        (BlockKind.TEXT, "Un permis par foyer.\nGratuit."),
        (BlockKind.ITEM, "1. Choisir"),
        (BlockKind.ITEM, "2. Payer"),
        (BlockKind.ROW, "Zone: Nord | Prix: 30 €"),
        (BlockKind.CODE, "a\n  b"),
    ]


def test_html_is_read_however_deep_but_not_for_ever() -> None:
    def nested(depth: int) -> bytes:
        return b"<div>" * depth + b"deep" + b"</div>" * depth

    assert parsing.parse(nested(1_500), mime="text/html").body == "deep"
    for mime in ("text/html", "text/markdown"):
        with pytest.raises(Unreadable) as refused:
            parsing.parse(nested(100_000), mime=mime)
        assert refused.value.reason == "TOO_DEEP"


def test_a_list_goes_on_with_the_numbers_that_its_items_have() -> None:
    page = "<ol start=3><li>c<li value=7>g<li>h</ol>"
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert parsed.body == "3. c\n7. g\n8. h"


def test_paragraphs_and_items_that_line_breaks_set_apart_are_read_as_such() -> None:
    page = (
        "<p>Bring a card.<br><br>By post:<br>1. Fill in the form.<br>2. Send it.<br>&nbsp;<br>"
        "More is told here:<br><a href=x>https://city.example/</a></p><p><b>(3) What else?</b></p>"
    )
    assert blocks(parsing.parse(page.encode(), mime="text/html")) == [
        (BlockKind.TEXT, "Bring a card."),
        (BlockKind.LEAD, "By post:"),
        (BlockKind.ITEM, "1. Fill in the form."),
        (BlockKind.ITEM, "2. Send it."),
        (BlockKind.TEXT, "More is told here: https://city.example/"),
        (BlockKind.QUESTION, "(3) What else?"),
    ]


@pytest.mark.parametrize(
    ("title", "heading", "told"),
    [
        ("Fees — City of Example", "Fees<a href=#x>¶</a>", "Fees"),
        ("Fees | City", "Fees", "Fees"),
        ("Fees and fines", "Fees", "Fees and fines"),
        ("Fees - 2026", "Costs", "Fees - 2026"),
        ("", "Fees<a href=#x>#</a>", "Fees"),
        ("mod_x - Server Version 2", "Module mod_x", "Module mod_x"),
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_title(title: str, heading: str, told: str) -> None:
    page = f"<title>{title}</title><h1>{heading}</h1><p>Parking costs 30 euro.</p>"
    assert parsing.parse(page.encode(), mime="text/html").title == told


def test_a_heading_that_names_the_site_is_no_part_of_the_page() -> None:
    page = "<title>Fees — City Help</title><h1>City Help</h1><h1>Fees</h1><p>Four euros."
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert (parsed.title, parsed.body) == ("Fees", "Fees\n\nFour euros.")


def test_a_heading_that_names_the_site_is_told_by_the_one_that_names_the_page() -> None:
    page = "<title>Fees : City Help</title><h1>City Help</h1><h2>Fees <a>Print</a></h2><p>Four."
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert (parsed.title, parsed.body) == ("Fees", "Fees Print\n\nFour.")


@pytest.mark.parametrize("sign", ["¶", "\uf0c1", "🔗", ""])
def test_a_sign_that_leads_to_its_heading_is_left_out(sign: str) -> None:
    page = f"<title>C# — Help</title><h1>C#<a class=headerlink href='#c'>{sign}</a></h1><p>Sharp."
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert (parsed.title, parsed.body) == ("C#", "C#\n\nSharp.")


def test_a_table_within_a_cell_makes_no_layout_of_a_table_with_a_head() -> None:
    rows = "".join(f"<tr><td>key{at}<td>Opens gate {at}." for at in range(4))
    inner = "<tr><td>key9<td>Opens all:<table><tr><td>A</table>"
    page = f"<table><tr><th>Key<th>Use{rows}{inner}</table>"
    found = blocks(parsing.parse(page.encode(), mime="text/html"))
    assert found[:4] == [
        (BlockKind.ROW, f"Key: key{at} | Use: Opens gate {at}.") for at in range(4)
    ]


def test_lists_within_the_cells_of_a_short_table_with_a_head_are_of_its_rows() -> None:
    page = """<h1>Fees</h1><table><tr><th>Zone<th>Fee</tr>
    <tr><td>North<td>30 €</tr><tr><td>South<td><ul><li>40 €</ul></tr></table>"""
    said = [text for _, text in blocks(parsing.parse(page.encode(), mime="text/html"))]
    assert said == ["Fees", "Zone: North | Fee: 30 €", "Zone: South | Fee: 40 €"]


def test_a_row_whose_first_cell_is_a_sign_asks_nothing() -> None:
    page = "<table><tr><td>$?<td>The last status<tr><td>$#<td>The number</table>"
    found = blocks(parsing.parse(page.encode(), mime="text/html"))
    assert {kind for kind, _ in found} == {BlockKind.ROW}


def test_cells_of_several_paragraphs_make_a_table_of_many_rows_no_layout() -> None:
    rows = "".join(f"<tr><td>Key {at}<td><p>Opens it.</p><p>Or shuts it.</p>" for at in range(4))
    found = blocks(parsing.parse(f"<table>{rows}</table>".encode(), mime="text/html"))
    assert found == [(BlockKind.ROW, f"Key {at} | Opens it. Or shuts it.") for at in range(4)]
    long = rows.replace("Key", "Key of a word that is long and goes on and on" * 3)
    found = blocks(parsing.parse(f"<table>{long}</table>".encode(), mime="text/html"))
    assert {kind for kind, _ in found} == {BlockKind.TEXT}


@pytest.mark.parametrize(
    "page",
    [
        "<details><summary>Soup</summary>Hot.</details><details><summary>Tea</summary>Cold.",
        (
            "<button aria-controls=a>Soup</button><div id=a>Hot.</div>"
            "<p><button aria-controls=b>Tea</button></p><div id=b>Cold.</div>"
        ),
        "<div class=accordion-title>Soup</div>Hot.<div class=faq__question>Tea</div>Cold.",
        (
            "<div itemtype='https://schema.org/Question'><div itemprop=name>Soup</div>Hot.</div>"
            "<div itemtype='https://schema.org/Question'><p itemprop=name>Tea</p>Cold.</div>"
        ),
    ],
)
def test_what_unfolds_an_answer_heads_it_beside_the_others(page: str) -> None:
    found = parsing.parse(f"<h1>Menu</h1>{page}".encode(), filename="a.html")
    assert structure(found) == [
        ("heading", 1, 1, "Menu"),
        ("heading", 2, 2, "Soup"),
        ("text", 0, 3, "Hot."),
        ("heading", 2, 4, "Tea"),
        ("text", 0, 5, "Cold."),
    ]


def test_a_button_that_opens_a_menu_heads_nothing() -> None:
    page = "<button aria-controls=m>Menu</button><ul id=m><li><a>Home</a></ul><p>Text."
    found = parsing.parse(page.encode(), filename="a.html")
    assert [kind for kind, *_ in structure(found)] == ["item", "text"]


def test_a_row_that_asks_and_answers_is_an_entry() -> None:
    page = (
        "<h1>Help</h1><table><tr><th>Question<th>Answer<tr><td>Is it hot?<td>Yes.<tr><td>Tea<td>2"
    )
    found = parsing.parse(page.encode(), filename="a.html")
    assert [(kind, level, said) for kind, level, _, said in structure(found)][1:] == [
        ("question", 2, "Is it hot?"),
        ("text", 0, "Yes."),
        ("row", 0, "Question: Tea | Answer: 2"),
    ]


def test_pictures_stand_beside_what_shows_them() -> None:
    """A caption is told with its picture; the text of one that is not kept is nothing."""
    pump, lid = pictures.inline(pictures.png()), pictures.inline(pictures.png("blue"))
    row = pictures.inline(pictures.png("green"))
    parsed = parsing.parse(
        f"""<h1>Pump</h1><img src="{pictures.inline(pictures.png("pink"))}">
        <figure><img src="{pump}" alt="A pump"><figcaption>Figure 1: the <b>pump</b>.</figcaption>
        </figure><ol><li>Open it.<img src="{lid}" alt="lid.png"><li>Close it.</ol>
        <table><tr><td>Valve<td>North <img src="{row}" alt="The valve"></table>
        <figure><img src="http://x.example/a.png" alt="Elsewhere"><figcaption>Kept</figcaption>
        </figure><header><img src="{pictures.inline(pictures.png("gray"))}" alt="Logo"></header>
        <img src="data:image/svg+xml;base64,PHN2Zy8+" alt="Drawn">""".encode(),
        mime="text/html",
    )
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Pump"),
        (BlockKind.FIGURE, "Figure 1: the pump. A pump"),
        (BlockKind.ITEM, "1. Open it."),
        (BlockKind.ITEM, "2. Close it."),
        (BlockKind.ROW, "Valve | North"),
        (BlockKind.FIGURE, "The valve"),
        (BlockKind.TEXT, "Kept"),
        (BlockKind.FIGURE, "Logo"),
    ]
    beside = [parsed.body[figure.start :].split("\n")[0] for figure in parsed.figures]
    told = [text for _, text in blocks(parsed)]
    assert beside == [told[0], told[1], told[2], told[5], told[7]]


@pytest.mark.parametrize(
    ("title", "told"),
    [("City - Fees", "Fees"), ("City - ", "Fees"), ("<no title> — City", "Fees"), ("", "Fees")],
)
def test_the_heading_of_the_site_is_not_that_of_the_page(title: str, told: str) -> None:
    page = (
        f"<title>{title}</title><body><header class=site-header><h1>City</h1></header>"
        "<h1>Fees</h1><p>Parking costs 30 euro.</p>"
    )
    assert parsing.parse(page.encode(), mime="text/html").title == told


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("<i hidden>Command</i><i hidden id=default1>Ctrl</i>", "Press Ctrl+A."),
        ("<i hidden>Ctrl</i><i hidden>Command</i>", "Press Ctrl+A."),
        ("<i hidden>Ctrl</i>", "Press +A."),
        ("<b>Alt</b><i hidden>Ctrl</i><i hidden>Command</i>", "Press Alt+A."),
    ],
)
def test_of_alternatives_that_are_all_hidden_one_is_read(keys: str, told: str) -> None:
    page = f"<p>Press <span>{keys}</span>+A."
    assert parsing.parse(page.encode(), mime="text/html").body.strip() == told


def test_a_page_of_a_manual_is_called_by_what_stands_under_name() -> None:
    page = "<h1>NAME</h1><p>fee-list - Print all fees</p><h1>SYNOPSIS</h1><pre>fee-list</pre>"
    assert parsing.parse(page.encode(), mime="text/html").title == "fee-list - Print all fees"
    page = "<h1>NAME</h1><h1>SYNOPSIS</h1><p>Nothing is said of it.</p>"
    assert parsing.parse(page.encode(), mime="text/html").title == "NAME"


def test_the_caption_of_a_picture_or_table_heads_nothing() -> None:
    page = "<h1>Fees</h1><p><b>Figure 2.1. The gate</b><p>Pay.<p><b>Table 3: All</b><p>So."
    found = blocks(parsing.parse(page.encode(), mime="text/html"))
    assert [said for kind, said in found if kind is BlockKind.HEADING] == ["Fees"]


def test_what_a_figure_says_is_told_with_its_picture_and_begins_no_step() -> None:
    page = """<h1>Lines</h1><ol><li><div class="figure"><p class="title"><b>Figure 7.33. A new
    image</b></p><img src="a.png"><div class="caption"><p>The dialog.</p></div></div>
    <p>Create an image.</p><li>Click on it.</ol>"""
    assert blocks(parsing.parse(page.encode(), mime="text/html"))[1:] == [
        (BlockKind.FIGURE, "Figure 7.33. A new image"),
        (BlockKind.FIGURE, "The dialog."),
        (BlockKind.ITEM, "1. Create an image."),
        (BlockKind.ITEM, "2. Click on it."),
    ]


def test_the_line_that_numbers_the_picture_before_it_is_told_with_the_picture() -> None:
    shown = f'<img src="{pictures.inline(pictures.png())}" alt="screen"></div>'
    page = f"""<h1>Start</h1><ol><li><p>Open it:</p><div class="image"><div>{shown}
    <div class="title">Figure 5. The first screen</div></div><li><p>Close it.</p></ol>
    <p>Done.</p><img src="{pictures.inline(pictures.png("blue"))}"><p>Figure 6 shows it.</p>"""
    assert blocks(parsing.parse(page.encode(), mime="text/html"))[1:] == [
        (BlockKind.ITEM, "1. Open it:"),
        (BlockKind.FIGURE, "screen"),
        (BlockKind.FIGURE, "Figure 5. The first screen"),
        (BlockKind.ITEM, "2. Close it."),
        (BlockKind.TEXT, "Done."),
        (BlockKind.TEXT, "Figure 6 shows it."),
    ]


def test_neither_the_label_of_a_note_nor_the_caption_of_an_example_ends_a_section() -> None:
    page = """<h2>Keys</h2><p>Keys are bound here.</p><div class="note"><h3>Note</h3><p>In quotes.
    </p></div><div class="example"><p><b>Example 3.2. A key</b></p><pre>bind a b</pre></div>
    <p>So it is done.</p>"""
    assert blocks(parsing.parse(page.encode(), mime="text/html"))[1:] == [
        (BlockKind.TEXT, "Keys are bound here."),
        (BlockKind.NOTE, "Note: In quotes."),
        (BlockKind.LEAD, "Example 3.2. A key"),
        (BlockKind.CODE, "bind a b"),
        (BlockKind.TEXT, "So it is done."),
    ]


def test_a_cell_over_several_rows_names_each_of_them() -> None:
    page = (
        "<table><tr><th>Name<th>Value<th>Means<tr><td rowspan=2>type<td>0<td>None"
        "<tr><td>1<td>All<tr><td>port<td>80<td>The port</table>"
    )
    rows = [said for _, said in blocks(parsing.parse(page.encode(), mime="text/html"))]
    assert rows == [
        "Name: type | Value: 0 | Means: None",
        "Name: type | Value: 1 | Means: All",
        "Name: port | Value: 80 | Means: The port",
    ]


MANUAL = """<main><h1>Locks</h1><pre>A lock lets a boat climb from one level of the canal to the
next one. Its gates are opened by the keeper, and never by
the crew. There are two kinds of locks:

  - single locks, which lift one boat at a time, and are
    found on small canals

  - double locks, which lift two boats

    $ lock --open 3

Whoever waits for the lock moors at the poles.</pre></main>"""


def test_prose_that_is_set_like_code_is_read_as_paragraphs_and_items() -> None:
    kinds, texts = zip(*blocks(parsing.parse(MANUAL.encode(), mime="text/html")), strict=True)
    assert kinds == (
        BlockKind.HEADING,
        BlockKind.TEXT,
        BlockKind.LEAD,
        BlockKind.ITEM,
        BlockKind.ITEM,
        BlockKind.CODE,
        BlockKind.TEXT,
    )
    assert texts[1].startswith("A lock lets a boat climb from one level of the canal to the next")
    assert texts[3].endswith("lift one boat at a time, and are found on small canals")
    assert texts[5].strip() == "$ lock --open 3"


@pytest.mark.parametrize(
    "code",
    [
        "Opening lock 3.\nDone.",
        "Lock opened.",
        "lock --open 3 # Opens the third lock of the canal.",
        "GRANT ALL ON locks TO keeper IDENTIFIED BY password;",
        "  The first of many short lines.\n  The second of many short lines.",
        "$ lock --open 3\n\nAll the gates are open now.\n\n$ lock --close 3 --after 20 --quietly",
    ],
)
def test_what_programs_print_stays_code(code: str) -> None:
    parsed = parsing.parse(
        f"<main><h1>Locks</h1><pre>{code}</pre></main>".encode(), mime="text/html"
    )
    assert [kind for kind, _ in blocks(parsed)] == [BlockKind.HEADING, BlockKind.CODE]


def test_a_heading_by_its_role_is_one() -> None:
    page = (
        "<h1>Lock</h1><div role=heading aria-level=3>Fees</div><p>None.</p>"
        "<div role=heading><button>Is it open?</button></div><div>It is.</div>"
    )
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert [(kind, level, text) for kind, level, _, text in structure(parsed)] == [
        ("heading", 1, "Lock"),
        ("heading", 3, "Fees"),
        ("text", 0, "None."),
        ("question", 2, "Is it open?"),
        ("text", 0, "It is."),
    ]


def test_a_mark_that_leads_to_a_note_is_left_out_and_a_power_is_not() -> None:
    one, other = (f"<sup><a href='#n'>{mark}</a></sup>" for mark in ("[1]", "*"))
    page = f"<p>10 m<sup>2</sup> of quay{one} are let{other}.</p>"
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert blocks(parsed) == [(BlockKind.TEXT, "10 m2 of quay are let.")]
