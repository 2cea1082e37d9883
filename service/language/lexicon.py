"""What words and phrases of eight languages are in English, as we translated them.

``lexicon.txt`` holds what visitors of portals ask about, kept by hand: a line has the English, then
Spanish, French, German, Italian, Portuguese, Chinese, Japanese and Korean. Words in a column are
called alike in what follows; those of a phrase stand with underscores between them. A word may
stand in several lines.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple

_COLUMNS: Final = ("es", "fr", "de", "it", "pt", "zh", "ja", "ko")
"""The languages of the columns, in their order, behind the English one."""

English = tuple[str, ...]
"""The words of one translation, in their order, in lower case."""


class Entry(NamedTuple):
    """A word or phrase of a language, and what it is in English, each way to say it."""

    text: str
    english: Sequence[English]


def entries(language: str) -> Iterator[Entry]:
    """Yield all that is known of *language*, in the order of the file; nothing of others."""
    if language not in _COLUMNS:
        return
    at = _COLUMNS.index(language)
    for english, columns in _lines():
        for word in columns[at].split():
            yield Entry(word.replace("_", " "), english)


@functools.cache
def languages_of() -> Mapping[str, Set[str]]:
    """Return which languages have each word of the lexicon, as it is written there."""
    found: dict[str, set[str]] = {}
    for _, columns in _lines():
        for language, column in zip(_COLUMNS, columns, strict=True):
            for word in column.replace("_", " ").split():
                found.setdefault(word, set()).add(language)
    return found


@functools.cache
def _lines() -> Sequence[tuple[Sequence[English], Sequence[str]]]:
    """Return the lines of the file: what each is in English, and its columns."""
    file = importlib.resources.files("service.language").joinpath("lexicon.txt")
    lines = (line.split("|") for line in file.read_text("utf-8").splitlines())
    return [
        ([tuple(one.split("_")) for one in english.split()], columns) for english, *columns in lines
    ]
