"""How sources become sections, and blocks what is quoted whole."""

from __future__ import annotations

import pytest

from service.blocks import Block, BlockKind
from service.generation.extraction import sections, wholes
from service.generation.extraction.wholes import WholeKind
from service.generation.generator import Source
from tests.generation.extraction.pages import page

STEPS = "## Renew\n\nTo renew:\n\n" + "\n".join(
    f"{n}. Do step number {n} of the renewal, with care and in the order given here."
    for n in range(1, 21)
)


def test_a_list_that_lies_in_several_chunks_is_one() -> None:
    sources = page("Permits", STEPS, size=60)
    assert len(sources) > 3
    (section,) = sections.read(sources[::-1])[0].sections
    (whole,) = section.wholes
    assert whole.kind is WholeKind.STEPS
    assert [block.number for block in whole.blocks if block.number] == [*range(1, 21)]
    assert whole.lead[0].text == "To renew:"


def test_steps_go_on_behind_what_stands_between_them() -> None:
    between = "A picture shows the button.\n\n```\nopen --now\n```"
    text = f"## Set up\n\n1. Open it.\n\n{between}\n\n2. Close it.\n"
    (section,) = sections.read(page("Boxes", text))[0].sections
    assert [whole.kind for whole in section.wholes] == [WholeKind.STEPS]


def test_a_list_that_counts_anew_is_another() -> None:
    text = "## Set up\n\n1. Open it.\n2. Close it.\n\n## Tear down\n\n1. Break it.\n2. Sweep.\n"
    found = sections.read(page("Boxes", text))[0].sections
    assert [(one.heading, len(one.wholes)) for one in found] == [("Set up", 1), ("Tear down", 1)]


def test_headings_have_their_path() -> None:
    text = "# Permits\n\nAll.\n\n## Parking\n\nCars.\n\n### Guests\n\nA day.\n\n## Fish\n\nSome.\n"
    found = sections.read(page("Permits", text))[0].sections
    assert [one.path for one in found] == [
        (),
        ("Parking",),
        ("Parking", "Guests"),
        ("Fish",),
    ]


@pytest.mark.parametrize("title", ["Fees", "Is it free?"])
def test_a_question_opens_a_section_that_ends_with_its_answer(title: str) -> None:
    text = "Is it free?\nYes, it is.\nUnrelated."
    blocks = (
        Block(BlockKind.QUESTION, 0, 11, whole=1),
        Block(BlockKind.TEXT, 12, 23, whole=1),
        Block(BlockKind.TEXT, 24, 34, whole=2),
    )
    source = Source(title=title, text=text, document="d", blocks=blocks)
    found = sections.read([source])[0].sections
    assert [(one.path, one.wholes[0].blocks[0].text) for one in found] == [
        (() if title == "Is it free?" else ("Is it free?",), "Yes, it is."),
        ((), "Unrelated."),
    ]


def test_what_goes_on_behind_an_answer_stays_under_a_question_that_is_a_heading() -> None:
    text = "## Is it free?\n\nYes.\n\n- today\n- tomorrow\n\nNot on Sunday.\n\n## Rooms\n\nTwo.\n"
    asked, rooms = sections.read(page("Fees", text))[0].sections
    assert (asked.path, len(asked.wholes), asked.answer) == (("Is it free?",), 3, 2)
    assert (rooms.path, rooms.answer) == (("Rooms",), 0)


def test_what_an_answer_announces_belongs_to_it() -> None:
    text = "Is it free?\nThere are two ways to get it.\n1. Ask.\nUnrelated."
    blocks = (
        Block(BlockKind.QUESTION, 0, 11, whole=1),
        Block(BlockKind.TEXT, 12, 41, whole=1),
        Block(BlockKind.ITEM, 42, 49, whole=2),
        Block(BlockKind.TEXT, 50, 60, whole=3),
    )
    source = Source(title="Fees", text=text, document="d", blocks=blocks)
    first, second = sections.read([source])[0].sections
    assert [one.blocks[-1].text for one in first.wholes][-1] == "1. Ask."
    assert (second.path, second.wholes[0].blocks[0].text) == ((), "Unrelated.")


def test_sources_of_which_nothing_is_known_are_read_by_lines() -> None:
    source = Source(title="Fees", text="You pay:\n- by card\n- in cash\n\nBring a receipt.")
    (section,) = sections.read([source])[0].sections
    assert [whole.kind for whole in section.wholes] == [WholeKind.LIST, WholeKind.PARAGRAPH]


def test_documents_keep_the_order_of_the_hits() -> None:
    one, two = page("One", "First."), page("Two", "Second.")
    assert [each.title for each in sections.read([*two, *one])] == ["Two", "One"]


def test_an_empty_source_has_no_sections() -> None:
    assert sections.read([Source(title="Empty", text=" \n ")])[0].sections == ()


def test_headings_with_nothing_under_them_say_what_they_say() -> None:
    text = "# Hours\n\n##### Friday 8 am - 5 pm\n\n##### Sunday 9 am - 1 pm\n\n## Rooms\n\nTwo.\n"
    stated, rooms = sections.read(page("Hours", text))[0].sections
    assert [block.text for block in stated.wholes[0].blocks] == [
        "Friday 8 am - 5 pm",
        "Sunday 9 am - 1 pm",
    ]
    assert (stated.path, rooms.path) == ((), ("Rooms",))


def test_a_heading_above_others_states_nothing() -> None:
    text = "# Hours\n\n## Friday 8 am - 5 pm\n\n### Kitchen\n\nOpen.\n\n## Empty\n"
    found = sections.read(page("Hours", text))[0].sections
    assert [one.heading for one in found] == ["Kitchen"]


def test_an_item_loses_its_own_mark_and_nothing_else() -> None:
    assert wholes.unmarked("- From 8 - 9 am") == "From 8 - 9 am"
    assert wholes.unmarked("Open 8 - 9 in 2014. Closed") == "Open 8 - 9 in 2014. Closed"
