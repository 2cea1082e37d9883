"""Say how well the form of a whole answers a kind of question.

Steps answer "how do I" and no "may I", a sentence with a number "how many", a definition "what is".
The values are in units of a logit, set by reading answers: a whole of the right form outweighs one
with somewhat more words of the query.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, wholes
from service.generation.extraction.queries import definitions, negations
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.sections import Section
from service.generation.extraction.wholes import SourceBlock, Whole, WholeKind
from service.language import content_terms
from service.language.queries import page_words, section_numbers
from service.language.question_kinds import QuestionKind as Q

_COUNTED: Final = frozenset((Q.NUMBER, Q.DURATION, Q.PRICE))
"""Kinds whose answers show by their form, and nothing else does."""
_FACTS: Final = frozenset((*_COUNTED, Q.DATE, Q.PLACE, Q.PERSON, Q.REASON))
_OPEN_KINDS: Final = frozenset((*_FACTS, Q.DEFINITION, Q.HOW_TO, Q.LIST, Q.COMPARISON, Q.FACT))
_VERDICT: Final = 1.0
"""What it takes from a whole that it begins with "Yes" or "No" where nobody can be asking that."""
_CODE: Final = 700
"""Characters of code that answers a how-to; more is a listing."""
_SIDES: Final = re.compile(
    r"\s+(?:and|or|vs\.?|versus|from|to|than|with|y|o|et|ou|und|oder|als)\s+|[和与跟]",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS: Final = 2
COUNTED: Final = frozenset((Q.NUMBER, Q.DURATION, Q.PRICE, Q.DATE))
"""Kinds of question that a number or a date answers."""
SHOWN: Final = COUNTED | {Q.PLACE, Q.PERSON}
"""Kinds whose answers show by their form, and are none without it."""


def fit(query: WeightedQuery, section: Section, at: int) -> float:
    """Return what the form of the whole *at* of *section* says for it, about -3 to 2."""
    whole = section.wholes[at]
    other = query.kind in _OPEN_KINDS and cues.fit("VERDICT", whole.text) == 1.0
    sense = _sense(query, section, whole)
    unexplained = _are_names(whole) and query.likeness(section.heading) < _LIKE
    says_little = is_scrap(whole) or unexplained
    return (
        _of_kind(query, whole, at - first(section)) + sense - 1.5 * says_little - _VERDICT * other
    )


_LIKE: Final = 0.5
"""A heading that is so much like what is asked says what the names under it are."""


def _are_names(whole: Whole) -> bool:
    """Tell whether a list is of names without a lead, a word each: "config:credentials"."""
    return whole.kind is WholeKind.LIST and all(
        block.kind is BlockKind.ITEM and " " not in wholes.unmarked(block.text)
        for block in whole.blocks
    )


def is_special(query: WeightedQuery, title: str, heading: str) -> bool:
    """Tell whether *heading* is a special case of what is to be defined, which *title* is."""
    if query.kind is not Q.DEFINITION or query.likeness(title) < _JUST_THAT or cues.opens(heading):
        return False
    told = content_terms.of(section_numbers.without(heading), query.language)
    whole = query.asked(told) >= query.topic_terms
    # What stands before it makes it special; "The lock option" is the lock.
    return whole and bool(query.asked(told[-1:])) and not query.asked(told[:1])


_JUST_THAT: Final = 0.8


def is_occasion(query: WeightedQuery, whole: Whole) -> bool:
    """Tell whether what *query* asks how to do is only the occasion of what *whole* tells."""
    if query.kind is not Q.HOW_TO or whole.kind is not WholeKind.PARAGRAPH:
        return False
    occasion = cues.occasion(whole.blocks[0].text)
    named = query.asked(frozenset(content_terms.of(occasion, query.language)))
    return bool(named) and query.share(named) >= _MOST * query.share(query.asked(whole.known))


def tells_such(query: WeightedQuery, headings: Iterable[str]) -> bool:
    """Tell whether *headings* are of limits and *query* asks for one, or of help that it needs."""
    if page_words.tell_trouble(query.text):
        return any(map(cues.tells_help, headings))
    asked = query.kind in (Q.NUMBER, Q.DURATION) and page_words.ask_limit(query.text)
    return asked and any(map(cues.tells_limits, headings))


_MOST: Final = 0.8
"""The share of what a text says of a query that is most of it."""


def is_fragment(text: str) -> bool:
    """Tell whether *text* is a piece of a sentence, as broken layouts leave them."""
    begins = text[:1].islower() and not definitions.is_entry(text)
    ends = text.rstrip("\"'”’»)").endswith((".", "!", "?", ":", "…", "。", "！", "？", "："))
    return begins and not ends


def is_title(whole: Whole) -> bool:
    """Tell whether a whole is a few words without an end, as a heading that nobody marked.

    So are the fields at the head of an entry, as "Type: path" and "Default: none" below it, and a
    line that only says since when something is there.
    """
    if whole.kind is not WholeKind.PARAGRAPH or len(whole.blocks) != 1:
        return False
    text = whole.text
    if are_fields(whole) or _SINCE.fullmatch(text):
        return True
    ends = text[-1] in _ENDS or any(character.isdigit() for character in text) or "://" in text
    return not ends and text.isascii() and text.count(" ") < _TITLE


def first(section: Section) -> int:
    """Return where of *section* its text begins: behind notes and lines such as "New in 2.1."."""
    before = (
        at
        for at, whole in enumerate(section.wholes)
        if whole.kind is not WholeKind.NOTE and not is_title(whole)
    )
    return next(before, 0)


def are_fields(whole: Whole) -> bool:
    """Tell whether a paragraph is the fields at the head of an entry, which nothing leans on."""
    return whole.kind is WholeKind.PARAGRAPH and _FIELDS.fullmatch(whole.text) is not None


_SINCE: Final = re.compile(
    r"(?:new|added|introduced|changed|deprecated|available) (?:in|since) "
    r"(?:version |release )?v?\d[\w.]*\W*",
    re.I,
)
_FIELDS: Final = re.compile(r"[A-Z]\w{2,20}: [^\n]{0,60}(?:\n[A-Z]\w{2,20}: [^\n]{0,60}){1,4}")
_ENDS: Final = frozenset(".!?:;…)]\"'”’")
_TITLE: Final = 6
"""Spaces of a line that is a title where it does not end as a sentence."""


def is_scrap(whole: Whole) -> bool:
    """Tell whether a whole says nothing itself: numbers, a piece of a sentence, a question."""
    if whole.kind is not WholeKind.PARAGRAPH:
        return False
    text = whole.blocks[0].text
    if is_hollow(whole) or _only_asks(whole):
        return True
    return is_fragment(text) or (len(_WORD.findall(text[:200])) < _FEWEST_WORDS and text.isascii())


def _only_asks(whole: Whole) -> bool:
    """Tell whether a paragraph is a question, which a page asks its reader: "Are you online?"."""
    text = whole.text
    return text.endswith(("?", "？")) and not _SENTENCES.search(text)


def is_hollow(whole: Whole) -> bool:
    """Tell whether a paragraph only opens an answer, or points elsewhere for it: "It depends."."""
    opening, *rest = _SENTENCES.split(whole.text, maxsplit=1)
    return cues.is_hollow(opening) and all(map(cues.is_furniture, rest))


def _of_kind(query: WeightedQuery, whole: Whole, at: int) -> float:
    kind = query.kind
    if whole.kind is WholeKind.CODE or all(cues.is_code(block.text) for block in whole.blocks):
        introduced = whole.size <= _CODE and len(whole.blocks) > 1
        return 0.2 if kind is Q.HOW_TO and introduced else -2.0
    steps = whole.kind is WholeKind.STEPS
    match kind:
        case Q.HOW_TO:
            return _procedure(query, whole)
        case Q.DEFINITION | Q.IDENTIFIER:
            return _definition(query, whole, at)
        case Q.LIST:
            return _list(query, whole)
        case Q.YES_NO:
            listed = 0.3 * (whole.kind is WholeKind.LIST)
            return -0.8 if steps else 0.5 * cues.fit(query.cue, whole.text) - listed
        case Q.COMPARISON:
            return _comparison(query, whole)
        case _ if kind in _FACTS:
            told = _told(query, whole)
            least, most = (-1.2, 0.6) if kind in _COUNTED else (-0.7, 0.4)
            # "Where do I find it?" asks for the way there.
            steps = steps and kind is not Q.PLACE
            return least + (most - least) * told - 0.8 * steps + _schedule(query, whole)
        case _:
            return -0.2 * steps


def is_schedule(whole: Whole) -> bool:
    """Tell whether *whole* is a list of weekdays, each with its hours."""
    told = 0
    for block in whole.blocks[:_WEEK]:
        told += cues.fit("WEEKDAY", block.text) == cues.fit("HOURS", block.text) == 1.0
    return told > 1


_WEEK: Final = 12
"""Blocks of a list that is read for hours: seven days, a lead, and some more."""
_SCHEDULE: Final = 2.5
"""What it says for the hours of a week that somebody asks when it is open."""
_OF_SOMETHING: Final = 0.8
"""The same where the query names what is open."""


def _schedule(query: WeightedQuery, whole: Whole) -> float:
    if query.cue != "CLOCK" or not is_schedule(whole):
        return 0.0
    named = content_terms.of(cues.without_hours(query.topic), query.language)
    return _OF_SOMETHING if named else _SCHEDULE


@functools.cache
def said_by_hours(language: str) -> tuple[str, ...]:
    """Return the terms that "9 am to 5 pm" says without the words."""
    return tuple(content_terms.of(_OPEN.get(language[:2], _OPEN["en"]), language))


_OPEN: Final = {
    "en": "open opens opening close closes closed closing hours hour time times business",
    "es": "abren abre abierto abierta apertura cierra cierran cierre horario horarios hora",
    "fr": "ouvre ouvrez ouvert ouverture ferme fermez fermeture horaires heure heures",
    "de": "öffnet öffnen geöffnet schließt schließen geschlossen öffnungszeiten uhr zeit",
}


def _told(query: WeightedQuery, whole: Whole) -> float:
    """Return how much the best block of *whole* has the form of an answer."""
    best = 0.0
    for block in whole.blocks:
        best = max(best, cues.fit(query.cue, wholes.unmarked(block.text)))
        if best == 1.0:
            break
    return best


def _procedure(query: WeightedQuery, whole: Whole) -> float:
    match whole.kind:
        case WholeKind.STEPS:
            first = whole.blocks[0].number <= 1
            # How it is done tells nobody why that fails.
            return 0.2 if not first else 0.5 if page_words.tell_trouble(query.text) else 1.5
        case WholeKind.LIST:
            return 0.5 + _WAYS * _leads_to_ways(query, whole)
        case WholeKind.TABLE:
            return -0.6
        case _:
            told = instructs(query, whole.text[:_DEFINED])
            return 0.4 * cues.fit(Q.HOW_TO.name, whole.text) - 0.3 + _INSTRUCTING * told


def _leads_to_ways(query: WeightedQuery, whole: Whole) -> bool:
    """Tell whether the lead of a list says all that is asked: "There are two ways to moor:"."""
    if not whole.lead or not cues.counts_ways(whole.lead[-1].text):
        return False
    named = frozenset(term for block in whole.lead for term in block.terms)
    return query.share(query.asked(named)) >= _MOST


_WAYS: Final = 0.8
"""What it says for a list that its lead is what is asked how to do."""


def instructs(query: WeightedQuery, text: str) -> bool:
    """Tell whether a sentence of *text* says what to do to the end that *query* asks for."""
    return any(
        query.asked(frozenset(content_terms.of(found[1], query.language)))
        for found in _TO_THE_END.finditer(text)
    )


_TO_THE_END: Final = re.compile(
    r"(?:\A|[.!?]\s{1,3})((?:(?:In order )?[Tt]o"
    r"|If (?:[\w ]{0,40} )?you (?:want|wish|need|would like|prefer) to)"
    r" \w+ (?:(?!, )[^.:;!?]){2,80}), \w"
)
"""What it is for stands before what is to be done: "To leave the harbour, ask the pilot."."""
_INSTRUCTING: Final = 0.6
"""What it says for a paragraph that asks how something is done that it tells what to do for it."""


def _definition(query: WeightedQuery, whole: Whole, at: int) -> float:
    if whole.kind is WholeKind.STEPS:
        return -0.6
    if whole.kind is WholeKind.NOTE:
        return 0.2
    opening = 0.5 if at <= 0 and whole.kind is not WholeKind.LIST else 0.0
    told = [block.text for block in whole.blocks[:2]]
    if whole.kind is WholeKind.PARAGRAPH:
        told += _SENTENCES.split(whole.text[:_DEFINED])[1:]
    says = [one for one in told if definitions.defines(query.topic, one, query.language)]
    defined = (
        bool(says)
        or _is_term(query, whole)
        or (len(whole.blocks) > 1 and definitions.sets(query.topic, whole.blocks[0].text))
    )
    if entry(query, whole) is not None:
        return _ENTRY if not query.topic.isalpha() else _ENTRY_OF_A_WORD
    if whole.kind is WholeKind.LIST and not defined and not any(map(str.isdigit, query.topic)):
        return -0.6  # of a number or a code an item tells what it is
    outright = any(definitions.defines_outright(query.topic, one, query.language) for one in says)
    return opening + 1.5 * defined + _OUTRIGHT * outright


def _is_term(query: WeightedQuery, whole: Whole) -> bool:
    """Tell whether *whole* is a term that is asked for, or its meaning, and no other term's."""
    if whole.kind is not WholeKind.DEFINITION:
        return False
    named = [one.text for one in whole.blocks if one.kind is BlockKind.TERM]
    return not named or any(query.likeness(one) >= _LIKE for one in named)


