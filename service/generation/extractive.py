"""Answer with blocks of the sources, word for word."""

from __future__ import annotations

import asyncio
import itertools
import math
import re
import sys
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from service.blocks import BlockKind
from service.generation.extraction import answerability as answering
from service.generation.extraction import (
    composition,
    follow_ups,
    qualifiers,
    scoring,
    sections,
)
from service.generation.extraction.queries import compared, definitions, translated_query
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.statements import runs, worth
from service.generation.extraction.statements.runs import Quote, SentenceSplitter
from service.generation.extraction.wholes import LISTS
from service.generation.generator import Piece, Prompt, Source
from service.language import content_terms, detection
from service.language.queries import leaning, whole_questions
from service.language.queries.leaning import Leaning
from service.language.question_kinds import QuestionKind
from service.thread_pools import ThreadPool

_WORDS_A_PIECE: Final = re.compile(r"\s*(?:\S{1,24}\s*){1,3}")
LEAST_ANSWERABILITY: Final = 0.15
"""What the sources answer less likely than this is not answered; see `answerability`.

Finding has refused most of it before: of 1,384 questions over eighteen portals .3 would refuse five
more, three of them rightly answered, and none that the sources do not answer.
"""
_HARDLY: Final = 1
"""Words that carry a query, with no more of which it leans on the turn before: "And in May?"."""
_SURELY: Final = 0.6
"""The relevance in the light of the turns before from which such a query is answered."""
_ALL_PARTS: Final = 0.9
"""A block that says so much of a query with several questions answers all of them, if it is no
list: the items of a list say many words that are not what it is about."""
_AS_GOOD: Final = 2.5
"""How far below the list that answers the part before another may score, and answer the next."""
_INSTRUCTS: Final = re.compile(r"(?:To|Para|Pour|Um) [^.:]{2,60}, ")
"""Begins a sentence that says how to do something."""
_SAME_PAGE: Final = 0.5
"""What it says for a list that the part before is answered by its page."""
_TELLING: Final = 0.024
"""Seconds in all that an answer waits between its pieces: more is felt as a delay."""
_AT_ONCE: Final = 2
"""Texts that are chosen at the same time, off the event loop."""
NOBODY: Final = sys.maxsize
"""The number of no source: what is said between quotes ends there, and is cited from nowhere."""
_OWN_LINE: Final = frozenset((BlockKind.ITEM, BlockKind.ROW, BlockKind.CODE))


class QuotedSentence(msgspec.Struct, frozen=True):
    """A sentence of the answer; *before* is the white space between it and the one before."""

    before: str
    text: str
    sources: tuple[int, ...]


