"""What has not the form of what is asked is not told: a port, a cost, somebody's name."""

from __future__ import annotations

import pytest

from tests.generation.extraction.pages import answer, page

SERVER = page(
    "Harbour server",
    """\
The harbour server tells of its version in the log, and its mayor is chosen by the crew.

## Ports

The harbour server listens on a port, and its port is opened by the crew.

The web page of the harbour server listens on port 8042.

## Speed

The speed limit of a boat in the harbour server is shown on a sign.

## Questions

Which share of the income goes to the harbour? In which year did the harbour server begin?

## Export

The cost of the harbour server is written down:

```
harbour keep cost 180
$ harbour export cost
```

- Free form: what the harbour server writes of its cost.
""",
)


@pytest.mark.parametrize(
    "query",
    [
        "Which version does the harbour server have?",
        "Who is the mayor of the harbour server?",
        "What is the speed limit of a boat?",
        "What percentage of the income goes to the harbour?",
        "In which year did the harbour server begin?",
        "How much does the harbour server cost?",
    ],
)
def test_a_text_without_the_form_of_what_is_asked_answers_nothing(query: str) -> None:
    assert answer(query, SERVER) == ""


def test_a_port_is_told_by_its_number() -> None:
    told = answer("Which port does the harbour server listen on?", SERVER)
    assert told == "The web page of the harbour server listens on port 8042."


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Which version of Sail does it need?", "It needs Sail 3.11 or later."),
        ("Which version of Rope does it need?", "It takes Rope 4 or newer."),
        ("What is the speed limit in the basin?", "In the basin the speed limit is 5 knots."),
        ("In which year was the basin dug?", "The basin was dug in 1871."),
        ("Who is the mayor of the basin?", "The mayor of the basin is Ada Quay."),
    ],
)
def test_a_text_with_it_answers(query: str, told: str) -> None:
    basin = page(
        "Basin",
        """\
The basin is wide. It needs Sail 3.11 or later.

It takes Rope 4 or newer.

In the basin the speed limit is 5 knots.

The basin was dug in 1871.

The mayor of the basin is Ada Quay.
""",
    )
    assert told in answer(query, basin)


DUES = page(
    "Dues",
    """\
## What does the cost of membership mean?

The cost of membership is made of the dues and of what is spent on ropes and paint.

## Is there a charge for guests?

Yes, there is a fee for a guest who stays. The desk names it.

## Questions

Guests ask a lot. Where does a guest moor? Who pays for a guest? When must a guest leave?
""",
)


def test_a_cost_that_a_heading_asks_about_is_told_without_an_amount() -> None:
    assert "made of the dues" in answer("What is the cost of membership?", DUES)
    assert answer("How much is the cost of membership?", DUES) == ""


def test_whether_there_is_a_fee_is_told_without_an_amount() -> None:
    assert answer("Is there a fee for a guest?", DUES).startswith("Yes, there is a fee")


def test_a_paragraph_of_questions_is_no_answer() -> None:
    assert "Where does a guest moor" not in answer("What is a guest?", DUES)


def test_the_number_of_a_release_is_no_port() -> None:
    gate = page(
        "Gate",
        """\
Prior to release 1.15, this relation listed the ports that the gate listens on.

The gate listens on port 2001 by day.
""",
    )
    assert answer("Which port does the gate listen on?", gate) == (
        "The gate listens on port 2001 by day."
    )


@pytest.mark.parametrize(
    "query",
    [
        "How long is the warranty on a boat?",
        "Who founded the boat yard?",
        "Which papers does a boat need for the DMARC?",
    ],
)
def test_what_is_asked_of_a_thing_that_no_page_has_is_not_told_by_its_neighbour(query: str) -> None:
    yard = page(
        "Boat yard",
        """\
The boat yard lends a boat on each day. Guests of South Pier have found the boat yard by the map.

A boat needs papers: a licence, a ticket, and a chart.
""",
    )
    assert answer(query, yard) == ""


def test_who_made_something_may_be_listed_behind_what_says_so() -> None:
    chart = page("Chart", "The chart was written by:\n\n- Ada Quay\n- Ben Pier\n")
    assert "Ada Quay" in answer("Who wrote the chart?", chart)
