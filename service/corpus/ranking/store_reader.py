"""What ranking asks of the index of one data store, in the state that it had at one moment."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from service.corpus.document_filters import ALL, Filter
from service.corpus.index import Chunk
from service.corpus.ranking.index_entries import Payload
from service.corpus.ranking.queries.terms import QueryTerm, Statistics
from service.corpus.ranking.relevance import ReadTerms
from service.corpus.stored_documents import IndexContent


class MatchedChunk(NamedTuple):
    """A chunk that matched: its score, its document's number, and where its reader keeps it.

    The number and *key* mean something to that reader only. It gives the lower number to the older
    document, and has one *key* for each chunk.

    Where the meaning of the query counts too, *score* joins the two, *words* is that of its words
    alone, and *cosine* how near the chunk's meaning lies, None where that is not known.
    """

    score: float
    document: int
    key: tuple[int, int]
    words: float | None = None
    cosine: float | None = None


class ChunkPlace(NamedTuple):
    """Which chunk of which document: the document's id, and the place there, from 0."""

    document_id: str
    place: int


class ReadChunk(NamedTuple):
    """A chunk as it was read."""

    document_id: str
    content: IndexContent
    payload: Payload

    @property
    def number(self) -> int:
        """Its place in the document, from 0."""
        return self.payload.number

    def chunk(self, document: str) -> Chunk:
        """Return it as a chunk of the document of this name."""
        return self.content.chunk(document, self.number, self.payload.stored)

    def terms(self) -> ReadTerms:
        """Return the terms of the chunk, and those of its headings and its title."""
        return ReadTerms(self.payload.body.split(), frozenset(self.payload.above.split()))


class StoreReader(Statistics, Protocol):
    """The documents of one data store that a viewer may see, and no word of any other.

    It is asked in a worker thread, and may wait there. What is asked of many chunks is asked in
    one call, so that an index beyond a network answers it in one round trip. Which documents may
    be found is said by a condition, never by a set of them: there may be millions.
    """

    @property
    def rarest(self) -> float:
        """How telling a term is that no chunk has."""
        ...

    def search(
        self, query: Sequence[QueryTerm], condition: Filter = ALL, question: str = ""
    ) -> list[MatchedChunk]:
        """Return the chunks that fit *query* best, the best first and of equals the oldest.

        They are of documents that *condition* matches. Chunks with a heading that asks *question*,
        see `question_keys`, go before others.
        """
        ...

    def select(self, documents: Collection[int], condition: Filter) -> Collection[int]:
        """Return those of *documents*, given by number, that *condition* matches."""
        ...

    def numbers(self, document_ids: Collection[str]) -> Mapping[str, int]:
        """Return the numbers of those of the documents with these ids that there are."""
        ...

    def places(self, candidates: Sequence[MatchedChunk]) -> list[ChunkPlace]:
        """Return the place of each of *candidates*."""
        ...

    def locate(self, places: Sequence[ChunkPlace]) -> list[MatchedChunk | None]:
        """Return the chunk at each of *places*, with no score; None where there is none."""
        ...

    def fetch(self, candidates: Sequence[MatchedChunk]) -> Sequence[ReadChunk | None]:
        """Read the chunk of each of *candidates*, None of one that is gone meanwhile."""
        ...
