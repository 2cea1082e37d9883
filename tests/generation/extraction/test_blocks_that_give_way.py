"""Which blocks answer nothing, or give way to another: lists of pages, captions, bare names."""

from __future__ import annotations

import pytest

from service.generation.extraction import forms, scoring, sections
from service.generation.extraction.queries.weighted_query import WeightedQuery
from tests.generation.extraction.pages import answer, page

PIERS = page(
    "Piers",
    """\
“Piers” carry people out over the water. They stand on piles.

Figure 5.1. A pier

**Figure 5.2. Two piers**

A wharf lies along the bank.

## Pier lamps

A pier lamp on a pier burns all night.
""",
)


def test_a_caption_is_no_answer() -> None:
    told = answer("What are piers?", PIERS)
    assert told.startswith("“Piers” carry people")
    assert "Figure" not in told
    assert "A wharf lies along the bank." in answer("What is a wharf?", PIERS)


def test_a_section_in_another_language_than_the_question_gives_way() -> None:
    licence = "You may copy this text and the pages that come with it as you like to do.\n\n"
    spanish = page(
        "Manual",
        f"# Manual\n\n{licence}## B\n\nBITA4\n: Bita es una pieza de hierro a la que se atan los "
        "cabos de los barcos que vienen al puerto para pasar la noche.\n",
    )
    english = page(
        "Guide",
        "# Guide\n\n## B\n\nBITA4\n: A bitt is a post of iron to which the ropes of boats are "
        "tied that come to the harbour for the night.\n",
    )
    assert "post of iron" in answer("What is BITA4?", spanish, english)


def test_the_rest_of_a_sentence_is_not_told_without_the_code_before_it() -> None:
    logs = page(
        "Logs",
        """\
## Kinds of logs

There are two kinds of logs. They are told apart by how they begin.

Deck logs are kept by the mate of the ship. Each of them has a line of the form:

```
FROM mate TO master
```

to tell who wrote it. They are kept for a year.

Engine logs are kept by the engineer.
""",
    )
    told = answer("Which kinds of logs are there?", logs)
    assert "Engine logs" in told
    assert "to tell who wrote it" not in told


REFUNDS = """\
## May I return a ticket?

It depends. Tickets for a boat may be returned for a day.

## May I return a berth card?

It depends. See [berths](/berths) for more information.

## Berth cards

A berth card may be returned before the first of May.
"""


def test_a_sentence_that_only_opens_an_answer_is_told_with_what_follows() -> None:
    told = answer("May I return a ticket?", page("Harbour", REFUNDS))
    assert told == "It depends. Tickets for a boat may be returned for a day."


def test_an_opening_that_only_points_elsewhere_gives_way() -> None:
    told = answer("May I return a berth card?", page("Harbour", REFUNDS))
    assert "before the first of May" in told


def test_names_that_nobody_explains_answer_only_who_asks_for_them() -> None:
    (section,) = sections.read(page("Rent", "## Events\n\n- berth:rent:start\n- berth:rent:end"))[
        0
    ].sections
    unasked = forms.fit(WeightedQuery("How do I pay the rent?"), section, 0)
    assert forms.fit(WeightedQuery("Which events?"), section, 0) > unasked + 2


def test_a_heading_is_not_what_is_asked_for_having_its_one_word() -> None:
    pages = sections.read(page("Islands", "## Adding an island rent\n\nThe list may be empty.\n"))
    (one,) = scoring.score(WeightedQuery("How do I rent?"), pages)
    (other,) = scoring.score(WeightedQuery("How do I rent an island?"), pages)
    assert one.features[scoring.HEADING] < 0.8 <= other.features[scoring.HEADING]


LISTING = page(
    "Harbour",
    """\
## Berths

Frequency of cleaning — Learn how often a berth should be cleaned.

Choosing a berth — Which berth fits a boat.
""",
)
RHYTHM = page(
    "Frequency of cleaning",
    "Whoever keeps a boat here cleans its place every month, and after each storm.",
)


def test_a_line_that_says_what_another_page_tells_gives_way_to_that_page() -> None:
    told = answer("How often should I clean my berth?", LISTING, RHYTHM)
    assert told.startswith("Whoever keeps a boat here cleans its place every month")


def test_a_line_of_a_list_of_pages_is_not_told_where_its_page_was_not_found() -> None:
    assert "fits a boat" not in answer("Which berth fits a boat?", LISTING, RHYTHM)


CHAPTERS = page(
    "Harbour handbook",
    """\
## Contents

What a mooring is

How a mooring is paid

## 1. What a mooring is

A mooring is a place where a boat is tied up.
""",
)


