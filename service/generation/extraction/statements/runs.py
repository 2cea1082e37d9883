"""Find in the sentences of blocks the run of them that tells what is asked.

It is the best sentence, what that leans on before it, and what goes on behind it as far as the
kind of question leaves room.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.blocks import BlockKind
from service.generation.extraction import cues
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements.worth import SHOWN, has_form, worth
from service.generation.extraction.wholes import SourceBlock, Whole, unmarked
from service.generation.injections import looks_injected
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

SentenceSplitter = Callable[[str, str], list[tuple[int, int]]]
"""Finds the sentences of a text: ``service.language.sentences.spans``."""


PARAGRAPH: Final = 600
"""Characters of a paragraph that is told whole."""
SIDES: Final = 900
"""The same of one that tells things apart: both sides of them."""
FACT: Final = 320
"""Characters after which a fact needs no further sentence."""

LENGTHS: Final = {
    Q.DEFINITION: 3,
    Q.IDENTIFIER: 3,
    Q.HOW_TO: 5,
    Q.REASON: 4,
    Q.OTHER: 4,
    Q.LIST: 4,
    Q.COMPARISON: 6,
    Q.YES_NO: 3,
}
"""How many sentences are told, by kind of question; of other kinds `_A_FACT`."""
_A_FACT: Final = 2


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


_MARK: Final = re.compile(r"\A(?:A|Answer|R|Respuesta|Réponse|Antwort)[:.]\s+(?=\S)")
"""The same where a question stands above: there no letter ends a sentence."""


def unmarked_answer(quote: Quote) -> Quote:
    """Return *quote*, of what stands under a question, without what marks it as the answer."""
    return quote._replace(text=_MARK.sub("", quote.text, count=1))


def unsaid(quotes: Sequence[Quote], told: Sequence[Sequence[Quote]]) -> list[Quote]:
    """Return those of *quotes* that are not *told*; of a row all its cells, or none."""
    said = {(id(quote.block), quote.text) for one in told for quote in one}
    new = {(id(quote.block), quote.text) for quote in quotes} - said
    rows = {id(quote.block) for quote in quotes if quote.block.kind is BlockKind.ROW}
    told_anew = rows & {block for block, _ in new}
    return [
        quote
        for quote in quotes
        if (id(quote.block), quote.text) in new or id(quote.block) in told_anew
    ]


class Sentence(NamedTuple):
    """A sentence, its block, and its terms."""

    text: str
    block: SourceBlock
    terms: tuple[str, ...]


def split(
    blocks: Sequence[SourceBlock], query: WeightedQuery, spans: SentenceSplitter
) -> list[Sentence]:
    """Return the sentences of *blocks*, but no order and no pointer; items without their mark."""
    found = list[Sentence]()
    for block in blocks:
        marked = block.kind is BlockKind.ITEM
        text = unmarked(block.text) if marked else _unlabelled(block.text)
        is_one = block.kind is BlockKind.ROW
        for start, end in [(0, len(text))] if is_one else spans(text, query.language):
            sentence = text[start:end]
            opened = found and found[-1].block is block and cues.is_hollow(found[-1].text)
            if not looks_injected(sentence) and (opened or not cues.is_furniture(sentence)):
                own = len(sentence) == len(text)
                terms = block.terms if own else tuple(content_terms.of(sentence, query.language))
                found.append(Sentence(sentence, block, terms))
    return found


def _unlabelled(text: str) -> str:
    """Return *text* without the mark of an answer, or the colon that its label has left."""
    return _ANSWER.sub("", text.lstrip(":：–— "), count=1)


def run(found: Sequence[Sentence], query: WeightedQuery, above: Sequence[str] = ()) -> list[Quote]:
    """Return the run of *found* that tells what is asked; the terms *above* are said by each."""
    if not found:
        return []
    most = LENGTHS.get(query.kind, _A_FACT)
    values = [worth(query, one.text, one.terms, above) - 0.02 * at for at, one in enumerate(found)]
    best = max(range(len(found)), key=values.__getitem__)
    first = last = best
    while first > 0 and best - first < _ANTECEDENTS and cues.leans(found[first].text):
        first -= 1
    limit = PARAGRAPH if query.kind in LENGTHS else FACT
    limit = SIDES if query.kind is Q.COMPARISON else limit
    room = limit - sum(len(one.text) for one in found[first : last + 1])
    if query.kind in SHOWN:
        last = _shown_behind(found, query, best)
        room -= sum(len(one.text) for one in found[best + 1 : last + 1])
    while last + 1 < len(found) and last - best + 1 < most and len(found[last + 1].text) <= room:
        last += 1
        room -= len(found[last].text)
    if cues.is_hollow(found[last].text) and last + 1 < len(found):
        last += 1
    if query.kind is Q.PRICE:
        last = _amount_behind(found, last)
    return [Quote(one.text, one.block) for one in found[first : last + 1]]


def _shown_behind(found: Sequence[Sentence], query: WeightedQuery, best: int) -> int:
    """Return which sentence has the number or place that *best* only leads to, or *best* itself.

    "Guests pay in summer. The fee is $5."
    """
    near = range(best, min(best + _LED_TO + 1, len(found)))
    return next((at for at in near if has_form(query, found[at].text)), best)


def _amount_behind(found: Sequence[Sentence], last: int) -> int:
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
"""Sentences behind the one that shares most words, that may have the number or place."""
_ANTECEDENTS: Final = 2
"""Sentences before the one that answers, that it may lean on."""


def best_sentence(
    whole: Whole, query: WeightedQuery, spans: SentenceSplitter, heading: Sequence[str] = ()
) -> float:
    """Return how well the best sentence of *whole* tells what is asked.

    The terms of its lead, and of its *heading* where that is what is asked, are said by each. Of a
    long list or table only what says a word of the query is read.
    """
    blocks = whole.blocks
    if len(blocks) > _BRIEF:
        blocks = tuple(one for one in blocks if query.asked(frozenset(one.terms)))
    found = split(blocks, query, spans)
    above = (*heading, *(term for block in whole.lead for term in block.terms))
    return max((worth(query, one.text, one.terms, above) for one in found), default=0.0)


_BRIEF: Final = 12
"""Blocks of a list or table of which each is read, for what has no word of the query itself."""
