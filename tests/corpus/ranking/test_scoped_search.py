"""What has a code is found among much that is like it."""

from __future__ import annotations

import pytest

from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from tests.corpus.doubles import content
from tests.corpus.texts import STORE

CODES = {f"code-{at}": f"ZX{at}Q" for at in range(10, 40)}


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    writer = IndexWriter()
    told = {
        "a": "E-1042 means that the valve is stuck.",
        "b": "E-1043 means that the pump is dry.",
        "c": "Version 3.45.1 is new.",
        "d": "Version 3.45.2 is new.",
    }
    told |= {
        i: f"The code {code} is told when a part of the machine fails." for i, code in CODES.items()
    }
    told |= {f"x{at}": f"What is code {at}? A page of the manual." for at in range(1_500)}
    writer.apply({i: content(i, text) for i, text in told.items()})
    return writer.reader


def relevant(reader: IndexReader, query: str) -> list[str]:
    scope = scoped_search.plan(SearchScope(data_stores=(STORE,)))
    hits = scoped_search.search([(STORE, reader)], query, scope, 10)
    return [hit.chunk.document.rpartition("/")[2] for hit in hits if hit.relevance >= 0.2]


def test_each_code_is_found_asked_and_alone(reader: IndexReader) -> None:
    for document, code in CODES.items():
        assert relevant(reader, f"What is code {code}?") == [document]
        assert relevant(reader, code) == [document]


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        ("What does E-1042 mean?", ["a"]),
        ("e-1043", ["b"]),
        ("What does E-1044 mean?", []),
        ("What is new in version 3.45.1?", ["c"]),
        ("What is new in version 3.45.9?", []),
        ("What is code ZX99Q?", []),
    ],
)
def test_a_name_with_punctuation_is_that_one_or_nothing(
    reader: IndexReader, query: str, documents: list[str]
) -> None:
    assert relevant(reader, query) == documents


def test_the_words_of_a_phrase_are_read_as_what_the_phrase_is_called() -> None:
    """Though the documents have them by themselves, where they mean something else."""
    writer = IndexWriter()
    told = ("Hold the plate in your hand.", "Surrender the plates.", "Refund of money, back page.")
    writer.apply({str(at): content(str(at), text) for at, text in enumerate(told)})
    readings = {
        query: [
            {*word.readings}
            for word in scoped_search.read_query([(STORE, writer.reader)], query).words
        ]
        for query in ("hand in plates", "money back", "plate in my hand")
    }
    assert "surrend" in readings["hand in plates"][0]
    assert all("refund" in one for one in readings["money back"])
    assert readings["plate in my hand"][1] == {"hand"}
