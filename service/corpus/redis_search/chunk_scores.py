"""Score chunks for a query by all that weighs in it, which the Query Engine cannot.

The engine finds chunks that may be among the best, without weights: it counts a word once for all
fields, and what `$weight` does to the parts of a union differs from release to release. So what it
names is scored here, word by word, as the embedded index does: BM25 in each field, in which a term
weighs what it weighs in the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.corpus.ranking import field_weights
from service.corpus.ranking.field_weights import ASKED, IN_CHUNKS
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.redis_search import encoded_terms

_K1: Final = 1.2
_B: Final = 0.75


class FieldStatistics(NamedTuple):
    """What the chunks of a data store have in one field.

    *mean* is how many words a chunk has there; *having* tells how many chunks have a term there.
    """

    mean: float
    having: Callable[[str], int]


class FoundChunk(NamedTuple):
    """A chunk that the engine named, with its words as they are stored, by field."""

    number: int
    place: int
    document_id: str
    is_whole_document: bool
    words: Mapping[str, bytes]
    asks: bool = False
    """Whether one of its headings asks the very question."""


class _Word(NamedTuple):
    """A word of the query: what it adds at most in each field, and what it weighs by itself."""

    most: Mapping[str, float]
    weight: float


class _Choice(NamedTuple):
    """A term of which the best of several readings counts, each of all of its words."""

    written: Sequence[tuple[bytes, float]]
    called: Sequence[Sequence[tuple[bytes, float]]]


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
        self._choices = [_choice(term) for term in terms if term.synonyms]
        self._named = [_choice(term) for term in named]
        weights: dict[bytes, float] = {}
        for term in terms:
            for word, weight in () if term.synonyms else _choice(term).written:
                weights[word] = weights.get(word, 0.0) + weight
        stems = {stem for term in terms for stem in _stems(term)}
        self._words = {
            (word := encoded_terms.token(stem).encode()): _Word(
                self._most(stem), weights.get(word, 0.0)
            )
            for stem in stems
        }

    def score(self, chunk: FoundChunk) -> float:
        """Return how well *chunk* fits the query, 0 where it has nothing of it."""
        there = self._found_in(chunk)
        total = sum(self._words[word].weight * score for word, score in there.items())
        total += sum(_best(each, there) for each in self._choices)
        if chunk.asks:
            total += ASKED
        if self._named:
            named = sum(_best(each, there) for each in self._named)
            # It counts twice, as what is asked for and as what is named.
            total = total + named if named else 0.0
        return total

    def _found_in(self, chunk: FoundChunk) -> dict[bytes, float]:
        """Return the score of each word of the query that *chunk* has, were its weight 1."""
        there: dict[bytes, float] = {}
        wanted = self._words
        for field, text in chunk.words.items():
            words = text.split()
            met = [word for word in words if word in wanted]
            if not met:
                continue
            longer = len(words) / (self._fields[field].mean or 1.0)
            norm = _K1 * (1 - _B + _B * longer)
            for word in set(met):
                often = met.count(word)
                score = wanted[word].most[field] * often / (often + norm)
                there[word] = there.get(word, 0.0) + score
        return there

    def _most(self, stem: str) -> Mapping[str, float]:
        most: dict[str, float] = {}
        for field, share in IN_CHUNKS.items():
            have = self._fields[field].having(stem)
            idf = math.log(1 + max(0.0, self._chunks - have + 0.5) / (have + 0.5))
            most[field] = field_weights.of(stem, share) * idf * (_K1 + 1)
        return most


def _choice(term: QueryTerm) -> _Choice:
    nearness = term.nearness or (1.0,) * len(term.variants)
    written = [
        (encoded_terms.token(variant).encode(), near * term.weight)
        for variant, near in zip(term.variants, nearness, strict=True)
    ]
    called = [
        [
            (encoded_terms.token(stem).encode(), term.weight * one.share / len(one.stems))
            for stem in one.stems
        ]
        for one in term.synonyms
    ]
    return _Choice(written, called)


def _best(choice: _Choice, there: Mapping[bytes, float]) -> float:
    best = sum(weight * there.get(word, 0.0) for word, weight in choice.written)
    for words in choice.called:
        if all(word in there for word, _ in words):
            best = max(best, sum(weight * there[word] for word, weight in words))
    return best


def _stems(term: QueryTerm) -> Iterator[str]:
    yield from term.variants
    for one in term.synonyms:
        yield from one.stems
