"""Who asks how many there may be asks for a limit."""

from __future__ import annotations

import pytest

from service.language.queries import limits


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("How many boats can I rent?", " maximum number limit quota"),
        ("How much fuel may a boat have?", " maximum number limit quota"),
        ("how long can a boat be", " maximum number limit quota"),
        ("How many boats are allowed?", " maximum number limit quota"),
        ("¿Cuántos barcos puedo alquilar?", " número máximo límite cuota"),
        ("Combien de bateaux peut-on louer ?", " nombre maximal limite quota"),
        ("Wie viele Boote darf ich mieten?", " maximale Anzahl Grenze Kontingent"),
    ],
)
def test_it_is_worded_as_pages_word_it(query: str, words: str) -> None:
    assert limits.asked_for(query) == query + words


@pytest.mark.parametrize(
    "query", ["How many boats are there?", "Can I rent a boat?", "How many " + "boats " * 100]
)
def test_what_is_no_limit_is_not(query: str) -> None:
    assert limits.asked_for(query) == ""


@pytest.mark.parametrize("query", ["What is the maximum size?", "size limit", "How big can it be?"])
def test_a_limit_is_asked_by_its_name_as_well(query: str) -> None:
    assert limits.are_asked(query)
    assert not limits.are_asked("How big is it?")
