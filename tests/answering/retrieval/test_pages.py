"""Pages of documents, as the several documents tell them."""

from __future__ import annotations

import pytest

from service.answering.retrieval import pages


@pytest.mark.parametrize("page", [1, 12, 999_999_999])
def test_a_page_is_read_as_it_was_written(page: int) -> None:
    assert pages.number(pages.identifier(page)) == page
    span = pages.span(page)
    assert span is not None
    assert (span.first_page, span.last_page) == (page, page)


@pytest.mark.parametrize("identifier", ["", "iv", "-1", "1.5", "1" * 10, "\u0661"])
def test_what_is_no_number_of_a_page_is_no_page(identifier: str) -> None:
    assert pages.number(identifier) == 0
    assert pages.span(0) is None
    assert pages.identifier(0) == ""
