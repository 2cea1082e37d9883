"""A query in the words of the pages that answer it."""

from __future__ import annotations

import pytest

from service.language.queries import page_words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("How many boats can I rent?", " maximum number limit quota"),
        ("How much fuel may a boat have?", " maximum number limit quota"),
        ("how long can a boat be", " maximum number limit quota"),
        ("How many boats are allowed?", " maximum number limit quota"),
        ("¿Cuántos barcos puedo alquilar?", " número máximo límite cuota"),
        ("Combien de bateaux peut-on louer ?", " nombre maximal limite quota"),
        ("Is Quay Planner free?", " free software license open source price plan"),
        ("¿Es gratis el plan gratuito?", " software libre licencia precio"),
        ("Ist der Plan kostenlos?", " freie Software Lizenz Preis"),
        ("I can't start my boat", " troubleshooting problem error cannot"),
        ("My boat doesn't start, what can I do?", " troubleshooting problem error cannot"),
        ("the engine of my boat is broken", " troubleshooting problem error cannot"),
        ("No puedo arrancar el barco", " solución problemas error"),
        ("Je n'arrive pas à démarrer", " dépannage problème erreur"),
        ("Ich kann das Boot nicht starten", " Fehlerbehebung Problem Fehler"),
        ("Wie viele Boote darf ich mieten?", " maximale Anzahl Grenze Kontingent"),
    ],
)
def test_it_is_worded_as_pages_word_it(query: str, words: str) -> None:
    assert page_words.of(query) == query + words


@pytest.mark.parametrize(
    "query",
    [
        "How many boats are there?",
        "Can I rent a boat?",
        "What if I do not pay?",
        "How many " + "boats " * 100,
    ],
)
def test_what_is_no_limit_is_not(query: str) -> None:
    assert page_words.of(query) == ""


@pytest.mark.parametrize("query", ["What is the maximum size?", "size limit", "How big can it be?"])
def test_a_limit_is_asked_by_its_name_as_well(query: str) -> None:
    assert page_words.ask_limit(query)
    assert not page_words.ask_limit("How big is it?")
