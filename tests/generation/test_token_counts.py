"""How text is counted in tokens."""

from __future__ import annotations

from service.generation import token_counts


def test_characters_that_are_billed_are_all_but_white_space() -> None:
    text = "a b\u00a0c\u3000d\n\te \u2028 f\x1cg"
    assert token_counts.billable(text) == sum(not one.isspace() for one in text)
