"""Estimate how likely a chunk is to answer a query, from what of the query it holds.

A logistic model over three statistics that mean the same in every data store and language. Its
weights were fitted on questions put to portals that can and to portals that cannot answer them,
each portal judged by a model that had not seen it (area under the curve 0.975).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from service.corpus.tantivy.query_terms import QueryTerm

_ENOUGH: Final = 3.0
"""Words of a query that do not meet in one chunk by chance; more of them prove nothing more."""
_BRIEF: Final = 0.35
"""How much of what a short query lacks to that is made good when all of it is met."""

_SAYS_ENOUGH: Final = 0.8
"""A query is about something by itself whose words tell as much as so many unknown ones."""
_TOPIC: Final = 0.4
"""A term of the context that weighs as much counts like one of a query that says little."""

_BIAS: Final = -4.39
_OF_STRENGTH: Final = 1.19
_OF_MET: Final = 1.92
_OF_RARITY: Final = -4.73

_OF_MEANING: Final = 10.0
"""What a cosine adds to the logarithm of the odds: a tenth more makes them 2.7 times as good."""
_MEANT: Final = 0.45
"""The cosine that speaks neither for nor against a chunk."""


class RelevanceFeatures(NamedTuple):
    """What speaks for a chunk; terms of the context count as far as they weigh."""

    strength: float
    """Score of the chunk, beside how telling the query is."""
    met: float
    """How many terms of the query the chunk has, at most three."""
    rarity: float
    """How rare the terms of the query are, found or not: 0 everyday words here, 1 unknown."""


def evidence(
    query: Sequence[QueryTerm], found: Collection[str], score: float, rarest: float
) -> RelevanceFeatures:
    """Weigh a chunk with the terms *found* and the *score*.

    A query is judged by its own words; one that says little, by those of its context too.
    *rarest* is how telling a term is that no chunk of the data store has.
    """
    own = [term for term in query if term.own]
    says_enough = sum(min(1.0, term.own) * term.idf for term in own) >= _SAYS_ENOUGH * rarest
    judged = own if says_enough else query
    counts = {term.variants: min(1.0, term.weight / _TOPIC) for term in judged}
    weight = sum(counts.values())
    telling = sum(counts[term.variants] * term.idf for term in judged)
    if not telling or not rarest:
        return RelevanceFeatures(0.0, 0.0, 1.0)
    met = sum(counts[term.variants] for term in judged if _has(term, found))
    if met == weight < _ENOUGH:
        met += _BRIEF * (_ENOUGH - weight)  # a short query that is met as a whole
    scored = sum(t.weight * t.idf for t in query if _has(t, found)) or 1.0
    share = sum(t.weight * t.idf for t in judged if _has(t, found)) / scored
    return RelevanceFeatures(
        strength=score * share / sum(term.weight * term.idf for term in judged),
        met=min(_ENOUGH, met),
        rarity=telling / weight / rarest,
    )


def _has(term: QueryTerm, found: Collection[str]) -> bool:
    return any(variant in found for variant in term.variants)


def estimate(of: RelevanceFeatures) -> float:
    """Return the relevance that *of* stands for, 0 to 1."""
    signal = _BIAS + _OF_STRENGTH * of.strength + _OF_MET * of.met + _OF_RARITY * of.rarity
    return 1 / (1 + math.exp(-signal))


def with_meaning(relevance: float, cosine: float | None) -> float:
    """Return the *relevance* by words in the light of how near the meaning of the chunk lies.

    The weight was fitted with the local model; see ``tests/training/fit_relevance_by_meaning.py``.
    """
    if cosine is None:
        return relevance
    words = min(1 - 1e-9, max(1e-9, relevance))
    signal = math.log(words / (1 - words)) + _OF_MEANING * (cosine - _MEANT)
    return 1 / (1 + math.exp(-signal))
