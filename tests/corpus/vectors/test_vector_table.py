"""The vectors of a data store, compared all at once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from service.corpus.vectors import fusion, vector_store
from service.corpus.vectors.vector_store import DocumentVectors
from service.corpus.vectors.vector_table import VectorTable
from service.embeddings.embedder import unit
from tests.embeddings.doubles import hashed

TEXTS = {
    "pool": ["the pool opens at nine", "swimmers pay five euro"],
    "dogs": ["dogs need a licence"],
    "empty": [""],
}
QUERY = hashed("dogs licence")


class State:
    """Documents with their digests."""

    def __init__(self, **digests: bytes) -> None:
        self._digests = digests

    def digests(self) -> Mapping[str, bytes]:
        """Return the digests."""
        return self._digests


NOW = State(pool=b"1", dogs=b"1", empty=b"1")


@pytest.fixture
def table() -> VectorTable:
    """Return a table of `TEXTS`."""
    table = VectorTable()
    table.put(
        {i: vector_store.compress(b"1", [hashed(t) for t in texts]) for i, texts in TEXTS.items()}
    )
    table.settle()
    return table


def test_the_nearest_come_first(table: VectorTable) -> None:
    compared = table.compare(QUERY, NOW)
    assert compared is not None
    best = compared.best()
    assert (best[0].document_id, best[0].place) == ("dogs", 0)
    assert best[0].cosine > 0.7 > best[1].cosine
    assert [chunk.cosine for chunk in best] == sorted((c.cosine for c in best), reverse=True)
    assert compared.cosine("dogs", 0) == pytest.approx(best[0].cosine)
    assert compared.cosine("pool", 1) is not None
    assert compared.cosine("pool", 2) is None
    assert compared.cosine("cats", 0) is None
    assert (compared.count, len(table)) == (4, 4)


def test_what_may_not_be_found_is_not_compared(table: VectorTable) -> None:
    compared = table.compare(QUERY, NOW, {"pool"})
    assert compared is not None
    assert {chunk.document_id for chunk in compared.best()} == {"pool"}
    assert compared.count == 2
    assert table.compare(QUERY, NOW, set()) is None


def test_what_has_changed_since_is_not_compared(table: VectorTable) -> None:
    compared = table.compare(QUERY, State(pool=b"1", dogs=b"2"))
    assert compared is not None
    assert {chunk.document_id for chunk in compared.best()} == {"pool"}
    assert table.missing({"pool": b"1", "dogs": b"2", "cats": b"1"}) == ["dogs", "cats"]


def test_what_is_dropped_is_compared_until_it_settles(table: VectorTable) -> None:
    assert table.keep_only({"pool"}) == ["dogs", "empty"]
    assert table.compare(QUERY, NOW) is not None
    table.settle()
    compared = table.compare(QUERY, NOW)
    assert compared is not None
    assert compared.count == 2
    table.keep_only(())
    table.settle()
    assert table.compare(QUERY, NOW) is None


def test_nothing_is_compared_with_another_length(table: VectorTable) -> None:
    assert table.compare(QUERY[:8], NOW) is None
    assert VectorTable().compare(QUERY, NOW) is None


def test_the_best_chunk_stands_out_by_one(table: VectorTable) -> None:
    compared = table.compare(QUERY, NOW)
    assert compared is not None
    spread = fusion.spread([compared], compared.best()[0].cosine)
    assert spread.standing(spread.greatest) == pytest.approx(1.0)
    assert spread.standing(spread.mean) == spread.standing(-1.0) == 0.0


def test_what_is_not_settled_yet_is_not_taken_for_what_was(table: VectorTable) -> None:
    """Else the old vectors of a document would stand for its new chunks."""
    table.put({"dogs": vector_store.compress(b"2", [hashed("cats sleep")])})
    changed = State(pool=b"1", dogs=b"2", empty=b"1")
    compared = table.compare(QUERY, changed)
    assert compared is not None
    assert "dogs" not in [chunk.document_id for chunk in compared.best()]
    table.settle()
    compared = table.compare(QUERY, changed)
    assert compared is not None
    assert "dogs" in [chunk.document_id for chunk in compared.best()]


def test_vectors_of_a_length_that_hardly_any_has_hide_no_others(table: VectorTable) -> None:
    longer = vector_store.compress(b"1", [unit([1.0] * 300)])
    table.put({"longer": longer, "none": DocumentVectors(b"1", 10**9, b"", b"")})
    table.settle()
    assert (table.compared, len(table)) == (4, 5)
    table.keep_only(["longer"])
    assert len(table) == 1
