"""What a passage says before it comes to the point."""

from __future__ import annotations

import pytest

from tests.generation.extraction.pages import answer, page

HISTORY = (
    "The ferry has been part of the town for as long as anybody remembers, and many songs are sung "
    "of it. Its first captain was a miller, who is painted on the wall of the hall. "
    "Visitors come from far away to look at the old boat."
)
POINT = "The ferry does not sail in winter because ice blocks the river. Ask at the pier in spring."


@pytest.fixture
def ferry() -> str:
    return f"## The ferry in winter\n\n{HISTORY} {POINT}\n"


def test_is_left_out_of_a_long_answer(ferry: str) -> None:
    assert answer("Why does the ferry not sail in winter?", page("Ferry", ferry)) == POINT


def test_is_told_where_it_is_short() -> None:
    text = f"## The ferry in winter\n\nThe ferry is old. {POINT}\n"
    told = answer("Why does the ferry not sail in winter?", page("Ferry", text))
    assert told == f"The ferry is old. {POINT}"


def test_is_told_before_what_leans_on_it() -> None:
    text = f"## The ferry in winter\n\n{HISTORY} It does not sail in winter because of the ice.\n"
    told = answer("Why does the ferry not sail in winter?", page("Ferry", text))
    assert "miller" in told


def test_is_left_out_by_its_words_where_yes_or_no_is_asked() -> None:
    """Nothing is known of what German words mean."""
    before = (
        "Die Fähre bringt Autos, Karren und Wanderer vom frühen Morgen bis zum Abend über den"
        " Fluss. Wer mitfahren will, wartet hinter der weißen Linie, bis der Lotse das Tor öffnet."
    )
    point = "Hunde dürfen angeleint an Bord. Den Maschinenraum betritt allein die Mannschaft."
    text = f"## Die Fähre\n\n{before} Auf dem Oberdeck wird im Winter nur selten geheizt. {point}\n"
    told = answer("Dürfen Hunde an Bord?", page("Fluss", text))
    assert told == point
