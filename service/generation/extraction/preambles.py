"""Leave out what a passage says before it comes to the point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements.runs import Quote
from service.language import tags
from service.language.meaning import nearness
from service.language.question_kinds import QuestionKind as Q

_AT_LENGTH: Final = frozenset((Q.HOW_TO, Q.LIST, Q.COMPARISON, Q.DEFINITION))
"""Kinds of which the beginning of a passage is part of the answer."""
_PROSE: Final = frozenset((BlockKind.TEXT, BlockKind.LEAD, BlockKind.DEFINITION, BlockKind.NOTE))
_LONG: Final = 300
"""Characters of an answer that one hears to its end."""
_PREAMBLE: Final = 150
"""Characters before the point that are felt."""
_ABOUT_AS_NEAR: Final = 0.1
"""How much less near the query than the nearest sentence the first one to be told may be."""


def without(query: WeightedQuery, told: Sequence[list[Quote]]) -> list[list[Quote]]:
    """Return what is *told* from its first sentence on that is about as near *query* as any.

    What that sentence leans on stays before it. Nothing is left out of an answer that is short, is
    no prose, or goes on with a turn before, nor in a language whose meanings are not known.
    """
    quotes = [quote for part in told for quote in part]
    if query.kind in _AT_LENGTH or query.goes_on or tags.base(query.language) != nearness.LANGUAGE:
        return list(told)
    prose = all(quote.block.kind in _PROSE and not quote.said for quote in quotes)
    if not prose or sum(len(quote.text) for quote in quotes) <= _LONG:
        return list(told)
    near = nearness.nearness(query.text, [quote.text for quote in quotes])
    at = next(n for n, one in enumerate(near) if one >= max(near) - _ABOUT_AS_NEAR)
    while at and cues.leans(quotes[at].text):
        at -= 1
    if sum(len(quote.text) for quote in quotes[:at]) < _PREAMBLE:
        return list(told)
    left_out = {id(quote) for quote in quotes[:at]}
    kept = ([quote for quote in part if id(quote) not in left_out] for part in told)
    return [part for part in kept if part]
