"""What a comparison compares."""

from __future__ import annotations

import pytest

from service.generation.extraction.queries import compared
from tests.generation.extraction.pages import answer, page

BOATS = page(
    "Ferries",
    "A ferry is a boat that carries cars from one shore to the other.\n\nThe ferry to the island "
    "makes no difference between guests and residents.\n",
)
LIGHTERS = page("Lighters", "A lighter is a barge without an engine that others pull.\n")


@pytest.mark.parametrize(
    ("topic", "language", "told"),
    [
        ("a ferry and a lighter", "en", ("ferry", "lighter")),
        ("security key vs face or touch unlock", "en", ("security key", "face or touch unlock")),
        ("scale from crop", "en", ("scale", "crop")),
        ("stable, testing and unstable", "en", None),
        ("einer Fähre und einem Leichter", "de", ("Fähre", "Leichter")),
        ("ferries", "en", None),
        ("Should I use a ferry or a lighter", "en", ("ferry", "lighter")),
    ],
)
def test_two_things_are_compared(topic: str, language: str, told: tuple[str, str] | None) -> None:
    assert compared.sides(topic, language) == told


def test_each_thing_is_told_where_no_page_compares_them() -> None:
    told = answer("What is the difference between a ferry and a lighter?", BOATS, LIGHTERS)
    assert "carries cars" in told
    assert "without an engine" in told
