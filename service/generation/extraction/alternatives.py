"""Find what answers about as well as the best whole, and what tells the two apart.

Where two sections score nearly the same, it is mostly the other one that answers when the best one
does not: its sibling of the same page, or the same matter on the next page. Told both, each under
its heading, who asks finds theirs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, entries, forms, scoring
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.sections import Section
from service.generation.extraction.statements import worth
from service.generation.extraction.statements.runs import Quote
from service.generation.extraction.wholes import WholeKind, unmarked
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

BIAS: Final = -0.43
WEIGHTS: Final = (
    -0.37,  # gap: how far the other one scores below the best
    -0.38,  # heading of the best: its likeness to the topic
    0.99,  # heading of the other one, less that of the best
    0.20,  # with_headings of the best: the share of the query that it says with its headings
    0.91,  # the same of the other one, less that of the best
    -0.01,  # rank of the best, less that of the other one
    -0.57,  # relevance of the best, less that of the other one
)
"""Fitted by ``tests/training/fit_alternatives.py``."""
LEAST: Final = 0.25
"""How likely the other one answers, where one of the two does, for both to be told.

Of 489 questions over fourteen portals .25 mends 5 wrong answers, one of which gets long, and
lengthens 7 right ones; .15 mends 6 and lengthens 11, .35 mends 3 and lengthens 3.
"""
_ASKED: Final = 0.6
"""From this likeness on a heading is what is asked."""
_AS_GOOD: Final = 0.7
"""How far below the best what stands on another page may score."""
FARTHEST: Final = 1.5
"""How far below the best what stands on the same page may score."""
_LOOKED_AT: Final = 8
"""Candidates among which the other one is sought."""
_CALLED: Final = 0.8
"""From this likeness on a heading or a title is just what is asked."""
_NUMBERED: Final = re.compile(
    r"^(?:\(?\d{1,3}(?:\.\d{1,3})*[.)]?\s+)?(?:(?:Q|Question)(?:\s?\d{1,3})?(?:[:.]|(?<=\d))\s+)?"
)
"""What numbers a heading, or marks it as a question, and is not said."""
_NAMES: Final = re.compile(r"[^\W\d_]{4}|[^\x00-\x7f]{2}")
"""What a heading has that says something: "And:" does not."""
_ASKS: Final = 0.4
"""The same where the heading asks the same kind of question."""
_SITE: Final = re.compile(r"\s+[|–—-]\s+")
"""Stands between what a page is about and whose page it is."""
_SAME: Final = 0.75
"""Share of terms in common from which on two sentences say the same."""
_KNOWN: Final = 0.7
"""Share of the terms of the other one that the best one has, from which on it says nothing new."""
_ENTRY: Final = 1.0
"""What is surely but an entry of a reference costs so much, and is told beside nothing."""
_LESS: Final = 0.15
"""How much less of the query the other one may say."""
_FEW: Final = 4
"""Terms of a text that says enough to be said twice."""


def near(query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> Iterator[ScoredWhole]:
    """Yield what of *ranked* answers about as well as the first, in another section."""
    best = ranked[0]
    if query.kind is Q.IDENTIFIER or forms.entry(query, best.whole) is not None:
        return
    sure = _is_sure(query, best)
    for one in ranked[1:_LOOKED_AT]:
        if one.section is best.section or best.score - one.score > FARTHEST:
            continue
        if one.page is best.page:
            likely = not sure and likelihood(best, one) >= LEAST
        else:
            likely = _is_asked_too(best, one)
        spoken = one.features[scoring.FOREIGN] >= best.features[scoring.FOREIGN]
        entry = entries.counts(query, one.page, one.section, one.at) >= _ENTRY
        if not entry and likely and spoken and _has_form(query, one) and leads(best, one):
            yield one


def procedures(query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> list[ScoredWhole]:
    """Return the steps, in their order, into which a page falls whose title is what is asked.

    To change an address is to add the new one and to delete the old one. Nothing is returned where
    the heading of one of them is asked more than the others', or its lead is what is asked.
    """
    best = ranked[0]
    if query.kind is not Q.HOW_TO or best.features[scoring.TITLE] < _CALLED:
        return []
    if any(query.likeness(block.text) >= _CALLED for block in best.whole.lead):
        return []
    even = best.features[scoring.HEADING]
    found = {
        id(one.section): one
        for one in reversed(ranked[:_LOOKED_AT])
        if one.page is best.page
        and one.whole.kind is WholeKind.STEPS
        and best.score - one.score <= _AS_GOOD
        and abs(one.features[scoring.HEADING] - even) <= _EVEN
        and name(one)
    }
    if id(best.section) not in found or len(found) == 1:
        return []
    return [found[id(section)] for section in best.page.sections if id(section) in found]


_EVEN: Final = 0.1
"""How much more or less of what is asked the headings of such steps may be."""


def announced(query: WeightedQuery, ranked: Sequence[ScoredWhole]) -> list[Section]:
    """Return the sections below the best whole that tell what it announces and does not tell.

    "There are several reasons:" Of each heading right below it, that is the first section.
    """
    best = ranked[0]
    own, path = best.section, best.section.path
    ends = best.at + 1 == len(own.wholes) and best.whole.kind is WholeKind.PARAGRAPH
    if query.kind not in _TOLD_IN_SECTIONS or not ends:
        return []
    if not cues.announces(best.whole.blocks[-1].text):
        return []
    behind = best.page.sections[[id(one) for one in best.page.sections].index(id(own)) + 1 :]
    below = dict[str, Section]()
    for one in behind:
        if len(one.path) <= len(path) or one.path[: len(path)] != path:
            break
        below.setdefault(one.path[len(path)], one)
    return list(below.values()) if len(below) > 1 else []


_TOLD_IN_SECTIONS: Final = frozenset((Q.HOW_TO, Q.LIST, Q.REASON, Q.OTHER, Q.COMPARISON))
"""Kinds of question that several sections answer together."""


def likelihood(best: ScoredWhole, other: ScoredWhole) -> float:
    """Return how likely it is *other* that answers, 0..1, where one of the two does."""
    compared = compare(best, other)
    linear = BIAS + sum(w * f for w, f in zip(WEIGHTS, compared, strict=True))
    return 1 / (1 + math.exp(-linear))


def compare(best: ScoredWhole, other: ScoredWhole) -> tuple[float, ...]:
    """Return what is weighed, as `WEIGHTS` has it."""
    mine, others = best.features, other.features
    return (
        max(best.score - other.score, 0.0),
        mine[scoring.HEADING],
        others[scoring.HEADING] - mine[scoring.HEADING],
        mine[scoring.WITH_HEADINGS],
        others[scoring.WITH_HEADINGS] - mine[scoring.WITH_HEADINGS],
        mine[scoring.RANK] - others[scoring.RANK],
        mine[scoring.RELEVANCE] - others[scoring.RELEVANCE],
    )


def _is_asked_too(best: ScoredWhole, other: ScoredWhole) -> bool:
    """Tell whether what is asked is the heading of *other*, of another page, as it is of *best*."""
    heading = other.features[scoring.HEADING]
    near = best.score - other.score <= _AS_GOOD
    return near and heading >= max(_ASKED, best.features[scoring.HEADING])


def leads(best: ScoredWhole, other: ScoredWhole) -> tuple[str, str] | None:
    """Return what is said before each to tell them apart, None where no heading does."""
    titles = _titles(best, other)
    headings = name(best), name(other)
    if best.page is other.page:
        headings = headings[0] or titles[0], headings[1] or titles[1]
    elif not all(headings) or headings[0].casefold() == headings[1].casefold():
        headings = titles
    mine, others = headings
    return (mine, others) if mine and others and mine.casefold() != others.casefold() else None


def adds(
    query: WeightedQuery,
    told: Sequence[Quote],
    others: Sequence[Quote],
    heading: str,
) -> bool:
    """Tell whether *others*, under *heading*, say as much of the query as what is *told*.

    And whether they are of its form, and do not say the same again.
    """
    said = [frozenset(content_terms.of(quote.text, query.language)) for quote in told]
    other = [frozenset(content_terms.of(quote.text, query.language)) for quote in others]
    before, behind = frozenset[str]().union(*said), frozenset[str]().union(*other)
    named = frozenset(content_terms.of(heading, query.language))
    least = query.share(query.asked(before)) - _LESS
    if query.share(query.asked(behind | named)) < least or _lists(told) > _lists(others):
        return False
    if _turns(query, told) and not _turns(query, others):
        return False
    return len(behind & before) < _KNOWN * len(behind) and not any(
        len(one & terms) >= _SAME * len(one | terms)
        for one in other
        for terms in said
        if min(len(one), len(terms)) >= _FEW
    )


def _lists(quotes: Sequence[Quote]) -> bool:
    return any(quote.block.kind is BlockKind.ITEM for quote in quotes)


def _turns(query: WeightedQuery, quotes: Sequence[Quote]) -> bool:
    """Tell whether *quotes* have a "not" of the query, or "without"."""
    return any(query.negations & {*quote.text.lower().split()} for quote in quotes)


def _titles(best: ScoredWhole, other: ScoredWhole) -> tuple[str, str]:
    """Return what the pages are about; whose pages they are is said by both alike."""
    mine, others = unnumbered(best.page.title), unnumbered(other.page.title)
    site, sites = _SITE.split(mine), _SITE.split(others)
    if len(site) > 1 < len(sites) and site[-1] == sites[-1]:
        return mine[: mine.rindex(site[-1])].rstrip(" |–—-"), others[
            : others.rindex(sites[-1])
        ].rstrip(" |–—-")
    return mine, others


def unnumbered(heading: str) -> str:
    """Return *heading* without the number of its section: "5.6. Paths"."""
    return _SECTION.sub("", heading, count=1) or heading


_SECTION: Final = re.compile(r"^\d{1,3}(?:\.\d{1,3})*[.)]\s+(?=\S)")


def name(one: ScoredWhole) -> str:
    """Return the nearest heading of *one* that names something, without its number, or ""."""
    for heading in reversed(one.section.path):
        bare = _NUMBERED.sub("", heading, count=1)
        if not cues.opens(bare) and not bare[:1].islower() and _NAMES.search(bare):
            return bare
    return ""


def _is_sure(query: WeightedQuery, best: ScoredWhole) -> bool:
    """Tell whether *best* stands under what is asked, beside which nothing of its page is."""
    heading = best.features[scoring.HEADING]
    if heading >= _CALLED:
        return True
    if heading >= _ASKS and query.is_asked_by(best.section.heading):
        return True
    opens = not best.section.path or cues.opens(best.section.heading)
    return query.kind is Q.DEFINITION and opens and best.features[scoring.TITLE] >= _CALLED


def _has_form(query: WeightedQuery, one: ScoredWhole) -> bool:
    """Tell whether *one* can be an answer by its form: where a number is asked, it has one."""
    if query.kind in worth.COUNTED:
        return bool(cues.figures(query.cue, one.whole.text))
    if query.kind in worth.FACTS and query.kind is not Q.YES_NO:
        return any(cues.fit(query.cue, unmarked(block.text)) for block in one.whole.blocks)
    return one.whole.kind is not WholeKind.CODE and not forms.is_scrap(one.whole)
