"""A data store as the shared index had it at one moment, for whoever searches it then."""

from __future__ import annotations

from collections.abc import Sequence

from service.corpus.document_filters import ALL, Filter
from service.corpus.redis_search.reader.redis_reader import RedisReader
from service.corpus.redis_search.reader.store_view import StoreView


class ViewedStore:
    """An `upkeep.StoreMoment` of what *view* knows."""

    def __init__(self, view: StoreView) -> None:
        self._view = view

    def within(self, condition: Filter) -> StoreView:
        """Return what is known of the documents that *condition* matches; it may block."""
        return self._view if condition == ALL else self._view.within(condition)

    def reader(self, condition: Filter, texts: Sequence[str]) -> RedisReader:
        """Return what reads the documents that *condition* matches.

        What the words of *texts* are there is asked for at once.
        """
        reader = RedisReader(self.within(condition))
        reader.prime(texts)
        return reader
