"""Of a page what it says is read, and nothing about it: help centres, blogs, wikis, manuals."""

from __future__ import annotations

import pytest

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus.texts import blocks, structure


def read(page: str) -> list[tuple[str, str]]:
    parsed = parsing.parse(page.encode(), mime="text/html")
    return [(kind, text) for kind, _, _, text in structure(parsed)]


def test_an_article_of_a_help_centre_is_read_without_what_is_around_it() -> None:
    page = """<title>How do I reset my PIN? – Acme Help Center</title><main role=main>
<nav><ol class=breadcrumbs><li>Acme<li>Account</ol></nav><article class=article>
<header class=article-header><h1>How do I reset my PIN?</h1><div class=article-author>
<div class=article-meta><a>Jane Doe</a><ul class=meta-group><li><time>January 1</time><li>Updated
</ul></div></div><button>Follow</button></header><section class=article-info><div class=body>
<p>You can reset your PIN at any time.</p><ol><li><p>Open <b>Card</b>.</p><li><p>Tap it.</p>
<div class=wysiwyg-callout>The old PIN stops working.</div></ol></div></section>
<footer><div class=article-votes>Was this article helpful? <button>Yes</button></div></footer>
<div class=article-relatives><section class=recent-articles><h2>Recently viewed articles</h2>
<ul><li><a>Cards</a></ul></section></div><div class=article-comments><section class=comments>
<h2>Comments</h2><p>0 comments<p class=comment-callout>Please sign in. Then write.</section></div>
</article></main>"""
    assert read(page) == [
        ("question", "How do I reset my PIN?"),
        ("lead", "You can reset your PIN at any time."),
        ("item", "1. Open Card."),
        ("item", "2. Tap it."),
        ("note", "The old PIN stops working."),
    ]


def test_a_page_of_a_blog_is_read_without_its_date_its_bars_and_its_comments() -> None:
    page = """<title>Shipping | Acme</title><main><article><header class=entry-header>
<h1>Shipping</h1><div class=entry-meta>Posted on <time>May 3</time> by admin. It is read.</div>
</header><div class=entry-content><div class=accordion-item><div role=button><a>Is it far?</a></div>
<div hidden role=region aria-labelledby=t><p>It is not.</div></div>
<div class=sharedaddy><h3>Share this:</h3><ul><li>By mail</ul></div></div></article>
<div id=comments class=comments-area><h2>Leave a Reply</h2><p>I like it. It is far.</div></main>"""
    assert read(page) == [
        ("heading", "Shipping"),
        ("question", "Is it far?"),
        ("text", "It is not."),
    ]


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("info", "note"),
        ("alert-info", "note"),
        ("info-box", "note"),
        ("note", "note"),
        ("article-info", "text"),
        ("contact-info", "text"),
    ],
)
def test_a_box_is_a_note_by_its_own_name_alone(named: str, kind: str) -> None:
    assert read(f"<p>Come in.<div class='{named}'>Ring twice.</div>")[1] == (kind, "Ring twice.")


def test_a_note_whose_label_stands_in_a_cell_beside_it_is_no_table() -> None:
    """So Asciidoctor draws its notes."""
    cells = "<td class=icon><div class=title>Note</div><td class=content>Ring twice."
    box = f"<div class='admonitionblock note'><table><tr>{cells}</table></div>"
    assert read(f"<p>Come in.{box}")[1] == ("note", "Note: Ring twice.")


def test_code_keeps_its_comments() -> None:
    page = "<h1>Gate</h1><pre><span class='comments comment-list'># open it</span>\nopen</pre>"
    assert read(page)[1] == ("code", "# open it\nopen")


TABS = """<ul role=tablist><li role=tab>Linux<li role=tab>Mac</ul>
<div role=tabpanel><p>Pull it.</div><div role=tabpanel hidden><p>Push it.</div>"""
BLOCKS = """<div class=tabbed-labels><label>Linux</label><label>Mac</label></div>
<div><div class=tabbed-block><p>Pull it.</div><div class=tabbed-block><p>Push it.</div></div>"""


