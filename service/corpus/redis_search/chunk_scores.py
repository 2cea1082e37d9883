"""Score chunks for a query by all that weighs in it, which the Query Engine cannot.

The engine finds chunks that may be among the best, without weights: it counts a word once for all
fields, and what `$weight` does to the parts of a union differs from release to release. So what it
names is scored here, word by word, as the embedded index does: BM25 in each field, in which a term
weighs what it weighs in the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

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


class _Weighed(NamedTuple):
    """A word of the engine, and what it adds at most in each field."""

    word: bytes
    by_field: Sequence[tuple[str, float]]


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
        self._parts = [self._part(term) for term in terms]
        self._named = [self._part(term) for term in named]

    def score(self, chunk: FoundChunk) -> float:
        """Return how well *chunk* fits the query, 0 where it has nothing of it."""
        tallies = {field: _Tally(words) for field, words in chunk.words.items()}
        total = sum(self._best(part, tallies) for part in self._parts)
        if chunk.asks:
            total += ASKED
        if self._named:
            named = sum(self._best(part, tallies) for part in self._named)
            # It counts twice, as what is asked for and as what is named.
            total = total + named if named else 0.0
        return total

    def _part(self, term: QueryTerm) -> list[list[_Weighed]]:
        """Return the alternatives of *term*: itself, and what it is called else."""
        nearness = term.nearness or (1.0,) * len(term.variants)
        written = [
            self._weighed(variant, near * term.weight)
            for variant, near in zip(term.variants, nearness, strict=True)
        ]
        called = [
            [self._weighed(s, term.weight * one.share / len(one.stems)) for s in one.stems]
            for one in term.synonyms
        ]
        return [written, *called]

    def _weighed(self, stem: str, weight: float) -> _Weighed:
        word = encoded_terms.token(stem).encode()
        by_field: list[tuple[str, float]] = []
        for field, share in IN_CHUNKS.items():
            if have := self._fields[field].having(stem):
                idf = math.log(1 + max(0.0, self._chunks - have + 0.5) / (have + 0.5))
                by_field.append((field, share * weight * idf * (_K1 + 1)))
        return _Weighed(word, by_field)

    def _best(self, part: Sequence[Sequence[_Weighed]], tallies: Mapping[str, _Tally]) -> float:
        written, *called = part
        best = sum(self._of(one, tallies) for one in written)
        for stems in called:
            each = [self._of(one, tallies) for one in stems]
            if all(each):
                best = max(best, sum(each))
        return best

    def _of(self, weighed: _Weighed, tallies: Mapping[str, _Tally]) -> float:
        score = 0.0
        for field, most in weighed.by_field:
            tally = tallies[field]
            if often := tally.count(weighed.word):
                longer = tally.length / (self._fields[field].mean or 1.0)
                score += most * often / (often + _K1 * (1 - _B + _B * longer))
        return score


class _Tally:
    """The words of one field of a chunk."""

    def __init__(self, words: bytes) -> None:
        self.length = words.count(b" ") + 1 if words else 0
        # Twice between any two: what is counted may not overlap.
        self._words = b" " + words.replace(b" ", b"  ") + b" "

    def count(self, word: bytes) -> int:
        return self._words.count(b" " + word + b" ")
