"""Tests of German verbs that stand in two parts."""

from __future__ import annotations

import time

import pytest

from service.language.queries import separable_verbs


@pytest.mark.parametrize(
    ("query", "whole"),
    [
        ("Wie schalte ich das Licht aus?", "ausschalte"),
        ("Wie startet man die Pumpe neu?", "neustartet"),
        ("Wie setze ich mein Passwort zurück und wo?", "zurücksetze"),
        ("Geht das, ohne die Pumpe neu zu starten?", "neustarten"),
        ("Geht das, ohne sich anzumelden?", "anmelden"),
    ],
)
def test_a_verb_is_read_with_its_prefix(query: str, whole: str) -> None:
    assert whole in separable_verbs.joined(query, "de-CH").replace("?", "").split()


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("Wie komme ich zu einem Ausweis?", "de"),
        ("Ist die Karte schon ab?", "de"),
        ("Welche Nachrichten gibt es?", "de"),
        ("Wie mache ich weiter?", "de"),
        ("¿Cómo voy a una oficina?", "es"),
        ("", "de"),
    ],
)
def test_what_makes_no_verb_stays_as_it_is(query: str, language: str) -> None:
    assert separable_verbs.joined(query, language) == query


def test_a_long_query_is_read_at_once() -> None:
    began = time.thread_time()
    separable_verbs.joined("mache weiter " * 30, "de")
    separable_verbs.joined("weiter " * 10_000, "de")
    assert time.thread_time() - began < 1
