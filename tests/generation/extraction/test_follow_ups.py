"""What answers a follow-up query, in the light of the turn before."""

from __future__ import annotations

import msgspec
import pytest

from service.generation.extraction import follow_ups
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import PastTurn, Prompt, Source
from service.language.question_kinds import QuestionKind
from service.language.sentences import spans
from tests.generation.extraction import pages


def _told(prompt: Prompt) -> str:
    return "".join(one.text for one in ExtractiveGenerator(spans).passages(prompt))


KILN = Source(
    title="Kilns",
    text="A glaze kiln makes a vase shine. Fire a vase in it twice, with a day between.",
    document="kilns",
    relevance=0.9,
)
GLAZING = Source(
    title="Glazing slowly",
    text="Add ten degrees an hour for a day to glaze.",
    document="glazing",
    relevance=0.8,
)
CLAY = Source(title="Clay", text="Clay dries for a week.", document="clay", relevance=0.2)
POLISH = """# Polish

## Oil

Oil guards the steel of a garden gate.

Rub a squeaky hinge with a brush of it.

## Wax

Wax guards the wood of a garden bench.

Rub a squeaky hinge with a cloth of it.
"""


def test_who_asks_for_what_another_page_is_headed_by_is_led_there() -> None:
    history = (PastTurn("What is a kiln?", "An oven for clay.", ("kilns",)),)
    asked = "How do I glaze in it?"
    prompt = Prompt(query=asked, asked=asked, sources=(KILN, GLAZING, CLAY), history=history)
    assert _told(prompt) == GLAZING.text


@pytest.mark.parametrize(
    ("answer", "goes_on"),
    [
        ("Oil guards the steel of a garden gate.", "brush"),
        ("Wax guards the wood of a garden bench.", "cloth"),
    ],
)
def test_what_points_back_is_answered_in_the_section_that_was_told(
    answer: str, goes_on: str
) -> None:
    asked = "How do I use it on a squeaky hinge?"
    prompt = Prompt(
        query=f"{asked} (polish)",
        asked=asked,
        sources=tuple(pages.page("Polish", POLISH)),
        history=(PastTurn("What do I polish with?", answer, ("Polish",)),),
    )
    assert goes_on in _told(prompt).split(".")[0]


GUESTS = """# Adding a guest

1. Click New guest, or click the list of guests.
2. Enter the name.
"""
LISTS = """# Lists of guests

## Creating a guest list

1. Click New list.
2. Choose the guests of the list.
"""


def test_the_same_of_another_thing_is_not_what_was_told() -> None:
    sources = (*pages.page("Adding a guest", GUESTS), *pages.page("Lists of guests", LISTS))
    told = GUESTS.partition("\n\n")[2].strip()
    history = (PastTurn("How do I add a guest?", told, ("Adding a guest",)),)
    whole = "How do I add a guest list?"
    prompt = Prompt(query=whole, asked="and a guest list?", sources=sources, history=history)
    assert "Choose the guests" in _told(prompt)
    assert "Enter the name" not in _told(prompt)


BEDS = """# Clear a garden bed

1. Dig the garden bed over.
2. Rake it.
"""
ROOFS = """# Clear a roof

Clear a roof of snow to clear the view.

## Clear a roof

1. Clear the roof with a broom.
2. Leave the roof.
"""


def test_who_asks_how_to_do_something_with_it_is_told_of_what_was_asked_about() -> None:
    asked = "How do I clear it?"
    history = (PastTurn("How do I plant a garden bed?", "Plant it in spring.", ("Planting",)),)
    sources = (*pages.page("Clear a roof", ROOFS), *pages.page("Clear a garden bed", BEDS))
    assert "Rake" in _told(Prompt(query=asked, asked=asked, sources=sources, history=history))


TENTS = """# Tents

## Setting up

A tent stands on four poles.

It is left for the winter with dry poles only.

## Winter store

The store keeps it: it is left open in winter, and the winter is long.
"""


def test_what_points_back_is_answered_there_although_another_heading_says_a_word_of_it() -> None:
    asked = "Can it be left for winter?"
    history = (PastTurn("What does a tent stand on?", "A tent stands on four poles.", ("Tents",)),)
    sources = tuple(pages.page("Tents", TENTS))
    prompt = Prompt(query=f"{asked} (tent)", asked=asked, sources=sources, history=history)
    assert "dry poles" in _told(prompt)


SPADE = """# Spades

A spade digs a hole for a tree.

## Care

Clean it in dry sand with a drop of oil.
"""
BENCH = """# Benches

## How to clean a bench

Clean the bench with soap.
"""


def test_a_part_that_points_back_is_answered_by_the_page_of_the_part_before() -> None:
    told = pages.answer(
        "What does a spade dig, and how do I clean it?",
        pages.page("Spades", SPADE),
        pages.page("Benches", BENCH),
    )
    assert "sand" in told
    assert "soap" not in told


FAIR = """# Summer fair

The fair is on Sunday.

You find us on the old meadow.
"""
SHED = "A shed may take any place, such as the place behind the barn."


def test_what_points_back_stays_with_the_document_of_the_last_answer() -> None:
    asked = "Where does it take place?"
    sources = (*pages.page("Shed", SHED), *pages.page("Fair", FAIR))
    history = (PastTurn("When is the fair?", "The fair is on Sunday.", ("Fair",)),)
    prompt = Prompt(query=f"{asked} (fair)", asked=asked, sources=sources, history=history)
    assert "barn" not in _told(prompt)


