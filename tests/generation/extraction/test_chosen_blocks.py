"""Which block of a page answers: a definition, a side of a comparison, who did it, a command."""

from __future__ import annotations

from tests.generation.extraction.pages import answer, page

HARBOUR = page(
    "Harbour guide",
    """\
## Who has the harbour papers?

The harbour papers are listed beside those of the Seaview Trust.

## What do the papers say?

They are written by Ada Quist, and paid by the town.

## States of a berth

What the states of a berth mean:

- free - nobody asked for it.
- claimed - somebody asked for it and has not paid.
- leased - it is paid for a year.

## How do I claim a berth?

1. Look for a claimed berth beside a leased one on the map.
2. Sign the claimed berth's form, or that of the leased one.

## How do I build the map?

The map is no program, it is only drawn. You can draw the newest map by running

```
drawmap --new
```

## Changing the scale

Set the scale of the map in this line:

```
scale 10
```

Then draw it again with:

```
drawmap --again
```
""",
)

MOORING = page(
    "Mooring lines",
    """\
Mooring ropes out a boat so that it stays where it is.

## The mooring toolbar

The mooring toolbar consists of four buttons.

## Splicing

A splice joins two ropes without a knot.

1. Open the strands.
2. Tuck each strand in.
""",
)


def test_who_did_it_is_named_after_what_was_done() -> None:
    assert "Ada Quist" in answer("Who wrote the papers?", HARBOUR)


def test_entries_of_both_sides_are_compared_and_no_steps() -> None:
    told = answer("What is the difference between claimed and leased?", HARBOUR)
    assert "- claimed - somebody asked for it" in told
    assert "- leased - it is paid" in told
    assert "Sign" not in told


def test_a_sentence_that_ends_in_a_command_is_told_with_it() -> None:
    told = answer("How do I build the map?", HARBOUR)
    assert told.endswith("by running\n\ndrawmap --new")


def test_how_to_is_told_with_all_its_commands() -> None:
    told = answer("How do I change the scale?", HARBOUR)
    assert told.index("scale 10") < told.index("Then draw it") < told.index("drawmap --again")


def test_a_part_of_what_is_asked_is_not_what_it_is() -> None:
    assert answer("What is mooring?", MOORING).startswith("Mooring ropes out a boat")


def test_steps_are_not_told_where_their_lead_defines() -> None:
    assert answer("What is a splice?", MOORING) == "A splice joins two ropes without a knot."


LOCKS = page(
    "Questions about locks",
    """\
## The gate beeps when I leave

When I leave with my ship, the gate beeps three times and stays closed. Why?

The fee is not paid, or the receipt lies with the print down.

## The gate shows E7 in the rain

Rain on the lens makes the gate show E7 and stay closed for a while.

You need to dry the lens:

```
gate --dry
```
""",
)


def test_a_question_of_the_page_is_told_with_what_answers_it() -> None:
    assert "The fee is not paid" in answer('What is "beeps three times"?', LOCKS)


def test_a_short_answer_goes_on_to_the_command_behind_it() -> None:
    assert "gate --dry" in answer("gate shows E7 in the rain", LOCKS)


LIGHTS = page(
    "Harbour lights",
    """\
## 4.2. Which boats are lit?

Any boat that stays overnight can be lit, if it lies in the harbour.

At present ferries, tugs and dredgers are lit.

The town pays for it.

## Faults

Loose cables may show the words

```
lamp driver: no answer from the mast relay
```

Salt in the plug causes this. Rinse the plug and switch the lamp on again.

## Options of the lamp

The lamp is started with these options:

- --dim-late

  Dims the lamp at midnight.

- --quiet

  Says nothing.

## The key

You are asked for a key when you open the mast. The key was made when the mast was put up.
It can be read in /etc/harbour/mast-key at any time.
""",
)


def test_what_a_pasted_message_means_is_told_with_it() -> None:
    told = answer("lamp driver: no answer from the mast relay", LIGHTS)
    assert "Salt in the plug causes this. Rinse the plug" in told


