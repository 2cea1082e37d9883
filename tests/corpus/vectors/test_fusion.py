"""What the meaning of a chunk weighs beside its words."""

from __future__ import annotations

import pytest

from service.corpus.vectors import fusion
from service.corpus.vectors.fusion import Spread


@pytest.mark.parametrize(
    ("spread", "share"),
    [
        (Spread(0.2, 0.1, 0.2), 0.2),
        (Spread(0.2, 0.1, 0.4), 0.6),
        (Spread(0.2, 0.01, 0.9), 1.2),
        (Spread(0.2, 0.0, 0.2), 0.0),
    ],
)
def test_it_weighs_more_the_further_the_best_stands_out(spread: Spread, share: float) -> None:
    assert fusion.share(None, spread) == pytest.approx(share)


def test_what_was_measured_for_a_model_is_taken() -> None:
    assert fusion.share(0.5, Spread(0.2, 0.01, 0.9)) == 0.5


def test_nothing_stands_out_where_all_are_equal() -> None:
    assert Spread(0.5, 0.0, 0.5).standing(0.5) == 0.0
    assert fusion.spread([], 0.0).deviation == 0.0