class ExtractiveGenerator:
    """Quotes the blocks that answer: of one section the paragraph, the list, the rows that do.

    The same prompt always gives the same text, in any language; the preamble, the history and what
    is known of the user do not change it. Nothing is written where no block answers. *spans* finds
    the sentences of a text. Between two pieces it waits for *pace* seconds, as a text that is there
    at once would not be seen to stream; where that would take too long, between some of them.
    """

    continues = True
    marks_inline = False
    judges = False

    def __init__(self, spans: SentenceSplitter, *, pace: float = 0.0) -> None:
        self._spans = spans
        self._pace = pace
        self._pool = ThreadPool("extractive", _AT_ONCE)

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """Yield the answer a few words at a time; the last piece of a sentence has its sources."""
        told = list(pieces(await self._pool.run(self.passages, prompt), prompt.written))
        at_once = max(1, math.ceil(len(told) * self._pace / _TELLING))
        for number, piece in enumerate(told, 1):
            yield piece
            await asyncio.sleep(0 if number % at_once else self._pace)

    def passages(self, prompt: Prompt) -> list[QuotedSentence]:
        """Return the sentences of the whole answer, whatever was written of it."""
        least = _least_answerability(prompt)
        told = list[list[Quote]]()
        parts = list(_read_parts(prompt))
        before: WeightedQuery | None = None
        for asked, query, ranked in parts:
            candidates = _untold(query, ranked, told)
            if before is not None:
                candidates = follow_ups.after_part(asked, candidates, before, _blocks(told))
            if answering.estimate(answering.evidence(query, candidates)) >= least:
                best, other = self._composed(prompt, query, candidates, headed=len(parts) > 1)
                if best and (both := self._both_sides(prompt, query, best)):
                    best, other = both, []
                if told and _lacks_figure(query, best):
                    best, other = [], []
                if before and best and len(told) == 1:
                    both = any(_answers_both(before, told[0], quotes) for quotes in best)
                    told = [] if both else told
                for quotes in (*best, *other):
                    new = runs.unsaid(quotes, told)
                    told += [new] if new else []
            before = query
        return _sentences(told, prompt.sources)

    def _composed(
        self,
        prompt: Prompt,
        query: WeightedQuery,
        candidates: Sequence[scoring.ScoredWhole],
        *,
        headed: bool,
    ) -> composition.Composition:
        """Compose what is told of *candidates*, nothing where it is not of the very thing asked.

        What they mean chooses, and does not refuse: where what it prefers is not of that, words do.
        """
        for meant in (True, False) if _says_what_it_means(prompt, query) else (False,):
            composed = composition.compose(
                query, candidates, self._spans, headed=headed, meant=meant
            )
            if prompt.history or not qualifiers.missing(query, composed.best, candidates):
                return composed
        return composition.Composition([])

    def _both_sides(
        self, prompt: Prompt, query: WeightedQuery, told: Sequence[Sequence[Quote]]
    ) -> list[list[Quote]]:
        """Return what each thing is that *query* compares, where what is *told* is not of both.

        Nothing is returned where it is of both, or no page says what each of them is.
        """
        asks = query.kind is QuestionKind.COMPARISON
        sides = compared.sides(query.topic, query.language) if asks else None
        if sides is None or _is_of_both(query, sides, told):
            return []
        pages = sections.read(prompt.sources, query.language)
        both = list[list[Quote]]()
        for side in sides:
            asked = compared.what_is(side, query.language)
            one = WeightedQuery(asked, query.language, prompt.reading)
            ranked = scoring.score(one, pages)[:_DEFINING]
            defining = [found for found in ranked if _defines(side, found, query.language)]
            composed = composition.compose(one, defining, self._spans, headed=True, meant=False)
            if not composed.best:
                return []
            both += composed.best
        return both


def _is_of_both(
    query: WeightedQuery, sides: Sequence[str], told: Sequence[Sequence[Quote]]
) -> bool:
    """Tell whether what is *told* speaks of both *sides* by what tells them apart."""
    said = frozenset(
        term
        for quotes in told
        for quote in quotes
        for term in content_terms.of(f"{quote.said} {quote.text}", query.language)
    )
    first, second = (query.asked(frozenset(content_terms.of(s, query.language))) for s in sides)
    shared = first & second
    asked = query.asked(said)
    return all((side - shared) <= asked for side in (first, second))


def _defines(side: str, one: scoring.ScoredWhole, language: str) -> bool:
    return one.whole.kind not in LISTS and definitions.defines(
        side, one.whole.blocks[0].text, language
    )


_DEFINING: Final = 10
"""Candidates among which is looked for the one that says what a thing is."""


def _lacks_figure(query: WeightedQuery, told: Sequence[Sequence[Quote]]) -> bool:
    """Tell whether what is *told* of a further part has no number, and one is asked.

    "How big?" says too little for words to tell that something else is big.
    """
    return query.kind in worth.COUNTED and not any(
        worth.has_form(query, quote.text) for quotes in told for quote in quotes
    )


def _says_what_it_means(prompt: Prompt, query: WeightedQuery) -> bool:
    """Tell whether *query* is in the language of the pages, and needs not the turn before."""
    if prompt.reading and prompt.reading.language:
        return False
    asked = prompt.asked or prompt.query
    last = prompt.history[-1].query if prompt.history else ""
    return not last or query.made_whole or leaning.after(asked, last).leaning is Leaning.ALONE