@pytest.mark.parametrize(
    ("last", "asked", "kind"),
    [
        ("What does a ticket cost?", "And if I am a student?", QuestionKind.PRICE),
        ("How do I dry the tent?", "And when it is raining?", QuestionKind.OTHER),
        ("How long does the glue dry?", "What if I forget it?", QuestionKind.OTHER),
        ("How do I dry the tent?", "And if it rains, how long does it take?", None),
    ],
)
def test_a_condition_is_no_question_of_its_own(
    last: str, asked: str, kind: QuestionKind | None
) -> None:
    prompt = Prompt(query=asked, asked=asked, sources=(), history=(PastTurn(last, "So."),))
    assert follow_ups.read(prompt, asked, "en").kind is kind


SLEDGE = """# Rent a sledge

A sledge is rented at the pier. Bring cash or a card for the fee.
"""
WAGON = """# Wagons

What it costs to rent a wagon: a wagon costs $30.
"""


def test_what_points_back_is_not_answered_by_the_fee_of_another_thing() -> None:
    asked = "what does it cost?"
    sources = (*pages.page("Wagons", WAGON), *pages.page("Sledges", SLEDGE))
    history = (PastTurn("How do I rent a sledge?", "Rent it at the pier.", ("Sledges",)),)
    prompt = Prompt(query=f"{asked} (sledge)", asked=asked, sources=sources, history=history)
    assert "$30" not in _told(prompt)


SAUNA = """# Sauna

## Applying for a sauna

You apply for a sauna with a form.
"""
MOORING = """# Mooring

Who moors here has a boat of his own.

Boats are small. You apply at the office of the harbour master.
"""


def test_who_asks_what_many_pages_are_asked_is_told_it_of_the_last_one() -> None:
    sources = pages.page("Mooring", MOORING)
    for other in ("sauna", "canoe", "tent"):
        text = SAUNA.replace("sauna", other).replace("Sauna", other.title())
        sources += pages.page(other.title(), text)
    history = (PastTurn("Who moors here?", "Who moors here has a boat.", ("Mooring",)),)
    prompt = Prompt(
        query="how do I apply?", asked="how do I apply?", sources=tuple(sources), history=history
    )
    assert "harbour master" in _told(prompt)


SKIPPER = Source(
    title="Skippers",
    text="A skipper is at least 21 years old, holds a licence that is valid, and has good eyes.",
    document="skippers",
    relevance=0.3,
)
VEST = Source(
    title="Children under 12 years old",
    text="Children under 12 years old are required to wear a vest.",
    document="vests",
    relevance=0.9,
)


def test_what_follows_a_question_that_says_little_is_about_what_was_asked_before_it() -> None:
    history = (
        PastTurn("How do I become a skipper?", "A skipper has a boat.", ("skippers",)),
        PastTurn("what are the requirements?", SKIPPER.text, ("skippers",)),
    )
    asked = "how old do I have to be?"
    prompt = Prompt(query=asked, asked=asked, sources=(VEST, SKIPPER), history=history)
    assert _told(prompt) == SKIPPER.text


BERTH = Source(
    title="Berths",
    text="Order a berth at the desk of the harbour. A berth is for a boat.",
    document="berths",
    relevance=0.25,
)
SHOPS = Source(
    title="Fake shops",
    text="A fake shop asks money for what is free, or may cancel a sale.",
    document="shops",
    relevance=0.9,
)


@pytest.mark.parametrize("asked", ["is it free?", "can I cancel that?"])
def test_what_points_back_and_says_little_is_not_answered_by_what_is_of_another_thing(
    asked: str,
) -> None:
    history = (PastTurn("How do I order a berth?", BERTH.text, ("berths",)),)
    prompt = Prompt(query=asked, asked=asked, sources=(SHOPS, BERTH), history=history)
    assert "fake" not in _told(prompt)


@pytest.mark.parametrize("said", ["Yes, that would be great.", "it is not my case"])
def test_who_replies_and_asks_nothing_is_told_what_there_is(said: str) -> None:
    history = (PastTurn("How do I order a berth?", BERTH.text, ("berths",)),)
    prompt = Prompt(query=said, asked=said, sources=(SHOPS,), history=history)
    assert _told(prompt)


def test_what_points_back_with_a_rare_word_is_answered_by_what_has_it() -> None:
    asked = "Could I use a sextant for that?"
    sextants = msgspec.structs.replace(SHOPS, text="A sextant can be of use, too.")
    history = (PastTurn("How do I order a berth?", BERTH.text, ("berths",)),)
    prompt = Prompt(query=asked, asked=asked, sources=(sextants, BERTH), history=history)
    assert _told(prompt) == sextants.text


def test_a_reply_goes_on_with_what_was_told() -> None:
    history = (PastTurn("How do I glaze?", "A glaze kiln makes a vase shine.", ("kilns",)),)
    prompt = Prompt(query="Yes, sir", sources=(KILN,), history=history)
    assert "vase" in follow_ups.read(prompt, "Yes, sir", "en").context
    assert "vase" not in follow_ups.read(prompt, "And in summer?", "en").context
