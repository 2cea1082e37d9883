"""The program that fits what meaning adds to relevance."""

from __future__ import annotations

import pytest

from tests.training import fit_relevance_by_meaning
from tests.training.fit_relevance_by_meaning import Case


def test_the_cosine_that_tells_nothing_lies_between_those_that_do() -> None:
    cases = [
        Case("a", inside, False, 0.5, cosine)
        for inside, cosines in ((True, (0.5, 0.6, 0.7, 0.35)), (False, (0.1, 0.2, 0.3, 0.45)))
        for cosine in cosines
    ]
    weight, middle = fit_relevance_by_meaning.fit(cases, words=True)
    assert weight > 0
    assert middle == pytest.approx(0.4, abs=0.05)
    assert fit_relevance_by_meaning.fit(cases, words=False)[1] == pytest.approx(middle, abs=0.01)


def test_the_area_is_the_chance_of_the_right_order() -> None:
    assert fit_relevance_by_meaning.area([(0.9, True), (0.1, False)]) == 1.0
    assert fit_relevance_by_meaning.area([(0.5, True), (0.5, False)]) == 0.5
    assert fit_relevance_by_meaning.area([(0.1, True), (0.9, False), (0.0, False)]) == 0.5