def test_an_option_is_told_with_its_meaning() -> None:
    assert "Dims the lamp at midnight." in answer("--dim-late", LIGHTS)


def test_a_place_that_follows_the_sentence_about_it_is_told() -> None:
    assert "/etc/harbour/mast-key" in answer("Where do I find the key of the mast?", LIGHTS)


def test_a_list_in_sentences_is_told_under_the_numbered_heading_that_asks_for_it() -> None:
    assert "ferries, tugs and dredgers" in answer("Which boats are lit?", LIGHTS)


def test_a_list_is_told_whose_lead_counts_what_is_asked_for() -> None:
    snapshots = page(
        "Snapshots",
        """\
## Storage snapshots

Snapshots keep the state of a snapshot volume:

- Note: snapshots need a volume of their own.
- Snapshots of a snapshot are refused.

There are three types of snapshots:

- boot: taken when the system starts
- package: taken when a package is installed
- timeline: taken each hour
""",
    )
    assert answer("What kinds of snapshots are there?", snapshots).startswith("There are three")


def test_the_question_that_has_all_of_the_query_answers() -> None:
    yards = page(
        "Yards",
        """\
## Winter storage

Boats in winter storage are checked each week. Storage in winter is dry, and boats are covered.

## How do I reserve a place for my boat in a hall of the yard for the winter?

Write to the yard before October.
""",
    )
    assert (
        answer("How do I reserve boat winter place?", yards) == "Write to the yard before October."
    )


LAPTOPS = page(
    "Laptops",
    """\
## Screens

The laptop has a screen of twelve inches, and it shows many colours.

## Programs

The laptop takes long to respond when too many programs are open.

## Batteries

The laptop has two batteries, and they last for nine hours.
""",
)


def test_of_blocks_that_say_as_much_of_it_the_one_that_means_it_answers() -> None:
    """No block has the word "slow", and all have the laptop."""
    text = "The laptop takes long to respond when too many programs are open."
    assert answer("Why is the laptop so slow?", LAPTOPS) == text


CLEANING = page(
    "Cleaning questions",
    """\
## Why does the hull get slippery?

By its nature the hull gets slippery in water that stands still for a long time.

Fortunately there is a paste that keeps it rough:

```
paste --rough hull
```

## How do I clean the deck?

Brush the deck with salt water once a week.

"""
    + "The brush was bought in the year of the flood. " * 15,
)


def test_the_answer_of_a_question_is_told_with_the_command_right_behind_it() -> None:
    told = answer("Hull slippery", CLEANING)
    assert "still for a long time" in told
    assert "paste --rough" in told


def test_what_goes_on_behind_the_answer_of_a_question_is_not_told() -> None:
    assert answer("How do I clean the deck?", CLEANING).endswith("once a week.")


def test_the_sentence_that_defines_a_thing_comes_before_a_chapter_about_it() -> None:
    chapter = page(
        "Demurrage",
        "This chapter explains how demurrage is entered and gives some examples of it.",
    )
    schemes = page(
        "Sums",
        "## Demurrage schemes\n\nA demurrage scheme tells how much of the toll falls due each day.",
    )
    concepts = page(
        "Basic concepts",
        "Demurrage is what a ship owes for each day that it stays longer than agreed.",
    )
    told = answer("Explain demurrage to me", chapter, schemes, concepts)
    assert told.startswith("Demurrage is what")


def test_what_to_do_to_the_end_asked_is_told_alone() -> None:
    tangles = page(
        "Tangled nets",
        """\
## What tangled nets are like

Tangled nets are nets that lie over each other on the quay, and a tangled net is not sold by the \
harbour: the fishers that tangled it know best whose net it is, so that showing it is of no use.

## Two nets

To untangle a net, lift both ends, find the older knot and pull it to the quay. With that, the \
tangled net is free.
""",
    )
    told = answer("What do I do with a tangled net?", tangles)
    assert told.startswith("To untangle a net, lift both ends")
    assert "know best" not in told
