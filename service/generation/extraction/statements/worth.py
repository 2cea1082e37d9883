"""Say how well a sentence, an item or a row tells what is asked.

It tells it by its words, and by what a reader looks for: a number beside what is counted, a name
where somebody is asked for, a reason, a definition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from service.generation.extraction import cues, forms
from service.generation.extraction.queries import definitions, negations
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements import brackets, makers
from service.generation.extraction.wholes import unmarked
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

FACTS: Final = frozenset(
    (Q.NUMBER, Q.DURATION, Q.DATE, Q.PRICE, Q.PLACE, Q.PERSON, Q.REASON, Q.YES_NO, Q.FACT)
)
"""Kinds of question that a sentence answers, if it has the right form."""
COUNTED: Final = forms.COUNTED
SHOWN: Final = forms.SHOWN


def has_form(query: WeightedQuery, text: str) -> bool:
    """Tell whether *text* has what a query of one of the kinds `SHOWN` asks for."""
    if query.kind in COUNTED:
        return bool(cues.figures(query.cue, text))
    if query.kind is Q.PERSON and query.cue != "CLASS":
        return cues.names_someone(text, query.words) or cues.fit("EMAIL", text) == 1.0
    return cues.fit(query.cue, text) == 1.0


def worth(
    query: WeightedQuery, text: str, terms: Sequence[str], above: Sequence[str] = ()
) -> float:
    """Return how well a sentence, an item or a row tells what is asked.

    It has *terms*, and says those *above* it, of its lead and headings, without repeating them.
    """
    if query.cue == "CLOCK" and cues.fit("HOURS", text) == 1.0:
        terms = (*terms, *forms.said_by_hours(query.language))
    said = frozenset((*above, *terms))
    value = query.own_share(query.asked(said)) + 0.3 * query.pairs((*above, "", "", *terms))
    if query.identifiers:
        value += sum(2.0 if name.search(text) else -1.0 for name in query.identifiers)
    value += _LABELLED * cues.labels(query.kind.name, unmarked(text))
    value += _BRACKET * brackets.fit(query.text, unmarked(text))
    if query.kind in COUNTED:
        value += _figure(query, unmarked(text), said, above)
    elif query.kind is Q.PERSON and query.cue != "CLASS" and _names(query, text):
        value += _NAMES_ONE + _DID * names_doer(query, text)
    elif query.kind in FACTS:
        form = 0.25 if query.kind is Q.YES_NO else 0.5
        value += form * cues.fit(query.cue, unmarked(text)) - 0.15 * cues.leans(text)
    if query.kind in (Q.DEFINITION, Q.IDENTIFIER):
        told = definitions.is_entry(text, query.topic, query.language)
        value += 1.0 * (told or definitions.defines(query.topic, text, query.language))
    if query.negations:
        value += 0.15 * len(query.negations & negations.of(text, query.language))
    return value - 0.4 * forms.is_fragment(text)


def _names(query: WeightedQuery, text: str) -> bool:
    return cues.names_someone(text, query.words) or names_doer(query, text)


def names_doer(query: WeightedQuery, text: str) -> bool:
    """Tell whether *text* says by whom what is asked is done: "made by Ada", of "who made".

    Whoever made something has written, built or founded it as well.
    """
    if makers.asks_for_one(query.text) and makers.names_one(text, query.text):
        return True
    return any(
        query.asked(frozenset(content_terms.of(found[1], query.language)))
        and found[2].lower() not in query.words
        for found in _BY.finditer(text)
    )


_BY: Final = re.compile(
    r"\b([^\W\d_]+(?: \w+)?) (?:by|por|par|von|durch) (?:the |Dr\. )?([A-Z][\w'’-]+)"
)
_DID: Final = 0.8
"""What it says for a sentence that it names who did what is asked."""


def _figure(query: WeightedQuery, text: str, terms: Collection[str], above: Sequence[str]) -> float:
    """Return how well a number of *text* is what is asked: it stands beside what is counted."""
    around = cues.figures(query.cue, text)
    if not around:
        return 0.5 * cues.fit(query.cue, text) - _NONE
    if len(text) <= _SHORT:
        near = query.own_share(query.asked(terms))
    else:
        pieces = (frozenset((*above, *content_terms.of(one, query.language))) for one in around)
        near = max(query.own_share(query.asked(piece)) for piece in pieces)
    labelled = _LABEL.match(text)
    named = query.likeness(labelled[1] or labelled[2]) if labelled else 0.0
    bound = query.bounded and any(cues.fit("BOUND", one) for one in around)
    counts = _COUNTS * _counts(query, around)
    condition = _CONDITION.match(text)
    if condition is not None and not cues.figures(query.cue, text[condition.end() :]):
        counts -= _CONDITIONAL
    return 0.3 + 0.4 * near + 0.3 * bound + _NAMED * named + counts


_CONDITION: Final = re.compile(
    r"(?:if|unless|when|si|cuando|quand|lorsque|wenn|falls|sofern) [^,.;:]{5,150}, ", re.IGNORECASE
)
"""When a sentence says something, before what it says: it is there that no number is told."""
_CONDITIONAL: Final = 0.4
"""What it takes from a sentence that all its numbers are of its condition."""


def _counts(query: WeightedQuery, around: Sequence[str]) -> float:
    """Return how much of what is counted follows a number of what stands *around* numbers.

    "40 nights of stay" counts nights of stay, "40 nights notice" but nights.
    """
    thing = query.counted
    said = (
        thing & query.asked(frozenset(content_terms.of(found[1], query.language)))
        for one in around
        for found in _QUANTITY.finditer(one)
    )
    return max(map(len, said), default=0) / max(len(thing), 1)


_QUANTITY: Final = re.compile(
    r"\b(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dos|tres|cuatro"
    r"|cinco|seis|siete|ocho|nueve|diez|doce|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|zwei"
    r"|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)\s+((?:[\w’'-]+\s+){0,3}[\w’'-]+)",
    re.IGNORECASE,
)
_COUNTS: Final = 0.4
"""What it says for a number that what is counted follows it."""


_LABELLED: Final = 0.8
"""What it says for a statement that its label is the word that asks: "Where: in the hall"."""
_BRACKET: Final = 0.8
"""What it says for a statement that the amount of the query falls in its range."""
_NAMES_ONE: Final = 0.6
"""What it says for a sentence that it names somebody where somebody is asked for."""
_NONE: Final = 0.9
"""What it takes from a sentence that a number is asked and none is in it."""
_LABEL: Final = re.compile(
    r"([^:|–—=\n]{3,80}?)\s*[:–—=]\s*\W{0,3}\d|(?:[^:|\n]{1,40}: )?([^:|\n]{3,80}?) \| .{0,80}?\d"
)
"""What a number is that of: "Attempts per hour: 5", or the first cell of its row."""
_NAMED: Final = 0.8
"""What it says for a number that its label is what is asked."""
_SHORT: Final = 120
"""Characters of a text, an item or a row mostly, all of which is beside its number."""
