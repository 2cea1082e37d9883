"""Which block answers who asks for several things: a list, a row of entries, a sentence."""

from __future__ import annotations

import pytest

from service.generation.extraction import cues
from tests.generation.extraction.pages import answer, page

LENT = page(
    "Lending at the harbour",
    """\
# Lending at the harbour

The harbour lends tools to guests. Ask for them at the gate before noon.

Bring them back in the evening.

{tools}

Whoever loses one pays for it.
""".format(
        tools="hook - pulls a boat to the quay\n\npump - empties a boat\n\n"
        "lamp - lights the mast of a boat"
    ),
)
RULES = page(
    "Rules of the harbour",
    """\
# Rules of the harbour

## Mooring rules

Mooring rules can be set for one boat alone. To set the mooring rules of a boat, choose it from the
list of boats and write its rules. A boat without rules of its own has the mooring rules of its
quay, which the harbour master sets in spring.

You find the mooring rules in the office. A mooring rule is made of four things: a name, a quay, a
season, and a fee. Old mooring rules are painted over.
""",
)


def test_the_list_is_told_that_a_paragraph_about_it_comes_to() -> None:
    told = answer("Which tools does the harbour lend?", LENT)
    assert "hook" in told
    assert "pump" in told
    assert "lamp" in told
    assert "loses" not in told


def test_the_sentence_that_lists_several_things_answers_who_asks_for_a_list() -> None:
    assert "a quay, a season, and a fee" in answer("What does a mooring rule consist of?", RULES)


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("The harbour lends hooks, pumps, and lamps.", True),
        ("The usual quays are A1, A2 and A3.", True),
        ("Set it to NORTH, EAST, SOUTH, WEST, NONE, as you like", True),
        ("可以借钩子、水泵、灯。", True),
        ("If you leave, then go and tell us.", False),
        ("The gate, which is old, opens at noon.", False),
        ("Ask at the gate.", False),
    ],
)
def test_a_sentence_that_lists_three_things_lists_several(text: str, several: bool) -> None:
    assert cues.enumerates(text) is several


NEWS = page(
    "News",
    """\
# News

## This year

- Each boat has a number, which the office gives it when it comes in for the first time.
- The crane was painted blue in spring.
- Another quay is built in autumn.
- The office has a new door.
- Visitors may move into the big hall.
- The tide table hangs at the gate.
- Nobody may fish at the quay.
- A berth costs less in winter.
""",
)
MOVING = page(
    "The plan of the quay",
    """# The plan of the quay

## Dragging

You can drag a boat on the plan to give it another berth, and press Save.
""",
)
WAYS = page(
    "Installation",
    """# Installation

There are different ways to install the plan:

- Package: easy and fast if there is one for your quay and your boat.
- Archive: for quays without a network, and for those who know what they want to have.
- Source: for builders of quays and others who would rather make it all themselves.

## From source

### Rope machines

When installing the plan, be sure to install the hook.
""",
    size=60,
)


def test_words_scattered_over_a_long_list_tell_nobody_how_something_is_done() -> None:
    assert "drag a boat" in answer("How do I move a boat to another berth?", NEWS, MOVING)


def test_the_ways_to_do_it_are_told_before_what_is_to_be_watched_in_one_of_them() -> None:
    assert answer("How do I install the plan?", WAYS).startswith("There are different ways")
