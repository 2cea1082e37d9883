"""Compose the answer: of the section that answers, the smallest whole blocks that do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.blocks import BlockKind
from service.generation.extraction import (
    alternatives,
    cues,
    forms,
    opposites,
    preambles,
    scoring,
    sections,
    selection,
    trimming,
)
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.statements import runs, worth
from service.generation.extraction.statements.runs import Quote, SentenceSplitter
from service.generation.extraction.wholes import WholeKind
from service.language import content_terms, tags
from service.language.meaning import nearness
from service.language.question_kinds import QuestionKind as Q

_ENDS: Final = ("?", "？", ":", "：", ".")
_READ: Final = 16
"""Candidates of which the sentences are read."""
_TRIED: Final = 3
"""Wholes that are tried until one tells something."""
_BOTH: Final = {
    Q.HOW_TO: 1_000,
    Q.LIST: 800,
    Q.DEFINITION: 500,
    Q.REASON: 600,
    Q.OTHER: 700,
    Q.COMPARISON: 900,
}
"""Characters that two sections may have together for both to be told, by kind of question."""
_BOTH_FACTS: Final = 400
"""The same for the kinds that a sentence answers."""
_SAME: Final = 0.8
"""From this likeness on a heading asks just that, and its paragraph answers with all it says."""
_SENTENCE: Final = 1.2
"""What the best sentence of a whole counts, where a sentence answers."""
_NUMBERED: Final = 2.5
"""The same where a number answers: that it stands beside what is counted tells most."""
_READ_FOR_NUMBERS: Final = 32
"""Candidates that are read for a number: it often stands in an item or row of a later section."""
_BY_WORDS: Final = worth.COUNTED | {Q.DEFINITION, Q.IDENTIFIER}
"""Kinds of which the form of the answer tells more than what its words mean."""
_COMPARED: Final = 10
"""Candidates that are compared with the query by what they mean."""
_MEANING: Final = 8.0
"""What it counts how near a candidate is: of 6 to 10 each is as good.