@pytest.mark.parametrize("tabs", [TABS, BLOCKS])
def test_a_panel_stands_under_the_name_of_its_tab(tabs: str) -> None:
    assert read(f"<h1>Gate</h1><div>{tabs}</div>") == [
        ("heading", "Gate"),
        ("heading", "Linux"),
        ("text", "Pull it."),
        ("heading", "Mac"),
        ("text", "Push it."),
    ]


def test_an_article_of_a_wiki_is_read_without_its_links_to_edit_it() -> None:
    page = """<title>Cats - Acme Wiki</title><div id=content role=main><h1>Cats</h1>
<div id=siteSub>From Acme Wiki</div><a class=mw-jump-link href=#x>Jump to navigation</a>
<p>A cat is a pet.</p><h2><span>Food</span><span class=mw-editsection>[<a>edit</a>]</span></h2>
<p>Cats eat fish.</p><div class=printfooter>Retrieved.</div><div class=catlinks>Pets</div></div>"""
    assert read(page) == [
        ("heading", "Cats"),
        ("text", "A cat is a pet."),
        ("heading", "Food"),
        ("text", "Cats eat fish."),
    ]


@pytest.mark.parametrize(
    "named",
    [
        "id=comments",
        "id=sharing",
        "id=file-sharing class=section",
        "class=file-sharing",
        "id=social-security",
        "class=social-security",
        "id=post-meta",
    ],
)
def test_a_section_about_such_a_thing_is_read(named: str) -> None:
    heading = "Social Security benefits" if "social" in named else "Comments"
    page = f"<p>Come in.</p><div {named}><h2>{heading}</h2><p>Write them here. They are free.</div>"
    assert read(page)[1:] == [("heading", heading), ("text", "Write them here. They are free.")]


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("<main><p>Text of a page.</p><aside><p>Bring the card.</p></aside></main>", "Bring"),
        ("<p>Text.</p><aside class='note'>Bring the card.</aside>", "Bring"),
        ("<p>Text.</p><aside>Elsewhere</aside>", ""),
        ("<main><p>Text of a page.</p><aside><a>More</a> <a>News</a></aside></main>", ""),
        ("<p>Text.</p><button>Menu</button><h2><button>Bring</button></h2>", "Bring"),
        ("<p>Text.</p><button>What to bring?</button><div>A card.</div>", "What to bring?"),
        ("<p>Text.</p><p class='alert'>Bring the card.</p>", "Bring"),
        ("<p>Text.</p><ul role='navigation'><li>Bring</ul>", ""),
        ("<p>Text.</p><div class='navfooter'><table><tr><td>Bring</table></div>", ""),
    ],
)
def test_what_stands_beside_the_text_is_read_where_it_says_something(page: str, body: str) -> None:
    said = [text for _, text in blocks(parsing.parse(page.encode(), mime="text/html"))]
    assert said[0].startswith("Text")
    assert [text.startswith(body) for text in said[1:2]] == ([True] if body else [])


@pytest.mark.parametrize(
    "page",
    [
        "<section id=cookie-options><h2>Cookie options<a href='#x'>¶</a></h2><p>Bake.</section>",
        "<div id='i-can-t-share'><h2>5.4 I can’t share<a href='#x'>¶</a></h2><p>Bake.</div>",
        "<div id=menu-du-cafe><h2>Menu du café</h2><p>Bake.</div>",
        "<h2 id='the-social-menu'>The social menu</h2><p>Bake.",
        "<div id=masthead-share_1><h3>masthead_share_1</h3><p>Bake.</div>",
    ],
)
def test_a_section_that_is_called_by_its_heading_is_content(page: str) -> None:
    found = blocks(parsing.parse(f"<p>Text.</p>{page}".encode(), mime="text/html"))
    assert [kind for kind, _ in found] == [BlockKind.TEXT, BlockKind.HEADING, BlockKind.TEXT]


