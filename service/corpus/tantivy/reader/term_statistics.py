"""Count the chunks that have a term, and tell from that how much the term tells."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Final

from tantivy import Query

from service.corpus.ranking.index_entries import FIELDS
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher
from service.native_calls import TANTIVY

_TERMS: Final = 10_000
"""Terms that are counted once."""
_LISTED: Final = 500
"""Chunks up to which it is quicker to list those with a term than to count them: .5 ms or 3."""
_FIRST: Final = 32
"""Chunks that are looked at for one that can be seen, before they are counted."""
_FEW: Final = 5
_RARE: Final = 100
"""A code names one thing where at most so few chunks have it, or one in so many."""


class TermStatistics:
    """What the chunks of a data store that can be seen tell of terms, and no other chunk."""

    def __init__(self, chunks: EntrySearcher, total: int) -> None:
        """*total* is how many of the *chunks* can be seen."""
        self._chunks = chunks
        self._total = total
        self.frequency = functools.lru_cache(maxsize=_TERMS)(self._frequency)
        """Return how many chunks have a term in a field."""
        self.fields_with = functools.lru_cache(maxsize=_TERMS)(self._fields_with)
        """Return the fields of chunks that have a term."""
        self.idf = functools.lru_cache(maxsize=_TERMS)(self._idf)
        """Return how telling a term is that has these variants, from 0 where every chunk has it."""

    def knows(self, variants: Iterable[str]) -> bool:
        """Tell whether any chunk has one of *variants*, or the headings above it, or its title."""
        return any(map(self.fields_with, variants))

    def is_rare(self, variants: Iterable[str]) -> bool:
        """Tell whether so few chunks have one of *variants* that a code names one thing there."""
        found = sum(self.frequency("body", variant) for variant in variants)
        return found <= max(_FEW, self._total // _RARE)

    @TANTIVY.around
    def _frequency(self, field: str, term: str) -> int:
        most = self._chunks.frequency(field, term)
        if not most or self._chunks.visibility is None:
            return most
        wanted = self._having(field, term)
        # What is deleted counts in *most*, and nothing may be told of it.
        if most > _LISTED:
            return self._chunks.count(wanted)
        return self._chunks.visible_of_first(wanted, most)

    @TANTIVY.around
    def _fields_with(self, term: str) -> frozenset[str]:
        return frozenset(field for field in FIELDS if self._occurs(field, term))

    def _occurs(self, field: str, term: str) -> bool:
        """Tell whether any chunk has *term* in *field*."""
        most = self._chunks.frequency(field, term)
        if not most or self._chunks.visibility is None:
            return bool(most)
        if self._chunks.visible_of_first(self._having(field, term), min(most, _FIRST)):
            return True
        return most > _FIRST and self.frequency(field, term) > 0

    def _having(self, field: str, term: str) -> Query:
        return Query.term_query(self._chunks.schema, field, term)

    def _idf(self, variants: tuple[str, ...]) -> float:
        found = sum(self.frequency("body", variant) for variant in variants)
        have = min(self._total, found)
        return math.log(1 + (self._total - have + 0.5) / (have + 0.5))
