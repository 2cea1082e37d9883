"""Licence and date are what fields say by name, and never what they might mean."""

from __future__ import annotations

from typing import Any

import pytest

from service.corpus import publication
from service.corpus.publication import PartialDate


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2024", "2024"),
        (2024, "2024"),
        (2024.0, "2024"),
        ("2024-05", "2024-05"),
        ("2024-5-3", "2024-05-03"),
        ("2024/05/03", "2024-05-03"),
        ("20240503", "2024-05-03"),
        ("D:20240503101500+02'00'", "2024-05-03"),
        ("2024-05-03T10:00:00Z", "2024-05-03"),
        ("2024-05-03 10:00:00 +0200", "2024-05-03"),
        ("Fri, 03 May 2024 10:00:00 GMT", "2024-05-03"),
    ],
)
def test_a_date_is_read_as_far_as_it_is_written(value: object, date: str) -> None:
    assert str(publication.read_date(value)) == date


@pytest.mark.parametrize(
    "value",
    [
        *("", "soon", "2024 edition", "20241", "2024-13", "2024-02-30", "12/05/2024", "0024-05-03"),
        *("1" * 10_000, "2024-" * 1_000, 1.5, float("inf"), float("nan"), True, 1_714_700_000),
        *(None, {}, []),
    ],
)
def test_what_is_no_date_is_none(value: object) -> None:
    assert publication.read_date(value) is None


@pytest.mark.parametrize(
    "name",
    [
        *("date", "published", "publication_date", "datePublished", "pubDate", "DC.date.issued"),
        *("article:published_time", "dcterms.issued", "citation_publication_date"),
    ],
)
def test_the_names_of_portals_are_known(name: str) -> None:
    assert publication.date_of({name: "2024-05"}) == PartialDate(2024, 5)


@pytest.mark.parametrize("name", ["modified", "created", "lastmod", "CreationDate", "event_date"])
def test_other_dates_are_no_publication(name: str) -> None:
    assert publication.date_of({name: "2024-05-03"}) is None


def test_the_clearest_name_has_the_word() -> None:
    fields = {"date": "2026", "datePublished": "soon", "published": "2024"}
    assert publication.date_of(fields) == PartialDate(2024)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"license": " CC BY\n4.0 "}, "CC BY 4.0"),
        ({"Licence": "OGL 3.0"}, "OGL 3.0"),
        ({"dcterms.license": "https://x.example/l"}, "https://x.example/l"),
        ({"license": {"@type": "CreativeWork", "name": "MIT"}}, "MIT"),
        ({"license": "long " * 100}, ""),
        ({"license": 4, "copyright": "© 2024", "rights": "all"}, ""),
    ],
)
def test_a_licence_is_a_name_or_an_address(fields: Any, named: str) -> None:
    assert publication.license_of(fields) == named


def test_the_fields_of_a_document_have_the_word() -> None:
    stated = publication.statements({"license": "MIT", "date": "2024-05-03", "x": "y"})
    assert stated == {"license": "MIT", "datePublished": "2024-05-03"}
    assert publication.joined({"licence": "own", "a": 1}, stated) == {
        "licence": "own",
        "a": 1,
        "datePublished": "2024-05-03",
    }
