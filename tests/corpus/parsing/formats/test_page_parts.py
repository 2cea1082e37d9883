"""Of the pages of help centres and of blogs what they say is read, and nothing about it."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure


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
