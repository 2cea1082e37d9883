"""Who asks how many there may be asks for a limit."""

from __future__ import annotations

import pytest

from service.language.queries import limits


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("How many boats can I rent?", " maximum number limit"),
        ("¿Cuántos barcos puedo alquilar?", " número máximo límite"),
        ("Combien de bateaux peut-on louer ?", " nombre maximal limite"),
        ("Wie viele Boote darf ich mieten?", " maximale Anzahl Grenze"),
    ],
)
def test_it_is_worded_as_pages_word_it(query: str, words: str) -> None:
    assert limits.asked_for(query) == query + words


@pytest.mark.parametrize(
    "query", ["How many boats are there?", "Can I rent a boat?", "How many " + "boats " * 100]
)
def test_what_is_no_limit_is_not(query: str) -> None:
    assert limits.asked_for(query) == ""
