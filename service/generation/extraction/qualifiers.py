"""Tell whether what would be told is about the very thing asked for, not about one like it.

A page about *Night Light* says half of "How do I switch on dark mode?", and one about catastrophic
plans half of "How much does a dental plan cost?": the word that makes the difference is missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import HEADING, ScoredWhole
from service.generation.extraction.statements import makers, worth
from service.generation.extraction.statements.runs import Quote
from service.generation.extraction.wholes import SourceBlock
from service.language import content_terms, synonyms
from service.language.queries import word_roles
from service.language.queries.word_roles import Role
from service.language.question_kinds import QuestionKind as Q

_STRICT: Final = frozenset((Q.HOW_TO, Q.PRICE, Q.REASON))
"""Questions that presuppose the thing: "Is there …?" and "Which …?" ask whether it is there."""
_LONGEST: Final = 10
"""Words of a question that is to the point; of a longer one some tell of the asker."""
_RARE: Final = 5.6
"""What a word tells, of 8, that makes the difference: "dark" 5.8, "screen" 3."""
_NAME: Final = 3.0
"""The same of a name that is not said: "on Windows" asks about no other system."""
_SHARE: Final = 0.35
"""The share of the query that it is; right answers lack up to .3, in how-to questions."""
_HARDLY: Final = 0.45
"""What is told and stands above says at least so much of a question. Of 340 labelled answers that
are right none says less, of 16 that should not be there 4; below .5 one that is right is lost."""
_PRICE: Final = re.compile(
    r"\b(?:how much|costs?|prices?|fees?|charges?)\b"
    r"|\b(?:free(?: of charge| to use)?|gratis|gratuite?s?|kostenlos|umsonst)\W*$",
    re.IGNORECASE,
)
"""Asks for an amount: "How do I pay?" does not."""
_CALLED: Final = re.compile(r"\bnumber\b(?:.*\b(?:call|of|for)\b|\W*$)", re.IGNORECASE)
"""Asks for a telephone number to be called: "What phone number can I use?" does not."""
_OWN: Final = re.compile(r"\b(?:my|our) (?:\w+ ){0,2}number\b", re.IGNORECASE)
"""Tells of the number of who asks."""
_CHANGES: Final = frozenset((Q.DATE, Q.NUMBER, Q.PRICE, Q.FACT, Q.LIST, Q.DEFINITION, Q.PERSON))
"""Kinds of which what holds today is no longer so tomorrow: documents that tell it say so."""
_NOW: Final = re.compile(
    r"\b(?:the|your) (current|next|latest|newest|upcoming)\b"
    r"|\b(today|tonight|tomorrow|this (?:year|month|week|season))\W*$",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(?<=\w )([A-Z][\w-]*) (\d+(?:\.\d+)*)\b")
"""A name, within a sentence, and its number."""
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_MONEY: Final = re.compile(
    r"\b(?:euros?|dollars?|dólares|pounds?|libras|pence|cents?|francs?|franken|francos|yen|yuan"
    r"|rupees?|pesos?|kron\w{1,3})\b",
    re.IGNORECASE,
)
"""What amounts of money in words end with."""
_EARNS: Final = re.compile(r"\bhow much\b.{1,60}\b(?:earns?|salary|wages?)\b", re.IGNORECASE)
"""Asks for an amount of money: the number of a grade or a page is none."""
_ASKED_NOUN: Final = re.compile(
    r"\bhow (?:much|many) (?:\w+ )??(\w+) (?=(?:do|does|did|is|are|can|will|would|has|have)\b)"
    r"|\bwhat(?:'s|’s| is| are) (?:the|your) (\w+) (?:of|for|to)\b"
    r"|^\W*(?:can|could|may|do|does|is|are)\b.{1,60} (?:in|by|with) (\w+)\W*$",
    re.IGNORECASE,
)
"""What somebody asks for by its name: "how much *memory* does", "what is the *code* of"."""
_NAMES_ONE: Final = 3.0
"""What such a word tells at least: "number", "amount" and "size" stand for any."""
_HOW_MANY: Final = re.compile(r"\bhow many (\w+(?: \w+)?)\b", re.IGNORECASE)
"""Names what is counted."""
_MODIFIERS: Final = 0.42
"""The share of a how-to question from which several words that no page has make it another."""
_DETAILED: Final = 15
"""Words of such a question."""
_OPEN: Final = re.compile(r"\b(?:open(?:ing)?|close[sd]?|closing|hours)\b", re.IGNORECASE)
"""Asks for opening hours, where it asks for a time."""
_SENTENCE_END: Final = re.compile(r"[.!?](?:\s|$)(?=.)")
_COMMON: Final = 1.5
"""What a word tells at most that stands everywhere, and so says nothing about a name."""


def missing(
    query: WeightedQuery, told: Sequence[Sequence[Quote]], candidates: Sequence[ScoredWhole]
) -> bool:
    """Tell whether *told*, which was chosen of *candidates*, lacks what makes the difference."""
    if all(cues.is_unwritten(quote.text) for quotes in told for quote in quotes):
        return any(told)
    blocks = [quote.block for quotes in told for quote in quotes]
    if _lacks_amount(query, blocks, candidates):
        return True
    shown = _shown(query, blocks)
    if shown is not None:
        return not shown
    if told and _is_formless(query, told):
        return True
    known = {id(block) for block in blocks}
    of = [one for one in candidates if any(id(block) in known for block in one.whole.blocks)]
    if _is_of_another_day(query, blocks, of) or _is_of_another_number(query, of):
        return True
    elsewhere = query.language == "en" and _is_elsewhere(query, blocks, candidates)
    if elsewhere or _counts_another(query, blocks, of):
        return True
    if len(query.words) > _LONGEST:
        return False
    above = frozenset[str]().union(*(query.asked(one.above) for one in of))
    said = above.union(*(query.asked(one.whole.known) for one in of), _said_otherwise(query, of))
    formless = not _has_form(query, blocks)
    if (formless and _hardly_said(query, said)) or _names_unknown(query, candidates):
        return True
    presupposes = query.kind in _STRICT or (query.kind in worth.COUNTED and formless)
    is_strict = presupposes and query.language == "en" and not _tells_trouble(query)
    return is_strict and (
        _lacks_deed(query, said) or _lacks_qualifier(query, said, above, blocks, of)
    )


def _shown(query: WeightedQuery, blocks: Sequence[SourceBlock]) -> bool | None:
    """Tell whether *blocks* have what only shows by its form, None where no such thing is asked."""
    if query.cue == "PHONE" and _CALLED.search(query.text) and not _OWN.search(query.text):
        return any(cues.fit("PHONE", block.text) == 1 for block in blocks)
    if query.cue == "CLOCK" and _OPEN.search(query.text):
        return any(_has_hours(block.text) for block in blocks)
    if makers.asks_for_one(query.text):
        return makers.name_somebody([block.text for block in blocks], query.text)
    return None


def _tells_trouble(query: WeightedQuery) -> bool:
    """Tell whether *query* tells that something fails, which presupposes nothing."""
    return query.kind is Q.HOW_TO and "how" not in query.words


def _lacks_deed(query: WeightedQuery, said: Collection[str]) -> bool:
    """Tell whether nothing that is *said* is about the deed: "How do I *print* a calendar?"."""
    asked = _DEED.search(query.text)
    deed = content_terms.of(asked[1], query.language) if asked else ()
    return any(query.telling.get(term, 0.0) >= _DEEDS and term not in said for term in deed)


_DEED: Final = re.compile(
    r"\bhow (?:(?:do|can|could|should|would|may|must) (?:i|we|you|one)|to) (\w+)", re.IGNORECASE
)
_DEEDS: Final = 3.8
"""What such a word tells at least: "get" and "use" stand for any."""


def _said_otherwise(query: WeightedQuery, of: Sequence[ScoredWhole]) -> Iterator[str]:
    """Yield the terms of *query* that what is told calls otherwise: "vehicle" for "car"."""
    known = frozenset[str]().union(*(one.whole.known | one.above for one in of))
    for (term, *more), others in synonyms.BUILT_IN.of(query.text, query.language):
        if not more and term in query.telling and any(known.issuperset(one) for one in others):
            yield term


def _lacks_amount(
    query: WeightedQuery, blocks: Sequence[SourceBlock], candidates: Sequence[ScoredWhole]
) -> bool:
    """Tell whether money is asked for, and *blocks* have no amount of it.

    What a heading asks by the same words is answered without.
    """
    costs = query.kind is Q.PRICE and _PRICE.search(query.text)
    if not (costs or _EARNS.search(query.text)) or any(_has_amount(one.text) for one in blocks):
        return False
    known = {id(block) for block in blocks}
    asked = (one for one in candidates if any(id(block) in known for block in one.whole.blocks))
    heads = any(
        query.is_asked_by(one.section.heading) and one.features[HEADING] >= _ASKED for one in asked
    )
    return not (heads and _WHAT_IS.match(query.text))


_WHAT_IS: Final = re.compile(r"\W*what(?:['’]s| is| are) ", re.IGNORECASE)
_ASKED: Final = 0.75
"""From this likeness on a heading asks just that."""


def _is_formless(query: WeightedQuery, told: Sequence[Sequence[Quote]]) -> bool:
    """Tell whether nothing that is *told* looks like an answer: a version, a port, a name.

    Nor do questions, which pages list before they answer them.
    """
    texts = [quote.text for quotes in told for quote in quotes]
    if all(text.rstrip().endswith(_ASKING) for text in texts):
        return True
    if query.kind is Q.PERSON and _WHO_IS.search(query.text):
        return not any(worth.has_form(query, text) for text in texts)
    return query.cue in _SHOWN and cues.fit(query.cue, "\n".join(texts)) < 1


_ASKING: Final = ("?", "？")
_WHO_IS: Final = re.compile(
    r"\bwho(?:['’]s| is| was| are| were) the \w+ (?:of|at|behind|for)\b", re.I
)
"""Asks for a person by the office: "Who is the mayor of …?"."""
_SHOWN: Final = frozenset(("VERSION", "PORT", "YEAR", "SHARE", "SPEED"))
"""Measures that an answer has, or is none."""


def _is_of_another_day(
    query: WeightedQuery, blocks: Sequence[SourceBlock], of: Sequence[ScoredWhole]
) -> bool:
    """Tell whether what is asked changes by the day, and *blocks* do not say of which they tell.

    Nor does a heading above: the blocks are *of* these wholes.

    "What is the current rate?", "When is the next departure?"
    """
    asked = _NOW.search(query.text) if query.kind in _CHANGES else None
    if asked is None:
        return False
    when = (asked[1] or asked[2]).casefold()
    if any(when in heading.casefold() for one in of for heading in one.section.path):
        return False
    return not any(when in block.text.casefold() or _YEAR.search(block.text) for block in blocks)


def _is_of_another_number(query: WeightedQuery, of: Sequence[ScoredWhole]) -> bool:
    """Tell whether *query* names one of several by its number, "Gate 5", and what is told does not.

    Codes and versions are found by their own rules.
    """
    if query.identifiers:
        return False
    for name, number in _NUMBERED.findall(query.text):
        said = re.compile(
            rf"\b{re.escape(name)}s?\W{{0,3}}(?:\w+\W{{1,3}}){{0,3}}?{re.escape(number)}(?!\w|\.\d)",
            re.IGNORECASE,
        )
        told = ("\n".join((one.page.title, *one.section.path, one.whole.text)) for one in of)
        if not any(map(said.search, told)):
            return True
    return False


def _counts_another(
    query: WeightedQuery, blocks: Sequence[SourceBlock], of: Sequence[ScoredWhole]
) -> bool:
    """Tell whether "how many" is asked and none of *blocks* has a number and what is counted.

    What is counted may stand above: in a heading, the lead of a list.
    """
    asked = _HOW_MANY.search(query.text)
    if asked is None:
        return False
    named = query.asked(frozenset(content_terms.of(asked[1], query.language)))
    leads = (block.terms for one in of for block in one.whole.lead)
    above = frozenset[str]().union(*(one.above for one in of), *leads)
    anywhere = not named or bool(named & query.asked(above))
    return not any(
        cues.figures(query.cue, block.text)
        and (anywhere or named & query.asked(frozenset(block.terms)))
        for block in blocks
    )


def _is_elsewhere(
    query: WeightedQuery, blocks: Sequence[SourceBlock], candidates: Sequence[ScoredWhole]
) -> bool:
    """Tell whether the pages of *blocks* lack the noun asked for, or all what qualifies."""
    if len(query.words) > _DETAILED:
        return False
    known = {id(block) for block in blocks}
    pages = {one.page.rank for one in candidates if any(id(b) in known for b in one.whole.blocks)}
    of_pages = [one for one in candidates if one.page.rank in pages]
    there = frozenset[str]().union(
        *(query.asked(one.whole.known) | query.asked(one.above) for one in of_pages)
    )
    roles = _roles(query)
    lacks = {
        term: telling
        for term, telling in query.telling.items()
        if term not in there and roles.get(term, Role.ASIDE) is not Role.ASIDE
    }
    asked = _ASKED_NOUN.search(query.text)
    if asked and len(query.words) <= _LONGEST:
        nouns = content_terms.of(asked[asked.lastindex or 0], query.language)
        if any(lacks.get(noun, 0.0) >= _NAMES_ONE for noun in nouns):
            return True
    unsaid = [term for term, telling in lacks.items() if telling >= _NAME]
    if query.kind in worth.COUNTED and any(_is_name(query, term, candidates) for term in unsaid):
        return True
    if query.kind is not Q.HOW_TO or _tells_trouble(query):
        return False
    anywhere = frozenset[str]().union(*(query.asked(one.whole.known) for one in candidates))
    nowhere = [telling for term, telling in lacks.items() if term not in anywhere]
    return len(nowhere) > 1 and sum(nowhere) > _MODIFIERS * sum(query.telling.values())


def _is_name(query: WeightedQuery, term: str, candidates: Iterable[ScoredWhole]) -> bool:
    """Tell whether *candidates* write a word of *query*, which has this *term*, as a name alone."""
    texts = "\n".join(one.whole.text for one in candidates)
    return any(
        re.search(rf"(?<=\w ){re.escape(word)}\b", texts, re.IGNORECASE) is not None
        and re.search(rf"\b{re.escape(word)}\b(?!\.\w)", texts) is None
        for word in query.words
        if term in content_terms.of(word, query.language)
    )


def _lacks_qualifier(
    query: WeightedQuery,
    said: Collection[str],
    above: Collection[str],
    blocks: Sequence[SourceBlock],
    of: Sequence[ScoredWhole],
) -> bool:
    """Tell whether a name or a rare word of *query* is not *said*, or a name but in passing."""
    roles = _roles(query)
    total = sum(query.telling.values())
    for term, telling in query.telling.items():
        role = roles.get(term, Role.ASIDE)
        least = _NAME if role is Role.NAME and term not in said else _RARE
        if telling < least or role is Role.ASIDE:
            continue
        if term not in said:
            if role is Role.NAME or telling >= _SHARE * total:
                return True
        elif role is Role.NAME and term not in above and _in_passing(query, term, blocks, of):
            return True
    return False


def _names_unknown(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> bool:
    """Tell whether *query* asks which one is for a thing by its short name, and no page has it."""
    if query.kind not in (Q.FACT, Q.LIST):
        return False
    words = " ".join(_ABBREVIATION.findall(query.text))
    named = [t for t in content_terms.of(words, query.language) if query.telling.get(t, 0) >= _RARE]
    return any(
        all(t not in query.asked(o.whole.known | o.above) for o in candidates) for t in named
    )


_ABBREVIATION: Final = re.compile(r"(?<=\w )[A-Z][\w-]*[A-Z]\b")


def _has_form(query: WeightedQuery, blocks: Iterable[SourceBlock]) -> bool:
    """Tell whether one of *blocks* has the amount, the duration or the date that is asked for."""
    counted = query.kind in worth.COUNTED
    return counted and any(cues.fit(query.cue, block.text) == 1 for block in blocks)


def _has_hours(text: str) -> bool:
    """Tell whether *text* has an hour, a weekday or a month: "open from May until dusk"."""
    return cues.fit("CLOCK", text) > 0 or cues.fit("HOURS", text) == 1


def _has_amount(text: str) -> bool:
    """Tell whether *text* has an amount of money, in figures or words: "two euros an hour"."""
    return cues.fit("PRICE", text) == 1 or _MONEY.search(text) is not None


def _hardly_said(query: WeightedQuery, said: Collection[str]) -> bool:
    """Tell whether *said* is but a small part of *query*, a question in one sentence."""
    if query.kind in (Q.OTHER, Q.HOW_TO) or _SENTENCE_END.search(query.text):
        return False
    weight = sum(telling for term, telling in query.telling.items() if term in said)
    return weight < _HARDLY * sum(query.telling.values())


def _in_passing(
    query: WeightedQuery, name: str, blocks: Iterable[SourceBlock], of: Sequence[ScoredWhole]
) -> bool:
    """Tell whether no block that has *name* has, itself or its lead, what is asked about it."""
    roles = _roles(query)
    about = {
        term
        for term, telling in query.telling.items()
        if telling > _COMMON and roles.get(term) is not Role.NAME
    }
    lead = query.asked(frozenset(term for one in of for b in one.whole.lead for term in b.terms))
    above = frozenset[str]().union(*(query.asked(one.above) for one in of))
    for block in blocks:
        held = query.asked(frozenset(block.terms))
        # A row has but a few words of what its table is about: the headings tell the rest.
        said = held | lead | above if block.kind is BlockKind.ROW else held | lead
        if name in held and about & said:
            return False
    return bool(about)


def _roles(query: WeightedQuery) -> dict[str, Role]:
    """Return what the words of a query are there for, by their terms; halves of one for nothing."""
    halves = {half for word in query.text.split() if "-" in word for half in word.split("-")}
    return {
        term: role
        for word, role in word_roles.read(query.text, query.language).of.items()
        if word not in halves
        for term in content_terms.of(word, query.language)
    }
