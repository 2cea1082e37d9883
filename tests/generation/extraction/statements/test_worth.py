"""How well a sentence answers: by the number, the day, the place that it tells."""

from __future__ import annotations

import pytest

from tests.generation.extraction.pages import answer, page

LIMITS = page(
    "Car sharing",
    """\
Car sharing lets members take one of 80 cars. A car is taken by phone, whenever needed.

## Quotas

- Cars per member: 2
- Members per household: 4
- Guests per member: 1

## Driving abroad

Members cannot drive abroad without a letter. Driving abroad is fun.

## How long a car is kept

Check the car before you leave. Members keep a car for six hours. Cars are washed each 30 days.
""",
)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            "What is the maximum number of cars per member?",
            "Cars per member: 2",
        ),
        ("how many guests may a member bring?", "Guests per member: 1"),
        ("How long can a member keep a car?", "six hours"),
        ("Can members drive abroad?", "Members cannot drive abroad without a letter."),
    ],
)
def test_a_number_is_that_of_what_is_counted(query: str, text: str) -> None:
    assert text in answer(query, LIMITS)


HUTS = page(
    "Mountain huts",
    """\
## Rules of the hut

Huts are for walkers who stay for the night. A stove may be lit in each hut. Put the stove at least
2 metres from the wall. A stove weighs 40 kg. Walkers of 14 years or older may light it.

## Nights in a hut

Nights in the huts are counted per year. Every member has 12 nights in the huts. Bring 2 blankets.

## What a night costs

Members pay for a night only in summer. In winter the fee for a night is $7.

## Keeper

The huts are looked after by the club, and the keeper may be called at night. Ann Mill has been the
keeper since 2011.
""",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How close to the wall may a stove in the hut be?", "2 metres"),
        ("How heavy is the stove of the hut?", "40 kg"),
        ("How old must walkers be to light a stove in the hut?", "14 years"),
        ("How many nights in the huts does a member have?", "12 nights"),
        ("How much is a night for members?", "$7"),
        ("Who is the keeper of the huts?", "Ann Mill"),
    ],
)
def test_what_has_the_measure_asked_for_is_told(query: str, told: str) -> None:
    assert told in answer(query, HUTS)


def test_what_has_no_number_answers_no_how_many_beside_what_has_one() -> None:
    """The heading and the words of the first section are nearer to what is asked."""
    mooring = page(
        "Mooring boats",
        """\
## How many boats may moor at the pier?

Boats that moor at the pier are counted by the warden, and boats may moor at the pier by day.

## Rules

No more than 12 boats moor at once.
""",
    )
    assert "12 boats" in answer("How many boats may moor at the pier?", mooring)


HOURS = page(
    "Opening times",
    "# Opening times\n\n##### Monday - Thursday 7:30am - Midnight\n\n"
    "##### Friday 7:30am - 5:00pm\n\n##### Sunday 6pm - 9pm\n\n## The pool\n\n"
    "The pool closes at 10 pm on Friday and opens with the house on other days.\n",
)


def test_the_hours_of_a_day_are_those_of_the_house() -> None:
    assert answer("When do you close on Fridays?", HOURS) == "Friday 7:30am - 5:00pm"


def test_hours_are_told_for_the_whole_week_where_no_day_is_asked() -> None:
    told = answer("What are your opening hours?", HOURS)
    assert told.splitlines()[0] == "Monday - Thursday 7:30am - Midnight"
    assert told.splitlines()[-1] == "Sunday 6pm - 9pm"


def test_what_is_named_has_its_own_hours() -> None:
    assert answer("When does the pool close?", HOURS).startswith("The pool closes at 10 pm")


def test_the_heading_says_for_each_sentence_what_it_is_about() -> None:
    leave = page(
        "Leave",
        "## Vacation\n\nThe firm offers 18 days of paid leave a year. We ask that you track it. "
        "Your vacation is kept to a maximum of 27 days at any time, and is paid when you leave "
        "the firm. The office manager keeps the list of the leave of all staff, and sends it out "
        "to everyone by mail at the beginning of each new year, with the plan of the holidays.\n",
    )
    assert "18 days" in answer("How many vacation days do I get?", leave)


FAIR = page(
    "Bake sale",
    "# Bake sale\n\nThe bake sale is no part of the summer fair. Ask for tickets for the sale.\n\n"
    "## When and where?\n\n- When: Sunday at 4 pm\n- Where: the hall in 12 Mill Lane\n\n"
    "## Stalls\n\nWho may have a stall at the bake sale:\n\n"
    "- members of the club who have paid for the year and have told us before the first of May\n"
    "- pupils of the two schools in the village, together with one of their teachers or parents\n"
    "- guests whom the board has asked to come, with what they have baked at home themselves\n",
)


def test_a_day_is_told_where_one_is_asked_though_it_has_no_word_of_the_question() -> None:
    assert "Sunday at 4 pm" in answer("When is the bake sale?", FAIR)


def test_an_address_is_told_where_a_place_is_asked() -> None:
    assert "12 Mill Lane" in answer("Where is the bake sale?", FAIR)


def test_who_may_is_answered_by_all_who_may() -> None:
    told = answer("Who may have a stall at the bake sale?", FAIR)
    assert told.count("\n- ") == 3


TOWING = page(
    "Towing",
    """\
## When a car is towed

If you did not get a letter after 5 days, or if your ticket expired, ask the office for a ticket.
Each car is towed when it blocks a street or a gate. A ticket of the office expires 21 days after
it was written.
""",
)


def test_a_number_of_a_condition_is_none_of_what_follows() -> None:
    told = answer("After how many days does the ticket expire?", TOWING)
    assert "21 days" in told
    assert "5 days" not in told
