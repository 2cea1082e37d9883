"""Who made something, whatever word a text has for making."""

from __future__ import annotations

import time

import pytest

from service.generation.extraction.statements import makers
from tests.generation.extraction.pages import answer, page

ABOUT = page(
    "Quay Planner",
    """\
# Quay Planner

## Help to make it better

To develop Quay Planner further, write to its developers. Who makes a plan for the quay saves it.

## Where it is from

Quay Planner is developed by a team of volunteers from three harbours.
""",
)
PLANS = page("Plans", "# Plans\n\nMake a plan for the quay and save it.\n")


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("Who wrote the harbour guide?", True),
        ("who's behind this program", True),
        ("Which company makes Quay Planner?", True),
        ("Wer hat den Hafenplan entwickelt?", True),
        ("Qui a fondé le port ?", True),
        ("¿Quién fundó el puerto?", True),
        ("Who is Quay Planner made for?", False),
        ("Who may create a plan?", False),
        ("Who is allowed to start the crane?", False),
        ("Who do I ask?", False),
        ("How is it made?", False),
    ],
)
def test_who_made_it_is_asked(query: str, asks: bool) -> None:
    assert makers.asks_for_one(query) is asks


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Quay Planner is developed by a team of volunteers.", True),
        ("Quay Planner was originally written in 1990 by Ada Quist.", True),
        ("In 1990 Ada Quist founded Quay Planner.", True),
        ("The lead developer of Quay Planner is Ada Quist.", True),
        ("Quay Planner reads plans that were written by other programs.", False),
        ("This version of Quay Planner is not maintained by Ada Quist.", False),
        ("The crane was built by Ada Quist.", False),
        ("A plan is created by Quay Planner.", False),
    ],
)
def test_who_made_what_is_asked_is_named(text: str, names: bool) -> None:
    assert makers.names_one(text, "Who wrote Quay Planner?") is names


def test_who_made_it_is_told_though_another_word_is_asked() -> None:
    assert "three harbours" in answer("Who wrote Quay Planner?", ABOUT)


def test_nobody_is_named_where_no_page_says_who_made_it() -> None:
    assert not answer("Who wrote Quay Planner?", PLANS)


def test_a_very_long_text_is_read_in_no_time() -> None:
    began = time.process_time()
    makers.names_one("made by " * 5_000 + "A a " * 5_000, "Who wrote Quay Planner?")
    makers.asks_for_one("who " * 5_000)
    assert time.process_time() - began < 1