Of 559 questions over eighteen portals that are of no such kind and have no opposite, of which the
model knows nothing, the right one comes first for 286 by words alone, and for 311 with it.
"""
_MEANT_LESS: Final = 1.5
"""What it takes at most from a candidate that others are nearer: less than what rules know."""
_LONGEST: Final = 600
"""Characters of a candidate, with its headings, that are compared."""


class Composition(NamedTuple):
    """What is told, the quotes of one whole together, in the order of their page."""

    best: list[list[Quote]]
    """Of the section that answers."""
    other: list[list[Quote]] = []  # noqa: RUF012 - nobody appends
    """Of one that answers about as well, mostly nothing."""


def compose(
    query: WeightedQuery,
    candidates: Sequence[ScoredWhole],
    spans: SentenceSplitter,
    *,
    headed: bool = False,
    meant: bool = True,
) -> Composition:
    """Return the quotes that answer *query*, and those that do about as well.

    Where there are both, each has its heading said before it. With *headed* a list without a lead
    has, too, and is told alone: it is one of several parts. Unless they are *meant*, words alone
    choose.
    """
    ranked = by_sentence(query, candidates, spans)
    if meant:
        ranked = by_meaning(query, ranked)
    if ranked and (parts := _parts(query, ranked, spans) or _announced(query, ranked, spans)):
        return Composition(parts)
    ranked = [_past_fields(query, one) for one in _of_form(query, ranked)]
    for at in range(min(len(ranked), _TRIED)):
        if (told := _told(query, ranked[at:], spans)) and not _only_names(query, told):
            told = preambles.without(query, told, meant=meant)
            if cues.is_about_heading(told[0][0].text):
                _lead(told, _name(ranked[at]))
            if not headed:
                return _with_other(query, told, ranked[at:], spans)
            if told[0][0].block.kind is BlockKind.ITEM:
                _lead(told, alternatives.unnumbered(ranked[at].section.heading))
            return Composition(told)
    return Composition([])


def _only_names(query: WeightedQuery, told: Sequence[Sequence[Quote]]) -> bool:
    """Tell whether all that is *told* is what is to be explained: the row of a list of names."""
    if query.kind not in _EXPLAINED:
        return False
    texts = (quote.text for quotes in told for quote in quotes)
    said = {term for text in texts for term in content_terms.of(text, query.language)}
    return len(query.asked(said)) == len(said)


_EXPLAINED: Final = frozenset((Q.DEFINITION, Q.REASON, Q.COMPARISON))
"""Kinds that nothing answers which says no more than the question."""


def _past_fields(query: WeightedQuery, one: ScoredWhole) -> ScoredWhole:
    """Return *one*, or what follows where it is the fields of an entry, and no fact is asked."""
    follows = one.at + 1 < len(one.section.wholes)
    if query.kind not in worth.FACTS and follows and forms.are_fields(one.whole):
        return one._replace(at=one.at + 1)
    return one


def _parts(
    query: WeightedQuery, ranked: Sequence[ScoredWhole], spans: SentenceSplitter
) -> list[list[Quote]]:
    """Return all procedures of a page that is called by what is asked, each under its heading.

    Where they are too long together, the first one is told.
    """
    told = list[list[Quote]]()
    for one in alternatives.procedures(query, ranked):
        part = _told(query, [one, *(other for other in ranked if other is not one)], spans)
        size = sum(_size(quotes) for quotes in (*told, *part))
        if not part or (told and size > _PROCEDURES):
            break
        _lead(part, alternatives.name(one))
        told += part
    return told


_PROCEDURES: Final = 1_800
"""Characters that several procedures may have together for all to be told."""


def _announced(
    query: WeightedQuery, ranked: Sequence[ScoredWhole], spans: SentenceSplitter
) -> list[list[Quote]]:
    """Return what announces the sections below it, and how each of them begins, if it is short.

    Where their first paragraphs are too long together, the first sentence of each is told.
    """
    begun = list[tuple[str, list[Quote]]]()
    for one in alternatives.announced(query, ranked):
        if quotes := trimming.trim(one.wholes[0], query, spans, entire=True, above=()):
            begun.append((one.path[len(ranked[0].section.path)], quotes))
    if len(begun) < 2:
        return []
    for longest in (_BEGINNING, 1):
        told = _told(query, ranked, spans)
        for heading, quotes in begun:
            part = [quotes if _is_listed(quotes) else quotes[:longest]]
            _lead(part, alternatives.unnumbered(heading))
            told += part
        if sum(map(_size, told)) <= _PROCEDURES:
            return told
    return []


_BEGINNING: Final = 3
"""Sentences with which a section begins."""


def _is_listed(quotes: Sequence[Quote]) -> bool:
    return any(quote.block.kind is BlockKind.ITEM for quote in quotes)


def _name(one: ScoredWhole) -> str:
    """Return the nearest heading that names something, the title where none does."""
    names = (*reversed(one.section.path), one.page.title)
    return alternatives.unnumbered(next((n for n in names if not cues.opens(n)), one.page.title))


def _with_other(
    query: WeightedQuery,
    told: list[list[Quote]],
    ranked: Sequence[ScoredWhole],
    spans: SentenceSplitter,
) -> Composition:
    """Return *told*, and what of another section answers about as well, if it is short enough."""
    own = [quote for quotes in told for quote in quotes]
    room = _BOTH.get(query.kind, _BOTH_FACTS) - _size(own)
    if room <= 0:
        return Composition(told)
    for one in alternatives.near(query, ranked):
        rest = [one, *(other for other in ranked if other is not one)]
        other = _briefly(query, _told(query, rest, spans))
        quotes = [quote for part in other for quote in part]
        if not quotes or _size(quotes) > room:
            continue
        leads = alternatives.leads(ranked[0], one)
        if not leads or _is_less(query, own, quotes):
            continue
        if alternatives.adds(query, own, quotes, leads[1]):
            _lead(told, leads[0])
            _lead(other, leads[1])
            return Composition(told, other)
    return Composition(told)


def _is_less(query: WeightedQuery, own: Sequence[Quote], others: Sequence[Quote]) -> bool:
    """Tell whether *own* answers outright, and *others* no better.

    By "Yes" or "No", by a list whose lead is what is asked, by a number beside what is counted,
    by the name of who did it, by what to do "To leave the harbour, …".
    """
    if query.kind is Q.HOW_TO and any(forms.instructs(query, one.text) for one in own):
        return not any(forms.instructs(query, one.text) for one in others)
    if query.kind is Q.YES_NO and cues.fit("ANSWER", own[0].text) == 1.0:
        return True
    listed = any(quote.block.kind is BlockKind.ITEM for quote in own)
    if listed and any(_leads(one) and query.likeness(one.text) >= _SAME for one in own):
        return True
    if query.kind is Q.PERSON and any(worth.names_doer(query, one.text) for one in own):
        return not any(worth.names_doer(query, one.text) for one in others)
    if query.kind not in worth.COUNTED:
        return False
    best, other = (max(_worth(query, one) for one in quotes) for quotes in (own, others))
    return other < best - _WORSE


_WORSE: Final = 0.6
"""How much less of a number may be beside what is counted, for two to be told."""


def _lead(told: list[list[Quote]], heading: str) -> None:
    """Have *heading* said before what is *told*, unless that begins with it."""
    first = told[0][0]
    if (
        heading
        and not first.said
        and not first.text.casefold().startswith(heading.rstrip(":： ").casefold())
    ):
        stop = "" if heading.endswith(_ENDS) else ":"
        told[0][0] = first._replace(said=f"{heading}{stop}\n{first.said}")


def _briefly(query: WeightedQuery, told: list[list[Quote]]) -> list[list[Quote]]:
    """Return of *told* the one sentence that answers, where one does, and what it leans on."""
    if query.kind not in worth.FACTS or len(told) != 1:
        return told
    quotes = told[0]
    if any(quote.said or quote.block.kind is BlockKind.ITEM for quote in quotes):
        return told
    at = max(range(len(quotes)), key=lambda n: _worth(query, quotes[n]))
    return [quotes[at - 1 if at and cues.leans(quotes[at].text) else at : at + 1]]


def _worth(query: WeightedQuery, quote: Quote) -> float:
    return worth.worth(query, quote.text, content_terms.of(quote.text, query.language))


def _size(quotes: Sequence[Quote]) -> int:
    return sum(len(quote.text) for quote in quotes)


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
        if at == 0 and best.section.heading.endswith(("?", "？")):
            quotes = [runs.unmarked_answer(quote) for quote in quotes]
        told.append([quote for quote in quotes if not _repeats_heading(quote, best)])
        if at + 1 not in chosen:
            _drop_leads(told)
    return [quotes for quotes in told if quotes]


def by_sentence(
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
            + weight * runs.best_sentence(one.whole, query, spans, sorted(one.above))
        )
        for one in candidates[:read]
    ]
    first.sort(key=lambda one: -one.score)
    return first


def by_meaning(query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> Sequence[ScoredWhole]:
    """Let it count how near the first of *ranked* are to *query* by what their words mean."""
    english = tags.base(query.language) == nearness.LANGUAGE
    if not english or query.kind in _BY_WORDS or opposites.sides(query.text, query.language):
        return ranked
    # The others could not come first, whatever they mean.
    rivals = [one for one in ranked[:_COMPARED] if one.score >= ranked[0].score - _MEANT_LESS]
    if query.kind is Q.HOW_TO and ranked[0].whole.kind is WholeKind.STEPS:
        # What introduces the page of the steps means the same, and tells nobody how.
        rivals = [
            one
            for one in rivals
            if one.page is not ranked[0].page or one.whole.kind is WholeKind.STEPS
        ]
    if len(rivals) < 2:
        return ranked
    near = nearness.nearness(query.text, [read_as(one) for one in rivals])
    nearest = max(near)
    # The nearest one keeps its score, as scores are compared with those of other parts.
    weighed = [
        one._replace(score=one.score - min(_MEANING * (nearest - cosine), _MEANT_LESS))
        for one, cosine in zip(rivals, near, strict=True)
    ]
    others = [one for one in ranked if not any(one is rival for rival in rivals)]
    return sorted((*weighed, *others), key=lambda one: -one.score)


def read_as(one: ScoredWhole) -> str:
    """Return as what a candidate is compared: its title and headings, and its beginning."""
    above = ": ".join(dict.fromkeys((one.page.title, *one.section.path)))
    return f"{above}\n{one.whole.text}"[:_LONGEST]


def _of_form(query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> Sequence[ScoredWhole]:
    """Put first what has a number, a place or a name, of the page of the best, where that has none.

    That what is asked is said above it is enough: "Where?" has but an address under it.
    """
    if not ranked or query.kind not in worth.SHOWN or worth.has_form(query, ranked[0].whole.text):
        return ranked
    best = ranked[0]
    for one in ranked[1:]:
        near = one.page is best.page and one.score >= best.score - _WITHOUT
        said = near and query.asked(one.whole.known | one.above)
        if said and worth.has_form(query, one.whole.text):
            return [one, *(other for other in ranked if other is not one)]
    return ranked


_WITHOUT: Final = 2.0
"""How far below a whole without the form asked for one with it may score."""


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
