"""Let what the first wholes mean count beside their words, where a model can compare them.

A model that embeds tells how near each of them is to the question. What counts is how far a whole
stands out from the others, not the cosine itself, as each model has a scale of its own.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Final

from service.generation.extraction.scoring import ScoredWhole

MOST: Final = 10
"""Wholes that are compared: the first ones by their words."""
LONGEST: Final = 600
"""Characters of a whole, with its headings, that are compared."""
WEIGHT: Final = 1.8
"""What it says for a whole to stand out by the standard deviation of all that are compared.

Of 1,151 questions over eighteen portals, each portal by a weight that was fitted without it, the
right whole comes first for 632 by words alone, for 669 with the cosines of all-MiniLM-L6-v2 and for
640 with those of universal-sentence-encoder-multilingual 3, for which 1.2 is enough.
"""
_EVEN: Final = 0.02
"""Added to that deviation: where all are about as near, none stands out."""


def text(one: ScoredWhole) -> str:
    """Return what of a whole is compared: its title and headings, and the beginning of itself."""
    above = ": ".join(dict.fromkeys((one.page.title, *one.section.path)))
    return f"{above}\n{one.whole.text}"[:LONGEST]


def reordered(ranked: Sequence[ScoredWhole], cosines: Mapping[str, float]) -> Sequence[ScoredWhole]:
    """Return *ranked* with what *cosines* tell of the `text` of the first ones; the best first."""
    first = ranked[:MOST]
    known = [cosines[text(one)] for one in first if text(one) in cosines]
    if len(known) < 2:
        return ranked
    mean, deviation = statistics.fmean(known), statistics.pstdev(known) + _EVEN
    weighed = [
        one._replace(score=one.score + WEIGHT * (cosines.get(text(one), mean) - mean) / deviation)
        for one in first
    ]
    return [*sorted(weighed, key=lambda one: -one.score), *ranked[MOST:]]
