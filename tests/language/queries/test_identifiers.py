"""Codes, versions and flags are found as a whole."""

from __future__ import annotations

import pytest

from service.language.queries import identifiers


@pytest.mark.parametrize(
    ("query", "has", "lacks"),
    [
        ("What does E-1042 mean?", "the error E-1042.", "E-10423 or E-1043"),
        ("ORA-00942", "ora-00942: no table", "ORA-00943, XORA-00942"),
        ("what is SQLITE_BUSY", "SQLITE_BUSY is told", "SQLITE_BUSY_RECOVERY"),
        ("E-1042", "E1042 and E 1042", "1042"),
        ("what is new in 3.45.1?", "since 3.45.1.", "3.45.10, 3.45.1.2"),
        ("does --dry-run help", "use --dry-run first", "use --dry-running, dry run"),
    ],
)
def test_a_name_is_found_as_a_whole(query: str, has: str, lacks: str) -> None:
    (name,) = identifiers.named_in(query)
    assert name.search(has)
    assert not name.search(lacks)


@pytest.mark.parametrize(
    "query", ["", "Covid-19", "wi-fi", "a_@b", "mail x@e-1234.org", "10.5 euros", "well--that"]
)
def test_what_names_nothing_is_left_alone(query: str) -> None:
    assert not identifiers.named_in(query)


def test_a_long_query_of_names_costs_little() -> None:
    assert len(identifiers.named_in("E-1042 " * 4_000)) == 4


def test_a_bare_number_must_be_told_to_be_a_code() -> None:
    code = identifiers.exactly("404")
    assert code.search("error 404")
    assert not code.search("a room of 404 beds")
    assert identifiers.exactly("PX4").search("the PX4 form")
