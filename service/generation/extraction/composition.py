"""Compose the answer: of the section that answers, the smallest whole blocks that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, scoring, sections, selection, trimming
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.statements import runs, worth
from service.generation.extraction.statements.runs import Quote, SentenceSplitter
from service.generation.extraction.weighted_query import WeightedQuery
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

_ENDS: Final = ("?", "？", ":", "：", ".")
_READ: Final = 16
"""Candidates of which the sentences are read."""
_TRIED: Final = 3
"""Wholes that are tried until one tells something."""
_SAME: Final = 0.8
"""From this likeness on a heading asks just that, and its paragraph answers with all it says."""
_SENTENCE: Final = 1.2
"""What the best sentence of a whole counts, where a sentence answers."""
_NUMBERED: Final = 2.5
"""The same where a number answers: that it stands beside what is counted tells most."""
_READ_FOR_NUMBERS: Final = 32
"""Candidates that are read for a number: it often stands in an item or row of a later section."""


def compose(
    query: WeightedQuery,
    candidates: Sequence[ScoredWhole],
    spans: SentenceSplitter,
    *,
    headed: bool = False,
) -> list[list[Quote]]:
    """Return the quotes that answer *query*, those of one whole together, in the page's order.

    With *headed* a list without a lead has its heading said before it: it is one of several.
    """
    ranked = _by_sentence(query, candidates, spans)
    for at in range(min(len(ranked), _TRIED)):
        if told := _told(query, ranked[at:], spans):
            heading = ranked[at].section.heading
            first = told[0][0]
            if headed and heading and first.block.kind is BlockKind.ITEM:
                stop = "" if heading.endswith(_ENDS) else ":"
                told[0][0] = first._replace(said=f"{heading}{stop}\n")
            return told
    return []


def _told(
    query: WeightedQuery, ranked: Sequence[ScoredWhole], spans: SentenceSplitter
) -> list[list[Quote]]:
    """Return what the first of *ranked* tells, with what belongs to it.

    That is nothing where it is a heading again, an order to the reader, a lead without a list.
    """
    best = ranked[0]
    chosen = selection.choose(query, ranked)
    if query.kind in worth.FACTS:
        entire = bool(best.section.path) and best.features[scoring.HEADING] >= _SAME
    else:
        several = len(chosen) > 1 and query.kind in (Q.HOW_TO, Q.LIST, Q.OTHER)
        entire = several or selection.is_asked(best)
    told = list[list[Quote]]()
    for at in chosen:
        quotes = trimming.trim(
            best.section.wholes[at], query, spans, entire=entire, above=sorted(best.above)
        )
        told.append([quote for quote in quotes if not _repeats_heading(quote, best)])
        if at + 1 not in chosen:
            _drop_leads(told)
    return [quotes for quotes in told if quotes]


def _by_sentence(
    query: WeightedQuery, candidates: Sequence[ScoredWhole], spans: SentenceSplitter
) -> Sequence[ScoredWhole]:
    """Let the best sentence of each of the first candidates count, where a sentence answers."""
    if query.kind not in worth.FACTS:
        return candidates
    counted = query.kind in worth.COUNTED
    weight, read = (_NUMBERED, _READ_FOR_NUMBERS) if counted else (_SENTENCE, _READ)
    first = [
        one._replace(
            score=one.score
            + weight * runs.best_sentence(one.whole, query, spans, _said_above(query, one))
        )
        for one in candidates[:read]
    ]
    first.sort(key=lambda one: -one.score)
    return _with_figure(query, first) if counted else first


def _with_figure(query: WeightedQuery, ranked: list[ScoredWhole]) -> list[ScoredWhole]:
    """Put first what has a number, of the page of the best, where that has none."""
    if not ranked or cues.figures(query.cue, ranked[0].whole.text):
        return ranked
    best = ranked[0]
    for one in ranked[1:]:
        near = one.page is best.page and one.score >= best.score - _WITHOUT
        if near and query.asked(one.whole.known) and cues.figures(query.cue, one.whole.text):
            return [one, *(other for other in ranked if other is not one)]
    return ranked


_WITHOUT: Final = 2.0
"""How far below a whole without the number asked for one with it may score."""


def _said_above(query: WeightedQuery, one: ScoredWhole) -> Sequence[str]:
    """Return the terms of the heading that is what is asked."""
    if not selection.is_asked(one) or not one.section.path:
        return ()
    return content_terms.of(one.section.heading, query.language)


def _repeats_heading(quote: Quote, best: ScoredWhole) -> bool:
    text = quote.text.strip("# *").casefold()
    return not sections.leads(quote.text) and text in (
        best.page.title.casefold(),
        *(one.casefold() for one in best.section.path),
    )


def _drop_leads(told: list[list[Quote]]) -> None:
    """Drop what stands last in *told* and leads to what is not told."""
    while told and (not told[-1] or _leads(told[-1][-1])):
        if not told[-1]:
            told.pop()
        else:
            told[-1].pop()


def _leads(quote: Quote) -> bool:
    return quote.text.endswith((":", "：")) and quote.block.kind is not BlockKind.CODE
