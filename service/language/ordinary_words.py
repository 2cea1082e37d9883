"""Tell the ordinary words of a language from names, codes and slips of the pen.

``english_words.txt`` holds some 30,000 of the commonest English words of three letters and more,
short ones only of the commonest 5,000 (the others are abbreviations), in order of the alphabet
(``tests/training/derive_ordinary_words.py``; from the frequency dictionary of SymSpell, which
``NOTICE`` names). Of other languages only the function words are known.
"""

from __future__ import annotations

import functools
import importlib.resources

from service.language import function_words, tags


def is_ordinary(word: str, language: str) -> bool:
    """Tell whether *word*, in lower case, is one that everybody who writes *language* knows."""
    if word in function_words.of(language):
        return True
    return tags.base(language) == "en" and word in _english()


@functools.cache
def _english() -> frozenset[str]:
    file = importlib.resources.files("service.language").joinpath("english_words.txt")
    return frozenset(file.read_text("utf-8").split())


def beginning_with(letters: str, language: str) -> tuple[str, ...]:
    """Return the ordinary words of *language* that begin with these two *letters*."""
    return _by_beginning().get(letters, ()) if tags.base(language) == "en" else ()


@functools.cache
def _by_beginning() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in sorted(_english()):
        found.setdefault(word[:2], []).append(word)
    return {letters: tuple(words) for letters, words in found.items()}
