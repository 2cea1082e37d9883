"""Score chunks for a query by all that weighs in it, which the Query Engine cannot.

The engine finds chunks that may be among the best, without weights: it counts a word once for all
fields, and what `$weight` does to the parts of a union differs from release to release. So what it
names is scored here, word by word, as the embedded index does: BM25 in each field, in which a term
weighs what it weighs in the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.corpus.ranking import field_weights
from service.corpus.ranking.field_weights import ASKED, IN_CHUNKS
from service.corpus.ranking.index_entries import FIELDS
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.redis_search import encoded_terms, word_counts
from service.corpus.redis_search.word_counts import CountedWords

_K1: Final = 1.2
_B: Final = 0.75


class FieldStatistics(NamedTuple):
    """What the chunks of a data store have in one field.

    *mean* is how many words a chunk has there; *having* tells how many chunks have a term there.
    """

    mean: float
    having: Callable[[str], int]


class FoundChunk(NamedTuple):
    """A chunk that the engine named, by its document's number and its place, with its words."""

    number: int
    place: int
    counted: CountedWords


class _Word(NamedTuple):
    """A word of the query: what it adds at most in each field, and what it weighs by itself."""

    title: float
    headings: float
    body: float
    weight: float


class _Choice(NamedTuple):
    """A term of which the best of several readings counts, each of all of its words."""

    written: Sequence[tuple[int, float]]
    called: Sequence[Sequence[tuple[int, float]]]


class ChunkScorer:
    """A query as chunks of one data store are scored for it."""

    def __init__(
        self,
        terms: Sequence[QueryTerm],
        named: Sequence[QueryTerm],
        chunks: int,
        fields: Mapping[str, FieldStatistics],
    ) -> None:
        """*named* are those of *terms* that a chunk has to have one of, where there are any."""
        self._chunks = chunks
        self._fields = fields
        means = [fields[field].mean or 1.0 for field in FIELDS]
        self._norms = [(_K1 * (1 - _B), _K1 * _B / mean) for mean in means]
        self._choices = [_choice(term) for term in terms if term.synonyms]
        self._named = [_choice(term) for term in named]
        weights: dict[int, float] = {}
        for term in terms:
            for word, weight in () if term.synonyms else _choice(term).written:
                weights[word] = weights.get(word, 0.0) + weight
        stems = {stem for term in terms for stem in _stems(term)}
        self._words = {
            (word := _word(stem)): self._weighed(stem, weights.get(word, 0.0)) for stem in stems
        }

    @property
    def marks(self) -> Collection[int]:
        """What stands for the words that are looked for, see `word_counts.mark`."""
        return self._words.keys()

    def score(self, chunk: FoundChunk, *, asks: bool = False) -> float:
        """Return how well *chunk* fits the query, 0 where it has nothing of it.

        *asks* tells whether one of its headings asks the very question.
        """
        total = ASKED if asks else 0.0
        there: dict[int, float] = {}
        words, often = chunk.counted.words, chunk.counted.often
        behind = len(often) // len(FIELDS)
        beyond = 2 * behind
        in_title, in_headings, in_body = [
            least + by * length
            for (least, by), length in zip(self._norms, chunk.counted.lengths, strict=True)
        ]
        # Field by field and not in a loop: a search does this a thousand times.
        for mark in self._words.keys() & words.keys():
            at, (title, headings, body, weight) = words[mark], self._words[mark]
            score = 0.0
            if count := often[at + beyond]:
                score += body * count / (count + in_body)
            if count := often[at + behind]:
                score += headings * count / (count + in_headings)
            if count := often[at]:
                score += title * count / (count + in_title)
            there[mark] = score
            total += weight * score
        if self._choices:
            total += sum([_best(each, there) for each in self._choices])
        if self._named:
            named = sum([_best(each, there) for each in self._named])
            # It counts twice, as what is asked for and as what is named.
            total = total + named if named else 0.0
        return total

    def title_score(self, chunk: FoundChunk) -> float:
        """Return what the title of the document of *chunk* adds to the score of all of it."""
        words, often = chunk.counted.words, chunk.counted.often
        least, by = self._norms[0]
        norm = least + by * chunk.counted.lengths[0]
        there = {
            mark: self._words[mark].title * count / (count + norm)
            for mark in self._words.keys() & words.keys()
            if (count := often[words[mark]])
        }
        total = sum([self._words[mark].weight * score for mark, score in there.items()])
        return total + sum([_best(each, there) for each in self._choices])

    def _weighed(self, stem: str, weight: float) -> _Word:
        title, headings, body = (self._most(stem, field) for field in FIELDS)
        return _Word(title, headings, body, weight)

    def _most(self, stem: str, field: str) -> float:
        have = self._fields[field].having(stem)
        idf = math.log(1 + max(0.0, self._chunks - have + 0.5) / (have + 0.5))
        return field_weights.of(stem, IN_CHUNKS[field]) * idf * (_K1 + 1)


def _word(stem: str) -> int:
    return word_counts.mark(encoded_terms.token(stem))


def _choice(term: QueryTerm) -> _Choice:
    nearness = term.nearness or (1.0,) * len(term.variants)
    written = [
        (_word(variant), near * term.weight)
        for variant, near in zip(term.variants, nearness, strict=True)
    ]
    called = [
        [(_word(stem), term.weight * one.share / len(one.stems)) for stem in one.stems]
        for one in term.synonyms
    ]
    return _Choice(written, called)


def _best(choice: _Choice, there: Mapping[int, float]) -> float:
    best = sum(weight * there.get(word, 0.0) for word, weight in choice.written)
    for words in choice.called:
        if all(word in there for word, _ in words):
            best = max(best, sum(weight * there[word] for word, weight in words))
    return best


def _stems(term: QueryTerm) -> Iterator[str]:
    yield from term.variants
    for one in term.synonyms:
        yield from one.stems
