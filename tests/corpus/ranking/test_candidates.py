"""What words and meaning find together, in one scale over several data stores."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from service.corpus import document_filters
from service.corpus.document_filters import ALL, Filter
from service.corpus.following import meaning_search
from service.corpus.ranking import candidates, relevance
from service.corpus.ranking.candidates import Candidates, MeaningSearch
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.vectors import vector_store
from service.corpus.vectors.query_meanings import Meaning
from service.corpus.vectors.vector_table import VectorTable
from tests.corpus.doubles import content
from tests.embeddings.doubles import hashed

TEXTS = {"pool": ["Swimming costs five euro.", "It opens."], "dogs": ["A licence for dogs."]}


def candidates_for(
    word: str, *, condition: Filter = ALL, moved: float = 1.0
) -> tuple[Candidates, IndexReader, VectorTable]:
    """Return what *word* finds among `TEXTS`, in what, and their vectors."""
    writer, table = IndexWriter(), VectorTable()
    writer.apply({i: content(i, *texts) for i, texts in TEXTS.items()})
    table.put(
        {i: vector_store.compress(b"", [hashed(t) for t in texts]) for i, texts in TEXTS.items()}
    )
    table.settle()
    term = QueryTerm(text="x", variants=(word,), weight=1.0, idf=1.0, own=1.0)
    found = writer.reader.search([term], condition)

    def factors(documents: Collection[int]) -> dict[int, float]:
        return dict.fromkeys(documents, moved)

    return Candidates("help", writer.reader, found, condition, factors), writer.reader, table


def meaning_of(query: str, reader: IndexReader, table: VectorTable) -> MeaningSearch:
    """Return how to search by the words of *query* as its meaning."""
    meaning = Meaning(hashed(query), 0.5)
    return meaning_search.search(meaning, {"help": table}.get, {"help": (reader, reader)})


def joined(
    query: str, group: Candidates, reader: IndexReader, table: VectorTable
) -> dict[tuple[str, int], float]:
    """Return the scores of what comes of it, by document and place, best first."""
    [one] = candidates.join([group], meaning_of(query, reader, table), 10)
    places = one.reader.places(one.found)
    return {place: c.score for c, place in zip(one.found, places, strict=True)}


def test_the_best_by_words_and_by_meaning_lead_to_both() -> None:
    scores = joined("swimmers", *candidates_for("licenc"))
    assert scores["dogs", 0] == pytest.approx(1.0, abs=0.1)
    assert scores["pool", 0] == pytest.approx(0.5)
    assert joined("licence dogs", *candidates_for("licenc"))["dogs", 0] == pytest.approx(1.5)


def test_what_words_find_alone_keeps_its_order_and_says_its_score() -> None:
    group, reader, table = candidates_for("licenc")
    [one] = candidates.join([group], meaning_of("zzz", reader, table), 1)
    assert [c.words for c in one.found[:1]] == [group.found[0].score]
    assert one.found[0].cosine == 0.0


def test_what_may_not_be_found_is_not() -> None:
    only = document_filters.parse('id: ANY("dogs")')
    assert set(joined("swimming", *candidates_for("licenc", condition=only))) == {("dogs", 0)}


def test_what_is_moved_is_moved_by_its_meaning_too() -> None:
    scores = joined("swimmers", *candidates_for("licenc", moved=0.5))
    assert scores["pool", 0] == pytest.approx(0.25)


def saying(met: float = 0.0, **others: float) -> relevance.Features:
    """Return what a chunk says of a query of which it has the share *met*."""
    nothing = relevance.Features(*[0.0] * len(relevance.Features._fields))
    return nothing._replace(met=met, mass=met, near=met, **others)


def test_meaning_makes_good_what_words_lack_and_never_hides_what_they_say() -> None:
    little, much = saying(), saying(1.0)
    assert relevance.with_meaning(little, 0.7).by_words == relevance.estimate(little)
    assert relevance.with_meaning(little, 0.7).whole > 0.8
    assert relevance.with_meaning(little, 0.2).whole < 0.1
    assert relevance.with_meaning(much, -1.0).whole > 0.9
    assert relevance.with_meaning(much, 0.6).whole > relevance.with_meaning(much, 0.3).whole


@pytest.mark.parametrize("lacks", ["named", "alien", "unread"])
def test_meaning_does_not_make_good_the_name_that_a_chunk_lacks(lacks: str) -> None:
    of = saying(0.6, **{lacks: 1.0})
    assert relevance.with_meaning(of, 0.9).whole == relevance.estimate(of)
    assert relevance.with_meaning(of, 0.1).whole < relevance.estimate(of)


def test_without_vectors_it_is_what_the_words_find() -> None:
    group, reader, _ = candidates_for("licenc")
    search = meaning_of("dogs", reader, VectorTable())
    assert candidates.join([group], search, 10) == [group]
