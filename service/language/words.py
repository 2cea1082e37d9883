"""Turn text into comparable terms and say how much each of them tells.

A term is a lower-case, accent-free stem; scripts that write no spaces give pairs of characters.
How much a term tells comes from ``commonness.txt``: the document frequencies of some 2,500 stems,
averaged over public help pages, encyclopaedia passages and personal-finance posts (only these
counts were kept, in steps of a quarter of a natural logarithm). A term that is not in it tells
most. ``function_words.txt`` lists, per language, the words that carry no meaning of their own.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs] - it ships no types

_SPACELESS: Final = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_WORD: Final = re.compile(
    rf"\d++(?:[.,:]\d+)*+(?![^\W\d_{_SPACELESS}])|[{_SPACELESS}]+"
    rf"|(?:(?![{_SPACELESS}])[^\W_])+(?:['’](?:(?![{_SPACELESS}])[^\W\d_])+)*"
)
_SPACED_WORD: Final = re.compile(r"\d++(?:[.,:]\d+)*+(?![^\W\d_])|[^\W_]+(?:['’][^\W\d_]+)*")
_ASCII_WORD: Final = re.compile(r"[0-9]++(?:[.,:][0-9]+)*+(?![A-Za-z])|[A-Za-z0-9]+(?:'[A-Za-z]+)*")
_SPACELESS_ONE: Final = re.compile(f"[{_SPACELESS}]")
_UNKNOWN: Final = 8.0
_REMEMBERED: Final = 1 << 16
_STEMMERS: Final = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


def words(text: str) -> list[str]:
    """Return the words of *text* as written; a run of a spaceless script as pairs of characters."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    if not _SPACELESS_ONE.search(text):
        return _SPACED_WORD.findall(text)
    found = list[str]()
    for word in _WORD.findall(text):
        if len(word) > 1 and _SPACELESS_ONE.match(word):
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.append(word)
    return found


def terms(text: str, language: str = "en") -> list[str]:
    """Return the terms of *text* in order, function words included."""
    known = _terms(language)
    return [known[word] for word in words(text)]


def telling(text: str, language: str = "en") -> list[str]:
    """Return the terms of *text* in order, function words left out."""
    return meant(words(text), language)


def meant(found: Iterable[str], language: str = "en") -> list[str]:
    """Return the terms of the words *found*, function words left out."""
    known = _telling(language)
    return [term for word in found if (term := known[word])]


def term(word: str, language: str = "en") -> str:
    """Return the term that *word* stands for."""
    return _terms(language)[word]


def function_words(language: str = "en") -> frozenset[str]:
    """Return the words of *language* that carry no meaning of their own, in lower case."""
    lists = _function_words()
    return lists.get(language.partition("-")[0], lists["en"])


def weight(term: str) -> float:
    """Return how much *term* tells: about 0 for what is everywhere, 8 for what is rare."""
    return _commonness().get(term, _UNKNOWN)


def total_weight(all_terms: Iterable[str]) -> float:
    """Return how much *all_terms* tell together."""
    known = _commonness()
    return sum([known.get(one, _UNKNOWN) for one in all_terms])


def language_of(text: str, default: str = "en") -> str:
    """Guess the language of *text* from its function words; *default* where they do not tell."""
    found = [word.lower() for word in words(text[:2000])]
    best, most = default, len(found) * 0.08
    for language, stops in _function_words().items():
        count = sum(word in stops for word in found) + (0.5 if language == default else 0)
        if count > most:
            best, most = language, count
    return best


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


@functools.cache
def _terms(language: str) -> _Remembered:
    return _Remembered(functools.partial(_term, language=_STEMMERS.get(language.partition("-")[0])))


@functools.cache
def _telling(language: str) -> _Remembered:
    stops, known = function_words(language), _terms(language)
    return _Remembered(lambda word: "" if word.lower() in stops else known[word])


def _term(word: str, language: str | None) -> str:
    lower = word.lower()
    if lower[0].isdecimal():
        return lower.replace(",", "") if lower[-1].isdecimal() else lower
    for ending in ("'s", "’s"):
        lower = lower.removesuffix(ending)
    if language is not None and len(lower) > 2:
        lower = _stemmers[language].stemWord(lower)
    if lower.isascii():
        return lower
    bare = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    return bare or lower


class _Stemmers(threading.local):
    """The stemmers of one thread, by language.

    A stemmer holds the word that it is at. Shared, it gave one thread what it made of another's
    word, and what it gave was remembered.
    """

    def __init__(self) -> None:
        self._made: dict[str, _Stemmer] = {}

    def __getitem__(self, language: str) -> _Stemmer:
        stemmer = self._made.get(language)
        if stemmer is None:
            stemmer = self._made[language] = cast(Any, snowballstemmer).stemmer(language)
        return cast("_Stemmer", stemmer)


_stemmers: Final = _Stemmers()


@functools.cache
def _commonness() -> dict[str, float]:
    """Read how much each common term tells: a line per level, the level first."""
    table: dict[str, float] = {}
    for level, *stems in _lists("commonness.txt"):
        table.update(dict.fromkeys(stems, float(level)))
    return table


@functools.cache
def _function_words() -> dict[str, frozenset[str]]:
    """Read the function words: a line per language, its code first."""
    return {language: frozenset(rest) for language, *rest in _lists("function_words.txt")}


def _lists(name: str) -> list[list[str]]:
    file = importlib.resources.files("service.language").joinpath(name)
    return [line.split() for line in file.read_text("utf-8").splitlines()]
