"""Cut from a whole what serves the question, verbatim: sentences, items, rows, or all of it.

A fact is told in one or two sentences, a definition in its paragraph, steps are never cut. What a
text cannot be read without comes with it: the sentence that "this" speaks of, the lead of a list.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, forms, spoken_rows
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements import runs
from service.generation.extraction.statements.runs import Quote, SentenceSplitter
from service.generation.extraction.statements.worth import COUNTED, worth
from service.generation.extraction.wholes import SourceBlock, Whole, WholeKind
from service.generation.injections import looks_injected
from service.language.question_kinds import QuestionKind as Q

LIST: Final = 1_800
"""Characters of a list that is told with all that is nested in it."""
_LONGEST_LIST: Final = 6_000
"""Characters after which even a list ends: nobody reads, or hears, more of it."""
_SHORT_LIST: Final = 200
"""Characters of a list that is told whole although a fact is asked."""
_ROWS: Final = 6
_IN_LINE: Final = frozenset((BlockKind.TEXT, BlockKind.LEAD, BlockKind.DEFINITION, BlockKind.NOTE))


def trim(
    whole: Whole,
    query: WeightedQuery,
    spans: SentenceSplitter,
    *,
    entire: bool = False,
    above: Sequence[str] = (),
) -> list[Quote]:
    """Return what of *whole* serves the question, in order; with *entire* all that is no order.

    The terms *above*, of the title and the headings, are said of all of it.
    """
    match whole.kind:
        case WholeKind.LIST | WholeKind.STEPS:
            if query.kind is Q.DEFINITION and (told := _definition_before(whole)):
                return runs.run(runs.split(told, query, spans), query, above)
            entry = forms.entry(query, whole) if query.kind is Q.DEFINITION else None
            if entry is None and _wants_list(query, whole):
                return _listed(query, whole.blocks, spans)
            return _fact_of_item(whole, query, spans, entry)
        case WholeKind.TABLE:
            return _rows(whole, query, spans)
        case WholeKind.CODE:
            return _listed(query, whole.blocks, spans)
        case _:
            return _sentences(whole, query, spans, entire=entire, above=above)


def _wants_list(query: WeightedQuery, whole: Whole) -> bool:
    if query.kind is Q.IDENTIFIER:
        return False
    if query.kind in (Q.HOW_TO, Q.LIST, Q.OTHER, Q.REASON, Q.COMPARISON, Q.DEFINITION):
        return True
    if query.cue == "CLASS" and whole.lead and whole.kind is WholeKind.LIST:
        return query.share(query.asked(_terms(whole.lead))) >= _LEADS
    if query.kind is Q.PLACE and whole.kind is WholeKind.STEPS:
        return whole.size <= _WAY
    if query.cue == "CLOCK" and forms.is_schedule(whole):
        return not cues.fit("WEEKDAY", query.text)
    return whole.kind is WholeKind.LIST and whole.size <= _SHORT_LIST


_WAY: Final = 700
"""Characters of steps that are told whole to who asks where something is found."""


def _definition_before(whole: Whole) -> Sequence[SourceBlock]:
    """Return the lead of steps where it says what is asked itself: how it is done was not asked."""
    lead = whole.lead if whole.kind is WholeKind.STEPS else ()
    return lead if lead and not cues.announces(lead[-1].text) else ()


def _terms(blocks: Sequence[SourceBlock]) -> frozenset[str]:
    return frozenset(term for block in blocks for term in block.terms)


_LEADS: Final = 0.5
"""A lead that says so much of "who may …" leads to all who may."""


def _quotable(blocks: Sequence[SourceBlock]) -> list[SourceBlock]:
    """Return *blocks* without orders to the reader, and without captions of pictures among them."""
    return [
        block
        for block in blocks
        if not looks_injected(block.text)
        and not (block.kind is BlockKind.TEXT and cues.is_caption(block.text))
    ]


def _listed(
    query: WeightedQuery,
    blocks: Sequence[SourceBlock],
    spans: SentenceSplitter,
    *,
    bare: bool = False,
) -> list[Quote]:
    """Quote items, rows and code as they are, and of a lead its last sentence where it is long."""
    kept = _quotable(blocks)
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
        if block.kind is BlockKind.LEAD and (named := cues.after_number(block.text)):
            quotes.append(Quote(named, block, after=":"))
        elif block.kind in _IN_LINE:
            quotes += [
                Quote(block.text[start:end], block)
                for start, end in spans(block.text, query.language)
            ]
        elif not (block.kind is BlockKind.ITEM and cues.is_furniture(block.text)):
            quotes.append(Quote(block.text, block))
    return quotes if bare or any(q.block.kind is not BlockKind.LEAD for q in quotes) else []


def _fact_of_item(
    whole: Whole, query: WeightedQuery, spans: SentenceSplitter, entry: SourceBlock | None
) -> list[Quote]:
    """Quote of the item that holds the fact the sentences that do, with their lead if needed.

    The item is the *entry* of what is asked, where there is one.
    """
    lead = whole.lead
    items = _quotable(whole.blocks[len(lead) :])
    if not items:
        return []
    best = max(items, key=lambda block: (block is entry, worth(query, block.text, block.terms)))
    if told := _fact_of_lead(lead, best, query, spans):
        return told
    at = items.index(best)
    nested = list[SourceBlock]()
    for block in items[at + 1 :]:
        if block.kind is BlockKind.ITEM and block.level <= best.level:
            break
        nested.append(block)
    held = query.share(query.asked(frozenset(best.terms)))
    if nested and not _is_sentence(best.text):
        # A term, or a label: what it means stands under it.
        nested = nested[: max(1, _fitting(nested, runs.FACT))]
    if nested and _fitting(nested, runs.FACT) == len(nested):
        return [Quote(block.text, block) for block in (best, *nested)]
    sentences = runs.run(runs.split([best], query, spans), query)
    stands = (
        query.identifiers or held > _STANDS_ALONE or len(sentences) > 1 or _is_sentence(best.text)
    )
    before = [] if stands else _listed(query, lead, spans, bare=True)
    whole_item = before and best.kind is BlockKind.ITEM
    return [*before, *([Quote(best.text, best)] if whole_item else sentences)]


def _fact_of_lead(
    lead: Sequence[SourceBlock], item: SourceBlock, query: WeightedQuery, spans: SentenceSplitter
) -> list[Quote]:
    """Quote of a *lead* what has the number that is asked, where it tells it better than an *item*.

    "There are twelve berths in the harbour:" answers how many there are.
    """
    said = [] if query.kind not in COUNTED else runs.split(lead, query, spans)
    told = [one for one in said if cues.figures(query.cue, one.text)]
    of_item = worth(query, item.text, item.terms)
    if all(worth(query, one.text, one.terms) <= of_item for one in told):
        return []
    quotes = runs.run(said, query)
    bare = quotes[-1].text.rstrip(":：")
    return [*quotes[:-1], quotes[-1]._replace(text=bare, after="." * (bare != quotes[-1].text))]


def _fitting(blocks: Sequence[SourceBlock], room: int) -> int:
    """Return how many of the first *blocks* have no more than *room* characters together."""
    sizes = itertools.accumulate(len(block.text) for block in blocks)
    return sum(1 for size in sizes if size <= room)


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
    """Quote what each row of a long table is about: that is the list.

    A number is about nothing, and neither are signs: what is said of them comes with them.
    """
    quotes, room = list[Quote](), LIST
    rows = [block for block in whole.blocks if block.kind is BlockKind.ROW]
    spoken = [spoken_rows.say(block.text, names, query) for block in rows]
    speak = sum(bool(cells and _NAME.search(cells[0].text)) for cells in spoken)
    for block, cells in zip(rows, spoken, strict=True):
        if cells:
            named = speak >= _SPEAKING * len(rows) and any(map(str.isalpha, cells[0].text))
            told = cells[:1] if named else cells[:2]
            if len(told) == 1:
                quotes.append(Quote(told[0].text, block))
            else:
                quotes += [Quote(one.text, block, one.said, one.after) for one in told]
            room -= sum(len(one.text) for one in told)
            if room < 0:
                break
    return quotes


_NAME: Final = re.compile(r"[^\W\d_][a-z]{2}|[^\x00-\x7f]")
_SPEAKING: Final = 0.5
"""Share of rows that begin with a word, from which on these words are the list."""


def _chosen_rows(whole: Whole, query: WeightedQuery) -> list[SourceBlock]:
    rows = [
        block
        for block in whole.blocks
        if block.kind is BlockKind.ROW and spoken_rows.says_something(block.text)
    ]
    alone = _alone(query, rows) if query.kind is Q.HOW_TO else None
    if alone is not None:
        return [alone]
    if query.kind in (Q.LIST, Q.COMPARISON, Q.HOW_TO) and whole.size <= LIST:
        return [block for block in whole.blocks if block.kind is not BlockKind.ROW or block in rows]
    if whole.size <= LIST and _is_about_all(query, rows):
        return [block for block in whole.blocks if block.kind is not BlockKind.ROW or block in rows]
    values = [worth(query, row.text, row.terms) for row in rows]
    least = _ROW * max(values, default=0.0)
    if query.cue == "CLOCK" and forms.is_schedule(whole) and not cues.fit("WEEKDAY", query.text):
        return rows
    many = _ROWS if query.kind in (Q.LIST, Q.COMPARISON) else 1
    return [row for row, value in zip(rows, values, strict=True) if value >= least][:many]


def _alone(query: WeightedQuery, rows: Sequence[SourceBlock]) -> SourceBlock | None:
    """Return the row that says all of the query, where no other says much of it: it is no step."""
    shares = [query.share(query.asked(frozenset(row.terms))) for row in rows]
    said = [row for row, share in zip(rows, shares, strict=True) if share >= _ALL]
    others = [share for share in shares if share < _ALL]
    return said[0] if len(said) == 1 and max(others, default=0.0) <= _LITTLE else None


_ALL: Final = 0.95
_LITTLE: Final = 0.5
"""Shares of a query that a row says all of, and that another says little of."""


def _is_about_all(query: WeightedQuery, rows: Sequence[SourceBlock]) -> bool:
    """Tell whether the query names nothing that some rows say and others do not."""
    if query.identifiers or any(letter.isdecimal() for letter in query.text):
        return False
    return len({query.asked(frozenset(row.terms)) for row in rows}) == 1 < len(rows)


_ROW: Final = 0.8
"""A row that is worth so much less than the best one is not told."""


def _sentences(
    whole: Whole,
    query: WeightedQuery,
    spans: SentenceSplitter,
    *,
    entire: bool,
    above: Sequence[str],
) -> list[Quote]:
    """Return the run of sentences that tells what is asked, and what it leans on."""
    found = runs.split(whole.blocks, query, spans)
    longest = runs.FACT if query.kind in COUNTED else runs.PARAGRAPH
    if (entire or query.kind in runs.LENGTHS) and sum(len(one.text) for one in found) <= longest:
        return [Quote(one.text, one.block) for one in found]
    return runs.run(found, query, above)
