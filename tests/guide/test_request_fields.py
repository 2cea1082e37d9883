"""The guide lists what becomes of request fields as the code has it."""

from __future__ import annotations

from tests.guide import request_fields


def test_the_page_is_what_the_tables_say() -> None:
    """After a change to the tables, run ``python -m tests.guide.request_fields``."""
    assert request_fields.PAGE.read_text("utf-8") == request_fields.page()
