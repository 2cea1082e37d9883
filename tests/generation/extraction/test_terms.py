"""How a term is told: by its definition, by its entry of a list, by its section of a glossary."""

from __future__ import annotations

from service.blocks import Block, BlockKind
from service.generation.extraction import forms, sections
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.generator import Source
from tests.generation.extraction.pages import answer, page


def test_a_later_sentence_of_a_paragraph_may_define() -> None:
    query = WeightedQuery("What is a fog bell?")
    text = "Ships may collide. A fog bell is a signal.\n\nShips may collide. Ring the fog bell."
    (section,) = sections.read(page("Fog", text))[0].sections
    assert forms.fit(query, section, 0) > forms.fit(query, section, 1) + 1


def test_a_list_that_does_not_define_is_no_definition() -> None:
    query = WeightedQuery("What is a fog bell?")
    text = "Take the fog bell off first:\n\n- a fog bell\n- a rope\n\nThe fog bell hangs there."
    (section,) = sections.read(page("Fog", text))[0].sections
    assert forms.fit(query, section, 0) < forms.fit(query, section, 1)


TOOLS = page(
    "Tools of the yard",
    """\
## Tools

mark-hull - paints a mark on the hull of a boat

mark-mast - paints a mark on the mast of a boat
""",
)


def test_an_entry_without_a_full_stop_is_told_with_one() -> None:
    assert answer("What does mark-mast do?", TOOLS).endswith("the mast of a boat.")


def test_a_term_is_told_apart_from_what_it_means() -> None:
    kinds = ((BlockKind.TERM, "crane-level"), (BlockKind.DEFINITION, "Shows how high it is."))
    text, blocks = "", list[Block]()
    for kind, said in kinds:
        blocks.append(Block(kind, len(text), len(text) + len(said), whole=1))
        text += said + "\n"
    source = Source(title="Cranes", text=text, document="cranes", blocks=tuple(blocks))
    assert answer("What is crane-level?", [source]) == "crane-level: Shows how high it is."


def test_fields_at_the_head_of_an_entry_are_not_told_before_what_it_does() -> None:
    entry = page(
        "Settings",
        "## Colour of the sail\n\nType: string  \nDefault: white\n\nYou change the colour of "
        "the sail by a new name in this setting.\n",
    )
    assert answer("How do I change the colour of the sail?", entry).startswith("You change")


def test_what_leans_on_the_heading_of_an_entry_is_told_under_it() -> None:
    entry = page(
        "Settings",
        "## sail_colour\n\nType: string  \nDefault: white\n\nThis setting has the colour of the "
        "sail, which you change by a new name.\n",
    )
    told = answer("How do I change the colour of the sail?", entry)
    assert "Default" not in told
    assert told.startswith("sail_colour:")


LAPSES = """\
## What can cause a lapse of the berth card?

Any day on which the berth fee is unpaid causes a lapse of the berth card.

## What will happen if I moor a boat with a lapsed card?

The boat is towed away. You pay a fine.
"""


def test_who_asks_what_happens_is_told_what_comes_of_it_and_not_what_causes_it() -> None:
    told = answer("My berth card lapsed, what happens now?", page("Lapses of berth cards", LAPSES))
    assert told.startswith("The boat is towed away.")


def test_a_paragraph_about_the_code_below_is_told_with_it() -> None:
    timetable = page(
        "Timetable",
        "## Repeated trips\n\nThe following configuration makes the ferry leave every two hours. "
        "A ferry may have several timetables, each with a name of its own. Ask the harbour master "
        "for more of them.\n\n```\nferry: every 2h\n```\n\n## Berths\n\nRent one.\n",
    )
    told = answer("Can the ferry leave every two hours?", timetable)
    assert "leave every two hours." in told
    assert "ferry: every 2h" in told


LEXICON = page(
    "Words of the harbour",
    """\
## Fender

Each boat can hang a fender between itself and the quay, of rope or of rubber.

## Buoy

It floats, and tells where to go.
""",
)
FENDERS = page(
    "Fender buttons",
    "The fender buttons are used to add fenders, and to change their sizes.",
)


def test_the_section_of_a_glossary_that_is_called_by_the_term_defines_it() -> None:
    told = "Each boat can hang a fender between itself and the quay, of rope or of rubber."
    assert answer("What is a fender?", LEXICON, FENDERS) == told


SHEETS = page(
    "Maps",
    """\
## What is the latest edition of the harbour map?

There are two editions of the harbour map:

**The blue sheet**: It is printed each spring, and shows all berths.

**The red sheet**: It is drawn each week, and shows what is dug and built.
""",
)


def test_all_terms_are_told_under_the_question_that_asks_for_none_of_them() -> None:
    told = answer("What is the latest edition of the harbour map?", SHEETS)
    assert told.startswith("There are two editions of the harbour map:\n\nThe blue sheet: It is")
    assert told.endswith(
        "\n\nThe red sheet: It is drawn each week, and shows what is dug and built."
    )


FAQ = page(
    "Questions",
    """\
## 2.5 Q05 How do I change the flag of my boat?

A. Open the locker on the left. Take the flag that is asked for, and hang it up.

## 2.6 Q06 How many flags are there?

A. There are 40 flags.
""",
)


def test_the_mark_of_an_answer_is_not_told_under_its_question() -> None:
    told = "Open the locker on the left. Take the flag that is asked for, and hang it up."
    assert answer("How do I change the flag of my boat?", FAQ) == told
