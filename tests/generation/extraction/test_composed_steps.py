"""What is to be done is told as on the page: whole, in order, and with little beside it."""

from __future__ import annotations

from tests.generation.extraction.pages import answer, page


def test_steps_are_whole_across_chunks() -> None:
    steps = "".join(f"{n}. Turn the wheel by {n} degrees to the left side.\n" for n in range(1, 31))
    told = answer(
        "How do I open the safe?", page("Safes", f"## Open the safe\n\n{steps}", size=100)
    )
    assert told.count("\n") == 29
    assert told.startswith("1. Turn")
    assert "\n30. Turn" in told


def test_a_list_without_end_is_ended_behind_an_item() -> None:
    colours = "".join(f"- Shade number {n} of the palette\n" for n in range(1_000))
    told = answer("Which colours are there?", page("Colours", f"These colours:\n\n{colours}"))
    assert len(told) < 7_000
    assert told.endswith("of the palette")


def test_each_of_two_questions_has_steps_of_its_own() -> None:
    told = answer(
        "How do I add an address and how do I delete the old one?",
        page(
            "Addresses",
            """\
## How to add an address

1. Sign in.
2. Choose "Add address", and enter the new one.
   - Do not delete the old address before.

## How to delete an address

1. Sign in.
2. Choose "Delete address" beside the old address.
""",
        ),
    )
    assert "Add address" in told
    assert "Delete address" in told


GATES = page(
    "Gates",
    """\
# Gates

## Adding a gate

1. Open the plan.
2. Draw the gate.

## Removing a gate

1. Mark the gate.
2. Press Delete.

## Opening a stuck gate

    gate open --force

This opens a gate that is stuck.

## What gates are and why to have them:

A gate is a door in a fence.

## Painting a gate

It is said that gates were painted by travellers in the old days, who told long stories about them
while the paint was drying, and who were paid with bread and with apples by the people of the farm,
who had no coins and nothing else to give away but what was growing in the gardens behind the fence,
and that the travellers came again each year in spring.

Wash the gate before painting it.

1. Sand the gate.
2. Paint the gate.
""",
)


def test_each_of_two_lists_is_told_under_its_heading() -> None:
    told = answer("How do I add a gate and how do I remove a gate?", GATES)
    assert told == (
        "Adding a gate:\n1. Open the plan.\n2. Draw the gate.\n\n"
        "Removing a gate:\n1. Mark the gate.\n2. Press Delete."
    )


def test_the_command_that_a_sentence_speaks_of_is_told() -> None:
    assert "gate open --force" in answer("How do I open a stuck gate?", GATES)


def test_a_heading_that_asks_is_no_lead() -> None:
    assert answer("What are gates?", GATES) == "A gate is a door in a fence."


def test_steps_are_told_with_few_words_beside_them() -> None:
    told = answer("How do I paint a gate?", GATES)
    assert "Wash the gate" in told
    assert "2. Paint" in told
    assert "travellers" not in told


def test_all_procedures_of_a_page_called_by_the_question_are_told_in_order() -> None:
    addresses = page(
        "How do I change my address?",
        """\
## How to add an address

1. Choose "Add an address".
2. Enter the new one.

## How to delete an address

1. Choose "Delete an address" beside the old address.
2. Confirm that you delete the address.
""",
    )
    assert answer("How do I change my address?", addresses).splitlines() == [
        "How to add an address:",
        '1. Choose "Add an address".',
        "2. Enter the new one.",
        "",
        "How to delete an address:",
        '1. Choose "Delete an address" beside the old address.',
        "2. Confirm that you delete the address.",
    ]
    assert "Add" not in answer("How do I delete my address?", addresses)


def test_a_second_question_for_a_number_is_answered_by_one_or_not_at_all() -> None:
    post = page(
        "Post",
        """\
## Parcels

To send a parcel, bring it to the counter of the post.

## Letters

It is a big mistake to send letters without a stamp.
""",
    )
    told = answer("How do I send a parcel? how big?", post)
    assert told == "To send a parcel, bring it to the counter of the post."


