"""Words that begin with about what was typed are found, as a slow comparison of all would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.completion import near_words

WORDS = st.text("abc", min_size=1, max_size=6)


def distance(one: str, other: str) -> int:
    """Return the optimal string alignment of two words, by its definition."""
    if not one or not other:
        return len(one) + len(other)
    ways = [
        distance(one[:-1], other) + 1,
        distance(one, other[:-1]) + 1,
        distance(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if len(one) > 1 and len(other) > 1 and one[-2:] == other[-2:][::-1]:
        ways.append(distance(one[:-2], other[:-2]) + 1)
    return min(ways)


@given(st.lists(WORDS, max_size=8, unique=True), st.text("abc", min_size=1, max_size=4))
def test_all_words_that_begin_with_about_it_are_found(words: list[str], typed: str) -> None:
    words.sort()
    found = {words[place] for place, _ in near_words.near(words, typed, 1)}
    beginnings = {word: [word[:end] for end in range(len(word) + 1)] for word in words}
    wanted = {w for w, starts in beginnings.items() if min(distance(s, typed) for s in starts) <= 1}
    assert found == wanted


@pytest.mark.parametrize(
    ("typed", "allowed"),
    [("abc", 0), ("park", 1), ("parking", 1), ("renewing", 2), ("停车许可证", 0)],
)
def test_longer_words_may_have_more_slips(typed: str, allowed: int) -> None:
    assert near_words.slips(typed) == allowed


def test_words_that_begin_so_stand_beside_each_other() -> None:
    words = ["park", "parking", "pool", "停车"]
    assert near_words.beginning(words, "par") == range(2)
    assert near_words.beginning(words, "停") == range(3, 4)
    assert near_words.beginning(words, "z") == range(3, 3)
