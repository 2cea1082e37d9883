"""Search the pages of one request, as data stores are searched: in an index of their own."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

import msgspec

from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, DataStoreNames, Hit, Index, SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.query_readings import QueryReading
from service.thread_pools import ThreadPool
from sessions import names

_CHUNKS: Final = 400
"""Chunks of a page that are searched, some 70,000 words: a page may be a whole book."""


class PageIndex:
    """An `Index` of pages, in memory, beside that of what is stored where there is one.

    Pages are searched where the scope names the web. Behind the hits come their openings, without
    relevance: "sum this page up" shares no word with a page that a model is to read all the same.
    """

    def __init__(self, pages: Sequence[IndexContent], threads: ThreadPool) -> None:
        """Search *pages* in *threads*; `open` comes first."""
        self._pages = [
            msgspec.structs.replace(page, chunks=page.chunks[:_CHUNKS]) for page in pages
        ]
        self._threads = threads
        self._readers: list[tuple[str, IndexReader]] = []
        self._beside: Index | None = None
        self._stores: DataStoreNames | None = None

    async def open(self) -> PageIndex:
        """Read the pages into the index, which takes some 20 ms, and return it."""
        self._readers = [(names.WEB, await self._threads.run(_reader, self._pages))]
        return self

    def beside(self, index: Index, stores: DataStoreNames) -> PageIndex:
        """Return an index of the same pages and of what *index* finds in *stores*."""
        other = PageIndex((), self._threads)
        other._pages, other._readers = self._pages, self._readers
        other._beside, other._stores = index, stores
        return other

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind *parent*, and the pages, or raise `NotFound`."""
        stored = await self._stores.data_stores(parent) if self._stores else ()
        return (*stored, names.WEB)

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        """Return at most *limit* hits, the most relevant first; see `Index.search`.

        Hits of pages and of what is stored keep the order in which each index has them.
        """
        stored = await self._search_stored(query, scope, limit)
        if names.WEB not in scope.data_stores:
            return stored
        anything = msgspec.structs.replace(scope, filter="", boosts=())  # pages have no fields
        found = await self._threads.run(
            scoped_search.search, self._readers, query, scoped_search.plan(anything), limit
        )
        hits = list(heapq.merge(found, stored, key=lambda hit: -hit.relevance))[:limit]
        known = {hit.chunk.name for hit in hits}
        rest = (chunk for chunk in self._openings() if chunk.name not in known)
        more = zip(range(limit - len(hits)), rest, strict=False)
        return [*hits, *(Hit(chunk=chunk, score=0.0, relevance=0.0) for _, chunk in more)]

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        """Return how *query* is read where most of its words are known; see `Index.read_query`."""
        own = await self._threads.run(scoped_search.read_query, self._readers, query)
        if self._beside is None:
            return own
        stored = await self._beside.read_query(query, _stored(scope))
        return max(stored, own, key=lambda reading: sum(word.known for word in reading.words))

    async def read_chunks(
        self, document: str, first: int, last: int, viewer: Viewer
    ) -> Sequence[Chunk]:
        """Return chunks of a page, or of a document that is stored; see `Index.read_chunks`."""
        if names.data_store_of(document) == names.WEB:
            page = int(names.last_id(document))
            return [self._chunk(page, at) for at in range(first, last + 1) if self._has(page, at)]
        if self._beside is None:
            return []
        return await self._beside.read_chunks(document, first, last, viewer)

    async def _search_stored(self, query: str, scope: SearchScope, limit: int) -> Sequence[Hit]:
        stored = _stored(scope)
        if self._beside is None or not stored.data_stores:
            return []
        return await self._beside.search(query, stored, limit=limit)

    def _openings(self) -> Iterator[Chunk]:
        """Yield the chunks of all pages, the first of each first."""
        places = zip_longest(*(range(len(page.chunks)) for page in self._pages))
        for row in places:
            for page, place in enumerate(row):
                if place is not None:
                    yield self._chunk(page, place)

    def _has(self, page: int, place: int) -> bool:
        return 0 <= page < len(self._pages) and 0 <= place < len(self._pages[page].chunks)

    def _chunk(self, page: int, place: int) -> Chunk:
        content = self._pages[page]
        return content.chunk(names.document(names.WEB, str(page)), place, content.chunks[place])


def _stored(scope: SearchScope) -> SearchScope:
    """Return *scope* without the pages."""
    kept = tuple(name for name in scope.data_stores if name != names.WEB)
    return msgspec.structs.replace(scope, data_stores=kept)


def _reader(pages: Sequence[IndexContent]) -> IndexReader:
    writer = IndexWriter()
    writer.apply({str(number): page for number, page in enumerate(pages)})
    writer.wait_for_merges()
    return writer.reader
