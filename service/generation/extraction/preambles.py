"""Leave out what a passage says before it comes to the point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements import worth
from service.generation.extraction.statements.runs import Quote
from service.language import content_terms, tags
from service.language.meaning import nearness
from service.language.question_kinds import QuestionKind as Q

_AT_LENGTH: Final = frozenset((Q.HOW_TO, Q.LIST, Q.COMPARISON, Q.DEFINITION))
"""Kinds of which the beginning of a passage is part of the answer."""
_PROSE: Final = frozenset((BlockKind.TEXT, BlockKind.LEAD, BlockKind.DEFINITION, BlockKind.NOTE))
_LONG: Final = 300
"""Characters of an answer that one hears to its end."""
_PREAMBLE: Final = 150
"""Characters before the point that are felt."""
_NEAR: Final = 0.1
"""How much less near the query than the nearest sentence the first one to be told may be."""
_SAYS: Final = 0.15
"""How much less of it than the best sentence that one may say."""


def without(
    query: WeightedQuery, told: Sequence[list[Quote]], *, meant: bool = True
) -> list[list[Quote]]:
    """Return what is *told* from its first sentence on that is about as near *query* as any.

    That is by what they mean, if it is *meant*, and where "yes" or "no" is asked by their words.
    What the sentence leans on stays before it. Nothing is left out of an answer that is short, or
    no prose.
    """
    quotes = [quote for part in told for quote in part]
    prose = all(quote.block.kind in _PROSE and not quote.said for quote in quotes)
    if not prose or sum(len(quote.text) for quote in quotes) <= _LONG:
        return list(told)
    at = _by_meaning(query, quotes) if meant else 0
    if not at and query.kind is Q.YES_NO:
        at = _by_words(query, quotes)
    left_out = {id(quote) for quote in quotes[:at]}
    kept = ([quote for quote in part if id(quote) not in left_out] for part in told)
    return [part for part in kept if part]


def _by_meaning(query: WeightedQuery, quotes: Sequence[Quote]) -> int:
    """Return how many of *quotes* come before the point by what they mean.

    None do of what goes on with a turn before, nor in a language whose meanings are not known.
    """
    if query.kind in _AT_LENGTH or query.goes_on or tags.base(query.language) != nearness.LANGUAGE:
        return 0
    return _before(quotes, nearness.nearness(query.text, [quote.text for quote in quotes]), _NEAR)


def _by_words(query: WeightedQuery, quotes: Sequence[Quote]) -> int:
    """Return how many of *quotes* come before the point by what of *query* they say."""
    values = [
        worth.worth(query, quote.text, content_terms.of(quote.text, query.language))
        for quote in quotes
    ]
    return _before(quotes, values, _SAYS)


def _before(quotes: Sequence[Quote], values: Sequence[float], margin: float) -> int:
    """Return where of *quotes* the first stands that is worth the best of *values*, or nearly."""
    at = next(n for n, one in enumerate(values) if one >= max(values) - margin)
    while at and cues.leans(quotes[at].text):
        at -= 1
    return at if sum(len(quote.text) for quote in quotes[:at]) >= _PREAMBLE else 0
