"""What the program that fits the weights of relevance learns."""

from __future__ import annotations

import random

import pytest

from tests.training import train_relevance
from tests.training.train_relevance import Judged


def test_what_tells_good_from_bad_gets_the_weight() -> None:
    chance = random.Random(1)
    judged = [
        Judged("one", good, [(1.0, 0.8 * good + 0.3 * chance.random(), chance.random())])
        for good in (True, False) * 50
    ]
    bias, telling, noise = train_relevance.fit(judged)
    assert bias < 0 < abs(noise) < telling / 4


def test_the_best_hit_of_a_query_decides() -> None:
    best, worst = (1.0, 1.0), (1.0, 0.0)
    assert train_relevance.score((-1.0, 2.0), Judged("", True, [worst, best])) == pytest.approx(
        0.731, abs=0.001
    )
    assert train_relevance.score((-1.0, 2.0), Judged("", True, [])) == 0.0


def test_both_kinds_of_errors_are_reported() -> None:
    scored = [(Judged("", good, []), value) for good, value in ((True, 0.6), (False, 0.2))]
    found = train_relevance.report(scored)
    assert "area 1.000" in found
    assert "0.1: 0.0%/100.0%" in found
    assert "0.25: 0.0%/0.0%" in found
