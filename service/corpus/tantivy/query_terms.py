"""Turn what a user asks into weighted terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from service.language import detection, function_words, index_terms

MOST: Final = 48
"""Terms of a query that are searched for, the most telling ones: bounds what a query costs."""
_LENGTH: Final = 4_000
"""Characters of a query, and of each text of its context, that are looked at."""
_CONTEXT: Final = 0.35
"""What a term of the latest text of the context weighs beside one of the query."""
_FADING: Final = 0.75
"""What each text weighs beside the one after it."""
_SAID: Final = 10
"""Terms of a text that count in full; those of a longer one share that much between them."""
_FAINTEST: Final = 0.02

Idf = Callable[[Sequence[str]], float]


class QueryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """One word asked for; *variants* are its stems in the languages of the documents."""

    variants: tuple[str, ...]
    weight: float
    idf: float


def analyse(
    query: str, context: Sequence[str], languages: Sequence[str], idf: Idf
) -> list[QueryTerm]:
    """Return the terms of *query* and, weighing less, of *context*, whose latest text is first.

    *languages* are the languages of the documents. Words that say nothing about the topic are left
    out, unless the query has no others.
    """
    weights: dict[tuple[str, ...], float] = {}
    for variants in _telling(query, languages):
        weights[variants] = weights.get(variants, 0.0) + 1.0
    weight = _CONTEXT
    for text in context:
        said = dict.fromkeys(_telling(text, languages))
        share = weight * min(1.0, _SAID / max(1, len(said)))
        for variants in said:
            weights[variants] = weights.get(variants, 0.0) + share
        weight *= _FADING
        if weight < _FAINTEST:
            break
    found = [
        QueryTerm(variants=variants, weight=weight, idf=idf(variants))
        for variants, weight in weights.items()
    ]
    if len(found) > MOST:
        found.sort(key=lambda term: -term.weight * term.idf)
    return found[:MOST]


def _telling(text: str, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words of *text*, each as its stems, without those that only carry it."""
    text = text[:_LENGTH]
    default = languages[0] if languages else "en"
    stemmed_in = tuple(dict.fromkeys((*languages, detection.detect(text, default))))
    stems = [index_terms.of(text, language) for language in stemmed_in]
    empty = [function_words.stems(language) for language in stemmed_in]
    words = list(zip(*stems, strict=False))
    telling = [
        word
        for word in words
        if not any(stem in words for stem, words in zip(word, empty, strict=True))
    ]
    return [tuple(dict.fromkeys(word)) for word in telling or words]
