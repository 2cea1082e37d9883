"""Count the chunks that have a term, as far as they can be seen, and remember the counts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from service.corpus.ranking.index_entries import FIELDS
from service.corpus.redis_search import encoded_terms, entries
from service.corpus.redis_search.engine import EngineQuery
from service.corpus.redis_search.entry_keys import CHUNKS
from service.corpus.redis_search.reader.entry_reads import EntryReads

_KEPT: Final = 100_000
"""Terms whose counts are remembered: a question about a word's meaning asks for 2,000."""
_COUNTED: Final = (*FIELDS, entries.WHOLE)
_FEW: Final = 5
_RARE: Final = 100
"""A code names one thing where at most so few chunks have it, or one in so many."""


class TermCounts:
    """What the chunks of a data store that *condition* names tell of terms, and no other chunk."""

    def __init__(self, reads: EntryReads, total: int, condition: str = "") -> None:
        """*condition* is a query of the engine, "" for all; *total* is how many chunks it names."""
        self._reads = reads
        self._total = total
        self._condition = condition
        self._counts: dict[str, tuple[int, ...]] = {}

    def prime(self, terms: Iterable[str]) -> None:
        """Ask for the counts of all *terms* at once, as far as they are not known."""
        unknown = [term for term in dict.fromkeys(terms) if term not in self._counts]
        if not unknown:
            return
        if len(self._counts) > _KEPT:
            self._counts.clear()
        fields = [
            entries.term_field(field, encoded_terms.token(term))
            for term in unknown
            for field in _COUNTED
        ]
        counted = self._reads.counts(fields)
        if self._condition:
            counted = self._visible(unknown, counted)
        width = len(_COUNTED)
        for at, term in enumerate(unknown):
            self._counts[term] = tuple(counted[at * width : (at + 1) * width])

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return how many chunks have each of *terms* in the field where most have it."""
        self.prime(terms)
        return [max(self._in_chunks(term)) for term in terms]

    def having(self, field: str, term: str) -> int:
        """Return how many chunks have *term* in *field*."""
        return self._of(term)[FIELDS.index(field)]

    def documents_having(self, term: str) -> int:
        """Return how many documents of several chunks have *term*, whoever may see them."""
        return self._of(term)[-1]

    def knows(self, variants: Collection[str]) -> bool:
        """Tell whether any chunk has one of *variants*, or the headings above it, or its title."""
        return any(any(self._in_chunks(variant)) for variant in variants)

    def idf(self, variants: tuple[str, ...]) -> float:
        """Return how telling a term is that has these variants, from 0 where every chunk has it."""
        have = min(self._total, sum(self.having("body", variant) for variant in variants))
        return math.log(1 + (self._total - have + 0.5) / (have + 0.5))

    def is_rare(self, variants: Iterable[str]) -> bool:
        """Tell whether so few chunks have one of *variants* that a code names one thing there."""
        found = sum(self.having("body", variant) for variant in variants)
        return found <= max(_FEW, self._total // _RARE)

    def _in_chunks(self, term: str) -> tuple[int, ...]:
        return self._of(term)[: len(FIELDS)]

    def _of(self, term: str) -> tuple[int, ...]:
        counts = self._counts.get(term)
        if counts is None:
            self.prime((term,))
            counts = self._counts[term]
        return counts

    def _visible(self, terms: Sequence[str], counted: Sequence[int]) -> list[int]:
        """Return how many of the chunks that are *counted* can be seen."""
        index = self._reads.keys.index(CHUNKS)
        asked: list[EngineQuery] = []
        width = len(_COUNTED)
        in_chunks = [at % width < len(FIELDS) and count > 0 for at, count in enumerate(counted)]
        for at, wanted in enumerate(in_chunks):
            if wanted:
                word = encoded_terms.token(terms[at // width])
                field = f"@{_COUNTED[at % width]}:({word})"
                asked.append(EngineQuery(index, f"{self._condition} {field}", 0))
        replies = iter(self._reads.ask(asked))
        return [
            next(replies).total if wanted else count
            for wanted, count in zip(in_chunks, counted, strict=True)
        ]
