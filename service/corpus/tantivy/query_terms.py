"""Turn what a user asks into weighted terms."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from service.corpus.index import SearchContext
from service.language import detection, function_words, index_terms

MOST: Final = 48
"""Terms of a query that are searched for, the most telling ones: bounds what a query costs."""
_LENGTH: Final = 4_000
"""Characters of a query, and of each text of its context, that are looked at."""
_EARLIER: Final = 0.4
"""What a term of the query before weighs beside one of the query; .3 to .5 find as much."""
_FADING: Final = 0.75
"""What each earlier query weighs beside the one after it; .7 to .8 find as much."""
_ANSWERED: Final = 0.05
"""What a term of the last answer weighs: .35 leads queries back to it, 0 loses those that reply."""
_SAID: Final = 10
"""Terms of a text that count in full; those of a longer one share that much between them."""
_FAINTEST: Final = 0.02

Idf = Callable[[Sequence[str]], float]


class QueryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """One word asked for; *variants* are its stems in the languages of the documents.

    *own* is how often the query itself has it, 0 where only its context does.
    """

    variants: tuple[str, ...]
    weight: float
    idf: float
    own: float = 0.0


def analyse(
    query: str, context: SearchContext, languages: Sequence[str], idf: Idf
) -> list[QueryTerm]:
    """Return the terms of *query* and, weighing less, of its *context*.

    *languages* are the languages of the documents. Words that say nothing about the topic are left
    out, unless the query has no others.
    """
    own = collections.Counter(_telling(query, languages))
    weights = dict[tuple[str, ...], float](own)
    for text, weight in _weighted(context):
        said = dict.fromkeys(_telling(text, languages))
        share = weight * min(1.0, _SAID / max(1, len(said)))
        for variants in said:
            weights[variants] = weights.get(variants, 0.0) + share
    found = [
        QueryTerm(variants=variants, weight=weight, idf=idf(variants), own=own[variants])
        for variants, weight in weights.items()
    ]
    if len(found) > MOST:
        found.sort(key=lambda term: -term.weight * term.idf)
    return found[:MOST]


def _weighted(context: SearchContext) -> Iterator[tuple[str, float]]:
    """Yield the texts of *context* with what a term of each weighs."""
    if context.answer:
        yield context.answer, _ANSWERED
    weight = _EARLIER
    for query in context.queries:
        if weight < _FAINTEST:
            return
        yield query, weight
        weight *= _FADING


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
