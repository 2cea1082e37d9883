"""What undoes what."""

from __future__ import annotations

import pytest

from service.generation.extraction.opposites import are_opposite, sides


@pytest.mark.parametrize(
    ("query", "heading", "language"),
    [
        ("How do I get back a photo I erased?", "Erasing photos", "en"),
        ("how do i turn on the light", "Turning off the light", "en"),
        ("How do I share a photo?", "Stop sharing photos", "en"),
        ("¿Cómo elimino mi cuenta?", "Crear una cuenta", "es"),
        ("Wie kann ich das Konto löschen?", "Konto anlegen", "de"),
    ],
)
def test_what_does_the_one_undoes_the_other(query: str, heading: str, language: str) -> None:
    assert are_opposite(sides(query, language), sides(heading, language))


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("How do I get back a photo I erased?", "Restore an erased photo"),
        ("How do I delete my account?", "Remove an account"),
        ("How do I delete my account?", "Accounts"),
        ("", "Delete"),
    ],
)
def test_what_does_the_same_or_something_else_undoes_nothing(query: str, heading: str) -> None:
    assert not are_opposite(sides(query, "en"), sides(heading, "en"))


def test_a_language_without_a_list_has_no_sides() -> None:
    assert not sides("delete", "ja")
