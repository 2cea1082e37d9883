"""Estimate how likely a chunk is to answer a query, from what of the query it holds.

A logistic model over a few statistics. Its weights were fitted on questions put to portals that
can and cannot answer them; they are shares and ratios, so that they hold for other portals.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from service.corpus.queries import Term


class Evidence(NamedTuple):
    """What speaks for a chunk."""

    covered: float
    """Share of the query's terms, by how telling they are, that the chunk has."""
    telling: float
    """How telling the covered terms are together, in nats."""
    strength: float
    """Score of the chunk beside the best that a chunk of this query could have."""
    unknown: float
    """Share of the query's terms that no document has."""
    size: float
    """How many terms the query has."""


def evidence(
    query: Sequence[Term], found: Collection[str], score: float, rarest: float
) -> Evidence:
    """Weigh a chunk with the terms *found* and the *score*.

    *rarest* is how telling a term is that no chunk of the data store has.
    """
    asked = [term for term in query if term.asked]
    total = sum(term.idf for term in asked)
    hit = sum(term.idf for term in asked if any(v in found for v in term.variants))
    weight = sum(term.weight * term.idf for term in query)
    missing = sum(1 for term in asked if term.idf >= rarest)
    return Evidence(
        covered=hit / total if total else 0.0,
        telling=hit,
        strength=score / weight if weight else 0.0,
        unknown=missing / len(asked) if asked else 1.0,
        size=len(asked),
    )


def estimate(of: Evidence) -> float:
    """Return the relevance that *of* stands for, 0 to 1."""
    signal = -6.0 + 4.0 * of.covered + 0.25 * of.telling + 1.0 * of.strength - 2.0 * of.unknown
    return 1 / (1 + math.exp(-signal))
