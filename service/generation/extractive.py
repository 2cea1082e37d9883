"""Answer with sentences of the sources, word for word."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

import msgspec

from service.generation import selection
from service.generation.generator import Piece, Prompt, Source
from service.generation.injections import looks_injected
from service.generation.selection import ScoredSentence, Sentence, SentenceSplitter
from service.language import detection
from service.thread_pools import ThreadPool

BySource = Sequence[Sequence[Sentence]]
"""The sentences of each source."""

_WORDS_A_PIECE: Final = re.compile(r"\s*(?:\S{1,24}\s*){1,3}")
LEAST_ANSWERABILITY: Final = 0.3
"""What the sources answer less likely than this is not answered; see `answerability`."""
LEAST_FOLLOW_UP_ANSWERABILITY: Final = 0.2
"""The same for a follow-up query, whose own words tell less of what it asks."""
_KEPT_BESIDE_THE_BEST: Final = 0.35
"""A sentence whose score is a smaller share of the best one's is not worth reading."""
_REPEATED: Final = 0.65
"""A sentence that has so much of its terms in common with one that is chosen says it again."""
_LIST_STRETCH: Final = 1.8
"""By how much a list may be longer than an answer: half of the steps would be a wrong answer."""
_SHORTEST: Final = 40
"""With less room than this left no further sentence is looked for."""


_AT_ONCE: Final = 2
"""Texts that are chosen at the same time, off the event loop."""


class QuotedSentence(msgspec.Struct, frozen=True):
    """A sentence of the answer; *before* is the white space between it and the one before."""

    before: str
    text: str
    sources: tuple[int, ...]


class ExtractiveGenerator:
    """Chooses and orders sentences that answer, at most *sentences* or about *characters*.

    A list is kept together and may run over. The same prompt always gives the same text, in any
    language; the preamble, the history and what is known of the user do not change it. Nothing is
    written where no sentence answers. *spans* finds the sentences of a text. Between two pieces
    it waits for *pace* seconds: a text that is there at once would not be seen to stream.
    """

    continues = True
    marks_inline = False
    judges = False

    def __init__(
        self,
        spans: SentenceSplitter,
        *,
        sentences: int = 4,
        characters: int = 700,
        pace: float = 0.0,
    ) -> None:
        self._spans = spans
        self._sentences = sentences
        self._characters = characters
        self._pace = pace
        self._pool = ThreadPool("extractive", _AT_ONCE)

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """Yield the answer a few words at a time; the last piece of a sentence has its sources."""
        passages = await self._pool.run(self.passages, prompt)
        for piece in pieces(passages, prompt.written):
            yield piece
            await asyncio.sleep(self._pace)

    def passages(self, prompt: Prompt) -> list[QuotedSentence]:
        """Return the sentences of the whole answer, whatever was written of it."""
        language = _language_of(prompt.query, prompt.sources)
        found = selection.sentences(prompt.sources, self._spans, language)
        question = selection.WeightedQuery(prompt.query, found, language)
        least = LEAST_FOLLOW_UP_ANSWERABILITY if prompt.history else LEAST_ANSWERABILITY
        if selection.answerability(question, found) < least:
            return []
        ranked = sorted(selection.score_sentences(question, found), key=lambda one: -one.score)
        return _in_reading_order(self._choose(ranked, found), found, prompt)

    def _choose(self, ranked: list[ScoredSentence], found: BySource) -> list[tuple[int, int]]:
        """Return where the best sentences stand that do not repeat each other, best first."""
        chosen, size = list[tuple[int, int]](), 0
        for one in ranked:
            if one.score < ranked[0].score * _KEPT_BESIDE_THE_BEST:
                break
            sentence = found[one.source][one.at]
            taken = [found[source][at] for source, at in chosen]
            if any(_repeats(sentence, other) for other in taken) or looks_injected(sentence.text):
                continue
            for at in _with_what_it_needs(one.at, found[one.source]):
                text, is_item = found[one.source][at].text, found[one.source][at].is_item
                room = self._characters * (_LIST_STRETCH if is_item else 1)
                if (one.source, at) not in chosen and (not chosen or size + len(text) <= room):
                    chosen.append((one.source, at))
                    size += len(text)
            full = size >= self._characters - _SHORTEST
            if full or sum(not found[s][a].is_item for s, a in chosen) >= self._sentences:
                break
        return chosen


def answerability(query: str, sources: Sequence[Source], spans: SentenceSplitter) -> float:
    """Return how likely *sources* answer *query*, 0..1, whoever writes the answer."""
    language = _language_of(query, sources)
    found = selection.sentences(sources, spans, language)
    return selection.answerability(selection.WeightedQuery(query, found, language), found)


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
        for part in cut[:-1]:
            yield Piece(part)
        yield Piece(cut[-1], passage.sources)
        told = 0


def _repeats(sentence: Sentence, other: Sentence) -> bool:
    """Tell whether *sentence* says little that *other* does not."""
    return len(sentence.known & other.known) >= _REPEATED * len(sentence.known)


def _with_what_it_needs(at: int, source: Sequence[Sentence]) -> list[int]:
    """Return the sentence *at* and what it is not understood without: its list, its antecedent."""
    first, last = at, at
    if source[at].is_item:
        while first > 0 and source[first - 1].is_item:
            first -= 1
        if first > 0 and source[first - 1].text.endswith((":", "：")):
            first -= 1
    elif selection.needs_antecedent(source[at].text) and at > 0 and not source[at - 1].is_heading:
        first -= 1
    if source[last].is_item or source[last].text.endswith((":", "：")):
        while last + 1 < len(source) and source[last + 1].is_item:
            last += 1
    return [i for i in range(first, last + 1) if not looks_injected(source[i].text)]


def _in_reading_order(
    chosen: list[tuple[int, int]], found: BySource, prompt: Prompt
) -> list[QuotedSentence]:
    """Return *chosen* in reading order: the source of the best sentence first."""
    passages = list[QuotedSentence]()
    for source in dict.fromkeys(source for source, _ in chosen):
        before = "\n\n" if passages else ""
        for at in sorted(at for other, at in chosen if other == source):
            sentence = found[source][at]
            if passages and not before:
                before = "\n" if sentence.is_item or passages[-1].text.endswith(":") else " "
            holders = _sources_with(source, sentence.text, prompt.sources)
            passages.append(QuotedSentence(before, sentence.text, holders))
            before = ""
    return passages


def _sources_with(source: int, text: str, sources: Sequence[Source]) -> tuple[int, ...]:
    """Return the sources that hold *text*, its own first."""
    return (source, *(n for n, one in enumerate(sources) if n != source and text in one.text))
