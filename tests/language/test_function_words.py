"""The list of function words."""

from __future__ import annotations

import pytest

from service.language import function_words, stemming, words

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt", "zh")


def test_there_is_one_list_for_each_language() -> None:
    assert tuple(sorted(function_words.by_language())) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_a_word_as_texts_are_cut_into(language: str) -> None:
    """Otherwise it would never be met."""
    for word in function_words.of(language):
        assert words.words(word) == [word]
        assert word == word.lower()
        assert len(stemming.stems(word, language)) == 1


def test_a_tag_with_a_region_has_the_words_of_its_language() -> None:
    assert function_words.of("pt-BR") == function_words.of("pt") != frozenset()
    assert function_words.stems("PT_br") == function_words.stems("pt")


def test_a_language_without_a_list_has_none() -> None:
    assert function_words.of("sv") == function_words.stems("sv") == frozenset()


@pytest.mark.parametrize("word", ["id", "bill", "fee", "card", "state", "answer", "sort"])
def test_what_a_portal_is_asked_for_is_none(word: str) -> None:
    assert word not in function_words.stems("en")
