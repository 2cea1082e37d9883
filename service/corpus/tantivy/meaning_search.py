"""Search the data stores of this process by what a query means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.corpus.document_filters import Filter
from service.corpus.ranking.candidates import MeaningSearch
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.vectors.vector_search import Meaning
from service.corpus.vectors.vector_table import Comparison, VectorTable


def search(
    meaning: Meaning,
    table: Callable[[str], VectorTable | None],
    readers: Sequence[tuple[str, IndexReader]],
) -> MeaningSearch:
    """Return how to search by *meaning* in the data stores given by name and reader.

    *table* returns the vectors of a data store, None where it has none.
    """
    there = dict(readers)

    def compare(data_store: str, condition: Filter) -> Comparison | None:
        vectors, reader = table(data_store), there[data_store]
        if vectors is None:
            return None
        return vectors.compare(meaning.vector, reader, reader.ids(condition))

    return MeaningSearch(meaning.share, compare)
