"""Words of texts, and the pieces that they are made of."""

from __future__ import annotations

import pytest

from service.language.meaning import word_pieces

NUMBERS = {"log": 1, "login": 2, "##in": 3, "##s": 4, "out": 5, "##out": 6}


def test_words_come_in_small_letters_without_accents_and_signs_alone() -> None:
    assert word_pieces.words("Don't re-open Café_1!", 9) == [
        *("don", "'", "t", "re", "-", "open", "cafe", "_", "1")
    ]


def test_no_more_words_are_read_than_asked_for() -> None:
    assert word_pieces.words("one two three", 2) == ["one", "two"]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("login", [2]),
        ("logins", [2, 4]),
        ("logout", [1, 6]),
        ("outlog", [5]),
        ("xyz", [word_pieces.UNKNOWN]),
        ("", [word_pieces.UNKNOWN]),
    ],
)
def test_a_word_is_cut_into_the_longest_known_pieces(word: str, pieces: list[int]) -> None:
    assert word_pieces.cut(word, NUMBERS) == pieces


def test_only_the_beginning_of_an_endless_word_is_cut() -> None:
    assert len(word_pieces.cut("log" + "s" * 10_000, NUMBERS)) < 50
