"""A text is told in the language of its reader, else in one that it has."""

from __future__ import annotations

import pytest

from service.portal import localized_text


@pytest.mark.parametrize(
    ("language", "text"),
    [("es", "hola"), ("es-MX", "hola"), ("pt", "olá"), ("pt-br", "oi"), ("fr", "hi"), ("", "hi")],
)
def test_a_wording_is_chosen_by_language(language: str, text: str) -> None:
    wording = {"es": "hola", "pt": "olá", "pt-BR": "oi", "en": "hi"}
    assert localized_text.in_language(wording, language) == text


def test_a_wording_without_english_is_told_in_the_language_it_has() -> None:
    assert localized_text.in_language({"de": "hallo"}, "fr") == "hallo"


def test_a_text_for_everybody_is_told_in_every_language() -> None:
    assert localized_text.in_language("hi", "fr") == "hi"


@pytest.mark.parametrize("wording", ["", "hi", {"en": "hi", "pt-BR": "oi", "zh-Hant-TW": "嗨"}])
def test_tags_of_languages_are_accepted(wording: localized_text.Wording) -> None:
    localized_text.check_languages(wording)


@pytest.mark.parametrize("wording", [{}, {"english": "hi"}, {"": "hi"}, {"EN": "hi"}])
def test_what_names_no_language_is_refused(wording: localized_text.Wording) -> None:
    with pytest.raises(ValueError, match="language"):
        localized_text.check_languages(wording)
