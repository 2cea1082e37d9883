"""A bucket gives its size at once and comes back evenly, whatever is asked of it when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.security.limits.local_buckets import LocalBuckets

_ASKED = st.lists(
    st.tuples(st.floats(0, 30, allow_subnormal=False), st.integers(1, 5)), min_size=1, max_size=60
)


@given(size=st.integers(1, 50), asked=_ASKED)
def test_a_bucket_gives_no_more_than_its_size_and_what_came_back(
    size: int, asked: list[tuple[float, int]]
) -> None:
    """The bound of any time span is the size and the rate times the span."""
    buckets, now, given_at = LocalBuckets(), 0.0, list[tuple[float, int]]()
    for pause, cost in asked:
        now += pause
        level = buckets.take(b"k", now, size=size, window=60, cost=cost)
        if not level.wait:
            given_at.append((now, min(cost, size)))
        assert 0 <= level.remaining <= size
        assert 0 <= level.reset <= 60 + 1e-6
    for index, (begin, _) in enumerate(given_at):
        taken = 0
        for moment, cost in given_at[index:]:
            taken += cost
            assert taken <= size + (moment - begin) * size / 60 + 1e-6


@given(size=st.integers(1, 50), asked=_ASKED)
def test_who_waits_as_told_is_served(size: int, asked: list[tuple[float, int]]) -> None:
    """And not a moment too late: the wait is what is missing."""
    buckets, now = LocalBuckets(), 0.0
    for pause, cost in asked:
        now += pause
        level = buckets.take(b"k", now, size=size, window=60, cost=cost)
        if level.wait:
            assert buckets.look(b"k", now + level.wait * 0.9, size=size, window=60, cost=cost).wait
            now += level.wait
            assert not buckets.take(b"k", now, size=size, window=60, cost=cost).wait


def test_all_of_a_bucket_may_be_taken_at_once() -> None:
    """What remains counts down to nothing, and one token more has its time to wait."""
    buckets = LocalBuckets()
    levels = [buckets.take(b"k", 5.0, size=60, window=60) for _ in range(61)]
    assert [level.remaining for level in levels[:60]] == list(range(59, -1, -1))
    assert levels[60].wait == pytest.approx(1.0)
    assert not buckets.take(b"k", 6.0, size=60, window=60).wait


def test_buckets_are_bounded() -> None:
    """Those that were asked for last stay: who floods with new keys pushes out its own."""
    buckets = LocalBuckets(most=3)
    for key in (b"a", b"b", b"c", b"a", b"d"):
        buckets.take(key, 0, size=1, window=60)
    assert len(buckets) == 3
    assert buckets.look(b"b", 0, size=1, window=60).wait == 0
    assert buckets.look(b"d", 0, size=1, window=60).wait


def test_what_is_known_of_a_bucket_elsewhere_refuses_until_then() -> None:
    """For any cost: one of more tokens waits longer."""
    buckets = LocalBuckets()
    buckets.note(b"k", 160.0)
    waits = [buckets.look(b"k", 100.0, size=60, window=60, cost=n).wait for n in (1, 10)]
    assert waits == pytest.approx([1.0, 10.0])
    assert not buckets.look(b"k", 101.0, size=60, window=60).wait


def test_what_is_known_within_a_margin_is_waited_for_to_its_end() -> None:
    """But refuses nobody who comes after its begin: he may have been told better."""
    buckets = LocalBuckets()
    buckets.note(b"k", 160.0, margin=0.5)
    assert buckets.look(b"k", 100.0, size=60, window=60).wait == pytest.approx(1.5)
    assert not buckets.look(b"k", 101.0, size=60, window=60).wait
