"""Front matter gives what its reader sees of it, and nothing of what drives the page."""

from __future__ import annotations

import time

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import blocks, structure

PAGE = """---
title: Verify my number
lang: en
layout: help
permalink: /help/number/
order: 4
description: How a number is verified, and which numbers there are for it.
redirect_from:
  - /help/old number/
accepted_list:
  - Home numbers
  - Mobile numbers
what_to_bring:
  - A photo card
  - The letter from us
faqs:
  - question: Is it free?
    answer: Yes, it is.
---
### We accept:

{% include components/icon-list.html items=page.accepted_list size='md' %}

That is all.
"""


def test_what_the_page_shows_is_its_text() -> None:
    parsed = parsing.parse(PAGE.encode(), filename="number.md")
    assert (parsed.title, parsed.language) == ("Verify my number", "en")
    assert structure(parsed) == [
        ("text", 0, 1, "How a number is verified, and which numbers there are for it."),
        ("heading", 3, 2, "We accept:"),
        ("item", 0, 2, "- Home numbers"),
        ("item", 0, 2, "- Mobile numbers"),
        ("text", 0, 3, "That is all."),
        ("lead", 0, 4, "What to bring:"),
        ("item", 0, 4, "- A photo card"),
        ("item", 0, 4, "- The letter from us"),
        ("question", 2, 5, "Is it free?"),
        ("text", 0, 5, "Yes, it is."),
    ]


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x, x]\n"
        + "".join(f"{n}: &{n} [*{b}, *{b}]\n" for b, n in zip("abcd", "bcde", strict=True)),
        "a: " + "[" * 60_000,
        "a: " + "{b: " * 10_000,
        "".join(f"k{n}: v\n" for n in range(8_000)),
        "? " * 30_000,
        "a: !!python/object/apply:os.system [ls]",
        "a: \x00",
        "a: 'open",
    ],
    ids=["aliases", "flow", "maps", "keys", "complex", "object", "control", "quote"],
)
def test_no_front_matter_does_harm(bomb: str) -> None:
    began = time.process_time()
    parsed = parsing.parse(f"---\ntitle: T\n{bomb}\n---\nText.".encode(), filename="a.md")
    assert time.process_time() - began < 10
    assert blocks(parsed)[0][1] == "Text."
    assert parsed.title == "T"


def test_an_advertisement_of_the_page_is_none_of_it() -> None:
    page = (
        "---\nseo:\n  description: Learn how to verify your number with us in minutes.\n---\nText."
    )
    assert parsing.parse(page.encode(), filename="a.md").body == "Text."


def test_front_matter_may_be_toml() -> None:
    text = '+++\ntitle = "Deploy a site"\nweight = 3\n[params]\nlayout = "x"\n+++\n\nIt is quick.\n'
    parsed = parsing.parse(text.encode(), mime="text/markdown")
    assert (parsed.title, parsed.body) == ("Deploy a site", "It is quick.")


@pytest.mark.parametrize("broken", ["title =", "a = " + "[" * 4_000, "a." * 30_000 + "b = 1"])
def test_broken_toml_costs_no_more_than_its_values(broken: str) -> None:
    parsed = parsing.parse(f"+++\n{broken}\n+++\nIt is quick.".encode(), mime="text/markdown")
    assert parsed.body == "It is quick."
