"""Estimate how likely the sources answer a query at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from service.generation.extraction import forms
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import HEADING, PAIRS, ScoredWhole
from service.language.queries import word_roles
from service.language.question_kinds import QuestionKind

_ASKED: Final = 0.6
"""What stands under a heading that is so much like the topic says what the heading does."""
_ASIDE: Final = 0.15
"""What a word counts that no source has, and that a long message tells beside what it asks."""
_LOOKED_AT: Final = 40
"""Candidates that are looked at, the best first."""
BIAS: Final = -3.11
WEIGHTS: Final = (2.22, 2.26, 3.31)


class Evidence(NamedTuple):
    """What speaks for an answer, each from 0 to 1."""

    nearest: float
    """Share of the query that one whole says."""
    anywhere: float
    """Share of the query that all sources say."""
    together: float
    """Share of its neighbouring words that stand together."""


def evidence(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> Evidence:
    """Weigh what the *candidates* hold, the best first."""
    if not query.telling or not candidates or _names_another(query, candidates):
        return Evidence(0.0, 0.0, 0.0)
    nearest = together = 0.0
    everything = set[str]()
    for one in candidates[:_LOOKED_AT]:
        asked = query.asked(one.whole.known)
        if query.cue == "CLOCK" and forms.is_schedule(one.whole):
            asked |= query.asked(forms.said_by_hours(query.language))
        everything |= asked | query.asked(one.above)
        if one.features[HEADING] >= _ASKED:
            asked |= query.asked(one.above)
        nearest = max(nearest, math.fsum(query.telling[term] for term in asked))
        together = max(together, one.features[PAIRS])
    anywhere = math.fsum(query.telling[term] for term in everything)
    asides = word_roles.asides(query.text)
    unsaid = {t for t in query.telling if t not in everything and query.spelt(t) in asides}
    total = sum(w * (_ASIDE if t in unsaid else 1.0) for t, w in query.telling.items()) or 1.0
    return Evidence(nearest / total, anywhere / total, together)


def _names_another(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> bool:
    """Tell whether what is asked by its name is nowhere: no answer is about a thing like it."""
    if query.kind is not QuestionKind.IDENTIFIER:
        return False
    return not any(
        name.search(text)
        for name in query.identifiers
        for one in candidates
        for text in (one.page.title, *one.section.path, *(b.text for b in one.whole.blocks))
    )


def estimate(of: Evidence) -> float:
    """Return how likely that is an answer, 0..1."""
    linear = BIAS + sum(w * f for w, f in zip(WEIGHTS, of, strict=True))
    return 1 / (1 + math.exp(-linear))
