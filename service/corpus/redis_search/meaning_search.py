"""Search data stores by what a query means, among the vectors that this process has of them.

The vectors are in the process and not in the engine: how far the nearest chunk stands out, which
says what it weighs, takes the cosines of all (`vectors.fusion`), and the engine tells the nearest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from service.corpus.document_filters import ALL, Filter, matches
from service.corpus.ranking.candidates import MeaningSearch
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.vectors.vector_search import Meaning
from service.corpus.vectors.vector_table import Comparison, VectorTable


def search(
    meaning: Meaning,
    table: Callable[[str], VectorTable | None],
    views: Mapping[str, tuple[StoreView, Filter]],
) -> MeaningSearch:
    """Return how to search by *meaning* in data stores, each with what its viewer may see.

    *table* returns the vectors of a data store, None where it has none.
    """

    def compare(data_store: str, condition: Filter) -> Comparison | None:
        vectors = table(data_store)
        if vectors is None:
            return None
        view, seen = views[data_store]
        allowed = None
        if condition != ALL or seen != ALL:
            entries = view.entries.values()
            allowed = {
                entry.attributes.id
                for entry in entries
                if matches(condition, entry.facts) and matches(seen, entry.facts)
            }
        return vectors.compare(meaning.vector, view, allowed)

    return MeaningSearch(meaning.share, compare)
