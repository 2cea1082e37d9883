"""Turn text into comparable terms, and say how much each of them tells.

A term is a folded stem (`stemming`); scripts that write no spaces give pairs of characters. The
content terms of a text are those of the words that are no function words.

How much a term tells comes from ``commonness.txt``: the document frequencies of some 2,500 stems,
averaged over public help pages, encyclopaedia passages and personal-finance posts (only these
counts were kept, in steps of a quarter of a natural logarithm). A term that is not in it tells
most.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Callable, Iterable
from typing import Final

from service.language import function_words, stemming
from service.language.words import words

_UNKNOWN: Final = 8.0
"""What a term tells that is not in ``commonness.txt``, whose rarest tell 6.5."""
_REMEMBERED: Final = 1 << 16
"""Words of a language whose terms are kept: more than a portal uses, and a bound all the same."""


def all_of(text: str, language: str = "en") -> list[str]:
    """Return the terms of *text* in order, function words included."""
    known = _terms(language)
    return [known[word] for word in words(text)]


def of(text: str, language: str = "en") -> list[str]:
    """Return the terms of *text* in order, function words left out."""
    return of_words(words(text), language)


def of_words(found: Iterable[str], language: str = "en") -> list[str]:
    """Return the terms of the words *found*, function words left out."""
    known = _content_terms(language)
    return [term for word in found if (term := known[word])]


def spelt(found: Iterable[str], language: str = "en") -> list[tuple[str, str]]:
    """Return the terms of the words *found*, each with its word; function words left out."""
    known = _content_terms(language)
    return [(term, word) for word in found if (term := known[word])]


def term_of(word: str, language: str = "en") -> str:
    """Return the term that *word* stands for."""
    return _terms(language)[word]


@functools.lru_cache(maxsize=1 << 13)
def is_function_word(word: str, language: str = "en") -> bool:
    """Tell whether *word* carries a sentence and not its topic."""
    found = words(word)
    return bool(found) and not of_words(found, language)


def weight(term: str) -> float:
    """Return how much *term* tells: about 0 for what is everywhere, 8 for what is rare."""
    return _commonness().get(term, _UNKNOWN)


def total_weight(all_terms: Iterable[str]) -> float:
    """Return how much *all_terms* tell together."""
    known = _commonness()
    return sum([known.get(one, _UNKNOWN) for one in all_terms])


class _Remembered(dict[str, str]):
    """Words with what was made of them; starts anew when it is full."""

    def __init__(self, make: Callable[[str], str]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        made = self[word] = self._make(word)
        return made


@functools.lru_cache(maxsize=64)  # callers name languages as they like
def _terms(language: str) -> _Remembered:
    return _Remembered(functools.partial(_term, language=language))


@functools.lru_cache(maxsize=64)
def _content_terms(language: str) -> _Remembered:
    empty, known = function_words.stems(language), _terms(language)
    return _Remembered(lambda word: "" if known[word] in empty else known[word])


def _term(word: str, language: str) -> str:
    if word[0].isdecimal() and word[-1].isdecimal():
        return word.replace(",", "")
    # Of "driver's", "l'identité" and "don't" the part that tells: the longest.
    return max(stemming.stems(word, language), key=len, default=word.lower())


@functools.cache
def _commonness() -> dict[str, float]:
    """Read how much each common term tells: a line per level, the level first."""
    file = importlib.resources.files("service.language").joinpath("commonness.txt")
    lines = (line.split() for line in file.read_text("utf-8").splitlines())
    return {stem: float(level) for level, *stems in lines for stem in stems}
