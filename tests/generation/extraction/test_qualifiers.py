"""Whether an answer is about the very thing asked for."""

from __future__ import annotations

import pytest

from tests.generation.extraction.pages import answer, page

POOL = page(
    "Swimming pool",
    """\
## Lessons

To book a lesson, call the desk. A lesson costs $12 per hour, and a course of lessons $90.

## Lockers

To open a locker, put in a coin and turn the key. Lockers close at night.

## News

The desk tells of lessons that are cancelled, by letter and by Telegram.

## Paying

To pay with Maestro, hold your card to the reader. Mastercard is taken by the desk.
""",
)


@pytest.mark.parametrize(
    "query",
    [
        "How do I book a scuba lesson?",
        "How much does a scuba lesson cost?",
        "Why is the locker open upside down?",
    ],
)
def test_a_page_without_the_word_that_makes_the_difference_answers_nothing(query: str) -> None:
    assert answer(query, POOL) == ""


@pytest.mark.parametrize("query", ["How do I book a hidden wifi?", "How do I get rid of the lock?"])
def test_a_word_that_the_page_calls_otherwise_is_there(query: str) -> None:
    hall = page(
        "Hall", "To book hidden wireless, ask at the desk.\n\nTo clear the lock, push it.\n"
    )
    assert answer(query, hall)


def test_of_a_thing_nothing_is_told_where_nothing_is_about_what_is_to_be_done_with_it() -> None:
    assert answer("How do I clean a locker with a coin?", POOL) == ""
    assert answer("How do I open a locker?", POOL).startswith("To open a locker")


def test_who_tells_of_trouble_is_told_what_helps_whatever_it_came_of() -> None:
    hall = page("Hall", "If the gate is still locked, push the red knob.\n")
    assert answer("The gate is still locked after a thunderstorm", hall)
    assert answer("How do I open a locked gate after a thunderstorm?", hall) == ""


def test_a_name_that_is_told_in_passing_answers_nothing() -> None:
    assert answer("How do I book lessons with Telegram?", POOL) == ""


def test_no_date_is_told_from_a_page_that_lacks_the_name_asked_about() -> None:
    aid = page("Aid", "Each FAFSO asks for the income of a family. Send the FAFSO to us.\n")
    plans = page("Plans", "The deadline of a plan is May 2, 2031. After that it ends.\n")
    assert answer("When is the FAFSO deadline?", aid, plans) == ""
    assert answer("When is the deadline of a plan?", aid, plans).startswith("The deadline")


def test_a_word_that_is_no_name_need_not_stand_beside_a_figure() -> None:
    hall = page("Hall", "You may swim in the lake.\n")
    pool = page("Pool", "Visitors may stay in the pool for 2 hours.\n")
    assert "2 hours" in answer("How long may visitors swim in the pool?", pool, hall)


def test_a_row_of_a_name_is_about_what_stands_above_its_table() -> None:
    installation = page(
        "Installation",
        """\
## Packages

Some distributions have a package.

| Distribution | Command |
| --- | --- |
| Alpine Linux | apk add acme |
| Arch Linux | pacman -S acme |
""",
    )
    assert "pacman -S acme" in answer("How do I install it on Arch?", installation)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How do I book a lesson?", "call the desk"),
        ("How much does a lesson cost?", "$12"),
        ("How do I pay with Maestro?", "hold your card"),
        ("How do I use Maestro?", "hold your card"),
        ("How do I open a locker?", "put in a coin"),
    ],
)
def test_what_has_it_answers(query: str, told: str) -> None:
    assert told in answer(query, POOL)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How much does the key of a locker cost?", ""),
        ("How much does a course of lessons cost?", "$90"),
        ("Which password has the wifi at the desk?", ""),
    ],
)
def test_a_price_has_an_amount_and_an_answer_says_half_of_the_question(
    query: str, told: str
) -> None:
    said = answer(query, POOL)
    assert told in said
    assert bool(said) is bool(told)


@pytest.mark.parametrize(
    "query",
    [
        "How much chlorine does the swimming pool need?",
        "What is the combination of the locker?",
        "Can I pay the desk in vouchers?",
        "How much does the key of a locker earn?",
        "How do I reserve a floating birthday lesson?",
    ],
)
def test_a_page_without_the_noun_that_is_asked_for_answers_nothing(query: str) -> None:
    assert answer(query, POOL) == ""


