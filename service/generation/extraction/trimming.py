"""Cut from a whole what serves the question, verbatim: sentences, items, rows, or all of it.

A fact is told in one or two sentences, a definition in its paragraph, steps are never cut. What a
text cannot be read without comes with it: the sentence that "this" speaks of, the lead of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.blocks import BlockKind
from service.generation.extraction import cues, forms, spoken_rows
from service.generation.extraction.weighted_query import WeightedQuery
from service.generation.extraction.wholes import SourceBlock, Whole, WholeKind, unmarked
from service.generation.injections import looks_injected
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

SentenceSplitter = Callable[[str, str], list[tuple[int, int]]]
"""Finds the sentences of a text: ``service.language.sentences.spans``."""

FACTS: Final = frozenset(
    (Q.NUMBER, Q.DURATION, Q.DATE, Q.PRICE, Q.PLACE, Q.PERSON, Q.REASON, Q.YES_NO, Q.FACT)
)
"""Kinds of question that a sentence answers, if it has the right form."""
COUNTED: Final = frozenset((Q.NUMBER, Q.DURATION, Q.PRICE, Q.DATE))
"""Those of them that a number or a date answers."""
PARAGRAPH: Final = 600
"""Characters of a paragraph that is told whole."""
FACT: Final = 320
"""Characters after which a fact needs no further sentence."""
LIST: Final = 1_800
"""Characters of a list that is told with all that is nested in it."""
_LONGEST_LIST: Final = 6_000
"""Characters after which even a list ends: nobody reads, or hears, more of it."""
_SHORT_LIST: Final = 200
"""Characters of a list that is told whole although a fact is asked."""
_SENTENCES: Final = {
    Q.DEFINITION: 3,
    Q.IDENTIFIER: 3,
    Q.HOW_TO: 5,
    Q.REASON: 4,
    Q.OTHER: 4,
    Q.LIST: 4,
    Q.COMPARISON: 4,
    Q.YES_NO: 3,
}
_A_FACT: Final = 2
_ROWS: Final = 6
_IN_LINE: Final = frozenset((BlockKind.TEXT, BlockKind.LEAD, BlockKind.DEFINITION, BlockKind.NOTE))


_ANSWER: Final = re.compile(
    r"\A(?:A|Answer|R|Respuesta|Réponse|Antwort)"
    r"(?::|\.(?= (?:No|Yes|The|If|You|It|An?|This|In|For)\b))\s+"
)
"""What marks an answer on a page of questions, and is not said. Within a text: "vitamin A. The"."""


class Quote(NamedTuple):
    """A sentence, an item, a row or a line of code, verbatim, and the block it is of."""

    text: str
    block: SourceBlock
    said: str = ""
    """What is said before it and is not quoted: the name of a column, a colon between cells."""
    after: str = ""
    """The same behind it: the full stop of a cell."""


def trim(
    whole: Whole, query: WeightedQuery, spans: SentenceSplitter, *, entire: bool = False
) -> list[Quote]:
    """Return what of *whole* serves the question, in order; with *entire* all that is no order."""
    match whole.kind:
        case WholeKind.LIST | WholeKind.STEPS:
            if _wants_list(query, whole):
                return _listed(query, whole.blocks, spans)
            return _fact_of_item(whole, query, spans)
        case WholeKind.TABLE:
            return _rows(whole, query, spans)
        case WholeKind.CODE:
            return _listed(query, whole.blocks, spans)
        case _:
            return _sentences(whole, query, spans, entire=entire)


def _wants_list(query: WeightedQuery, whole: Whole) -> bool:
    if query.kind is Q.IDENTIFIER:
        return False
    if query.kind in (Q.HOW_TO, Q.LIST, Q.OTHER, Q.REASON, Q.COMPARISON, Q.DEFINITION):
        return True
    return whole.kind is WholeKind.LIST and whole.size <= _SHORT_LIST


def _listed(
    query: WeightedQuery,
    blocks: Sequence[SourceBlock],
    spans: SentenceSplitter,
    *,
    bare: bool = False,
) -> list[Quote]:
    """Quote items, rows and code as they are, and of a lead its last sentence where it is long."""
    kept = [block for block in blocks if not looks_injected(block.text)]
    if sum(len(block.text) for block in kept) > LIST:
        least = min((block.level for block in kept if block.kind is BlockKind.ITEM), default=0)
        kept = [block for block in kept if block.level == least or block.kind is not BlockKind.ITEM]
    room = _LONGEST_LIST
    for at, block in enumerate(kept):
        room -= len(block.text)
        if room < 0 and at:
            kept = kept[:at]
            break
    quotes = list[Quote]()
    for block in kept:
        if block.kind in _IN_LINE:
            quotes += [
                Quote(block.text[start:end], block)
                for start, end in spans(block.text, query.language)
            ]
        elif not (block.kind is BlockKind.ITEM and cues.is_furniture(block.text)):
            quotes.append(Quote(block.text, block))
    return quotes if bare or any(q.block.kind is not BlockKind.LEAD for q in quotes) else []


def _fact_of_item(whole: Whole, query: WeightedQuery, spans: SentenceSplitter) -> list[Quote]:
    """Quote of the item that holds the fact the sentences that do, with their lead if needed."""
    lead = whole.lead
    items = [block for block in whole.blocks[len(lead) :] if not looks_injected(block.text)]
    if not items:
        return []
    best = max(items, key=lambda block: worth(query, block.text, block.terms))
    at = items.index(best)
    nested = list[SourceBlock]()
    for block in items[at + 1 :]:
        if block.kind is BlockKind.ITEM and block.level <= best.level:
            break
        nested.append(block)
    held = query.share(query.asked(frozenset(best.terms)))
    if nested and sum(len(block.text) for block in nested) <= FACT:
        return [Quote(block.text, block) for block in (best, *nested)]
    sentences = _run(_split([best], query, spans), query)
    stands = (
        query.identifiers or held > _STANDS_ALONE or len(sentences) > 1 or _is_sentence(best.text)
    )
    before = [] if stands else _listed(query, lead, spans, bare=True)
    return [*before, *sentences] if not before else [*before, Quote(best.text, best)]


def _is_sentence(text: str) -> bool:
    """Tell whether an item is a sentence of its own."""
    return text.endswith((".", "!", "。", ".)")) and text.count(" ") > _PHRASE


_PHRASE: Final = 5
"""Spaces of what is but a phrase, full stop or not."""
_STANDS_ALONE: Final = 0.75
"""An item that says so much of the query needs no lead to be understood."""


def _rows(whole: Whole, query: WeightedQuery, spans: SentenceSplitter) -> list[Quote]:
    """Quote the rows that tell what is asked, each as it is read out."""
    names = spoken_rows.columns(whole)
    if query.kind is Q.LIST and whole.size > LIST:
        return _subjects(whole, names, query)
    quotes = list[Quote]()
    for quote in _listed(query, _chosen_rows(whole, query), spans):
        if quote.block.kind is BlockKind.ROW:
            cells = spoken_rows.say(quote.text, names, query)
            quotes += [Quote(one.text, quote.block, one.said, one.after) for one in cells]
        else:
            quotes.append(quote)
    return quotes


def _subjects(whole: Whole, names: Sequence[str], query: WeightedQuery) -> list[Quote]:
    """Quote what each row of a long table is about: that is the list."""
    quotes, room = list[Quote](), LIST
    for block in whole.blocks:
        if block.kind is BlockKind.ROW and (cells := spoken_rows.say(block.text, names, query)):
            quotes.append(Quote(cells[0].text, block))
            room -= len(cells[0].text)
            if room < 0:
                break
    return quotes


def _chosen_rows(whole: Whole, query: WeightedQuery) -> list[SourceBlock]:
    rows = [
        block
        for block in whole.blocks
        if block.kind is BlockKind.ROW and spoken_rows.says_something(block.text)
    ]
    if query.kind in (Q.LIST, Q.COMPARISON, Q.HOW_TO) and whole.size <= LIST:
        return [block for block in whole.blocks if block.kind is not BlockKind.ROW or block in rows]
    values = [worth(query, row.text, row.terms) for row in rows]
    least = _ROW * max(values, default=0.0)
    many = _ROWS if query.kind in (Q.LIST, Q.COMPARISON) else 1
    return [row for row, value in zip(rows, values, strict=True) if value >= least][:many]


_ROW: Final = 0.8
"""A row that is worth so much less than the best one is not told."""


def worth(query: WeightedQuery, text: str, terms: Sequence[str]) -> float:
    """Return how well a sentence, an item or a row tells what is asked."""
    value = query.share(query.asked(frozenset(terms))) + 0.3 * query.pairs(terms)
    if query.identifiers:
        value += sum(2.0 if name.search(text) else -1.0 for name in query.identifiers)
    if query.kind in COUNTED:
        value += _figure(query, unmarked(text), terms)
    elif query.kind is Q.PERSON and cues.names_someone(text, query.words):
        value += _NAMES_ONE
    elif query.kind in FACTS:
        form = 0.25 if query.kind is Q.YES_NO else 0.5
        value += form * cues.fit(query.cue, unmarked(text)) - 0.15 * cues.leans(text)
    if query.kind in (Q.DEFINITION, Q.IDENTIFIER):
        told = cues.is_entry(text, query.topic, query.language)
        value += 1.0 * (told or cues.defines(query.topic, text, query.language))
    if query.negations:
        value += 0.15 * len(query.negations & {*text.lower().split()})
    return value - 0.4 * forms.is_fragment(text)


def _figure(query: WeightedQuery, text: str, terms: Sequence[str]) -> float:
    """Return how well a number of *text* is what is asked: it stands beside what is counted."""
    around = cues.figures(query.cue, text)
    if not around:
        return 0.5 * cues.fit(query.cue, text) - _NONE
    if len(text) <= _SHORT:
        near = query.share(query.asked(frozenset(terms)))
    else:
        pieces = (frozenset(content_terms.of(one, query.language)) for one in around)
        near = max(query.share(query.asked(piece)) for piece in pieces)
    labelled = _LABEL.match(text)
    named = query.likeness(labelled[1] or labelled[2]) if labelled else 0.0
    bound = query.bounded and any(cues.fit("BOUND", one) for one in around)
    counts = _COUNTS * _counts(query, around)
    return 0.3 + 0.4 * near + 0.3 * bound + _NAMED * named + counts


def _counts(query: WeightedQuery, around: Sequence[str]) -> float:
    """Return how much of what is counted follows a number of what stands *around* numbers.

    "40 nights of stay" counts nights of stay, "40 nights notice" but nights.
    """
    asked = _HOW_MANY.search(query.text)
    if asked is None:
        return 0.0
    thing = frozenset(content_terms.of(asked[1], query.language)) & query.telling.keys()
    said = (
        thing & query.asked(frozenset(content_terms.of(found[1], query.language)))
        for one in around
        for found in _QUANTITY.finditer(one)
    )
    return max(map(len, said), default=0) / max(len(thing), 1)


_HOW_MANY: Final = re.compile(
    r"\b(?:how many|cu[aá]nt[oa]s|combien d(?:e |['’])|wie ?viele?)\s*([\w-]+(?: (?:of|de) \w+)?)",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(
    r"\b(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dos|tres|cuatro"
    r"|cinco|seis|siete|ocho|nueve|diez|doce|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|zwei"
    r"|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)\s+((?:[\w’'-]+\s+){0,3}[\w’'-]+)",
    re.IGNORECASE,
)
_COUNTS: Final = 0.4
"""What it says for a number that what is counted follows it."""


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


class _Sentence(NamedTuple):
    """A sentence, its block, and its terms."""

    text: str
    block: SourceBlock
    terms: tuple[str, ...]


def _sentences(
    whole: Whole, query: WeightedQuery, spans: SentenceSplitter, *, entire: bool
) -> list[Quote]:
    """Return the run of sentences that tells what is asked, and what it leans on."""
    found = _split(whole.blocks, query, spans)
    longest = FACT if query.kind in COUNTED else PARAGRAPH
    if (entire or query.kind in _SENTENCES) and sum(len(one.text) for one in found) <= longest:
        return [Quote(one.text, one.block) for one in found]
    return _run(found, query)


def _split(
    blocks: Sequence[SourceBlock], query: WeightedQuery, spans: SentenceSplitter
) -> list[_Sentence]:
    """Return the sentences of *blocks*, but no order and no pointer; items without their mark."""
    found = list[_Sentence]()
    for block in blocks:
        marked = block.kind is BlockKind.ITEM
        text = unmarked(block.text) if marked else _unlabelled(block.text)
        is_one = block.kind is BlockKind.ROW
        for start, end in [(0, len(text))] if is_one else spans(text, query.language):
            sentence = text[start:end]
            if not looks_injected(sentence) and not cues.is_furniture(sentence):
                own = len(sentence) == len(text)
                terms = block.terms if own else tuple(content_terms.of(sentence, query.language))
                found.append(_Sentence(sentence, block, terms))
    return found


def _unlabelled(text: str) -> str:
    """Return *text* without the mark of an answer, or the colon that its label has left."""
    return _ANSWER.sub("", text.lstrip(":：–— "), count=1)


def _run(found: Sequence[_Sentence], query: WeightedQuery) -> list[Quote]:
    if not found:
        return []
    most = _SENTENCES.get(query.kind, _A_FACT)
    values = [worth(query, one.text, one.terms) - 0.02 * at for at, one in enumerate(found)]
    best = max(range(len(found)), key=values.__getitem__)
    first = last = best
    while first > 0 and best - first < _ANTECEDENTS and cues.leans(found[first].text):
        first -= 1
    limit = PARAGRAPH if query.kind in _SENTENCES else FACT
    room = limit - sum(len(one.text) for one in found[first : last + 1])
    if query.kind in COUNTED:
        last = _figure_behind(found, query, best)
        room -= sum(len(one.text) for one in found[best + 1 : last + 1])
    while last + 1 < len(found) and last - best + 1 < most and len(found[last + 1].text) <= room:
        last += 1
        room -= len(found[last].text)
    if query.kind is Q.PRICE:
        last = _amount_behind(found, last)
    return [Quote(one.text, one.block) for one in found[first : last + 1]]


def _figure_behind(found: Sequence[_Sentence], query: WeightedQuery, best: int) -> int:
    """Return which sentence has the number that *best* only leads to, *best* itself where it has.

    "Guests pay in summer. The fee is $5."
    """
    near = range(best, min(best + _LED_TO + 1, len(found)))
    return next((at for at in near if cues.figures(query.cue, found[at].text)), best)


def _amount_behind(found: Sequence[_Sentence], last: int) -> int:
    """Return the last sentence right behind *last* that has an amount: a price has conditions."""
    for one in found[last + 1 : last + 1 + _AMOUNTS]:
        if not _AMOUNT.search(one.text):
            break
        last += 1
    return last


_AMOUNTS: Final = 3
"""Sentences with an amount that are told behind the one that answers."""


_AMOUNT: Final = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:[$€£¥%元]|dollars?\b|euros?\b|usd\b|eur\b)", re.IGNORECASE
)
_LED_TO: Final = 2
"""Sentences behind the one that shares most words, that may have the number."""
_ANTECEDENTS: Final = 2
"""Sentences before the one that answers, that it may lean on."""


def best_sentence(
    whole: Whole, query: WeightedQuery, spans: SentenceSplitter, heading: Sequence[str] = ()
) -> float:
    """Return how well the best sentence of *whole* tells what is asked.

    The terms of its lead, and of its *heading* where that is what is asked, are said by each. Of a
    list or table only what says a word of the query is read.
    """
    blocks = [block for block in whole.blocks if query.asked(frozenset(block.terms))]
    found = _split(blocks if len(whole.blocks) > 1 else whole.blocks, query, spans)
    above = (*heading, *(term for block in whole.lead for term in block.terms), *_APART)
    return max((worth(query, one.text, (*above, *one.terms)) for one in found), default=0.0)


_APART: Final = ("", "")
"""No terms: what stands before them and behind is no pair."""
