"""Score each whole of the sections: how likely is it what answers the query.

A linear model over features that mean the same in every portal: how much of the query the whole
says, how much its headings, whether its form is that of an answer to this kind of question, and
where finding ranked it. The weights of what can be counted were fitted by
``tests/training/fit_block_weights.py``; those of the forms were set by reading answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final, NamedTuple

from service.generation.extraction import cues, entries, forms, opposites, sections, wholes
from service.generation.extraction.queries import deeds, definitions
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.sections import Section, SourcePage
from service.generation.extraction.wholes import Whole, WholeKind
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

_OPENING: Final = 0.5
"""What the title counts as the heading of what stands under it before all headings."""
_WHOLE: Final = frozenset((Q.HOW_TO, Q.LIST, Q.COMPARISON, Q.OTHER))
"""Kinds of question that are answered by all of a list."""


WITH_HEADINGS: Final = 1
HEADING: Final = 2
TITLE: Final = 3
PAIRS: Final = 4
RANK: Final = 5
FOREIGN: Final = 8
RELEVANCE: Final = 10
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

    def is_of(self, blocks: Set[int]) -> bool:
        """Tell whether it has one of *blocks*, which are named by their identity."""
        return any(id(block) in blocks for block in self.whole.blocks)


WEIGHTS: Final = (
    1.4,  # own: share of the query that the whole says
    1.2,  # with_headings: the same with title and headings
    1.5,  # heading: likeness of the topic and the nearest heading
    0.5,  # title: likeness of the topic and the title
    0.6,  # pairs: words that stand together in the query stand together
    1.4,  # rank: of its source, 1 for the best
    0.7,  # opening: 1 for the first whole of a section, less for each further one
    -0.2,  # length: logarithm of its terms
    1.0,  # foreign: in another language than the query
    1.0,  # identifier: the one that is asked is there, or is not
    1.2,  # relevance: of its most relevant source, 0 for what was read around the hits
)


FORM: Final = 0.9
"""What the form of a whole counts: see `forms.fit`."""
_ASKS: Final = 1.5
"""What it says for a whole that its heading is the question, in words that are nearly the same."""
_SAME_QUESTION: Final = 0.6
"""From this likeness on it may be."""
_NAMED: Final = 0.5
"""From this likeness on a page is called by what is asked."""
_CALLED: Final = 0.8
"""From this likeness on a page is about just that."""
_UNDER: Final = 0.55
"""What the title of such a page counts as the heading of each of its sections."""
_PROPER: Final = 1.2
"""What the title counts as the heading of what tells just that of it: "How to apply"."""
_INTRODUCED: Final = 1.7
"""What it says for a paragraph that it opens the page called by the term that is to be defined."""
_TERM: Final = 0.95
"""From this likeness on a heading is the term that is to be defined, and no more."""
_IN_ALL: Final = 0.3
"""What is left of the likeness of a heading where all are like what is asked."""
_FIRST: Final = 160
"""Characters in which it is said what something is."""
_DANGLING: Final = 1.5
"""What it takes from a paragraph that it only leads to what is not there."""
_UNDOING: Final = 3.0
"""What it takes from a whole that it stands under the opposite of what is asked: erase, restore."""
_DOING: Final = 0.3
"""What it says for a whole that it stands under the same, by whatever word."""
_OTHERWISE: Final = 1.0
"""What it takes from a whole that it stands under another deed: make a chart, edit a chart."""
_READ: Final = 32
"""Wholes whose form is read; the answer was never found behind them."""
_LONG: Final = 120
"""Terms of a text that is long; longer ones are not worse."""


def score(query: WeightedQuery, pages: Sequence[SourcePage]) -> list[ScoredWhole]:
    """Return the wholes that may be quoted, the best first; of equals the first in order.

    What counts words is known of all of them, what reads their form of the first only.
    """
    query.spread([_section_terms(section) for page in pages for section in page.sections])
    counted = list[ScoredWhole]()
    for order, page in enumerate(pages):
        wholes_of_page = [whole for section in page.sections for whole in section.wholes]
        of_page = sections.foreign(sections.opening(wholes_of_page), query.language)
        for section in page.sections:
            # A bold caption was taken for a heading: what stands under it is content.
            if cues.is_caption(section.heading) or not cues.is_furniture(section.heading):
                # A page may quote what is in another language, a licence above all.
                opening = sections.opening(section.wholes)
                own = len(opening) >= _TOLD_BY
                foreign = sections.foreign(opening, query.language) if own else of_page
                if foreign and not sections.foreign(sections.headings(page), query.language):
                    foreign = _UNTRANSLATED
                counted += _counted(query, page, section, 1 / (1 + order), foreign)
    counted.sort(key=lambda one: -one.score)
    titles = frozenset(sections.numberless(page.title) for page in pages)
    contents = {page.rank: titles | _contents(page) for page in pages}
    found = [
        _read_closely(query, one)
        for one in counted[:_READ]
        if not sections.points_elsewhere(one.section, one.whole, contents[one.page.rank])
    ]
    found.sort(key=lambda one: -one.score)
    return found


def _counted(
    query: WeightedQuery, page: SourcePage, section: Section, rank: float, foreign: float
) -> Iterator[ScoredWhole]:
    """Yield the wholes of a section with what can be counted of them."""
    title_likeness = query.likeness(page.title)
    above = frozenset(content_terms.of("\n".join((page.title, *section.path)), query.language))
    heads = query.kind is Q.DEFINITION or query.is_asked_by(page.title)
    opening = title_likeness * (1.0 if heads else _OPENING)
    nearest = _likeness(query, section) if section.path else opening
    if query.kind is Q.DEFINITION and cues.opens(section.heading):
        nearest = max(nearest, opening)
    if query.is_of_all and not query.is_asked_by(section.heading):
        # That a heading has the word says nothing where all have it.
        nearest, title_likeness = _IN_ALL * nearest, _IN_ALL * title_likeness
    if cues.is_proper(query.kind.name, section.heading) and title_likeness >= _NAMED:
        nearest = max(nearest, _PROPER * title_likeness)
    if query.kind is Q.HOW_TO and title_likeness >= _CALLED:
        nearest = max(nearest, _UNDER * title_likeness)
    headings, first = query.asked(above), forms.first(section)
    # Nobody repeats the code that a section is called by, nor the question that it answers.
    is_of_code = any(name.search(section.heading) for name in query.identifiers)
    said_above = is_of_code or _answers(query, section, nearest)
    nearest = max(nearest, _ASKED_WHOLE) if is_of_code else nearest
    for at, whole in enumerate(section.wholes):
        if not whole.known:
            continue
        own = _own(query, whole)
        terms = [term for block in whole.blocks for term in block.terms]
        source = min(block.source for block in whole.blocks)
        features = (
            query.share(own | headings) if said_above else query.own_share(own),
            query.share(own | headings),
            nearest,
            title_likeness,
            query.pairs(terms) if len(own) > 1 else 0.0,
            0.5 * rank + 0.5 / (1 + source),
            1 / (1 + max(at - first, 0)),
            math.log1p(min(len(terms), _LONG)),
            foreign,
            _identifier(query, section, whole),
            max(page.relevances[block.source] for block in whole.blocks),
        )
        linear = sum(w * f for w, f in zip(WEIGHTS, features, strict=True))
        linear += _ASKS * _asks_this(query, section, nearest)
        yield ScoredWhole(linear, page, section, at, features, above)


def _likeness(query: WeightedQuery, section: Section) -> float:
    """Return how much the nearest heading is what is asked, 0..1.

    A question that has all words of the query asks it, whatever it asks beside it; but one deed,
    "deploy", is in the heading of everything about that.
    """
    named = _named(section)
    likeness = query.likeness(named)
    is_deed = query.kind is Q.HOW_TO and len(query.telling) < _SAID
    if likeness < _ASKED_WHOLE and not is_deed and query.is_asked_by(named):
        known = frozenset(content_terms.of(named, query.language))
        if query.share(query.asked(known)) >= _ALL:
            return _ASKED_WHOLE
    return likeness


_SAID: Final = 2
"""Words of a how-to that say what is done with what."""
_ASKED_WHOLE: Final = 0.8
"""The likeness of a heading that asks all that the query does, and more."""
_ALL: Final = 0.95
"""The share of the query that is all of it."""


def _asks_this(query: WeightedQuery, section: Section, likeness: float) -> float:
    """Return how much the heading asks what the query does, 0..1, where it is a question as well.

    What goes on with a turn before has most of its question there.
    """
    if query.goes_on or likeness <= _SAME_QUESTION or not query.is_asked_by(_named(section)):
        return 0.0
    return (likeness - _SAME_QUESTION) / (1 - _SAME_QUESTION)


def _answers(query: WeightedQuery, section: Section, likeness: float) -> bool:
    """Tell whether the heading of *section* is such a question as *query*, of somewhat the same.

    Where a fact is asked that shows by its form, what stands beside it tells more.
    """
    if query.goes_on or query.kind in forms.SHOWN or likeness < _SOMEWHAT:
        return False
    return query.is_asked_by(_named(section))


_SOMEWHAT: Final = 0.3
"""From this likeness on a heading asks somewhat the same."""


def _named(section: Section) -> str:
    """Return the nearest heading that names something: "Description" is that of the one above."""
    above = (one for one in reversed(section.path) if not cues.opens(one))
    return next(above, section.heading)


def _read_closely(query: WeightedQuery, one: ScoredWhole) -> ScoredWhole:
    form = forms.fit(query, one.section, one.at)
    opens = one.at <= forms.first(one.section) and (
        not one.section.path or cues.opens(one.section.heading)
    )
    named = one.features[TITLE] if one.features[TITLE] >= _NAMED else 0.0
    entry = entries.counts(query, one.page, one.section, one.at)
    named_by = max(named * opens, one.features[HEADING] * _is_entry_of_glossary(one))
    introduced = _INTRODUCED * named_by if query.kind is Q.DEFINITION and not entry else 0.0
    dangles = one.whole.kind is WholeKind.PARAGRAPH and sections.leads(one.whole.blocks[-1].text)
    introduced += _introduces(query, one) if query.is_of_all else 0.0
    introduced += _HOW * _is_called_procedure(query, one)
    introduced -= _OCCASION * forms.is_occasion(query, one.whole)
    introduced -= _SPECIAL * forms.is_special(query, one.page.title, one.section.heading)
    introduced += _LIMITS * forms.tells_such(query, (one.page.title, *one.section.path))
    introduced += _FOLLOWS * all(map(cues.tells_consequence, (query.text, one.section.heading)))
    proper = named and cues.is_proper(query.kind.name, one.section.heading)
    introduced += _PROPERLY if proper else 0.0
    score = one.score + FORM * form + introduced - _DANGLING * dangles + _deed(query, one) - entry
    lead = " ".join(block.text for block in one.whole.lead)
    if one.features[FOREIGN] == 0.0 and sections.foreign(lead, query.language):
        score -= _FOREIGN_LEAD
    return one._replace(score=score)


def _is_entry_of_glossary(one: ScoredWhole) -> bool:
    """Tell whether a paragraph stands under its term, and tells no case of it or what to do."""
    called = one.at == 0 and one.features[HEADING] >= _TERM
    return (
        called
        and one.whole.kind is WholeKind.PARAGRAPH
        and not _CASE.match(one.whole.blocks[0].text)
    )


_CASE: Final = re.compile(
    r"\W*(?:as long as|as soon as|if|when|unless|after|before|once|to|you|please)\b", re.IGNORECASE
)


def _is_called_procedure(query: WeightedQuery, one: ScoredWhole) -> bool:
    """Tell whether *one* is steps, all of them, and its heading says of what: "To lend a boat"."""
    return (
        query.kind is Q.HOW_TO
        and one.whole.kind is WholeKind.STEPS
        and one.whole.blocks[0].number <= 1
        and one.features[HEADING] >= _NAMED
        and _PROCEDURE.match(one.section.heading) is not None
    )


_PROCEDURE: Final = re.compile(r"\W*(?:how )?to [a-z]", re.IGNORECASE)
_HOW: Final = 1.0
"""What it says for steps that their heading is what they are for."""


_OCCASION: Final = 1.2
"""What it takes from a paragraph that it tells what is so once it is done: "After you pay, …"."""
_PROPERLY: Final = 1.0
"""What it says for a whole that its heading, too, says so: it need not name the thing again."""
_FOREIGN_LEAD: Final = 1.5
"""What it takes from a list that its lead is in another language than its items and the query."""
_SPECIAL: Final = 0.7
"""What it takes from a whole that it stands under a special case of what is to be defined."""
_LIMITS: Final = 1.5
"""What it says for what stands under "Limits" that somebody asks how many there may be, and for
what stands under "Troubleshooting" that something fails."""
_FOLLOWS: Final = 1.0
"""What it says for what stands under "What happens if …" that somebody asks what happens."""


def _introduces(query: WeightedQuery, one: ScoredWhole) -> float:
    """Return how well a paragraph tells what the subject of all pages is: "Acme is a …", 0..2."""
    defined = definitions.defines(query.topic, one.whole.blocks[0].text, query.language)
    if one.whole.kind is not WholeKind.PARAGRAPH or not defined:
        return 0.0
    opens = cues.opens(one.section.heading) or cues.opens(one.page.title)
    return cues.fit("WHAT", one.whole.blocks[0].text[:_FIRST]) + opens


def _deed(query: WeightedQuery, one: ScoredWhole) -> float:
    """Return what it says that a heading does, or undoes, what is asked, or does another thing."""
    asked = opposites.sides(query.text, query.language)
    lead = " ".join(block.text for block in one.whole.lead)
    if opposites.are_opposite(asked, opposites.sides(lead, query.language)):
        return -_UNDOING
    for heading in (*reversed(one.section.path), one.page.title):
        told = opposites.sides(heading, query.language) if asked else asked
        if asked.keys() & told.keys():
            return -_UNDOING if opposites.are_opposite(asked, told) else _DOING
        if query.kind is Q.HOW_TO:
            is_same = deeds.is_same(query.topic, heading, query.language)
            if is_same is not None:
                return 0.0 if is_same else -_OTHERWISE
    return 0.0


def _contents(page: SourcePage) -> frozenset[str]:
    return frozenset(
        sections.numberless(heading) for section in page.sections for heading in section.path
    )


def _own(query: WeightedQuery, whole: Whole) -> frozenset[str]:
    """Return what of the query is said by what would be quoted: all of a list, or one item."""
    lead = frozenset(term for block in whole.lead for term in block.terms)
    if query.kind is Q.HOW_TO and whole.kind is WholeKind.LIST and len(whole.blocks) > _NEAR:
        near = (
            frozenset(term for block in whole.blocks[at : at + _NEAR] for term in block.terms)
            for at in range(len(whole.blocks) - _NEAR + 1)
        )
        return max((query.asked(lead | one) for one in near), key=query.weigh)
    if query.kind in _WHOLE or len(whole.blocks) == 1:
        return query.asked(whole.known)
    held = query.asked(lead)
    said = [held | query.asked(frozenset(block.terms)) for block in whole.blocks]
    return max(said, key=query.weigh)


_NEAR: Final = 4
"""Items of a list that tell together what is asked; scattered over a page words say nothing."""


def _section_terms(section: Section) -> frozenset[str]:
    return frozenset[str]().union(*(whole.known for whole in section.wholes))


_UNTRANSLATED: Final = -1.0
"""The same of a text under headings in the language of the query: there is no other yet."""
_TOLD_BY: Final = 80
"""Characters of a section from which on it tells its language itself."""


def _identifier(query: WeightedQuery, section: Section, whole: Whole) -> float:
    """Tell whether what is asked by its name is here: exactly this name, not one like it."""
    if not query.identifiers:
        return 0.0
    held = 0.0
    for name in query.identifiers:
        if name.search(section.heading):
            held += 3.0  # all of the section is about it
        elif any(name.match(wholes.unmarked(b.text).lstrip("|`\"' ")) for b in whole.blocks):
            held += 2.5  # it is what an item, a row or a definition is about
        elif any(name.search(block.text) for block in whole.blocks):
            held += 2.0
        elif any(name.search(heading) for heading in section.path):
            held += 1.5
        else:
            held -= 2.0
    return held / len(query.identifiers)
