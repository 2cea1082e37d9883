"""What cannot be seen is neither found nor counted, whichever way is the quickest."""

from __future__ import annotations

from collections.abc import Collection

import pytest
import tantivy
from tantivy import Query

from service.corpus.tantivy.reader import entry_searcher
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher
from tests.corpus.tantivy.reader.readers import searcher

PLAIN = {"body": "parking costs a lot by the day"}
BETTER = {"body": "parking"}


def parking(of: EntrySearcher) -> Query:
    return Query.term_query(of.schema, "body", "parking")


def found(of: EntrySearcher, limit: int, allowed: frozenset[int] | None = None) -> set[int]:
    return {entry.document for entry in of.best(parking(of), limit, allowed)}


@pytest.fixture
def sets(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many documents each set had that tantivy was given."""
    sizes: list[int] = []
    make = entry_searcher._of_documents  # pyright: ignore[reportPrivateUsage]

    def counted(schema: tantivy.Schema, documents: Collection[int]) -> Query:
        sizes.append(len(documents))
        return make(schema, documents)

    monkeypatch.setattr(entry_searcher, "_of_documents", counted)
    return sizes


def test_the_best_come_first() -> None:
    of = searcher({1: PLAIN, 2: BETTER, 3: {"body": "pool"}})
    best = of.best(parking(of), 10)
    assert [entry.document for entry in best] == [2, 1]
    assert best[0].score > best[1].score > 0
    assert len(of.best(parking(of), 1)) == 1


def test_only_what_is_allowed_is_found() -> None:
    entries = dict.fromkeys(range(6), PLAIN)
    assert found(searcher(entries), 10, frozenset({1, 2})) == {1, 2}
    assert found(searcher(entries, hidden={2, 3}), 10, frozenset({1, 2})) == {1}
    assert found(searcher(entries, hidden={2, 3}), 10) == {0, 1, 4, 5}


@pytest.mark.parametrize("limit", [20, 210])
@pytest.mark.parametrize("visible", [30, 210])
@pytest.mark.parametrize("hidden", [30, 900, 4_000])
def test_what_fits_better_and_is_hidden_crowds_nothing_out(
    visible: int, hidden: int, limit: int
) -> None:
    better = range(10_000, 10_000 + hidden)
    entries = {**dict.fromkeys(range(visible), PLAIN), **dict.fromkeys(better, BETTER)}
    numbers = found(searcher(entries, hidden=better), limit)
    assert len(numbers) == min(limit, visible)
    assert max(numbers) < visible


def test_a_plain_search_makes_no_set_of_documents(sets: list[int]) -> None:
    """What is visible is known again when a search names it: its best are found, and sifted."""
    of = searcher(dict.fromkeys(range(220), PLAIN), hidden=range(210, 220))
    assert of.visibility is not None
    assert len(found(of, 100)) == len(found(of, 100, of.visibility.visible)) == 100
    assert sets == []
    assert found(of, 100, frozenset({7, 9})) == {7, 9}
    assert sets == [2]


def test_a_set_of_documents_is_made_once(sets: list[int]) -> None:
    of = searcher(dict.fromkeys(range(20), PLAIN), hidden=range(5))
    assert len(found(of, 100)) == len(found(of, 100)) == 15
    assert sets == [15]


@pytest.mark.parametrize("hidden", [3, 12])
def test_what_can_be_seen_is_counted(hidden: int, sets: list[int]) -> None:
    """By the smaller of two sets; what was deleted is in neither."""
    entries = {number: PLAIN if number % 2 else {"body": "pool"} for number in range(20)}
    of = searcher(entries, hidden=range(hidden), gone=(1, 19))
    assert of.count(parking(of)) == sum(number % 2 for number in range(hidden, 19))
    assert sets == [min(hidden - 1, 19 - hidden)]
    assert of.frequency("body", "parking") == 10
    everything = searcher(entries, gone=(1, 19))
    assert everything.count(parking(everything)) == 8


def test_of_the_first_those_are_counted_that_can_be_seen() -> None:
    of = searcher(dict.fromkeys(range(10), PLAIN), hidden=range(4))
    assert of.visible_of_first(parking(of), 3) == 0
    assert of.visible_of_first(parking(of), 10) == 6
    assert EntrySearcher(of.searcher, of.schema).visible_of_first(parking(of), 3) == 3
