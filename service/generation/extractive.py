"""Answer with sentences of the sources, word for word."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Final

import msgspec

from service.generation import selection, words
from service.generation.generator import Piece, Prompt, Source
from service.generation.selection import Scored, Sentence, Spans

_WORDS_A_PIECE: Final = re.compile(r"\s*(?:\S{1,24}\s*){1,3}")
ANSWERABLE: Final = 0.3
"""What the sources answer less likely than this is not answered; see `answerable`."""
FOLLOW_UP_ANSWERABLE: Final = 0.2
"""The same for a follow-up query, whose own words tell less of what it asks."""
_KEPT_BESIDE_THE_BEST: Final = 0.45
_REPEATED: Final = 0.65
_LIST_STRETCH: Final = 1.8


class Passage(msgspec.Struct, frozen=True):
    """A sentence of the answer; *before* is the white space between it and the one before."""

    before: str
    text: str
    sources: tuple[int, ...]


class ExtractiveGenerator:
    """Chooses and orders sentences that answer, at most *sentences* or about *characters*.

    A list is kept together and may run over. The same prompt always gives the same text, in any
    language; the preamble, the history and what is known of the user do not change it. Nothing is
    written where no sentence answers. *spans* finds the sentences of a text.
    """

    continues = True
    marks_inline = False

    def __init__(self, spans: Spans, *, sentences: int = 4, characters: int = 700) -> None:
        self._spans = spans
        self._sentences = sentences
        self._characters = characters

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        """Yield the answer a few words at a time; the last piece of a sentence has its sources."""
        for piece in pieces(self.passages(prompt), prompt.written):
            yield piece

    def passages(self, prompt: Prompt) -> list[Passage]:
        """Return the sentences of the whole answer, whatever was written of it."""
        language = words.language_of(prompt.query)
        found = selection.sentences(prompt.sources, self._spans, language)
        question = selection.Question(prompt.query, found, language)
        least = FOLLOW_UP_ANSWERABLE if prompt.history else ANSWERABLE
        if selection.answerable(question, found) < least:
            return []
        rated = selection.scored(question, found)
        return _arranged(self._choose(rated, found), rated, prompt)

    def _choose(self, rated: list[Scored], found: list[list[Sentence]]) -> list[Sentence]:
        """Return the best sentences that do not repeat each other, within the bounds."""
        ranked = sorted(rated, key=lambda one: -one.score)
        chosen, size = list[Sentence](), 0
        for one in ranked:
            if one.score < ranked[0].score * _KEPT_BESIDE_THE_BEST:
                break
            if one.sentence in chosen or any(_repeats(one.sentence, c) for c in chosen):
                continue
            if selection.looks_injected(one.sentence.text):
                continue
            for sentence in _with_company(one.sentence, found[one.sentence.source]):
                room = self._characters * (_LIST_STRETCH if sentence.is_item else 1)
                if sentence in chosen or (chosen and size + len(sentence.text) > room):
                    continue
                chosen.append(sentence)
                size += len(sentence.text)
            if sum(not c.is_item for c in chosen) >= self._sentences:
                break
        return chosen


def answerable(query: str, sources: Sequence[Source], spans: Spans) -> float:
    """Return how likely *sources* answer *query*, 0..1, whoever writes the answer."""
    language = words.language_of(query)
    found = selection.sentences(sources, spans, language)
    return selection.answerable(selection.Question(query, found, language), found)


def pieces(passages: Sequence[Passage], written: str = "") -> Iterator[Piece]:
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
    mine = set(sentence.terms)
    return len(mine & set(other.terms)) >= _REPEATED * len(mine)


def _with_company(sentence: Sentence, source: list[Sentence]) -> list[Sentence]:
    """Return *sentence* with what it is not understood without: its list, or what it leans on."""
    at = next(i for i, s in enumerate(source) if s.start == sentence.start)
    first, last = at, at
    if sentence.is_item:
        while first > 0 and source[first - 1].is_item:
            first -= 1
        if first > 0 and source[first - 1].text.endswith((":", "：")):
            first -= 1
    elif selection.leans(sentence.text) and at > 0 and not source[at - 1].is_heading:
        first -= 1
    if source[last].is_item or source[last].text.endswith((":", "：")):
        while last + 1 < len(source) and source[last + 1].is_item:
            last += 1
    return [s for s in source[first : last + 1] if not selection.looks_injected(s.text)]


def _arranged(chosen: list[Sentence], rated: list[Scored], prompt: Prompt) -> list[Passage]:
    """Return *chosen* in reading order: the source with the best sentence first."""
    scores = {(r.sentence.source, r.sentence.start): r.score for r in rated}
    order = dict.fromkeys(
        s.source
        for s in sorted(chosen, key=lambda s: (-scores.get((s.source, s.start), 0), s.source))
    )
    passages = list[Passage]()
    for source in order:
        before = "\n\n" if passages else ""
        for sentence in sorted((s for s in chosen if s.source == source), key=lambda s: s.start):
            if passages and not before:
                before = "\n" if sentence.is_item or passages[-1].text.endswith(":") else " "
            passages.append(Passage(before, sentence.text, _holders(sentence, prompt)))
            before = ""
    return passages


def _holders(sentence: Sentence, prompt: Prompt) -> tuple[int, ...]:
    """Return the sources that hold *sentence*, its own first."""
    others = (
        number
        for number, source in enumerate(prompt.sources)
        if number != sentence.source and sentence.text in source.text
    )
    return (sentence.source, *others)
