"""What words and phrases of eight languages are in English, as we translated them.

``lexicon.txt`` holds what visitors of portals ask about, kept by hand: a line has the English, then
Spanish, French, German, Italian, Portuguese, Chinese, Japanese and Korean. Words in a column are
called alike in what follows; those of a phrase stand with underscores between them. A word may
stand in several lines.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

_COLUMNS: Final = ("es", "fr", "de", "it", "pt", "zh", "ja", "ko")
"""The languages of the columns behind the English one."""

English = tuple[str, ...]
"""The words of one translation, in their order, in lower case."""


class Entry(NamedTuple):
    """A word or phrase of a language, and what it is in English, each way to say it."""

    language: str
    text: str
    english: Sequence[English]


def entries() -> Iterator[Entry]:
    """Yield all that is known, in the order of the file."""
    file = importlib.resources.files("service.language").joinpath("lexicon.txt")
    for line in file.read_text("utf-8").splitlines():
        english, *columns = line.split("|")
        called = [tuple(one.split("_")) for one in english.split()]
        for language, column in zip(_COLUMNS, columns, strict=True):
            for word in column.split():
                yield Entry(language, word.replace("_", " "), called)


@functools.cache
def languages_of() -> Mapping[str, frozenset[str]]:
    """Return which languages have each word of the lexicon, as it is written there."""
    found: dict[str, frozenset[str]] = {}
    for entry in entries():
        for word in entry.text.split():
            found[word] = found.get(word, frozenset()) | {entry.language}
    return found