_OUTRIGHT: Final = 1.0
"""What it says for a whole that a sentence of it defines just what is asked, no special case."""


def entry(query: WeightedQuery, whole: Whole) -> SourceBlock | None:
    """Return the block of *whole* that is the entry of what is asked: "tool-align - aligns"."""
    for block in whole.blocks:
        if definitions.is_entry(wholes.unmarked(block.text), query.topic, query.language):
            return block
    return None


_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_DEFINED: Final = 700
"""Characters of a paragraph in which one of its sentences may say what something is."""
_ENTRY: Final = 4.0
"""What it says for a whole that it has the entry of the code that is asked: "tool-align - …"."""
_ENTRY_OF_A_WORD: Final = 2.0
"""The same of a word, which may begin an item by chance: as much as a first sentence that defines.
"""


def _list(query: WeightedQuery, whole: Whole) -> float:
    if whole.kind is WholeKind.PARAGRAPH:
        return _ENUMERATED * _enumerated(query, whole)
    if whole.kind not in (WholeKind.LIST, WholeKind.TABLE, WholeKind.STEPS):
        return 0.0
    lead = frozenset(term for block in whole.lead for term in block.terms)
    held = query.share(query.asked(lead))
    if whole.kind is WholeKind.STEPS and not held:
        return -0.2
    told = bool(whole.lead) and cues.announces(whole.lead[-1].text.rstrip(":："))
    return 0.8 + 0.8 * held + _ANNOUNCED * told


