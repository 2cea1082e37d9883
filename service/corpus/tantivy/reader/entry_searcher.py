"""Search one index of a data store for the entries of those documents that may be found."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import tantivy
from tantivy import Occur, Query

_FEW_ALLOWED: Final = 200
"""Documents up to which a set of them costs tantivy less than to look at what is not allowed."""
_SIFTED: Final = 16
"""One document in so many has to be allowed, or to leave the others out takes longer."""


class FoundEntry(NamedTuple):
    """An entry of an index: its score, its document's number, and where tantivy keeps it."""

    score: float
    document: int
    address: tantivy.DocAddress


class Visibility(NamedTuple):
    """Which documents there are for whoever sees only some.

    *hidden* are all others in the indexes; of *ratio* chunks there, one is visible.
    """

    visible: frozenset[int]
    hidden: frozenset[int]
    ratio: float


class EntrySearcher:
    """The entries of one index at one moment: chunks, or whole documents.

    Those of documents that cannot be seen are neither found nor counted.
    """

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        visibility: Visibility | None = None,
    ) -> None:
        """Without *visibility*, everything can be seen."""
        self.searcher = searcher
        self.schema = schema
        self.visibility = visibility

    def within(self, visibility: Visibility) -> EntrySearcher:
        """Return a searcher of the same entries for whom only those documents are visible."""
        return EntrySearcher(self.searcher, self.schema, visibility)

    def frequency(self, field: str, term: str) -> int:
        """Return how many entries have *term*, whether they can be seen or not.

        What was deleted counts until it is merged away.
        """
        return self.searcher.doc_freq(field, term)

    def best(
        self, wanted: Query, limit: int, allowed: frozenset[int] | None = None
    ) -> list[FoundEntry]:
        """Return the *limit* entries that fit *wanted* best, the best first.

        *allowed* are the numbers of the documents that may be found, None for all.
        """
        if self.visibility is None:
            if allowed is not None:
                wanted = _both(wanted, _of_documents(self.schema, allowed))
            return self._found(wanted, limit)
        visible = self.visibility.visible
        if allowed is not None and allowed is not visible:
            return self._found(_both(wanted, _of_documents(self.schema, allowed & visible)), limit)
        if len(visible) > _FEW_ALLOWED and self.visibility.ratio <= _SIFTED:
            found = self._sifted(wanted, limit, self.visibility)
            if found is not None:
                return found
        return self._found(_both(wanted, self._visible), limit)

    def count(self, wanted: Query) -> int:
        """Return how many entries fit *wanted*; what was deleted is none of them."""
        if self.visibility is None:
            return self._counted(wanted)
        # A set of documents takes the longer the more they are.
        if len(self.visibility.hidden) < len(self.visibility.visible):
            return self._counted(wanted) - self._counted(_both(wanted, self._hidden))
        return self._counted(_both(wanted, self._visible))

    def visible_of_first(self, wanted: Query, most: int) -> int:
        """Return how many of the first *most* entries that fit *wanted* can be seen."""
        found = self.searcher.search(wanted, most, count=False).hits
        if self.visibility is None:
            return len(found)
        visible = self.visibility.visible
        return sum(number in visible for number in self._documents([at for _, at in found]))

    def _found(self, wanted: Query, limit: int) -> list[FoundEntry]:
        found = self.searcher.search(wanted, limit, count=False).hits
        numbers = self._documents([address for _, address in found])
        return [
            FoundEntry(score, number, address)
            for (score, address), number in zip(found, numbers, strict=True)
        ]

    def _documents(self, addresses: Sequence[tantivy.DocAddress]) -> list[int]:
        """Return the number of the document of each entry."""
        numbers = self.searcher.fast_field_values("document", list(addresses))
        return [int(number or 0) for number in numbers]

    def _sifted(self, wanted: Query, limit: int, of: Visibility) -> list[FoundEntry] | None:
        """Return the best entries that can be seen, or None where they come too late.

        The best of all are found many times faster than tantivy makes a set of documents, and their
        scores are the same. So more are asked for, and those that cannot be seen left out: one in
        so many can, and half as many again make it likely that enough remain.
        """
        for share in (1.5, 6):
            most = int(share * of.ratio * limit)
            found = self._found(wanted, most)
            kept = [entry for entry in found if entry.document in of.visible]
            if len(kept) >= limit or len(found) < most:
                return kept[:limit]
        return None

    def _counted(self, wanted: Query) -> int:
        counted: Any = self.searcher.search(wanted, 1, count=True)  # its stub lacks the count
        return int(counted.count or 0)

    @functools.cached_property
    def _visible(self) -> Query:
        """What matches the entries of the documents that can be seen, made once."""
        return _of_documents(self.schema, self.visibility.visible if self.visibility else ())

    @functools.cached_property
    def _hidden(self) -> Query:
        """What matches the entries of all others, made once."""
        return _of_documents(self.schema, self.visibility.hidden if self.visibility else ())


def _both(one: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, one), (Occur.Must, other)])


def _of_documents(schema: tantivy.Schema, documents: Collection[int]) -> Query:
    """Match the entries of *documents* by number, whatever their scores."""
    return Query.const_score_query(Query.term_set_query(schema, "document", list(documents)), 0.0)