def test_steps_are_told_rather_than_what_introduces_their_page_and_means_the_same() -> None:
    told = answer(
        "How do I record a video of my screen?",
        page(
            "Pictures and films",
            """\
You can take a picture of your screen or record a video of what happens on the screen. This is \
useful if you want to show someone how to do something on the computer.

## Making a film

You can make a video recording of what is happening on your screen:

1. Press the Print key.
2. Click to switch to films.
3. Click the big round button.
""",
        ),
    )
    assert told.startswith(
        "You can make a video recording of what is happening on your screen:\n1."
    )


def test_where_something_is_found_is_told_by_the_steps_that_lead_there() -> None:
    told = answer(
        "Where do I find the version number?",
        page(
            "Versions and build numbers",
            "1. Choose Help - About. This opens a dialog with the version.\n2. Read it aloud.\n",
        ),
        page("Versions", "## New versions\n\nSet the options for saving a new version."),
    )
    assert told.startswith("1. Choose Help - About.")


def test_what_a_page_calls_how_to_apply_is_told_of_what_the_page_is_about() -> None:
    told = answer(
        "How do I open a dealership?",
        page(
            "Open a dealership",
            "Important: from summer on there will be new rules for dealers and their records.\n\n"
            "## Surety bond\n\nThe state does not provide surety bonds.\n\n"
            "## How to apply\n\nYou must submit form VS-1 and a copy of the signed bond.\n",
        ),
    )
    assert told.startswith("You must submit form VS-1")


def test_what_is_needed_stands_under_requirements() -> None:
    told = answer(
        "What do I need for a fishing licence?",
        page(
            "Fishing licence",
            "A fishing licence is valid in all lakes of the county.\n\n## Fees\n\nA fishing "
            "licence is 20 euro.\n\n## Requirements\n\nYou must be 14 and pass a test at the lake.",
        ),
    )
    assert told.startswith("You must be 14")


def test_code_that_shows_how_is_told_though_steps_for_something_else_stand_before_it() -> None:
    lamps = page(
        "Lamps",
        """\
## Lamp programs

To choose where the lamp is drawn:

1. Start the program with the flag for a map.
2. Start it with the flag for a list.

As an example, to keep the lamp lit for two days after dusk:

```
[lamp]
after=48
```
""",
    )
    told = answer("How do I keep the lamp lit for two days?", lamps)
    assert "after=48" in told
    assert "for a list" not in told


FERRY = page(
    "Ferries",
    """\
# Ferries

## Crews

The desk asks you for the name of a crew member. This should be the first crew member of the boat.

If at any time you want to add another crew member, use the crewlist form.

## Printing timetables on paper

The timetable of a ferry is kept as one file, which any printer of the harbour can read, whether it
is one for coloured paper or for white, as long as somebody of the crew has put enough paper into it
and the harbour is open.

Nothing else is printed with it.

For example, on a Friday:

    timetable --friday

## Hearing timetables in the evening

Type "hear" to hear the timetable of a ferry, which is read by the master of the harbour, by one of
the crew, or, on days on which neither of them is in the harbour, by whoever of the guests stands
nearest to the desk and has a voice that carries.

Few guests know that.

For example, on a Friday:

    timetable --aloud
""",
)


def test_what_to_do_if_that_is_wanted_goes_before_what_is_asked_of_the_reader() -> None:
    told = answer("How do I add another crew member of a boat?", FERRY)
    assert told == "If at any time you want to add another crew member, use the crewlist form."


def test_the_code_that_shows_how_is_told_with_what_stands_above_it() -> None:
    told = answer("How do I print a timetable of a ferry for guests?", FERRY)
    assert told.startswith("The timetable of a ferry is kept")
    assert told.endswith("timetable --friday")


def test_no_code_is_told_behind_what_names_the_command_itself() -> None:
    told = answer("How do I hear a timetable of a ferry with guests?", FERRY)
    assert told.endswith("a voice that carries.")


def test_what_is_to_be_done_is_told_before_its_caveats_however_many_they_are() -> None:
    caveats = "".join(
        f"- Moving to pier {n} is only done where nobody has moved there before, as said below.\n"
        for n in range(1, 14)
    )
    moving = f"## How do I move to another pier?\n\nAsk the pilot.\n\nSome caveats:\n\n{caveats}"
    told = answer("How do I move to another pier?", page("Piers", moving, size=900))
    assert told.startswith("Ask the pilot.")