@pytest.mark.parametrize("named", ["id=cookies", "class=cookie-options"])
def test_a_banner_with_a_heading_is_left_out(named: str) -> None:
    page = f"<p>Text.</p><div {named}><h2>Cookie options</h2><p>We use cookies. Accept?</div>"
    assert parsing.parse(page.encode(), mime="text/html").body == "Text."


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("<p><a href=a>Fees</a>, <a href=b>Where to park</a></p>", False),
        ("<p>Cards are told of in <a href=a>Cards</a>; visitors need none at all.</p>", True),
    ],
)
def test_what_leads_to_other_pages_is_left_out_where_it_says_nothing(said: str, kept: bool) -> None:
    box = f"<div class='admonition seealso'><p class=admonition-title>See also</p>{said}</div>"
    body = parsing.parse(f"<p>Parking costs.</p>{box}".encode(), mime="text/html").body
    assert (body != "Parking costs.") == kept


def test_a_footer_is_left_out_whatever_its_tag() -> None:
    page = "<p>Parking costs 30 euro.</p><div id='footer'>Privacy</div><div class=relbar>Next</div>"
    assert parsing.parse(page.encode(), mime="text/html").body == "Parking costs 30 euro."


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        (
            "<ul class=toc><li>Open the file.<li>Press a key.</ul>",
            "- Open the file.\n- Press a key.",
        ),
        ("<ul class=toc><li><a>Opening it.</a><li><a>Pressing.</a></ul>", ""),
        ("<ul class=toc><li>Introduction<li>Steps</ul>", ""),
        ("<div class='site-footer menu'><p>We are here. Come in.</div>", ""),
        (
            "<div class=menu><p>Today we have soup. It is hot.</div>",
            "Today we have soup. It is hot.",
        ),
        ("<form id=aspnet><h1>Soup</h1>Hot.<input value=Go></form>", "Soup\n\nHot."),
        ("<form>Your name, please. <input></form>", ""),
        ("<div role=tabpanel hidden>Hot.</div><div hidden>Cold.</div>", "Hot."),
        ("<div role=region aria-labelledby=x hidden>Hot.</div>", "Hot."),
        ("<div role=dialog aria-labelledby=x aria-hidden=true>Hot.</div>", ""),
    ],
)
def test_what_a_page_says_itself_is_kept_whatever_it_is_called(page: str, kept: str) -> None:
    assert parsing.parse(page.encode(), filename="a.html").body == kept


@pytest.mark.parametrize(
    ("page", "body"),
    [
        ("<h2>Fees <a href='#fees'>¶</a></h2>", "Fees"),
        ("<h2>Fees <a href='#fees'>\uf0c1</a></h2>", "Fees"),
        ("<h2>Fees in <a href='#c'>C#</a></h2>", "Fees in C#"),
        ("<div><a href=/>City</a> &gt; <a href=/a>Help</a> &gt; <a href=/b>Fees</a></div>", ""),
        ("<p><a href=/>City</a> &gt; <a href=/a>Help</a></p>", "City > Help"),
        (
            "<p>Languages: <a href=/en>en</a> | <a href=/fr hreflang=fr rel=alternate>fr</a>",
            "",
        ),
        (
            (
                "<p>Other offices have the form in French, too, so use what is there:"
                " <a href=/f hreflang=fr rel=alternate>it</a>"
            ),
            "Other offices have the form in French, too, so use what is there: it",
        ),
    ],
)
def test_links_that_lead_about_the_site_are_no_text(page: str, body: str) -> None:
    assert parsing.parse(page.encode(), mime="text/html").body == body


def test_a_header_of_the_page_is_left_out_and_one_that_heads_its_parts_is_not() -> None:
    page = (
        b"<div class='page-header'><a href='/'>Canals</a></div><div class='page-header'><h1>Locks"
        b"</h1></div><p>A lock lets a boat climb.</p>"
    )
    assert [text for _, text in blocks(parsing.parse(page, mime="text/html"))] == [
        "Locks",
        "A lock lets a boat climb.",
    ]
