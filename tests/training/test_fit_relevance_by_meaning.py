"""The program that fits what meaning adds to relevance."""

from __future__ import annotations

import itertools

import pytest

from service.corpus.ranking import relevance
from service.corpus.ranking.relevance import Features
from tests.training import fit_relevance_by_meaning
from tests.training.fit_relevance_by_meaning import Judged, Numbers

IN_USE = Numbers(weight=5.6, nothing=0.36, alone=0.47)
NOTHING = Features(*[0.0] * len(Features._fields))


def case(cosine: float, *, good: bool, met: float = 0.7) -> Judged:
    """Return a question whose words say that it is relevant or not, as little as they can."""
    of = NOTHING._replace(met=met, mass=met / 3)
    return Judged("a", "own" if good else "foreign", good, relevance.estimate(of), [(of, cosine)])


@pytest.mark.parametrize("lacks", [{}, {"named": 1.0}, {"alien": 1.0}, {"unread": 1.0}])
def test_it_counts_as_relevance_does(lacks: dict[str, float]) -> None:
    for met, cosine in itertools.product((0.0, 0.5, 1.0), (-0.2, 0.2, 0.4, 0.8)):
        of = NOTHING._replace(met=met, mass=met, **lacks)
        counted = fit_relevance_by_meaning.relevance_of(of, cosine, IN_USE)
        assert counted == pytest.approx(relevance.with_meaning(of, cosine).whole)


def test_the_numbers_in_use_are_among_those_tried() -> None:
    assert IN_USE in fit_relevance_by_meaning.GRID


def test_what_is_fitted_tells_by_the_cosine_what_words_do_not() -> None:
    judged = [case(0.6, good=True) for _ in range(5)] + [case(0.25, good=False) for _ in range(5)]
    numbers = fit_relevance_by_meaning.fit(judged)
    assert [fit_relevance_by_meaning.passes(one, numbers) for one in judged] == [
        one.good for one in judged
    ]


def test_a_question_of_its_own_that_is_lost_costs_more_than_a_foreign_one_that_passes() -> None:
    judged = [case(0.25, good=True, met=1.0), *[case(0.25, good=False, met=1.0)] * 3]
    kept, lost = Numbers(4.5, 0.3, 0.5), Numbers(7.0, 0.4, 0.5)
    assert fit_relevance_by_meaning.cost(judged, kept) <= fit_relevance_by_meaning.cost(
        judged, lost
    )


def test_it_reports_what_words_do_beside_what_both_do() -> None:
    told = [(case(0.2, good=False, met=1.0), False)]
    assert fit_relevance_by_meaning.report(told).startswith("foreign ")
