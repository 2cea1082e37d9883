"""One term of a question, by which the heading is found that asks just that."""

from __future__ import annotations

import msgspec
import pytest

from service.corpus.index import SearchContext
from service.corpus.ranking import query_terms
from service.corpus.ranking.queries import question_keys
from service.corpus.tantivy.index_writer import IndexWriter
from tests.corpus import doubles


@pytest.mark.parametrize(
    "other",
    [
        "How can I update documents?",
        "how to update a document",
        "How do we update it, the document?",
    ],
)
def test_the_same_question_in_other_small_words_has_the_same_term(other: str) -> None:
    assert question_keys.of_query(other, "en") == question_keys.of_heading(
        "How do I update a document?", "en"
    )


@pytest.mark.parametrize("number", ["2.", "1.1.", "1.17.2", "Q3:", "Chapter 4:", "A.2.", "(5)"])
def test_the_number_of_a_section_is_no_part_of_what_its_heading_asks(number: str) -> None:
    heading = f"{number} How do I update a document?"
    assert question_keys.of_heading(heading, "en") == question_keys.of_query(
        "How do I update a document?", "en"
    )


@pytest.mark.parametrize(
    "other",
    [
        "Who may update a document?",
        "How do I delete a document?",
        "How do I update a document store?",
    ],
)
def test_another_question_has_another_term(other: str) -> None:
    asked = question_keys.of_query("How do I update a document?", "en")
    assert question_keys.of_query(other, "en") != asked


@pytest.mark.parametrize(
    ("thing", "letters", "language"),
    [
        ("What is ABC?", 'What does "ABC" stand for?', "en"),
        ("Was ist ABC?", "Was bedeutet die Abkürzung ABC?", "de"),
    ],
)
def test_what_letters_stand_for_is_no_question_what_a_thing_is(
    thing: str, letters: str, language: str
) -> None:
    assert question_keys.of_query(thing, language)
    assert question_keys.of_query(letters, language) != question_keys.of_query(thing, language)


@pytest.mark.parametrize(
    "query", ["tram", "How does it work?", "How do I " + "go " * 100 + "home?"]
)
def test_what_asks_nothing_in_particular_has_none(query: str) -> None:
    assert not question_keys.of_query(query, "en")


def test_a_heading_that_is_no_question_has_none() -> None:
    assert not question_keys.of_heading("How to update a document", "en")


def test_the_chunk_under_the_heading_that_asks_the_very_question_goes_first() -> None:
    """Though another page has all of its words more often."""
    query = "How many dogs may ride?"
    asked = doubles.content("asked", "Two.")
    chunk = msgspec.structs.replace(asked.chunks[0], headings=(query,))
    writer = IndexWriter()
    writer.apply(
        {
            "often": doubles.content("often", "Dogs ride. Many dogs ride, and dogs may ride."),
            "asked": msgspec.structs.replace(asked, chunks=(chunk,)),
        }
    )
    reader = writer.reader
    terms = query_terms.analyse(query, SearchContext(), reader)
    plain = [place.document_id for place in reader.places(reader.search(terms))]
    key = question_keys.of_query(query, "en")
    found = [one.document_id for one in reader.places(reader.search(terms, question=key))]
    assert (plain[0], found[0]) == ("often", "asked")
