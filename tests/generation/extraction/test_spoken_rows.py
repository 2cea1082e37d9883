"""How a row of a table is read out, and what of it is quoted."""

from __future__ import annotations

import msgspec
import pytest

from service.generation.extraction import spoken_rows
from service.generation.extractive import NOBODY, ExtractiveGenerator
from service.generation.generator import Prompt
from service.language.sentences import spans
from tests.generation.extraction.pages import answer, page

LIMITS = page(
    "Limits",
    """\
| Limit | Value |
|---|---|
| Length of a hedge | 12 metres |
| Guests in a garden | 40 |

## Error codes

| Error | Message | Meaning |
|---|---|---|
| 551 | `gate shut` | The gate was shut when the cart came |
| 552 | `gate lost` | There is no gate any more. |

## Prices per plan

| Plan | Monthly price | Yearly price |
|---|---|---|
| Small | $4 | $40 |
| Large | $9 | $90 |
""",
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("How many guests may be in a garden?", "Guests in a garden: 40"),
        ("How long is a hedge at most?", "Length of a hedge: 12 metres"),
        (
            "error 551",
            "Error 551 – Message: gate shut; Meaning: The gate was shut when the cart came.",
        ),
        (
            "What does error 552 mean?",
            "Error 552: There is no gate any more.",
        ),
        ("What is the yearly price of the Large plan?", "Large – Yearly price: $90"),
    ],
)
def test_a_row_is_said_as_a_person_reads_it(query: str, told: str) -> None:
    assert answer(query, LIMITS) == told


def test_only_what_stands_in_the_row_is_cited() -> None:
    query = "error 551"
    passages = ExtractiveGenerator(spans).passages(Prompt(query=query, sources=tuple(LIMITS)))
    quoted = [one for one in passages if one.sources != (NOBODY,)]
    assert [one.text for one in passages if one not in quoted] == [
        "Error",
        "– Message:",
        "; Meaning:",
        ".",
    ]
    assert all(one.text in LIMITS[at].text for one in quoted for at in one.sources)


@pytest.mark.parametrize("row", ["10 | 20 | 30", "Are you deaf? | Yes | No", " | ", "[ ] | ( )"])
def test_fields_to_tick_and_bare_numbers_say_nothing(row: str) -> None:
    assert not spoken_rows.says_something(row)


def test_a_row_of_a_table_says_something() -> None:
    assert spoken_rows.says_something("Parking | yes")


STATUSES = page(
    "Statuses",
    "## Reasons of a refusal\n\n| Reason | Status | Meaning |\n|---|---|---|\n"
    "| GATE_SHUT | 423 | the gate is shut for the night |\n"
    "| GATE_LOST | 410 | there is no gate |\n",
)
TOOLS = page(
    "Tools",
    "## Tools of the shed\n\n| Tool | Use |\n|---|---|\n"
    + "".join(
        f"| tool {word}a | {'used for much in the garden and the field ' * 6}|\n"
        for word in "bcdfghklm"
    ),
    size=4_000,
)


def test_what_the_query_says_itself_is_no_answer_to_it() -> None:
    assert "shut for the night" in answer("why do I get status 423", STATUSES)


def test_of_a_long_table_a_list_is_what_its_rows_are_about() -> None:
    told = answer("List all tools of the shed", TOOLS)
    assert told.splitlines()[-9:] == [f"tool {word}a" for word in "bcdfghklm"]


def test_a_row_of_several_short_cells_ends_as_a_sentence() -> None:
    prints = page(
        "Prices",
        "| What | Description | Cost | Location |\n|---|---|---|---|\n"
        "| Poster | printed on paper | $0.65 per square foot | Second floor |\n"
        "| Page | copied | $0.10 per page | First floor |\n",
    )
    assert answer("How much is it to print a poster?", prints).endswith("Second floor.")


def test_of_a_long_table_of_signs_a_list_is_what_they_mean() -> None:
    signs = page(
        "Signs",
        "## Signs of the map\n\n| Sign | Meaning |\n|---|---|\n"
        + "".join(
            f"| ~{sign} NUMBER | {'a place of much interest ' * 8}{sign} |\n"
            for sign in "bcdfghklm"
        ),
        size=4_000,
    )
    assert "~b NUMBER: a place of much interest" in answer("List all signs of the map", signs)


def test_the_caption_of_a_table_is_said_without_its_number() -> None:
    piers = page(
        "Piers",
        "## Where to land\n\nTable 7.1. List of piers:\n\n| Pier | Depth |\n|---|---|\n"
        "| North pier | 4 m |\n| South pier | 3 m |\n",
    )
    captioned = [
        msgspec.structs.replace(one, text=one.text.replace("piers:", "piers ")) for one in piers
    ]
    assert answer("Which piers are there?", captioned).startswith("List of piers:\nNorth pier: 4 m")


def test_bare_figures_are_not_told_of_what_is_listed_and_described() -> None:
    boats = page(
        "Boats",
        "## Boats for hire\n\n| Boat | Berth | Use | Description |\n|---|---|---|---|\n"
        "| Heron | 4 | V:9, I:70 | a boat for the river |\n"
        "| Gull | 7 | I:6 | a boat for the sea |\n",
    )
    told = answer("Which boats for hire are there?", boats)
    assert told == "Heron: a boat for the river.\nGull: a boat for the sea."
