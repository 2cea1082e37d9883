"""Search by what a query means among the vectors that this process has."""

from __future__ import annotations

from collections.abc import Sequence

from service.corpus.following import meaning_search
from service.corpus.following.upkeep import OpenedStore
from service.corpus.index import SearchContext
from service.corpus.ranking.candidates import MeaningSearch
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.vectors.query_meanings import Meaning
from service.corpus.vectors.vector_search import VectorSearch


class TableVectors:
    """The `meaning_search.SearchedVectors` of the embedded index."""

    def __init__(self, vectors: VectorSearch) -> None:
        self._vectors = vectors

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        return await self._vectors.read(query, context)

    def search(self, meaning: Meaning, opened: Sequence[OpenedStore[IndexReader]]) -> MeaningSearch:
        """Return how to search by *meaning* in what is *opened*."""
        stores = {each.name: (each.moment, each.moment.reader(each.seen)) for each in opened}
        return meaning_search.search(meaning, self._vectors.table, stores)
