"""Search data stores by what a query means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from service.corpus.document_filters import Filter
from service.corpus.following.upkeep import OpenedStore, StoreMoment
from service.corpus.index import SearchContext
from service.corpus.ranking.candidates import Candidates, MeaningSearch
from service.corpus.vectors.comparison import Comparison
from service.corpus.vectors.query_meanings import Meaning
from service.corpus.vectors.vector_table import DocumentDigests, VectorTable

M = TypeVar("M", bound=StoreMoment)


class SearchedVectors(Protocol[M]):
    """The vectors of the chunks of data stores, whoever keeps them."""

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        ...

    def search(self, meaning: Meaning, opened: Sequence[OpenedStore[M]]) -> MeaningSearch:
        """Return how to search by *meaning* in what is *opened*; it may block."""
        ...


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

    def compare(group: Candidates) -> Comparison | None:
        vectors = table(group.data_store)
        if vectors is None:
            return None
        state, listed = stores[group.data_store]
        return vectors.compare(meaning.vector, state, listed.ids(group.condition))

    return MeaningSearch(meaning.share, compare)
