"""Two sections that answer about as well are both told, each under its heading."""

from __future__ import annotations

import pytest

from service.generation.extraction import alternatives
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.sections import Section, SourcePage
from tests.generation.extraction.pages import answer, page

ADDRESSES = page(
    "Network addresses",
    """\
Every computer of a network has an address.

## Wired computers

1. Open the network panel.
2. Read the address beside the cable.

## Wireless computers

1. Switch on the radio.
2. Read the address beside the antenna in the panel.
""",
)
FINES = page(
    "Laptops",
    """\
Laptops are lent for two hours.

## Borrowing

A laptop that comes back late costs $5 for each hour.

## Renewing

A laptop that is renewed late costs $9 for each hour.
""",
)
STAFF = page("Laptops of the staff", "## Borrowing\n\nA borrowed laptop costs nothing.\n")


def test_siblings_that_answer_alike_are_both_told_each_under_its_heading() -> None:
    told = answer("How do I read my address in the panel?", ADDRESSES)
    first, second = told.split("\n\n")
    assert {first.split("\n")[0], second.split("\n")[0]} == {
        "Wired computers:",
        "Wireless computers:",
    }
    assert "2. Read the address beside the cable." in told
    assert "2. Read the address beside the antenna in the panel." in told


def test_of_two_facts_each_is_one_sentence() -> None:
    told = answer("How much does a late laptop cost?", FINES)
    assert sorted(told.split("\n\n")) == [
        "Borrowing:\nA laptop that comes back late costs $5 for each hour.",
        "Renewing:\nA laptop that is renewed late costs $9 for each hour.",
    ]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How much does renewing a laptop late cost?", "A laptop that is renewed late costs"),
        ("How do I find the address of wired computers?", "1. Open the network panel."),
    ],
)
def test_what_stands_under_what_is_asked_is_told_alone(query: str, told: str) -> None:
    assert answer(query, FINES, ADDRESSES).startswith(told)
    assert "\n\n" not in answer(query, FINES, ADDRESSES)


LOANS = page(
    "Loans",
    "Things are lent.\n\n## Borrowing\n\nYes. You may keep a laptop over night if you ask.\n\n"
    "## Renewing\n\nYou may keep a laptop over night that was renewed at the desk.\n",
)
TANDEMS = page(
    "Tandems",
    "Tandems are lent.\n\n## Returns\n\nTo hand in a tandem:\n\n1. Lock the wheels.\n"
    "2. Hang up the key.\n\n## Stations\n\nWho took the tandem from a station may hand it in there:"
    "\n\n1. Leave it there.\n2. Ring the bell.\n",
)
RIDERS = page(
    "Riders",
    "Riders sign the book.\n\n## Renting\n\nThere is a limit of 2 riders on a tandem.\n\n"
    "## Recent riders\n\nUnder the 20 recent rides in the list at the desk of the club, which is "
    "open to all, you see the riders of each tandem.\n",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How many riders may a tandem have?", "There is a limit of 2 riders on a tandem."),
        ("May I keep a laptop over night?", "Yes. You may keep a laptop over night if you ask."),
        (
            "How do I hand in a tandem?",
            "To hand in a tandem:\n1. Lock the wheels.\n2. Hang up the key.",
        ),
    ],
)
def test_beside_what_answers_outright_nothing_is_told(query: str, told: str) -> None:
    assert answer(query, LOANS, TANDEMS, RIDERS) == told


LAMPS = page(
    "The lamp will not light",
    "There are a number of reasons why a lamp will not light. This page gives some of the possible "
    "reasons.\n\n## Flat battery\n\nCharge the battery over night.\n\n## Broken wire\n\n"
    "Look along the wire for a crack.\n\n## Lamp of the staff\n\n### Key\n\nAsk for the key.\n",
)


def test_what_a_paragraph_announces_is_told_though_sections_of_their_own_tell_it() -> None:
    told = answer("My lamp does not light, what can I do?", LAMPS).split("\n\n")
    assert told[0].startswith("There are a number of reasons why a lamp will not light.")
    assert told[1:] == [
        "Flat battery:\nCharge the battery over night.",
        "Broken wire:\nLook along the wire for a crack.",
        "Lamp of the staff:\nAsk for the key.",
    ]


def test_sections_too_long_to_be_told_together_are_told_by_their_first_sentences() -> None:
    long = "Turn it to the light, look at it from all sides and knock at it softly. " * 4
    hints = [f"## Hint {n}\n\nLook at part {n} of the lamp. {long}\n\n" for n in range(1, 12)]
    lamps = f"There are several reasons why a lamp is dark.\n\n{''.join(hints)}"
    told = answer("Why does my lamp not light?", page("The lamp will not light", lamps))
    assert told.split("\n\n")[-1] == "Hint 11:\nLook at part 11 of the lamp."


def test_what_says_the_same_again_is_not_told() -> None:
    same = page(
        "Bikes",
        """\
All about bikes.

## Buying

The limit for a bike is $900 for everyone here.

## Paying

The limit for a bike is $900, for everyone here.
""",
    )
    assert answer("What is the highest price for bikes?", same).count("$900") == 1


def test_another_page_is_told_only_where_it_is_called_by_what_is_asked() -> None:
    assert "nothing" not in answer("How much does a late laptop cost?", FINES, STAFF)


@pytest.mark.parametrize(
    ("mine", "theirs", "leads"),
    [
        (("(1) Cards",), ("2.1. Cash",), ("Cards", "Cash")),
        (("Cards", "And:"), ("Cash",), ("Cards", "Cash")),
        (("Cards", "Overview"), ("Cash", "is due because of"), ("Cards", "Cash")),
        ((), ("Cash",), ("Paying", "Cash")),
        (("Cards",), ("CARDS",), None),
        ((), (), None),
    ],
)
def test_headings_of_a_page_tell_apart_what_stands_under_them(
    mine: tuple[str, ...], theirs: tuple[str, ...], leads: tuple[str, str] | None
) -> None:
    one = SourcePage("Paying", 0, ())
    assert alternatives.leads(_under(one, *mine), _under(one, *theirs)) == leads


def test_titles_tell_pages_apart_whose_headings_are_the_same() -> None:
    mine = _under(SourcePage("Permits - Town", 0, ()), "Fees")
    theirs = _under(SourcePage("Passes - Town", 1, ()), "Fees")
    assert alternatives.leads(mine, theirs) == ("Permits", "Passes")


@pytest.mark.parametrize(("score", "likelier"), [(0.9, True), (-0.5, False)])
def test_the_nearer_one_is_the_likelier_one(score: float, likelier: bool) -> None:
    one = SourcePage("Paying", 0, ())
    near = alternatives.likelihood(_under(one, "Cards", score=1.0), _under(one, score=score))
    assert (near > alternatives.likelihood(_under(one, score=1.0), _under(one, score=0.0))) is (
        likelier
    )


def _under(page: SourcePage, *path: str, score: float = 0.0) -> ScoredWhole:
    return ScoredWhole(score, page, Section(path, 1, ()), 0, (0.5,) * 11, frozenset())
