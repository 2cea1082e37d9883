"""A line is a question by its end, as it is set in any script."""

from __future__ import annotations

import pytest

from service.corpus.parsing.loose_blocks import is_question


@pytest.mark.parametrize("text", ["Is it far?", "Is it far?**", "(Is it far?)", "远吗？"])
def test_a_line_that_ends_as_a_question_is_one(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize("text", ["", "It is far.", "Is it far? No.", "a" * 301 + "?"])
def test_what_says_more_or_is_too_long_is_none(text: str) -> None:
    assert not is_question(text)