def _enumerated(query: WeightedQuery, whole: Whole) -> float:
    """Return how much of *query* a sentence of *whole* says that lists several things, 0..1."""
    return max(
        (
            query.share(query.asked(frozenset(content_terms.of(one, query.language))))
            for one in _SENTENCES.split(whole.text)
            if cues.enumerates(one)
        ),
        default=0.0,
    )


_ENUMERATED: Final = 1.0
"""What it says for a paragraph that a sentence of it lists several things of what is asked."""
_ANNOUNCED: Final = 0.5
"""What it says for a list that its lead counts what follows: "There are three types of it"."""


def _comparison(query: WeightedQuery, whole: Whole) -> float:
    sides = _SIDES.split(query.topic)
    text = [wholes.unmarked(block.text) for block in whole.blocks[:_COMPARED]]
    told = sum(any(_is_about(side, one, query.language) for one in text) for side in sides)
    return 0.3 * (whole.kind is WholeKind.TABLE) + 1.2 * told - (whole.kind is WholeKind.STEPS)


_COMPARED: Final = 12
"""Blocks that are read for the sides of a comparison."""


def _is_about(side: str, text: str, language: str) -> bool:
    return definitions.defines(side, text, language) or definitions.is_entry(text, side, language)


def _sense(query: WeightedQuery, section: Section, whole: Whole) -> float:
    """Return what it says that a "not" or a "without" of the query is there, or is not."""
    if not query.negations:
        return 0.0
    words = negations.of(section.heading, query.language)
    first = whole.blocks[:1] if whole.blocks[0].kind is not BlockKind.ITEM else whole.blocks
    for block in first:
        words |= negations.of(block.text, query.language)
    return 0.6 if query.negations & words else -0.3
