"""How sure a figure is."""

from __future__ import annotations

import pytest

from service.evaluation import intervals


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_a_share_of_few_is_unsure(hits: int, count: int, low: float, high: float) -> None:
    """The bounds are those of Wilson (1927), as tables give them."""
    share = intervals.of_share(hits, count)
    assert share.low == pytest.approx(low, abs=1e-3)
    assert share.high == pytest.approx(high, abs=1e-3)


def test_what_belongs_together_is_drawn_together() -> None:
    """Ten equal turns of one conversation prove no more than one."""
    alone = intervals.of_mean([[float(n % 2)] for n in range(100)])
    together = intervals.of_mean([[float(n % 2)] * 10 for n in range(10)])
    assert alone is not None
    assert together is not None
    assert alone.value == together.value == 0.5
    assert alone.high - alone.low < together.high - together.low


def test_the_same_values_have_the_same_interval() -> None:
    values = [[0.1 * n] for n in range(20)]
    assert intervals.of_mean(values) == intervals.of_mean(values)


def test_no_value_has_no_mean() -> None:
    assert intervals.of_mean([[], []]) is None
    assert intervals.of_mean([[0.5]]) == (0.5, 0.5, 0.5)
