"""What keeps the indexes of data stores, and what of them can be searched at one moment."""

from __future__ import annotations

from collections.abc import Container, Sequence
from types import TracebackType
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from service.corpus.document_filters import Filter
from service.corpus.following.feed_follower import FeedFollower
from service.corpus.ranking.index_entries import DocumentAttributes
from service.corpus.ranking.store_reader import ReadChunk, StoreReader


class DocumentReader(StoreReader, Protocol):
    """What of one data store a viewer may see, as it was at one moment; methods may block."""

    def read_chunks(self, document_id: str, first: int, last: int) -> Sequence[ReadChunk]:
        """Return the chunks *first* to *last* of the document of this id, those that there are."""
        ...

    def list_documents(self, condition: Filter) -> Sequence[DocumentAttributes]:
        """Return the documents that *condition* matches, by id."""
        ...

    def known_ids(self) -> Container[str]:
        """Return the ids of all documents, to be asked without waiting."""
        ...


class StoreMoment(Protocol):
    """One data store as it is at one moment, whoever may see what of it."""

    def reader(self, condition: Filter, texts: Sequence[str]) -> DocumentReader:
        """Return what reads the documents that *condition* matches; it may block.

        It will be asked about the words of *texts*.
        """
        ...


M = TypeVar("M", bound=StoreMoment)
M_co = TypeVar("M_co", bound=StoreMoment, covariant=True)


class OpenedStore(NamedTuple, Generic[M]):
    """A data store with what its viewer may see of it."""

    name: str
    moment: M
    seen: Filter


class Upkeep(Protocol[M_co]):
    """Keeps the indexes of all data stores as the stores are, while its context lasts."""

    @property
    def following(self) -> FeedFollower[Any]:
        """What tells the indexes of changes."""
        ...

    async def __aenter__(self) -> Self:
        """Begin to follow.

        Raises:
            FailedPrecondition: what the index stands on is not there.
        """
        ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop following."""
        ...

    def moment(self, data_store: str) -> M_co | None:
        """Return what can be searched of *data_store* now; None where there is no such store.

        Raises:
            Unavailable: the index is not whole yet.
        """
        ...
