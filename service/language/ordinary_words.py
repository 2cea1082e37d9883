"""Tell the ordinary words of a language from names, codes and slips of the pen.

``english_words.txt`` holds some 30,000 of the commonest English words of three letters and more,
short ones only of the commonest 5,000 (the others are abbreviations), in order of the alphabet
(``tests/training/derive_ordinary_words.py``; from the frequency dictionary of SymSpell, which
``NOTICE`` names). Of other languages only the function words are known.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterator
from typing import Final

from service.language import function_words, tags

_SLIPS: Final = 2


def is_ordinary(word: str, language: str) -> bool:
    """Tell whether *word*, in lower case, is one that everybody who writes *language* knows."""
    if word in function_words.of(language):
        return True
    return tags.base(language) == "en" and word in _english()


@functools.cache
def _english() -> frozenset[str]:
    file = importlib.resources.files("service.language").joinpath("english_words.txt")
    return frozenset(file.read_text("utf-8").split())


def like(word: str, language: str) -> Iterator[str]:
    """Yield the ordinary words of *language* that may be meant by *word*, in lower case.

    They begin alike, and two slips at most lie between their letters and their lengths.
    """
    if tags.base(language) != "en":
        return
    own, length = _letters(word), len(word)
    for begins in dict.fromkeys((word[:1], word[1:2])):
        for other, letters in _by_beginning().get(begins, ()):
            # A slip changes one letter for another at most; counting bits rules out the most.
            if abs(len(other) - length) <= _SLIPS and (own ^ letters).bit_count() <= 2 * _SLIPS:
                yield other


def _letters(word: str) -> int:
    """Return which of the letters a to z *word* has, a bit each."""
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) - ord("a"))
    return bits


@functools.cache
def _by_beginning() -> dict[str, tuple[tuple[str, int], ...]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for word in sorted(_english()):
        if word.isascii() and word.isalpha():
            found.setdefault(word[0], []).append((word, _letters(word)))
    return {letter: tuple(words) for letter, words in found.items()}
