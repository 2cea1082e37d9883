"""Pages of documents, as the several documents tell them."""

from __future__ import annotations

import pytest

from service.answering.retrieval import pages


@pytest.mark.parametrize("page", [1, 12, 999_999_999])
def test_a_page_is_read_as_it_was_written(page: int) -> None:
    assert pages.numbers(pages.identifier(page)) == (page, page)
    span = pages.span(page, page)
    assert span is not None
    assert (span.first_page, span.last_page) == (page, page)


@pytest.mark.parametrize("identifier", ["", "iv", "-1", "1.5", "1" * 10, "\u0661"])
def test_what_is_no_number_of_a_page_is_no_page(identifier: str) -> None:
    assert pages.numbers(identifier) == (0, 0)
    assert pages.span(0, 0) is None
    assert pages.identifier(0) == ""


def test_pages_in_a_row_are_told_as_a_range() -> None:
    assert pages.identifier(3, 3) == "3"
    assert pages.identifier(3, 5) == "3-5"
    assert pages.numbers("3-5") == (3, 5)
    assert pages.numbers("5-3") == (5, 5)
    assert pages.beginning("3-5") == "3"
    assert pages.beginning("A-1") == "A-1"
