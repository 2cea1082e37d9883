"""What a word that is asked for is to a data store."""

from __future__ import annotations

import pytest

from service.corpus.ranking.queries.terms import QueryTerm


@pytest.mark.parametrize(
    ("text", "own", "names"),
    [
        ("zx77q", 1.0, True),
        ("0x80070005", 1.0, True),
        ("zx77q", 0.0, False),
        ("15mins", 1.0, False),
        ("form", 1.0, False),
    ],
)
def test_a_code_of_the_query_itself_names_one_thing(text: str, own: float, names: bool) -> None:
    term = QueryTerm(text=text, variants=(text,), weight=1.0, idf=1.0, own=own)
    assert term.names_one is names