def _least_answerability(prompt: Prompt) -> float:
    """Return how likely the sources have to answer *prompt*.

    A reply such as "yes, I do" says nothing by itself: there it counts what finding made of it in
    the light of the turns before.
    """
    if not prompt.history:
        return LEAST_ANSWERABILITY
    found = max((source.relevance for source in prompt.sources), default=0.0)
    said = content_terms.of(prompt.query, _language_of(prompt.query, prompt.sources))
    surely = len(said) <= _HARDLY and found >= _SURELY
    return 0.0 if surely else LEAST_ANSWERABILITY


def answerability(query: str, sources: Sequence[Source]) -> float:
    """Return how likely *sources* answer *query*, 0..1, whoever writes the answer."""
    parts = _read_parts(Prompt(query=query, sources=tuple(sources)))
    return max(answering.estimate(answering.evidence(*part[1:])) for part in parts)


class _Part(NamedTuple):
    """A question of the query, as it was *asked*, and what is there for it."""

    asked: str
    query: WeightedQuery
    ranked: list[scoring.ScoredWhole]


def _read_parts(prompt: Prompt) -> Iterator[_Part]:
    """Yield each question of the query with what is there for it, the first in full."""
    reading, asked = prompt.reading, prompt.asked or prompt.query
    asked = reading.spelled(asked) if reading else asked
    asked_in = _language_of(asked, prompt.sources)
    language = (reading and reading.language) or asked_in
    pages = sections.read(prompt.sources, language)
    follow_up = follow_ups.read(prompt, asked, language)
    context = follow_up.context
    for one in whole_questions.questions(asked, asked_in, [t.query for t in prompt.history]):
        translated = None
        if reading is not None and reading.language:
            translated = translated_query.translate(one.text, asked_in, reading)
        query = WeightedQuery(
            reading.spelled(one.text) if reading else one.text,
            language,
            reading,
            context="" if one.was_part else context,
            subject="" if one.was_part else follow_up.subject,
            translated=translated,
            part_of=None if one.was_part else follow_up.kind,
            goes_on=bool(prompt.history),
            asked=one.asked if one.was_part and translated is None else "",
        )
        ranked = scoring.score(query, pages)
        leans = None if one.exchanges else Leaning.BESIDE if one.was_part else follow_up.leaning
        ranked = follow_ups.after_last_turn(query, ranked, prompt, leans)
        yield _Part(one.asked, query, ranked)
        context = context or query.topic


def _untold(
    query: WeightedQuery, ranked: list[scoring.ScoredWhole], told: Sequence[Sequence[Quote]]
) -> list[scoring.ScoredWhole]:
    """Return *ranked* without the lists that a part before has told, where another is as good."""
    blocks = _blocks(told)
    if not blocks or query.kind not in (QuestionKind.HOW_TO, QuestionKind.LIST):
        return ranked
    told_of = {one.page.rank for one in ranked if one.is_of(blocks)}
    rest = [
        one._replace(score=one.score + _SAME_PAGE * (one.page.rank in told_of))
        for one in ranked
        if not one.is_of(blocks)
    ]
    rest.sort(key=lambda one: -one.score)
    other = rest and rest[0].whole.kind in LISTS and rest[0].score >= ranked[0].score - _AS_GOOD
    return rest if other else ranked


def _answers_both(before: WeightedQuery, told: Sequence[Quote], quotes: Sequence[Quote]) -> bool:
    """Tell whether *quotes* answer the part *before*, too, for which a paragraph was *told*.

    "To pay, call 555-0100: a call takes a minute."
    """
    if before.kind is not QuestionKind.HOW_TO or told[0].block.kind in _OWN_LINE:
        return False
    return any(
        _INSTRUCTS.match(quote.text)
        and before.share(before.asked(frozenset(content_terms.of(quote.text, before.language))))
        >= _ALL_PARTS
        for quote in quotes
    )


def _blocks(told: Sequence[Sequence[Quote]]) -> frozenset[int]:
    """Return what is *told* by the identity of its blocks."""
    return frozenset(id(quote.block) for quotes in told for quote in quotes)


