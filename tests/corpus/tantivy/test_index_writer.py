"""Writing a writer costs what changes in it."""

from __future__ import annotations

import time

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from service.blocks import Block, BlockKind
from service.corpus import document_filters
from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.ranking.relevance import ReadTerms
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import index_terms
from tests.corpus import doubles
from tests.corpus.texts import STORE


def _apply(writer: IndexWriter, documents: dict[str, IndexContent]) -> float:
    began = time.thread_time()
    writer.apply(documents)
    return time.thread_time() - began


def test_replacing_documents_costs_about_what_adding_them_cost() -> None:
    """It once compared each document with all that are replaced: 8,000 took seven seconds."""
    documents = {f"d{n}": doubles.content(f"d{n}", "tram") for n in range(5_000)}
    writer = IndexWriter()
    adding = _apply(writer, documents)
    replacing = min(_apply(writer, documents) for _ in range(2))
    assert len(writer) == writer.reader.chunks == 5_000
    assert replacing < 3 * adding


def test_a_view_stays_what_it_was_when_it_was_taken() -> None:
    """Other threads read it while the writer is written to."""
    writer = IndexWriter()
    writer.apply({"a": doubles.content("a", "tram")})
    reader = writer.reader
    everything = reader.matching(document_filters.ALL)
    writer.apply({"b": doubles.content("b", "tram")}, ["a"])
    assert reader.matching(document_filters.ALL) == everything
    assert [each.id for each in reader.list_documents(document_filters.ALL)] == ["a"]
    assert reader.chunks == 1


def test_a_chunk_is_kept_with_its_terms_and_those_above_it() -> None:
    """Whoever judges a found chunk need not stem it again."""
    content = doubles.content("a", "Trams were running: L'été, 東京都")
    content = msgspec.structs.replace(content, title="Night trams")
    writer = IndexWriter()
    writer.apply({"a": content})
    (found,) = writer.reader.read_chunks("a", 0, 0)
    assert found.terms() == ReadTerms(
        index_terms.of(content.chunks[0].text, content.language),
        frozenset(index_terms.of("Night trams", content.language)),
    )


def test_the_headings_of_short_entries_are_found_as_headings_of_their_chunk() -> None:
    """Several entries of a page of questions lie in one chunk."""
    text = "Night trams\n\nWhich trams run at night?\n\nAll of them.\n\nMay dogs ride?\n\nYes."
    headings = ("Night trams", "Which trams run at night?", "May dogs ride?")
    blocks = tuple(
        Block(BlockKind.HEADING, text.index(one), text.index(one) + len(one)) for one in headings
    )
    content = doubles.content("a", text)
    chunk = msgspec.structs.replace(content.chunks[0], blocks=blocks)
    content = msgspec.structs.replace(content, title="Night trams", chunks=(chunk,))
    writer = IndexWriter()
    writer.apply({"a": content})
    (found,) = writer.reader.read_chunks("a", 0, 0)
    assert found.payload.above.split() == index_terms.of(
        "Night trams Which trams run at night? May dogs ride?", content.language
    )


WORDS = st.sampled_from(["permit", "parking", "dog", "pool", "euro", "year", "the"])
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.none() | TEXTS), max_size=12), TEXTS)
def test_a_writer_finds_what_one_built_at_once_finds(
    changes: list[tuple[str, str | None]], query: str
) -> None:
    """However documents came and went, only the last state counts."""
    grown = IndexWriter()
    state: dict[str, str] = {}
    for document_id, text in changes:
        if text is None:
            state.pop(document_id, None)
            grown.apply({}, [document_id])
        else:
            state[document_id] = text
            grown.apply({document_id: doubles.content(document_id, text)})
    built = IndexWriter()
    built.apply({i: doubles.content(i, text) for i, text in state.items()})
    assert grown.ids() == built.ids() == set(state)
    plan = scoped_search.plan(SearchScope(data_stores=(STORE,)))
    hits = [scoped_search.search([(STORE, s.reader)], query, plan, 10) for s in (grown, built)]
    assert {h.chunk.name for h in hits[0]} == {h.chunk.name for h in hits[1]}
