"""What leads through a site is no content."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure

PAGE = """# Guide

## On this page
- [Fees](#fees)
- [2. Visitors](#visitors)
- [Who helps?](#help)

## 1. Fees
Four euros.

## 2. Visitors
Park in hall B.

**(3) Who helps?**

The desk, which has:
- maps
- change
- tickets
"""


def test_a_list_of_the_headings_of_its_page_is_left_out() -> None:
    found = [
        text for _, _, _, text in structure(parsing.parse(PAGE.encode(), mime="text/markdown"))
    ]
    assert found[:3] == ["Guide", "1. Fees", "Four euros."]
    assert found[-3:] == ["- maps", "- change", "- tickets"]


def test_links_at_the_end_of_a_page_are_left_out_with_their_heading() -> None:
    text = """# Fees
Four euros a day.

See [all](/fees).

## Related articles
- [Where to park](/park)
- [Who is a visitor?](/visitor).
"""
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [said for _, _, _, said in found] == ["Fees", "Four euros a day.", "See all."]


def test_a_link_above_the_title_is_no_title() -> None:
    text = "### [Read this on the site](/fees)\n\n# [Fees](#fees)\n\nFour euros.\n"
    parsed = parsing.parse(text.encode(), mime="text/markdown")
    assert (parsed.title, parsed.body) == ("Fees", "Fees\n\nFour euros.")


def test_related_topics_are_left_out_though_they_are_neither_headed_nor_listed() -> None:
    page = """<h1>Fees</h1><p>Four euros a day.</p><p>Children pay <a href=x>half</a>.</p>
    <p><b>Related Topics</b></p><div><p><a href=a>Parking</a></p><p><a href=b>Maps</a></p></div>"""
    found = structure(parsing.parse(page.encode(), mime="text/html"))
    assert [text for *_, text in found] == ["Fees", "Four euros a day.", "Children pay half."]


@pytest.mark.parametrize(
    "line",
    [
        "Last updated 3 months ago",
        "Modified on: Tue, May 3, 2024 at 10:00 AM",
        "Written by <b>Jane</b><br>Updated over a week ago",
        "Was this helpful?",
        "Did this answer your question?",
        "<a href=p>Previous Fees</a> <a href=n>Next Dogs</a>",
    ],
)
def test_lines_about_the_page_are_left_out(line: str) -> None:
    parsed = parsing.parse(f"<p>Come in.<p>{line}".encode(), mime="text/html")
    assert parsed.body == "Come in."


@pytest.mark.parametrize(
    "line",
    ["The list is updated on Mondays.", "Updated rules apply to all.", "Was it written by hand?"],
)
def test_lines_of_the_page_are_read(line: str) -> None:
    assert line in parsing.parse(f"<p>Come in.<p>{line}".encode(), mime="text/html").body


def test_a_page_of_links_keeps_them() -> None:
    text = "# Pages\n\n- [Fees](/fees)\n- [Halls](/halls)"
    assert "Halls" in parsing.parse(text.encode(), mime="text/markdown").body


def test_a_last_list_that_says_more_than_its_links_is_kept() -> None:
    text = "# Fees\n\nFour.\n\nOr five.\n\n## Pay\n- [by card](/card), at the desk\n- [cash](/cash)"
    assert "by card, at the desk" in parsing.parse(text.encode(), mime="text/markdown").body


_PARTS = "".join(f"<h2>{name}</h2><p>All of the {name}." for name in ("Fees", "Cards", "Dogs"))
_LISTED = "<ul><li>Fees<li>Cards<li>Dogs</ul>"


def test_a_list_that_a_sentence_promises_is_kept_though_sections_follow() -> None:
    page = f"<h1>Garden</h1><p>The keeper looks after three things:{_LISTED}{_PARTS}"
    body = parsing.parse(page.encode(), mime="text/html").body
    assert "three things:\n\n- Fees\n- Cards\n- Dogs" in body


def test_a_sentence_that_only_leads_to_the_contents_of_the_page_goes_with_them() -> None:
    page = f"<h1>Garden</h1><p>Topics covered in this document:{_LISTED}{_PARTS}"
    body = parsing.parse(page.encode(), mime="text/html").body
    assert "Topics" not in body
    assert "- Fees" not in body


def test_contents_may_be_terms_and_name_questions_in_bold() -> None:
    asked = ("Is it free?", "Is it far?", "Is it open?")
    contents = "".join(f"<dt><a href=#{at}>{one}</a><dd>" for at, one in enumerate(asked))
    answers = "".join(f"<p><b>{one}</b><br>Yes, it is." for one in asked)
    body = parsing.parse(
        f"<h1>Help</h1>{answers}<h2>Index</h2><dl>{contents}</dl>".encode(), mime="text/html"
    ).body
    assert "Index" not in body
    assert [body.count(one) for one in asked] == [1, 1, 1]


def test_lines_that_lead_to_pages_by_dots_are_no_content() -> None:
    lines = "".join(f"<p>{name} ........ {at}" for at, name in enumerate("ABC", 3))
    body = parsing.parse(f"<p>Table of Contents{lines}<p>Go in.".encode(), mime="text/html").body
    assert body == "Go in."


def test_the_contents_of_a_page_are_left_out_where_each_line_is_set_apart() -> None:
    names = ("Fees", "Visitors", "Help")
    lines = "".join(f"<div><a href='#{one}'>{one}</a></div>" for one in names)
    parts = "".join(f"<h2>{n}. {one}</h2><p>Ask us.</p>" for n, one in enumerate(names, 1))
    found = structure(parsing.parse(f"<h1>Guide</h1>{lines}{parts}".encode(), mime="text/html"))
    assert [text for _, _, _, text in found][:3] == ["Guide", "1. Fees", "Ask us."]


def test_a_question_in_bold_right_under_the_contents_is_none_of_them() -> None:
    names = ("Who pays?", "Who visits?", "Who helps?")
    lines = "".join(f"<li>{one}</li>" for one in names)
    parts = "".join(f"<p><b>({n}) {one}</b></p><p>You do.</p>" for n, one in enumerate(names, 1))
    page = f"<h1>Guide</h1><ol>{lines}</ol>{parts}"
    found = structure(parsing.parse(page.encode(), mime="text/html"))
    assert "Who pays?" in found[1][3]
