"""Pages are searched as documents are, alone and beside what is stored."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.corpus.document_access import UNRESTRICTED
from service.corpus.index import SearchScope
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.thread_pools import ThreadPool
from service.web.page_index import PageIndex
from sessions import names
from tests.answering.doubles import ScriptedIndex, hit

pytestmark = pytest.mark.anyio
STORE = "projects/p/locations/l/collections/c/dataStores/d"
PAGES = SearchScope(data_stores=(names.WEB,))
BOTH = SearchScope(data_stores=(STORE, names.WEB), filter='category: ANY("a")')


class OneStore:
    """Has one data store behind every name."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        return (STORE,)


def page(title: str, *texts: str) -> IndexContent:
    chunks = (
        StoredChunk(text=text, headings=(), page=0, start_byte=0, end_byte=len(text))
        for text in texts
    )
    uri = f"https://a.example/{title.lower()}"
    return IndexContent(title=title, uri=uri, language="en", chunks=tuple(chunks))


@pytest.fixture
async def index() -> PageIndex:
    pool = page("Pool", "A swim costs 5 euros.", "The lockers take a coin.")
    trams = page("Trams", "The night tram runs every hour.")
    return await PageIndex([pool, trams], ThreadPool("test", 1)).open()


async def texts(index: PageIndex, query: str, scope: SearchScope = PAGES) -> list[str]:
    return [hit.chunk.text for hit in await index.search(query, scope, limit=3)]


async def test_what_fits_comes_first_and_then_the_openings(index: PageIndex) -> None:
    found = await index.search("When does the night tram run?", PAGES, limit=2)
    assert [hit.chunk.title for hit in found] == ["Trams", "Pool"]
    assert found[0].relevance > 0.5
    assert (found[1].relevance, found[1].chunk.number) == (0.0, 0)
    assert found[0].chunk.uri == "https://a.example/trams"
    assert names.data_store_of(found[0].chunk.document) == names.WEB


async def test_a_query_without_a_common_word_gets_the_openings(index: PageIndex) -> None:
    assert await texts(index, "sum up") == [
        "A swim costs 5 euros.",
        "The night tram runs every hour.",
        "The lockers take a coin.",
    ]


async def test_chunks_are_read_by_their_place(index: PageIndex) -> None:
    document = names.document(names.WEB, "0")
    read = await index.read_chunks(document, -1, 5, UNRESTRICTED)
    assert [(chunk.number, chunk.document) for chunk in read] == [(0, document), (1, document)]
    assert await index.read_chunks(names.document(names.WEB, "9"), 0, 1, UNRESTRICTED) == []
    assert await index.read_chunks(names.document(STORE, "0"), 0, 1, UNRESTRICTED) == []


async def test_pages_stand_beside_what_is_stored(index: PageIndex) -> None:
    stored = ScriptedIndex(hit(0, "Swims cost nothing.", relevance=0.99))
    both = index.beside(stored, OneStore())
    assert (await texts(both, "What does a swim cost?", BOTH))[:2] == [
        "Swims cost nothing.",
        "A swim costs 5 euros.",
    ]
    assert stored.asked[0][1].data_stores == (STORE,)
    assert stored.asked[0][1].filter
    assert await both.data_stores("parent") == (STORE, names.WEB)
    (chunk,) = await both.read_chunks(names.document(STORE, "0"), 0, 0, UNRESTRICTED)
    assert chunk.text == "Swims cost nothing."


async def test_a_scope_without_the_web_finds_no_pages(index: PageIndex) -> None:
    stored = ScriptedIndex(hit(0, "Swims cost nothing."))
    both = index.beside(stored, OneStore())
    assert await texts(both, "swim", SearchScope(data_stores=(STORE,))) == ["Swims cost nothing."]
    assert await index.search("swim", SearchScope(data_stores=(STORE,)), limit=3) == []


async def test_a_query_is_read_where_its_words_are_known(index: PageIndex) -> None:
    reading = await index.read_query("What does a locker take?", PAGES)
    assert [(word.text, word.known) for word in reading.words] == [("locker", True)]
    both = index.beside(ScriptedIndex(), OneStore())
    assert await both.read_query("What does a locker take?", BOTH) == reading


async def test_there_may_be_no_pages() -> None:
    index = await PageIndex([], ThreadPool("test", 1)).open()
    assert await texts(index, "swim") == []
    assert (await index.read_query("swim", PAGES)).words[0].known is False
