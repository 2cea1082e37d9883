"""What fits a query better has more of its terms, where they weigh more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.corpus.ranking.field_weights import IN_CHUNKS
from service.corpus.ranking.queries.terms import QueryTerm, Synonym
from service.corpus.tantivy.reader.term_queries import TermQueries
from service.corpus.tantivy.reader.term_statistics import TermStatistics
from tests.corpus.tantivy.reader.readers import searcher


def term(*variants: str, weight: float = 1.0, **values: Any) -> QueryTerm:
    return QueryTerm(text=variants[0], variants=variants, weight=weight, idf=1.0, **values)


def best(
    entries: Mapping[int, Mapping[str, str]],
    *terms: QueryTerm,
    named: tuple[QueryTerm, ...] = (),
    question: str = "",
) -> dict[int, float]:
    """Return the scores of the entries that fit, the best first."""
    of = searcher(entries)
    fields_with = TermStatistics(of, len(entries)).fields_with
    queries = TermQueries(of.schema, IN_CHUNKS, fields_with)
    found = of.best(queries.build(terms, named, question), 10)
    return {entry.document: entry.score for entry in found}


def test_a_term_weighs_what_its_field_does() -> None:
    entries = {1: {"title": "cat dog"}, 2: {"headings": "cat dog"}, 3: {"body": "cat dog"}}
    assert list(best(entries, term("cat"))) == [3, 2, 1]
    assert best(entries, term("bird")) == {}


def test_a_term_weighs_what_it_says_and_a_variant_what_it_is_near() -> None:
    entries = {1: {"body": "cat bird"}, 2: {"body": "dog bird"}}
    assert list(best(entries, term("cat", weight=0.5), term("dog"))) == [2, 1]
    assert list(best(entries, term("cat", "dog", nearness=(0.4, 0.9)))) == [2, 1]
    twice = best(entries, term("cat", weight=2.0))
    assert twice[1] == 2 * best(entries, term("cat"))[1]


def test_of_a_word_and_its_synonyms_the_best_alone_counts() -> None:
    synonyms = (Synonym(("felin", "pet"), 0.5), Synonym(("hous", "tiger"), 0.9))
    entries = {1: {"body": "cat felin pet"}, 2: {"body": "felin pet"}, 3: {"body": "hous"}}
    scores = best(entries, term("cat", synonyms=synonyms))
    assert list(scores) == [1, 2]  # of a synonym of two words both have to be there
    assert scores[1] == best(entries, term("cat"))[1]


def test_what_is_named_has_to_be_there() -> None:
    entries = {1: {"body": "valve stuck pump"}, 2: {"body": "e1042 pump"}}
    terms = term("valve"), term("stuck"), term("e1042")
    assert list(best(entries, *terms)) == [1, 2]
    assert list(best(entries, *terms, named=terms[2:])) == [2]


def test_whoever_asks_the_very_question_goes_first() -> None:
    entries = {1: {"body": "cat cat cat"}, 2: {"body": "dog", "questions": "may-i-keep-a-cat"}}
    assert list(best(entries, term("cat"), question="may-i-keep-a-cat")) == [2, 1]
