"""What of a list or a table is told: the entry, or the row, that answers alone."""

from __future__ import annotations

from tests.generation.extraction.pages import answer, page

BERTHS = page(
    "Berths",
    """\
## What is meant by free, claimed and leased?

These flags tell what a visitor wanted to do with a berth, as the harbour office heard it.

Their meanings are:

- free - nobody asked for it.
- claimed - somebody asked for it and has not paid.
- leased - it is paid for a year, with its light and its water.

## How do I draw the map of the berths?

1. Open the map. This window appears:

   Figure 12. The empty map

2. Press the button with the pen.

## Buttons of the berth list

| Button | What it does |
| --- | --- |
| Import | reads berths from a file |
| Export | writes all berths into a file |
| Sweep idle | frees all idle berths |

## Dropping the anchor

| Task | What to do |
| --- | --- |
| Find the ground | Look for sand in the anchor chart |
| Drop it | Let the anchor go, and wait |
| Check it | Pull at the anchor line |
""",
)


def test_a_term_is_explained_by_its_entry_of_a_list() -> None:
    said = "leased - it is paid for a year, with its light and its water."
    assert answer("What does leased mean?", BERTHS) == said


def test_how_to_is_told_by_the_one_row_that_says_all_of_it() -> None:
    assert answer("How do I sweep idle berths?", BERTHS) == "Sweep idle: frees all idle berths"


def test_how_to_is_told_by_all_rows_where_several_say_it() -> None:
    told = answer("How do I drop the anchor?", BERTHS)
    assert all(said in told for said in ("Find the ground", "Let the anchor go", "Check it"))


def test_steps_are_told_without_the_captions_of_pictures_that_nobody_kept() -> None:
    told = "1. Open the map. This window appears:\n2. Press the button with the pen."
    assert answer("How do I draw the map of the berths?", BERTHS) == told


PIER = page(
    "The pier",
    """\
## Places on the pier

There are 14 places on the pier:

- Head - for the ferry, which calls twice a day.
- Wall - for boats that stay no longer than 3 days, and for those that wait for the ferry to leave.
- Shed - for boats that are being painted, and for their masts and sails in winter.

## Lamps

Lamps were put up along the pier in May 2019. They show:

- Green - the 2 outer places are free.
- Red - no place of the pier is free, and whoever comes has to wait outside of the harbour.
- White - the ferry is about to call, and the way to the head of the pier has to be kept free.
""",
)


def test_a_number_that_stands_in_the_lead_of_a_list_is_told_from_there() -> None:
    told = answer("How many places does the pier have?", PIER)
    assert told == "There are 14 places on the pier."


def test_a_date_that_stands_before_a_list_is_told_from_there() -> None:
    told = answer("When were the lamps put up along the pier?", PIER)
    assert told.startswith("Lamps were put up along the pier in May 2019.")


def test_a_number_that_stands_in_an_item_is_told_from_there() -> None:
    assert "3 days" in answer("How many days can boats stay at the wall?", PIER)
