"""Writing a shard costs what changes in it."""

from __future__ import annotations

import time

from service.corpus import document_filters
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_writer import IndexWriter
from tests.corpus import doubles


def _apply(shard: IndexWriter, documents: dict[str, IndexContent]) -> float:
    began = time.thread_time()
    shard.apply(documents)
    return time.thread_time() - began


def test_replacing_documents_costs_about_what_adding_them_cost() -> None:
    """It once compared each document with all that are replaced: 8,000 took seven seconds."""
    documents = {f"d{n}": doubles.entry(f"d{n}", "tram").passages for n in range(5_000)}
    shard = IndexWriter()
    adding = _apply(shard, documents)
    replacing = min(_apply(shard, documents) for _ in range(2))
    assert len(shard) == shard.view.chunks == 5_000
    assert replacing < 3 * adding


def test_a_view_stays_what_it_was_when_it_was_taken() -> None:
    """Other threads read it while the shard is written to."""
    shard = IndexWriter()
    shard.apply({"a": doubles.entry("a", "tram").passages})
    view = shard.view
    everything = view.everything
    shard.apply({"b": doubles.entry("b", "tram").passages}, ["a"])
    assert view.everything == everything
    assert [known.id for known in view.listed(document_filters.ALL)] == ["a"]
    assert view.chunks == 1
