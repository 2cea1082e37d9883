"""What a text can answer by its form."""

from __future__ import annotations

import time

import pytest

from service.generation.extraction import cues
from service.generation.extraction.queries import definitions
from service.language.question_kinds import QuestionKind as Q


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (Q.NUMBER, "You get ten codes.", True),
        (Q.NUMBER, "Use two-factor authentication.", False),
        (Q.DURATION, "It takes 5-10 business days.", True),
        (Q.DURATION, "It takes a form.", False),
        (Q.PRICE, "The card costs 65 €.", True),
        (Q.PRICE, "The card is blue.", False),
        (Q.REASON, "Because the form was late.", True),
        (Q.REASON, "The form is blue.", False),
        (Q.OTHER, "Anything.", True),
    ],
)
def test_a_text_has_the_form_of_an_answer(kind: Q, text: str, told: bool) -> None:
    assert cues.fit(kind.name, text) == float(told)


def test_a_condition_is_a_weaker_sign_of_a_reason_than_a_cause() -> None:
    assert cues.fit("REASON", "If the gate is shut, ring twice.") < cues.fit(
        "REASON", "The gate is shut to keep the dogs out."
    )


@pytest.mark.parametrize("told", ["up to 63 characters", "2 billion", "255 bytes", "5 metres"])
def test_a_length_may_be_that_of_a_text(told: str) -> None:
    assert cues.measure("What is the maximum length of a name?") == "LENGTH"
    assert cues.fit("LENGTH", f"It may have {told}.") == 1.0
    assert cues.fit("LENGTH", "Since version 3 it is longer.") < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "There is no additional cost to get a pass.",
        "A pass comes at no cost.",
        "A pass doesn't cost anything.",
        "El pase es sin costo.",
        "La carte est sans frais.",
    ],
)
def test_that_nothing_is_to_be_paid_is_a_price(text: str) -> None:
    assert cues.fit("PRICE", text) == 1.0


def test_a_weak_sign_counts_less() -> None:
    assert (
        0 < cues.fit("DATE", "Come before we close.") < cues.fit("DATE", "Come in May 2024.") == 1
    )


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("See also", True),
        ("See also: Fees, Fines & Permits.", True),
        ("Related articles", True),
        ("[Fees](/fees)", True),
        ("For more information, see the fee page.", True),
        ("See the fee that you pay on your bill: it is $5.", False),
        ("Pay at https://pay.example.org before Friday.", False),
        ("┌──────┐\n│ SALE │\n└──────┘", True),
        ("├── app.py\n└── tests", False),
        ("The sign ┐ stands at the end.", False),
        ("Learn more about harbour passes and moorings [7].", True),
        ("Find out more on moorings", True),
        ("En savoir plus sur les amarrages.", True),
        ("Erfahren Sie mehr über Liegeplätze.", True),
        ("Learn more about moorings on Monday at 9 in the harbour office.", False),
        ("Learn more about moorings. They are free.", False),
        ("This chapter explains how berths are leased and paid for.", True),
        ("The following sections introduce the papers one by one.", True),
        ("This page shows what you owe.", False),
        ("This section covers the boats of members. Guests pay at the gate.", False),
    ],
)
def test_what_points_elsewhere_is_no_answer(text: str, points: bool) -> None:
    assert cues.is_furniture(text) is points


def test_a_sentence_may_lean_on_the_one_before() -> None:
    assert cues.leans("It is free.")
    assert cues.leans("However, it costs.")
    assert cues.leans("From here you can stop the printer.")
    assert cues.leans("In the small window that opens, choose a colour.")
    assert cues.leans("On the next page, enter your name.")
    assert cues.leans("On older boats, also set the lamp.")
    assert not cues.leans("Items are free.")
    assert not cues.leans("In the harbour that you know, choose a berth.")


def test_the_first_of_several_is_no_number_of_them() -> None:
    assert cues.fit("NUMBER", "Who signed up in the 1st place") < 1.0
    assert cues.fit("NUMBER", "1 place is left") == 1.0


def test_a_path_is_a_place_also_in_quotes() -> None:
    assert cues.fit("PLACE", "The key goes to /etc/acme/key.pem, which root reads.") == 1.0
    assert cues.fit("PLACE", "The key goes to '/etc/acme/key.pem', which root reads.") == 1.0
    assert cues.fit("PLACE", "The key goes to (~/acme/key.pem), which root reads.") == 1.0


@pytest.mark.parametrize(
    ("text", "announces"),
    [
        ("There are two ways to pay.", True),
        ("To pay, do the following", True),
        ("Bring one of these:", True),
        ("Es gibt mehrere Möglichkeiten.", True),
        ("We follow the rules. They are old.", False),
        ("These steps were taken. Nothing helped.", False),
    ],
)
def test_what_leads_on_is_known(text: str, announces: bool) -> None:
    assert cues.announces(text) is announces


