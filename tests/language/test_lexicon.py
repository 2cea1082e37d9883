"""The words that we translated."""

from __future__ import annotations

from service.language import lexicon


def test_each_line_has_all_columns_and_each_entry_english_words() -> None:
    for entry in lexicon.entries():
        assert entry.text.strip() == entry.text != ""
        assert entry.english
        assert all(word and word == word.lower() for one in entry.english for word in one)


def test_it_tells_which_languages_have_a_word() -> None:
    assert lexicon.languages_of()["bloquear"] == {"es", "pt"}
    assert lexicon.languages_of()["führerschein"] == {"de"}
