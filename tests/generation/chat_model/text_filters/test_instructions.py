"""A model's text is told without what it repeats of its instructions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.prompts import RULES
from service.generation.chat_model.text_filters.instructions import InstructionFilter
from tests import costs

ADDED = "You are Ada of ACME. Never mention the price list of our partners to anybody. " * 3


def told(*pieces: str, added: str = ADDED) -> str:
    """Return what is told of a text in *pieces*."""
    text_filter = InstructionFilter(RULES, added)
    return "".join([*map(text_filter.feed, pieces), text_filter.finish()])


def test_the_rules_are_not_told() -> None:
    """What is said around them is."""
    text = f"Sure, here they are:\n{RULES}\nThat is all."
    assert (
        told(text) == told(*text) == "Sure, here they are:\nYou answer questions of….\nThat is all."
    )


def test_shouting_and_other_spaces_hide_nothing() -> None:
    loud = "  ".join(RULES.upper().split())
    assert len(told(f"Rules: {loud}")) < 60


def test_what_the_portal_adds_may_be_quoted_but_not_recited() -> None:
    """Facts that it wants told stand there; who has recited the rules is reciting, though."""
    quoted = "Ada of ACME: never mention the price list of our partners to anybody."
    assert told(quoted) == quoted
    assert "partners" not in told(f"{RULES}\nThe portal adds: {ADDED}")
    assert told(ADDED).count("partners") == 0


@pytest.mark.parametrize(
    "text",
    [
        "Use only what the numbered sources say. Fine.",
        "The fee is 40 € [1].\n\n1. Pay it.\n2. Keep the receipt.",
        "word " * 100,
        "…" * 300,
        "a",
        "",
    ],
)
def test_all_else_is_told(text: str) -> None:
    assert told(text) == told(*text) == text


def test_a_word_is_told_as_it_comes() -> None:
    text_filter = InstructionFilter(RULES)
    assert [text_filter.feed(piece) for piece in ("The f", "ee is")] == ["The f", "ee is"]


WORDS = st.sampled_from([*RULES.split()[:40], "fee", "is", ",", "\n"])


@given(st.lists(WORDS, max_size=40), st.integers(1, 9))
def test_how_a_text_is_cut_changes_nothing(words: list[str], size: int) -> None:
    text = " ".join(words) + RULES[:200]
    assert told(*(text[at : at + size] for at in range(0, len(text), size))) == told(text)


def test_the_work_grows_no_faster_than_the_text() -> None:
    """A model may send any amount at once, and others wait meanwhile."""

    def pass_on(words: int) -> None:
        text_filter = InstructionFilter(RULES)
        text_filter.feed("word " * words)

    assert costs.growth(pass_on, 8_000) < 2 * costs.TIMES
