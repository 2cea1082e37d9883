"""Search data stores by what a query means, among the vectors that this process has of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from service.corpus.document_filters import Filter
from service.corpus.ranking.candidates import MeaningSearch
from service.corpus.vectors.vector_search import Meaning
from service.corpus.vectors.vector_table import Comparison, DocumentDigests, VectorTable


class ListedIds(Protocol):
    """Knows which documents of a data store may be found."""

    def ids(self, condition: Filter) -> Collection[str] | None:
        """Return the ids of the documents that *condition* matches, None for all in the index."""
        ...


def search(
    meaning: Meaning,
    table: Callable[[str], VectorTable | None],
    stores: Mapping[str, tuple[DocumentDigests, ListedIds]],
) -> MeaningSearch:
    """Return how to search by *meaning* in data stores, of each its state and what may be found.

    *table* returns the vectors of a data store, None where it has none.
    """

    def compare(data_store: str, condition: Filter) -> Comparison | None:
        vectors = table(data_store)
        if vectors is None:
            return None
        state, listed = stores[data_store]
        return vectors.compare(meaning.vector, state, listed.ids(condition))

    return MeaningSearch(meaning.share, compare)
