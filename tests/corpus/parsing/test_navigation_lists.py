"""What leads through a site is no content."""

from __future__ import annotations

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


def test_a_page_of_links_keeps_them() -> None:
    text = "# Pages\n\n- [Fees](/fees)\n- [Halls](/halls)"
    assert "Halls" in parsing.parse(text.encode(), mime="text/markdown").body


def test_a_last_list_that_says_more_than_its_links_is_kept() -> None:
    text = "# Fees\n\nFour.\n\nOr five.\n\n## Pay\n- [by card](/card), at the desk\n- [cash](/cash)"
    assert "by card, at the desk" in parsing.parse(text.encode(), mime="text/markdown").body
