"""Read of the web what a request may be written from: the pages it names, and what a search finds.

A search sends the words of the user to the endpoint of the operator, and from there to others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.pipeline import rephrasing
from service.answering.pipeline.retrieving import MAX_CHUNKS
from service.answering.query_classes import classifiers
from service.answering.retrieval.context_scopes import ContextScope
from service.answering.retrieval.contexts import Contexts
from service.answering.views.web_sources import WebReport
from service.answering.web import web_tools
from service.answering.web.web_tools import OfferedWeb, WebSearch, WebTools
from service.corpus.index import DataStoreNames, RequestIndex, SearchScope
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.generation.generator import PastTurn
from service.language import detection
from service.thread_pools import ThreadPool, ThreadPools
from service.web import search_endpoint
from service.web.page_fetcher import PageError, PageFetcher
from service.web.page_index import PageIndex
from service.web.search_endpoint import SearchEndpoint, WebResult
from sessions import names
from sessions.resources import search_requests

RESULTS: Final = 5
"""Results of a search whose pages are read."""


class WebQuery(NamedTuple):
    """What is asked after which turns, and where an answer may come from.

    *scope* is that of the retrieval tool, None without one; *urls* are the pages that are named.
    """

    text: str
    history: Sequence[PastTurn]
    scope: ContextScope | None
    tools: WebTools
    urls: Sequence[str]


class WebGrounds(NamedTuple):
    """What was done in the web, and what is written from: *text* is asked of *sources* in *scope*.

    Both are None where the web has nothing to add.
    """

    report: WebReport
    text: str
    scope: ContextScope | None = None
    sources: RequestIndex | None = None


class WebGrounding:
    """Reads and searches the web for one request after the other."""

    def __init__(
        self,
        contexts: Contexts,
        stores: DataStoreNames,
        pools: ThreadPools,
        fetcher: PageFetcher | None = None,
        endpoint: SearchEndpoint | None = None,
    ) -> None:
        """*stores* knows what a retrieval tool may name; without *endpoint* nothing is searched."""
        self._contexts = contexts
        self._stores = stores
        self._pools = pools
        self._fetcher = fetcher
        self._endpoint = endpoint
        self._indexing = ThreadPool("web-index", 2)

    @property
    def offered(self) -> OfferedWeb:
        """What the operator has configured."""
        return OfferedWeb(pages=self._fetcher is not None, search=self._endpoint is not None)

    async def read(self, query: WebQuery, *, judges: bool) -> WebGrounds:
        """Return what the web has for *query*, beside what its retrieval tool reaches.

        Unless the generator *judges* what it reads, it is asked without the addresses of pages.

        Raises:
            NotFound: there is no such corpus, data store or engine.
            Unavailable: the web cannot be searched now.
        """
        read = await self._pages(query.urls)
        pages = {page.uri: page for page in read if page is not None}
        report = WebReport(
            urls=tuple((url, page is not None) for url, page in zip(query.urls, read, strict=True)),
            retrieved=query.scope is not None,
        )
        if (search := query.tools.search) is not None and self._endpoint is not None:
            report, found = await self._searched(query, search, self._endpoint, report)
            pages |= {page.uri: page for page in found if page.uri not in pages}
        asked = query.text if judges else web_tools.without_addresses(query.text)
        if not pages and judges:  # a model may answer by itself, or from documents
            return WebGrounds(report, asked)
        return await self._over(tuple(pages.values()), query, WebGrounds(report, asked))

    async def _over(
        self, pages: Sequence[IndexContent], query: WebQuery, grounds: WebGrounds
    ) -> WebGrounds:
        """Return *grounds* with an index of *pages* and of what the retrieval tool names."""
        index = await PageIndex(pages, self._indexing).open()
        if query.scope is None:
            scope = ContextScope(parent=names.WEB, count=MAX_CHUNKS)
        else:
            scope = query.scope
            index = index.beside(self._contexts.index_for(scope), self._stores)
            if scope.data_stores:
                spec = search_requests.DataStoreSpec(data_store=names.WEB)
                scope = msgspec.structs.replace(scope, data_stores=(*scope.data_stores, spec))
        return grounds._replace(scope=scope, sources=index)

    async def _pages(self, urls: Sequence[str]) -> list[IndexContent | None]:
        """Return the page of each of *urls*, None where it cannot be read."""
        async with asyncio.TaskGroup() as tasks:
            reading = [tasks.create_task(self._page(url), name=f"page-{url[:80]}") for url in urls]
        return [task.result() for task in reading]

    async def _page(self, url: str) -> IndexContent | None:
        if self._fetcher is None or not self._fetcher.admit(url):
            return None
        try:
            return (await self._fetcher.fetch(url)).content
        except PageError:
            return None

    async def _searched(
        self, query: WebQuery, search: WebSearch, endpoint: SearchEndpoint, report: WebReport
    ) -> tuple[WebReport, list[IndexContent]]:
        """Return what *search* finds, and *report* with what was asked."""
        if search.threshold is not None:
            score = await self._need(query)
            report = report._replace(score=score)
            if score < search.threshold:
                return report, []
        asked = web_tools.without_addresses(query.text)
        standalone = await self._pools.reading.run(rephrasing.rephrase, asked, query.history)
        sent = search_endpoint.worded(standalone)
        results = (await endpoint.search(sent, without=search.without))[:RESULTS]
        report = report._replace(queries=(sent,), search_pages=(endpoint.page(sent),))
        read = await self._pages([result.url for result in results])
        found = [page or _snippet(one) for page, one in zip(read, results, strict=True)]
        return report, [page for page in found if page is not None]

    async def _need(self, query: WebQuery) -> float:
        """Return how likely the web helps: what the documents at hand leave open, 0..1.

        Nothing where it is small talk, everything where there are no documents.
        """
        understood = await self._pools.reading.run(classifiers.classify, query.text, query.history)
        if understood.small_talk or understood.no_clear_intent:
            return 0.0
        if query.scope is None:
            return 1.0
        stores = tuple(await self._stores.data_stores(query.scope.parent))
        scope = SearchScope(
            data_stores=stores, viewer=query.scope.viewer, filter=query.scope.filter
        )
        index = self._contexts.index_for(query.scope)
        hits = await index.search(query.text, scope, limit=1)
        return 1.0 - max((hit.relevance for hit in hits), default=0.0)


def _snippet(result: WebResult) -> IndexContent | None:
    """Return what the search says of a page that cannot be read itself."""
    text = (result.content or "").strip()
    if not text:
        return None
    size = len(text.encode())
    chunk = StoredChunk(text=text, headings=(), page=0, start_byte=0, end_byte=size)
    return IndexContent(
        title=result.title or result.url,
        uri=result.url,
        language=detection.detect(text),
        chunks=(chunk,),
    )
