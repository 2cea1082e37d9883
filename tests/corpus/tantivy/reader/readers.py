"""Readers and searchers of a few documents, all of them or those that a person may see."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import tantivy

from service.corpus import document_filters
from service.corpus.index import Hit, SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.ranking.index_entries import FIELDS
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher, Visibility
from service.corpus.tantivy.reader.index_reader import IndexReader
from tests.corpus.texts import STORE

SEEN = document_filters.parse('NOT team: ANY("hr")')
"""Hides what is of this team."""


def reader(*contents: dict[str, IndexContent]) -> IndexReader:
    writer = IndexWriter()
    for each in contents:
        writer.apply(each)
    writer.wait_for_merges()
    return writer.reader


def search(of: IndexReader, query: str, **scope: object) -> list[Hit]:
    plan = scoped_search.plan(SearchScope(data_stores=(STORE,), **scope))  # type: ignore[arg-type]
    return scoped_search.search([(STORE, of)], query, plan, 10)


def searcher(
    entries: Mapping[int, Mapping[str, str]],
    *,
    hidden: Collection[int] = (),
    gone: Collection[int] = (),
) -> EntrySearcher:
    """Return one of entries that have fields, by the numbers of documents with an entry each.

    Those that are *gone* were there once.
    """
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("questions", tokenizer_name="whitespace", index_option="basic")
    builder.add_integer_field("document", indexed=True, fast=True)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for number, fields in entries.items():
        entry = tantivy.Document()
        entry.add_integer("document", number)
        for field, text in fields.items():
            entry.add_text(field, text)
        writer.add_document(entry)
    writer.commit()
    for number in gone:
        writer.delete_documents_by_term("document", number)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    everything = EntrySearcher(index.searcher(), schema)
    if not hidden:
        return everything
    visible = frozenset(entries.keys() - hidden - set(gone))
    ratio = index.searcher().num_docs / max(1, len(visible))
    return everything.within(Visibility(visible, frozenset(hidden) - set(gone), ratio))
