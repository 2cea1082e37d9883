"""The words that we translated."""

from __future__ import annotations

import pytest

from service.language import lexicon


@pytest.mark.parametrize("language", ["es", "fr", "de", "it", "pt", "zh", "ja", "ko"])
def test_each_line_has_all_columns_and_each_entry_english_words(language: str) -> None:
    for entry in lexicon.entries(language):
        assert entry.text.strip() == entry.text != ""
        assert entry.english
        assert all(word and word == word.lower() for one in entry.english for word in one)


def test_it_tells_which_languages_have_a_word() -> None:
    assert lexicon.languages_of()["bloquear"] == {"es", "pt"}
    assert lexicon.languages_of()["führerschein"] == {"de"}