def test_a_line_of_a_table_of_contents_gives_way_to_its_chapter() -> None:
    assert answer("What is a mooring?", CHAPTERS) == "A mooring is a place where a boat is tied up."


def test_a_line_that_announces_another_page_is_not_told_where_that_page_is_there() -> None:
    overview = "# Shed\n\nPaint a bench twice — Paint all sides of a bench with two coats.\n"
    bench = "# Paint a bench twice\n\nSand it, and give it two coats.\n"
    told = answer(
        "How do I paint all sides of a bench?",
        page("Shed", overview),
        page("Paint a bench twice", bench),
    )
    assert told == "Sand it, and give it two coats."


def test_a_page_that_is_translated_in_part_answers_before_another_in_that_language() -> None:
    key = (
        "# 更改钥匙\n\nIt is a good idea to change a key from time to time.\n\n"
        "1. Open the box of the old key with the screwdriver.\n"
        "2. Put the new key in, and close the box with the screwdriver.\n"
    )
    good = "# 选择一把好钥匙\n\n好的钥匙不容易被别人更改：\n\n- 钥匙要长。\n- 钥匙要重。\n"
    told = answer("怎么更改钥匙?", page("更改钥匙", key), page("选择一把好钥匙", good))
    assert "Put the new key in" in told


def test_a_question_of_the_page_answers_nothing() -> None:
    text = "Does the fog bell sound?\n\nRing the fog bell at the pier. Does it sound? Then go."
    (section,) = sections.read(page("Fog", text))[0].sections
    assert [forms.is_scrap(whole) for whole in section.wholes] == [True, False]


def test_since_when_something_is_there_is_not_told_before_what_it_is() -> None:
    text = "## Drawing charts\n\nNew in version 3.4.0.\n\nOpen the map and press Chart.\n"
    assert answer("How do I draw a chart?", page("Charts", text)) == "Open the map and press Chart."
    assert "3.4.0" in answer("Since which version are there charts?", page("Charts", text))


KEYWORDS = page(
    "Harbour keywords",
    """\
| Keyword | Inside |
| --- | --- |
| anchor chain | yes |
| mooring line | yes |
| option tow boat | |
""",
)
REFERENCE = page(
    "Reference",
    "The harbour pulls ships in bad weather where the option tow boat was set before they came.",
)


def test_a_row_that_only_names_what_is_to_be_explained_gives_way() -> None:
    told = answer("What does the option tow boat do?", KEYWORDS, REFERENCE)
    assert told.startswith("The harbour pulls ships")


def test_a_list_with_its_lead_in_another_language_is_not_told_before_one_without() -> None:
    steps = (
        "1. Press the red button of the video camera until you hear a short beep.\n"
        "2. Press it again, and wait for the light of the video camera to go out.\n"
    )
    spanish = f"# Cámara\n\nPuede grabar un vídeo de lo que ocurre en su jardín:\n\n{steps}"
    english = f"# Camera\n\nYou can record what goes on in your garden:\n\n{steps}"
    told = answer("How do I make a video?", page("Cámara", spanish), page("Camera", english))
    assert told.startswith("You can")


def test_numbered_headings_of_other_pages_answer_nothing() -> None:
    index = page("Contents", "- 8.1 Common berths\n- 8.2 Renting a berth, changing a berth\n")
    rent = page("Renting", "You can rent a berth at the office, and another berth as well.")
    told = "You can rent a berth at the office, and another berth as well."
    assert answer("How do I rent a berth?", index, rent) == told


SAILS = page(
    "Storm sails",
    """\
# Storm sails

New in version 4.8.

The harbour lends storm sails to who has to leave in bad weather, and stores them for the winter.

## Simple storm sails

Simple storm sails are there to try storm sails out, and must not be used at sea.
""",
    size=30,
)


def test_a_special_case_of_what_is_to_be_defined_gives_way_to_what_opens_the_page() -> None:
    assert answer("What are storm sails?", SAILS[::-1]).startswith("The harbour lends")


@pytest.mark.parametrize(
    ("heading", "special"),
    [
        ("Simple storm sails", True),
        ("3. Storm sails", False),
        ("Overview", False),
        ("The storm sails option", False),
    ],
)
def test_a_heading_that_says_more_than_is_to_be_defined_is_a_special_case(
    heading: str, special: bool
) -> None:
    query = WeightedQuery("What are storm sails?")
    assert forms.is_special(query, "Storm sails", heading) is special