def _language_of(query: str, sources: Sequence[Source]) -> str:
    return detection.detect_in(query, (source.text for source in sources))


def pieces(passages: Sequence[QuotedSentence], written: str = "") -> Iterator[Piece]:
    """Yield *passages* a few words at a time, what follows *written* only.

    Where *written* ends with a sentence, an empty piece tells its sources again: what was told of
    it may have been lost. Where it is no beginning of the passages, those follow that it has not.
    """
    whole = "".join(passage.before + passage.text for passage in passages)
    if not whole.startswith(written):
        rest = [passage for passage in passages if passage.text not in written]
        passages = [msgspec.structs.replace(one, before="\n\n") for one in rest[:1]] + rest[1:]
        written = ""
    told = len(written)
    for passage in passages:
        text = passage.before + passage.text
        if told > len(text):
            told -= len(text)
            continue
        cut = _WORDS_A_PIECE.findall(text[told:]) or [""]
        for block in cut[:-1]:
            yield Piece(block)
        yield Piece(cut[-1], passage.sources)
        told = 0


def _sentences(told: Sequence[Sequence[Quote]], sources: Sequence[Source]) -> list[QuotedSentence]:
    """Return the quotes with the white space before them and the sources that hold them."""
    sentences = list[QuotedSentence]()
    for quotes, following in itertools.zip_longest(told, told[1:], fillvalue=()):
        before = "\n\n" if sentences else ""
        ends = not following or following[0].block.kind is not BlockKind.CODE
        for at, quote in enumerate(quotes):
            if at:
                before = _gap(quotes[at - 1], quote)
            if said := quote.said.strip():
                before += quote.said[: quote.said.index(said)]
                sentences.append(QuotedSentence(before, said, (NOBODY,)))
                before = quote.said[len(quote.said.rstrip()) :]
            else:
                before += quote.said
            # A cell says too little to tell which sources say the same; its row does.
            whole = quote.block.text if quote.block.kind is BlockKind.ROW else quote.text
            holders = _sources_with(quote.block.source, whole, sources)
            sentences.append(QuotedSentence(before, quote.text, holders))
            behind = quotes[at + 1] if at + 1 < len(quotes) else None
            after = quote.after or _colon(quote, behind) or _stop(quote) * (ends and not behind)
            if after:
                sentences.append(QuotedSentence("", after, (NOBODY,)))
    return sentences


def _colon(quote: Quote, behind: Quote | None) -> str:
    """Return the colon between a term and what it means, which a page tells apart by its looks."""
    defined = quote.block.kind is BlockKind.TERM and quote.text == quote.block.text
    meant = behind is not None and behind.block.kind is BlockKind.DEFINITION
    return ":" if defined and meant and not quote.text.endswith(_STOPS) else ""


_STOPS: Final = (".", ":", "!", "?", "。", "：", "！", "？", ";", ",", "–", "-", "—")


def _stop(quote: Quote) -> str:
    """Return the full stop that an entry lacks: "tool-align - aligns what the tool has found"."""
    entry = quote.block.kind in (BlockKind.TEXT, BlockKind.DEFINITION)
    return "." if entry and quote.text[-1].isalnum() and quote.text.count(" ") >= _ENTRY else ""


_ENTRY: Final = 5
"""Spaces of what is told as a sentence is."""


def _gap(last: Quote, quote: Quote) -> str:
    """Return the white space between two quotes of one whole."""
    if quote.said and quote.block is last.block:
        return ""
    if quote.block is last.block:
        return " "
    if quote.block.kind is BlockKind.ITEM:
        return "\n" + "  " * quote.block.level
    if quote.block.kind is BlockKind.TERM and last.block.kind is not BlockKind.TERM:
        return "\n"
    return "\n" if {quote.block.kind, last.block.kind} & _OWN_LINE else " "


def _sources_with(source: int, text: str, sources: Sequence[Source]) -> tuple[int, ...]:
    """Return the sources that hold *text*, its own first."""
    return (source, *(n for n, one in enumerate(sources) if n != source and text in one.text))
