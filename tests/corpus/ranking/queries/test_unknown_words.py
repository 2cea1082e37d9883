"""What becomes of the words of a query that a data store does not know."""

from __future__ import annotations

import pytest

from service.corpus.index import SearchContext
from service.corpus.ranking import query_terms
from service.corpus.ranking.queries.terms import Alien, QueryTerm
from service.corpus.tantivy.index_writer import IndexWriter
from tests.corpus.doubles import content


def asked(query: str, text: str) -> dict[str, QueryTerm]:
    writer = IndexWriter()
    writer.apply({"a": content("a", text)})
    found = query_terms.analyse(query, SearchContext(), writer.reader)
    return {term.text: term for term in found}


@pytest.mark.parametrize(
    ("query", "word", "text", "stem"),
    [
        ("who approves my vacation", "vacation", "A holiday is approved by the lead.", "holiday"),
        ("my printouts are pale", "printouts", "What you print is pale.", "print"),
    ],
)
def test_a_word_is_read_as_one_of_the_store_with_its_meaning(
    query: str, word: str, text: str, stem: str
) -> None:
    term = asked(query, text)[word]
    assert term.alien is Alien.NO or stem in term.beside
    assert [one.stems for one in term.synonyms] == [(stem,)]


@pytest.mark.parametrize(
    ("query", "word", "text"),
    [
        ("do I get a membership", "membership", "Any member of the team."),
        ("when is my tax refund", "refund", "A tax return is due in May."),
        ("how do I get on the Vacation list", "vacation", "A holiday list."),
    ],
)
def test_what_is_asked_about_apart_is_no_other_word(query: str, word: str, text: str) -> None:
    assert asked(query, text)[word].synonyms == ()
