"""Tell from the languages of its documents which ones a data store speaks."""

from __future__ import annotations

import collections
from typing import Final, NamedTuple

from service.language import tags

_LANGUAGES: Final = 3
"""Languages of a data store that a query is stemmed for, the commonest ones."""
_SPOKEN: Final = 0.02
"""The share of the documents from which on the store speaks a language: a stray page is none, or
one taken for another language than it is in."""


class StoreLanguages(NamedTuple):
    """The commonest languages of documents, and without regions all that a share of them is in."""

    common: tuple[str, ...]
    spoken: frozenset[str]


def of(counts: collections.Counter[str]) -> StoreLanguages:
    """Return the languages that so many documents are in, by *counts*."""
    there = [language for language, count in counts.most_common() if count > 0]
    least = _SPOKEN * counts.total()
    spoken = (tags.base(language) for language in there if counts[language] >= least)
    return StoreLanguages(tuple(there[:_LANGUAGES]), frozenset(spoken))
