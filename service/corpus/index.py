"""The contract of every index: what is retrieved, and how one asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Protocol, Self

import msgspec

from service.blocks import Block
from service.corpus.document_access import Viewer
from service.query_readings import QueryReading


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """The retrievable piece of a document.

    *text* is verbatim: the bytes ``start_byte:end_byte`` of the document's body text in UTF-8.
    *headings* is the path of headings above it, outermost first. *page* and *last_page* are the
    pages on which it begins and ends, from 1, and 0 where they are not known. *from_fields* says
    that the document has no content: its body text is that of its fields. *number* is its place
    among the chunks of the document, from 0. *blocks*
    lie in *text*, in characters; where there are none they can be inferred from it.
    """

    name: str
    document: str
    title: str
    uri: str = ""
    text: str
    headings: tuple[str, ...] = ()
    page: int = 0
    last_page: int = 0
    start_byte: int
    end_byte: int
    struct_data: dict[str, Any] = {}
    from_fields: bool = False
    number: int = 0
    blocks: tuple[Block, ...] = ()


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk with its scores.

    *score* is the index's own (BM25 or fused: only its order means something); *relevance* is
    calibrated to 0..1 over queries and stores. Where embeddings tell, *cosine* is that of the
    vectors of query and chunk, and *by_words* is the relevance without them.
    """

    chunk: Chunk
    score: float
    relevance: float
    cosine: float | None = None
    by_words: float | None = None

    @property
    def lexical_relevance(self) -> float:
        """How likely it answers as far as words alone tell, 0 to 1."""
        return self.relevance if self.by_words is None else self.by_words


class Boost(msgspec.Struct, frozen=True):
    """Move what matches the filter *condition* up (to 1) or down (to -1)."""

    condition: str
    boost: float


class SearchContext(msgspec.Struct, frozen=True, kw_only=True):
    """What was said before in the session, as far as it helps to find.

    *queries* are the earlier ones, the latest first, and *answer* is how the last answer began.
    *documents* are those by name that each of the earlier answers came from, the latest first.
    """

    queries: tuple[str, ...] = ()
    answer: str = ""
    documents: tuple[tuple[str, ...], ...] = ()


class SearchScope(msgspec.Struct, frozen=True, kw_only=True):
    """What a search may see: enforced inside the index query, not afterwards.

    *viewer* sees what the policies of the data stores let them, whatever else is asked for; by
    default nobody in particular. *filter* is one of ``guide/filters.md``, "" for all. The words of
    *context* help to find, less the older they are; they make a hit relevant only to a query that
    says little by itself.
    """

    data_stores: tuple[str, ...]
    viewer: Viewer = Viewer()
    filter: str = ""
    boosts: tuple[Boost, ...] = ()
    preferred_documents: tuple[str, ...] = ()
    context: SearchContext = SearchContext()


class ListedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as far as lists, facets and completions look at it.

    *questions* are its headings that ask something, 50 at most.
    """

    document: str
    title: str
    uri: str = ""
    struct_data: dict[str, Any] = {}
    questions: tuple[str, ...] = ()


class Index(Protocol):
    """Finds chunks for a query."""

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, best first; stable for equal scores.

        Raises:
            InvalidArgument: the filter or a boost condition cannot be read.
            Unavailable: the index is not there (yet).
        """
        ...

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query*, without its context, is read in the data stores of *scope*.

        Raises:
            Unavailable: the index is not there (yet).
        """
        ...

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return the chunks *first* to *last* of *document*, both included, those that there are.

        There are none for a *viewer* who may not see the document.

        Raises:
            Unavailable: the index is not there (yet).
        """
        ...


class DataStoreNames(Protocol):
    """Knows the data stores of what is searched."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind *parent*, or raise `NotFound`."""
        ...


class RequestIndex(Index, DataStoreNames, Protocol):
    """An index of what one request brings, beside what is stored."""


class DocumentIndex(Index, Protocol):
    """An index of all that is stored: the whole contract of `tantivy` and of `redis_search`.

    An implementation follows the change feed (`storage.change_feed`), so that what any replica
    stores can be found within a second; ``tests/corpus/test_index.py`` says the rest.
    """

    async def list_documents(self, scope: SearchScope) -> Sequence[ListedDocument]:
        """Return the documents in *scope*, by data store and id; boosts do not count.

        Raises:
            InvalidArgument: the filter cannot be read.
            Unavailable: the index is not there (yet).
        """
        ...

    async def sight(
        self, data_stores: Sequence[str], viewer: Viewer
    ) -> Callable[[str], bool] | None:
        """Return what tells of the name of a document whether there is one that *viewer* may see.

        None where no policy of *data_stores* hides any. Any thread may ask, for a moment: it tells
        of the documents that there are now.

        Raises:
            Unavailable: the index is not there (yet).
        """
        ...

    def state(self, data_store: str) -> object:
        """Return what equals itself as long as `list_documents` tells the same of *data_store*.

        Raises:
            Unavailable: the index is not there (yet).
        """
        ...

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored in *data_store* before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index of the data store failed.
        """
        ...


class FollowingIndex(DocumentIndex, Protocol):
    """A `DocumentIndex` as the service owns it: it follows the feed while its context lasts."""

    async def __aenter__(self) -> Self:
        """Begin to follow; `wait_ready` tells when everything can be found.

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

    @property
    def ready(self) -> bool:
        """Tell whether everything that was stored at the start can be found.

        A data store whose index fails does not count: it alone cannot be searched.
        """
        ...

    async def wait_ready(self) -> None:
        """Return when `ready`."""
        ...

    @property
    def damaged(self) -> int:
        """How many documents cannot be found since what is stored of them is damaged."""
        ...

    @property
    def lag(self) -> float:
        """Seconds: what was stored so long ago, and announced, can be found."""
        ...

    @property
    def searching(self) -> int:
        """How many searches run or wait."""
        ...
