"""Which words everybody knows."""

from __future__ import annotations

import pytest

from service.language import ordinary_words


@pytest.mark.parametrize(
    ("word", "language", "ordinary"),
    [
        ("password", "en", True),
        ("bread", "en-US", True),
        ("the", "en", True),
        ("pasword", "en", False),
        ("zx77q", "en", False),
        ("para", "es", True),
        ("password", "es", False),
    ],
)
def test_ordinary_words_are_told_from_names_and_slips(
    word: str, language: str, ordinary: bool
) -> None:
    assert ordinary_words.is_ordinary(word, language) is ordinary
