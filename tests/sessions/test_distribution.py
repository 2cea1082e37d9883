from __future__ import annotations

import math

from sessions.distribution import Distribution


def test_a_value_is_counted_at_its_bound_and_all_above() -> None:
    values = Distribution((1, 2, 5))
    for value in (0.5, 1, 1.5, 5, 9):
        values.add(value)
    assert values.cumulative() == [(1, 2), (2, 3), (5, 4), (math.inf, 5)]
    assert values.total == 17
