"""A table of contents is no content."""

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