@pytest.mark.parametrize(
    "query", ["Can I book a lesson by letter?", "Is the key turned with a coin?"]
)
def test_a_page_with_the_noun_that_is_asked_for_answers(query: str) -> None:
    assert answer(query, POOL)


def test_the_amount_asked_for_answers_in_other_words() -> None:
    backups = page(
        "Handbook",
        """\
Frequency: once a day.

The program makes a backup of the file in the folder for backups.
""",
    )
    assert answer("How often does the program make a backup of the file?", backups) == (
        "Frequency: once a day."
    )


FERRY = page(
    "Ferries",
    """\
## Departures

A departure is announced by a horn, and the rate of exchange hangs at the desk from 7:30.

## Fares

The current fare is $4 for each crossing.

## Tickets

To install the ticket program on a laptop, run the file and choose a language.
""",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("When is the next departure?", ""),
        ("What is the current rate of exchange?", ""),
        ("When is a departure announced?", "by a horn"),
        ("What is the current fare?", "$4"),
    ],
)
def test_what_changes_by_the_day_is_told_by_what_says_so(query: str, told: str) -> None:
    said = answer(query, FERRY)
    assert told in said
    assert bool(said) is bool(told)


PIER = page(
    "Piers",
    """\
## Pier 3

A boat at Pier 3 pays in winter. The cost of a rope is high at Pier 3.

## Moving to the next season

A boat that moves needs at least 5 ropes, and a lamp.
""",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Does a boat at Pier 3 pay?", "pays in winter"),
        ("Does a boat at Pier 5 pay?", ""),
        ("What does a rope cost at Pier 3?", ""),
        ("How many ropes does a boat need for moving to the next season?", "at least 5"),
    ],
)
def test_what_bears_another_number_or_has_no_amount_is_not_told(query: str, told: str) -> None:
    said = answer(query, PIER)
    assert told in said
    assert bool(said) is bool(told)


@pytest.mark.parametrize(
    "said", ["Parking costs two euros an hour.", "Parking is free.", "The price is waived here."]
)
def test_an_amount_in_words_is_a_price(said: str) -> None:
    assert answer("What does parking cost?", page("Parking", f"{said}\n")) == said


def test_a_name_that_is_not_said_makes_the_difference_though_it_is_common() -> None:
    assert answer("How do I install the ticket program on Windows?", FERRY) == ""
    assert "run the file" in answer("How do I install the ticket program?", FERRY)


def test_who_tells_of_their_own_number_asks_for_none_to_call() -> None:
    entry = page("Entry", "If the hall takes no phone number of yours for entry, ask the desk.\n")
    assert answer("The hall does not take my phone number for entry", entry)


def test_the_number_of_a_form_is_no_telephone_number() -> None:
    form = page("Form", "## Calling\n\nWrite the phone number to call into form 10-10068.\n")
    assert answer("What phone number do I call?", form) == ""
    desk = page("Desk", "## Calling\n\nThe phone number to call is 030 1234567.\n")
    assert "030 1234567" in answer("What phone number do I call?", desk)
    lines = page("Lines", "## Phones\n\nYou may use any phone number of this country.\n")
    assert "any phone number" in answer("Which phone number may I use?", lines)
    steps = page("Profile", '## Phones\n\n1. Open your profile.\n2. Select "Add phone number".\n')
    assert "Open your profile" in answer("How do I add a phone number?", steps)


MUSEUM = page(
    "Museum",
    "Important: beginning in summer 2018 the museum is open to dogs.",
)
GARDEN = page("Garden", "The garden is open from dawn to dusk.")


def test_opening_hours_are_told_by_an_hour_or_a_day() -> None:
    assert answer("When is the museum open?", MUSEUM) == ""
    assert "dusk" in answer("When is the garden open?", GARDEN)


def test_a_number_of_something_else_does_not_tell_how_many() -> None:
    pier = page("Pier", "## The pier\n\nThe pier has 12 berths and is 80 metres long.\n")
    assert "12 berths" in answer("How many berths does the pier have?", pier)
    assert answer("How many visitors does the pier have?", pier) == ""


@pytest.mark.parametrize(
    "said", ["This to be added at a future date.", "TBD", "Coming soon.", "To be written later."]
)
def test_what_nobody_has_written_yet_answers_nothing(said: str) -> None:
    assert answer("How do I rent a boat?", page("Rent a boat", f"## Rent a boat\n\n{said}\n")) == ""
