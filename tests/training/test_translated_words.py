"""What is learnt of words from messages and their translations."""

from __future__ import annotations

import pytest

from tests.training import translated_words

MESSAGES = [
    ("Delete the account", "Konto löschen"),
    ("Delete the file", "Datei löschen"),
    ("Open the account", "Konto öffnen"),
    ("Open the files", "Dateien öffnen"),
]


def test_a_word_is_what_explains_it_oftenest() -> None:
    pytest.importorskip("numpy")
    learnt = translated_words.aligned(MESSAGES * 3, "de")
    english = {word: one.translations[0].english for word, one in learnt.items()}
    assert english == {"konto": "account", "löschen": "delete", "datei": "file", "öffnen": "open"}
    assert learnt["datei"].times == 6  # with its plural


def test_our_own_translations_have_a_column_for_each_language() -> None:
    own = translated_words.own()
    assert all(own[language] for language in ("es", "fr", "de", "it", "pt", "zh", "ja", "ko"))
    assert ("password", "mot de passe") in own["fr"]
