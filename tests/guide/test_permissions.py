"""The guide says who may do what as the code has it."""

from __future__ import annotations

from tests.guide import permissions


def test_the_page_is_what_the_table_says() -> None:
    """After a change to the rules, run ``python -m tests.guide.permissions``."""
    assert permissions.PAGE.read_text("utf-8") == permissions.page()
