"""Compose the answer: of the section that answers, the smallest whole blocks that do.

All of it comes from one document, unless a query has parts that need two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, scoring, trimming
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.trimming import Quote, SentenceSplitter
from service.generation.extraction.weighted_query import WeightedQuery
from service.generation.extraction.wholes import Whole, WholeKind
from service.language.question_kinds import QuestionKind as Q

_ASKED: Final = 0.6
"""From this likeness on a heading is what is asked, and its section the answer."""
_BESIDE: Final = 1.0
"""How far below the best a whole of its section may score, to be told with it."""
_LISTS: Final = frozenset((WholeKind.LIST, WholeKind.STEPS, WholeKind.TABLE))
_ROOM: Final = {
    Q.HOW_TO: 900,
    Q.DEFINITION: 450,
    Q.IDENTIFIER: 450,
    Q.LIST: 700,
    Q.COMPARISON: 900,
    Q.REASON: 600,
    Q.OTHER: 600,
}
"""Characters after which no further paragraph is added, by kind of question."""
_FACT: Final = 320


def compose(
    query: WeightedQuery, candidates: Sequence[ScoredWhole], spans: SentenceSplitter
) -> list[list[Quote]]:
    """Return the quotes of the answer, those of one whole together, in the order of the page."""
    candidates = _by_sentence(query, candidates, spans)
    best = candidates[0]
    whole_at = _chosen(query, candidates)
    entire = len(whole_at) > 1 or _is_asked(best)
    told = list[list[Quote]]()
    for at in whole_at:
        quotes = trimming.trim(
            best.section.wholes[at],
            query,
            spans,
            entire=entire and query.kind in (Q.HOW_TO, Q.LIST, Q.OTHER),
        )
        quotes = [q for q in quotes if not _repeats_heading(q, best)]
        if quotes:
            told.append(quotes)
    return _without_dangling(told)


def _by_sentence(
    query: WeightedQuery, candidates: Sequence[ScoredWhole], spans: SentenceSplitter
) -> Sequence[ScoredWhole]:
    """Let the best sentence of each of the first candidates count, where a sentence answers."""
    if query.kind not in trimming.FACTS:
        return candidates
    first = [
        one._replace(score=one.score + _SENTENCE * trimming.best_sentence(one.whole, query, spans))
        for one in candidates[:_READ]
    ]
    return sorted(first, key=lambda one: -one.score)


_READ: Final = 16
"""Candidates of which the sentences are read."""
_SENTENCE: Final = 1.2
"""What the best sentence of a whole counts."""


def _chosen(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> list[int]:
    """Return which wholes of the best section are told, in order."""
    best = candidates[0]
    wholes = best.section.wholes
    room = _ROOM.get(query.kind, _FACT)
    if query.kind is Q.HOW_TO:
        return _procedure(best, room)
    chosen, size = {best.at}, wholes[best.at].size
    for at in _needed(wholes, best.at):
        chosen.add(at)
        size += wholes[at].size
    beside = [one for one in candidates[1:] if one.section is best.section]
    asked = _is_asked(best)
    for one in beside:
        near = one.score >= best.score - _BESIDE or (
            asked and query.kind in (Q.OTHER, Q.LIST, Q.REASON, Q.COMPARISON)
        )
        if near and size + one.whole.size <= room and one.whole.kind is not WholeKind.CODE:
            chosen.add(one.at)
            size += one.whole.size
    return sorted(chosen)


def _procedure(best: ScoredWhole, room: int) -> list[int]:
    """Return the steps of the section with what introduces them, else its paragraphs."""
    wholes = best.section.wholes
    if _is_asked(best) or wholes[best.at].kind is not WholeKind.STEPS:
        steps = [at for at, whole in enumerate(wholes) if whole.kind is WholeKind.STEPS]
        lists = [at for at, whole in enumerate(wholes) if whole.kind is WholeKind.LIST]
        target = next(
            iter(
                [at for at in steps if at >= best.at]
                or steps
                or [at for at in lists if at == best.at or at == best.at + 1]
            ),
            best.at,
        )
    else:
        target = best.at
    chosen = {target, *_needed(wholes, target)}
    size = sum(wholes[at].size for at in chosen)
    if _is_asked(best):
        for at, whole in enumerate(wholes):
            if (
                at not in chosen
                and size + whole.size <= room
                and whole.kind is not WholeKind.CODE
                and not all(cues.is_furniture(p.text) for p in whole.blocks)
            ):
                chosen.add(at)
                size += whole.size
    elif best.at != target and abs(best.at - target) <= 2:
        chosen |= set(range(min(best.at, target), target + 1))
    return sorted(chosen)


def _needed(wholes: Sequence[Whole], at: int) -> Iterator[int]:
    """Yield what the whole *at* is not understood without: its list, its lead, its antecedent."""
    whole = wholes[at]
    last = whole.blocks[-1]
    if (
        last.text.endswith((":", "："))
        and at + 1 < len(wholes)
        and wholes[at + 1].kind in (*_LISTS, WholeKind.CODE)
    ):
        yield at + 1
    if (
        at > 0
        and wholes[at - 1].kind is WholeKind.PARAGRAPH
        and (
            (whole.kind in _LISTS and not whole.lead and wholes[at - 1].size <= trimming.FACT)
            or cues.leans(whole.blocks[0].text)
        )
    ):
        yield at - 1


def _is_asked(candidate: ScoredWhole) -> bool:
    """Tell whether the heading of the section is what is asked."""
    section = candidate.section
    likeness = candidate.features[scoring.HEADING if section.path else scoring.TITLE]
    return likeness >= _ASKED


def _repeats_heading(quote: Quote, best: ScoredWhole) -> bool:
    text = quote.text.strip("# *").casefold()
    return text in (best.page.title.casefold(), *(one.casefold() for one in best.section.path))


def _without_dangling(told: list[list[Quote]]) -> list[list[Quote]]:
    """Drop a lead at the end that leads to nothing."""
    while told:
        last = told[-1][-1]
        if not last.text.endswith((":", "：")) or last.block.kind is BlockKind.CODE:
            break
        told[-1].pop()
        if not told[-1]:
            told.pop()
    return told
