"""What a bench says of figures that were measured in pairs."""

from __future__ import annotations

import pytest

from tests.bench.measuring import ratio, ratio_at_most

QUIET = [(102 + n % 3, 100) for n in range(12)]


def test_a_ratio_lies_between_bounds_that_hold_what_was_measured() -> None:
    low, middle, high = ratio(QUIET)
    assert 1.02 <= low < middle < high <= 1.04


def test_a_pair_that_was_disturbed_moves_it_little() -> None:
    disturbed = ratio([*QUIET[:-1], (300, 100)])
    assert disturbed.middle == pytest.approx(ratio(QUIET).middle, abs=0.01)


@pytest.mark.parametrize(("bound", "holds"), [(1.05, True), (1.01, False), (1.03, None)])
def test_a_promise_is_judged_where_all_of_the_interval_says_so(
    bound: float, holds: bool | None
) -> None:
    assert ratio_at_most("", ratio(QUIET), bound).holds is holds
