"""Score each whole of the sections: how likely is it what answers the query.

A linear model over features that mean the same in every portal: how much of the query the whole
says, how much its headings, whether its form is that of an answer to this kind of question, and
where finding ranked it. The weights of what can be counted were fitted by
``tests/training/fit_extraction.py``; those of the forms were set by reading answers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import Final, NamedTuple

from service.blocks import BlockKind
from service.generation.extraction import cues, forms, wholes
from service.generation.extraction.sections import Section, SourcePage
from service.generation.extraction.weighted_query import WeightedQuery
from service.generation.extraction.wholes import Whole
from service.language import content_terms, detection
from service.language.question_kinds import QuestionKind as Q

_POINTING: Final = 0.6
"""A list of which more items are questions, or headings of the page, is one of contents."""
_OPENING: Final = 0.5
"""What the title counts as the heading of what stands under it before all headings."""
_WHOLE: Final = frozenset((Q.HOW_TO, Q.LIST, Q.COMPARISON, Q.OTHER))
"""Kinds of question that are answered by all of a list."""


HEADING: Final = 2
TITLE: Final = 3
PAIRS: Final = 4
"""Places of features that others look at."""


class ScoredWhole(NamedTuple):
    """A whole in its section, and how likely it answers: a logit."""

    score: float
    page: SourcePage
    section: Section
    at: int
    features: tuple[float, ...]
    above: frozenset[str]
    """Terms of the title and the headings above."""

    @property
    def whole(self) -> Whole:
        """What it is."""
        return self.section.wholes[self.at]


WEIGHTS: Final = (
    1.4,  # own: share of the query that the whole says
    1.2,  # with_headings: the same with title and headings
    2.0,  # heading: likeness of the topic and the nearest heading
    0.5,  # title: likeness of the topic and the title
    0.6,  # pairs: words that stand together in the query stand together
    1.4,  # rank: of its source, 1 for the best
    0.7,  # opening: 1 for the first whole of a section, less for each further one
    -0.2,  # length: logarithm of its terms
    0.9,  # form: fits the kind of the question
    1.0,  # foreign: in another language than the query
    1.0,  # identifier: the one that is asked is there, or is not
)


def score(query: WeightedQuery, pages: Sequence[SourcePage]) -> list[ScoredWhole]:
    """Return all wholes that may be quoted, the best first; of equals the first in order."""
    query.spread([_section_terms(section) for page in pages for section in page.sections])
    found = list[ScoredWhole]()
    for order, page in enumerate(pages):
        title = frozenset(content_terms.of(page.title, query.language))
        title_likeness = query.likeness(page.title)
        foreign = _is_foreign(page, query.language)
        contents = {heading.casefold() for section in page.sections for heading in section.path}
        for section in page.sections:
            if cues.is_furniture(section.heading):
                continue
            headings = [frozenset(content_terms.of(one, query.language)) for one in section.path]
            above = title.union(*headings)
            opening = title_likeness * (1.0 if query.kind is Q.DEFINITION else _OPENING)
            nearest = query.likeness(section.heading) if headings else opening
            for at, whole in enumerate(section.wholes):
                if not whole.known or _points_elsewhere(whole, contents):
                    continue
                own = _own(query, whole)
                terms = [term for block in whole.blocks for term in block.terms]
                source = min(block.source for block in whole.blocks)
                features = (
                    query.share(own),
                    query.share(own | query.asked(above)),
                    nearest,
                    title_likeness,
                    query.pairs(terms),
                    0.5 / (1 + order) + 0.5 / (1 + source),
                    1 / (1 + at),
                    math.log1p(min(len(terms), 120)),
                    forms.fit(query, section, at),
                    foreign,
                    _identifier(query, section, whole),
                )
                linear = sum(w * f for w, f in zip(WEIGHTS, features, strict=True))
                found.append(ScoredWhole(linear, page, section, at, features, above))
    found.sort(key=lambda one: -one.score)
    return found


def _points_elsewhere(whole: Whole, headings: Set[str]) -> bool:
    """Tell whether a whole is made of links, or is a table of contents."""
    if all(cues.is_furniture(block.text) for block in whole.blocks):
        return True
    items = [block.text for block in whole.blocks if block.kind is BlockKind.ITEM]
    pointing = sum(
        item.endswith(("?", "？")) or wholes.unmarked(item).casefold() in headings for item in items
    )
    return len(items) > 1 and pointing > _POINTING * len(items)


def _own(query: WeightedQuery, whole: Whole) -> frozenset[str]:
    """Return what of the query is said by what would be quoted: all of a list, or one item."""
    if query.kind in _WHOLE or len(whole.blocks) == 1:
        return query.asked(whole.known)
    said = [query.asked(frozenset(block.terms)) for block in whole.blocks]
    return max(said, key=query.weigh)


def _section_terms(section: Section) -> frozenset[str]:
    return frozenset[str]().union(*(whole.known for whole in section.wholes))


def _is_foreign(page: SourcePage, language: str) -> float:
    """Return -3 for a page that is clearly in another language than the query."""
    texts = (whole.blocks[0].text for section in page.sections for whole in section.wholes)
    told = detection.detect_in("", texts, language)
    return -3.0 if told[:2] != language[:2] else 0.0


def _identifier(query: WeightedQuery, section: Section, whole: Whole) -> float:
    """Tell whether what is asked by its name is here: exactly this name, not one like it."""
    if not query.identifiers:
        return 0.0
    held = 0.0
    for name in query.identifiers:
        if any(name.match(wholes.unmarked(block.text).lstrip("|`\"' ")) for block in whole.blocks):
            held += 2.5  # it is what an item, a row or a definition is about
        elif any(name.search(block.text) for block in whole.blocks):
            held += 2.0
        elif any(name.search(heading) for heading in section.path):
            held += 1.5
        else:
            held -= 2.0
    return held / len(query.identifiers)