@pytest.mark.parametrize(
    ("query", "text", "told"),
    [
        ("How many boats may moor?", "Pay at least 50% of what it costs, or $25.", False),
        ("How many boats may moor?", "The pier opened on May 2, 2013.", True),
        ("How many boats may moor?", "In 2013 the pier opened.", False),
        ("How many boats may moor?", "Fewer than 2000 boats moor.", True),
        ("What share of boats moors?", "From November 15, 2013 on boats moor.", False),
        ("What share of boats moors?", "70% of the boats moor.", True),
        ("¿Qué parte de los barcos?", "El 70 % de los barcos.", True),
    ],
)
def test_a_number_is_one_of_the_measure_that_is_asked(query: str, text: str, told: bool) -> None:
    assert bool(cues.figures(cues.measure(query), text)) is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A letter is needed from four or more days on.", True),
        ("It is sent within a day.", True),
        ("Ill rowers may rest a day.", False),
    ],
)
def test_a_day_alone_is_no_number_of_days(text: str, told: bool) -> None:
    assert bool(cues.figures("DURATION", text)) is told


def test_when_something_open_ends_is_no_time_of_day() -> None:
    assert cues.measure("When does open enrollment end?") == ""
    assert cues.measure("When does the pier open?") == "CLOCK"


def test_which_command_is_answered_by_an_entry_of_one() -> None:
    cue = cues.measure("Which command shows the height?")
    assert cues.fit(cue, "crane-level - shows the height of the crane") == 1
    assert cues.fit(cue, "The board shows the height of the crane.") == 0


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("You may cancel it.", False),
        ("MAY I cancel it?", False),
        ("Cancel it by May.", True),
        ("Cancel it by MAY 3.", True),
        ("It ends on the first day of the next month.", True),
        ("It ends on the last business day of a month.", True),
    ],
)
def test_a_month_is_told_from_what_one_may(text: str, is_date: bool) -> None:
    assert (cues.fit("DATE", text) == 1) is is_date


@pytest.mark.parametrize(
    ("text", "is_duration"),
    [
        ("It takes effect immediately.", True),
        ("It ends immediately after you cancel.", True),
        ("We may immediately remove it.", False),
    ],
)
def test_what_one_does_at_once_takes_no_time(text: str, is_duration: bool) -> None:
    assert (cues.fit("DURATION", text) == 1) is is_duration


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It listens on port 8042.", True),
        ("port: 80", True),
        ("Su puerto es el 389.", True),
        ("端口是 389", True),
        ("Forward UDP 1194.", True),
        ("Port to Rails 2.0 (See #20)", False),
        ("Since release 1.15 this lists the ports", False),
    ],
)
def test_a_port_is_a_number_and_none_of_a_release(text: str, told: bool) -> None:
    assert (cues.fit("PORT", text) == 1) is told


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("After you create a queue, you can rename it.", "create a queue"),
        ("Once you’ve paid the fee, the desk prints a ticket.", "paid the fee"),
        (
            "Nachdem Sie das Formular gesendet haben, können Sie es ändern.",
            "das Formular gesendet haben",
        ),
        ("If you want to create a queue, you have to sign in.", ""),
        ("When you want to pay, you can use a card.", ""),
        ("When you pay, choose a card.", ""),
        ("You can rename a queue after you create it.", ""),
    ],
)
def test_what_is_told_of_an_occasion_is_told_apart_from_it(text: str, occasion: str) -> None:
    assert cues.occasion(text) == occasion


@pytest.mark.parametrize("text", ["(" * 5000, "a " * 5000, "the " * 5000 + "is", "[](" * 3000])
def test_a_long_text_is_judged_at_once(text: str) -> None:
    started = time.process_time()
    for kind in Q:
        cues.fit(kind.name, text)
    definitions.defines("a " * 8, text)
    cues.is_furniture(text)
    cues.is_code(text)
    cues.leans(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Visits are free.", True),
        ("Quay Planner is free software.", True),
        ("Mooring is free for children.", True),
        ("Quay Planner is an open source program.", True),
        ("It is released under the GNU General Public License.", True),
        ("El programa es de código abierto.", True),
        ("An open source of water is near.", False),
        ("This step is needed to free a berth.", False),
        ("Only this will free it.", False),
        ("Feel free to ask.", False),
    ],
)
def test_what_is_without_a_price_is_free_and_what_is_made_so_is_not(text: str, told: bool) -> None:
    assert (cues.fit("PRICE", text) == 1.0) is told
