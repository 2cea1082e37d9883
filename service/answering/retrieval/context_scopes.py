"""Say where contexts are retrieved from, and which of the chunks that are found become contexts."""

from __future__ import annotations

import enum
from typing import Final

import msgspec

from service.corpus.document_access import Viewer
from sessions.resources import answer_query, search_requests
from sessions.resources.search_requests import SearchResultMode

DEFAULT_COUNT: Final = 10
"""Contexts that are retrieved where none are counted."""
MAX_COUNT: Final = 100
"""Contexts that one call may ask for."""


class ContextOrder(enum.Enum):
    """By what contexts are ordered and scored."""

    DISTANCE = enum.auto()
    """How far they are from the query."""
    RELEVANCE = enum.auto()
    """How likely they answer, as the index knows the words of all documents."""
    MODEL = enum.auto()
    """How well a chat model says that they answer."""


class DistanceBounds(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the found chunks are contexts, and in which order.

    *below* and *above* are open bounds of the distance of the vectors and of its similarity
    (1 - distance). *alpha* is the weight of that distance against that of the words, None for a
    retrieval that is not hybrid.
    """

    below: float | None = None
    above: float | None = None
    alpha: float | None = None
    order: ContextOrder = ContextOrder.DISTANCE

    def admit(self, distance: float) -> bool:
        """Tell whether a chunk at *distance* is a context."""
        near = self.below is None or distance < self.below
        return near and (self.above is None or 1.0 - distance > self.above)


class ContextScope(msgspec.Struct, frozen=True, kw_only=True):
    """Where contexts are retrieved from, and how: a corpus, or without bounds a data store.

    *field* is where the request says how to retrieve from a corpus, *viewer* for whom.
    """

    parent: str
    viewer: Viewer = Viewer()
    filter: str = ""
    count: int = DEFAULT_COUNT
    bounds: DistanceBounds | None = None
    data_stores: tuple[search_requests.DataStoreSpec, ...] = ()
    field: str = ""

    def params(self) -> answer_query.SearchParams:
        """Return what the pipeline is to search."""
        return answer_query.SearchParams(
            max_return_results=self.count,
            filter=self.filter,
            search_result_mode=SearchResultMode.CHUNKS,
            data_store_specs=self.data_stores,
        )
