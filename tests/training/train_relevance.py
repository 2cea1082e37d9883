"""Fit the weights of ``service/corpus/ranking/relevance.py``.

    COLLOQUY_EVALUATION=FOLDER python -m tests.training.train_relevance FOLDER

FOLDER is read by `relevance_cases`. What is printed for each portal comes from weights that saw
nothing of it: how well they tell its queries from foreign ones, and for a few thresholds which
share of its own they refuse and which share of foreign ones they let pass. The last line is what
`relevance` keeps, by hand, with a bias at which 0.2 refuses two or three of a hundred questions
that a portal answers. It takes some two minutes of one core. The weights in use are of a fit to
fewer portals: those of the whole tell the queries of unseen portals apart as well (area .933), but
at thresholds where 3 of 100 answerable ones are refused, refuse .65 of the foreign ones.

`HELD_AT` are weights that are not fitted. What a portal never names is seldom asked for in the
data: fitted as one feature it counts 1.5, and then nine of ten questions with a foreign name at
their end are answered; held, three of ten. Tried besides: one feature for the unknown heads of
phrases and one for other unknown words (as many are answered), and how near the meanings of the
words that a chunk lacks lie to its own (.002 of the area, for some milliseconds a query).
"""

from __future__ import annotations

import argparse
import collections
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from service.corpus.index import SearchScope
from service.corpus.ranking import relevance, scoped_search
from service.corpus.tantivy.index_writer import IndexWriter
from tests.questions.local_portals import STORE
from tests.training import relevance_cases

CHUNKS: Final = 8
"""The first hits of a query: the best of them decides."""
ROUNDS: Final = 3
STEPS: Final = 8
HELD: Final = 1.0
"""How hard weights are held near 0."""
HELD_AT: Final = {"named": -9.0, "alien": -3.5, "unread": -1.5}
COUNTS: Final = {"named": 0.5, "swapped": 0.35, "two slips": 0.4}
"""What a case of a kind that was made up counts beside one that was asked."""
THRESHOLDS: Final = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
FAMILIES: Final = ("login_gov", "d2d", "mtrag")
"""Portals that are judged by weights that saw none of the family."""


class Judged(NamedTuple):
    """A query with what speaks for its hits, each after the 1 of the bias."""

    family: str
    good: bool
    hits: Sequence[tuple[float, ...]]
    kind: str = ""


def main() -> None:
    """Fit, judge, and print."""
    parser = argparse.ArgumentParser(description="Fit the weights of relevance.")
    parser.add_argument("folder", type=Path, help="holds corpora, turns and classify")
    judged = [one for portal in _portals(parser.parse_args().folder) for one in portal]
    scored: list[tuple[Judged, float]] = []
    for family in sorted({one.family for one in judged}):
        weights = fit([one for one in judged if one.family != family])
        own = [(one, score(weights, one)) for one in judged if one.family == family]
        scored += own
        sys.stdout.write(f"{family:16}{report(own)}\n")
    sys.stdout.write(f"{'all':16}{report(scored)}\n")
    names = ("bias", *relevance.Features._fields)
    weights = fit(judged)
    sys.stdout.write(", ".join(f"{n}={w:.2f}" for n, w in zip(names, weights, strict=True)) + "\n")


def _portals(folder: Path) -> Iterator[list[Judged]]:
    for portal in relevance_cases.portals(folder):
        writer = IndexWriter()
        writer.apply(portal.contents)
        writer.wait_for_merges()
        family = next((f for f in FAMILIES if portal.name.startswith(f)), portal.name)
        judged: list[Judged] = []
        for case in portal.cases:
            scope = SearchScope(data_stores=(STORE,), context=case.context)
            ranked = scoped_search.ranked(
                [(STORE, writer.reader)], case.query, scoped_search.plan(scope), CHUNKS
            )
            hits = [(1.0, *of) for of in scoped_search.features(ranked)]
            judged.append(Judged(family, case.good, hits, case.kind))
        yield judged


def fit(judged: Sequence[Judged]) -> list[float]:
    """Return the weights, the bias first; each family counts alike, and so do good and bad.

    Which hit of a query decides depends on the weights, so they are fitted again with those.
    """
    counts = collections.defaultdict[tuple[str, bool], float](float)
    shares = [COUNTS.get(one.kind, 1.0) for one in judged]
    for one, share in zip(judged, shares, strict=True):
        counts[one.family, one.good] += share
    weights: list[float] = []
    for _ in range(ROUNDS):
        rows = [
            (_best(weights, one), float(one.good), 300 * share / counts[one.family, one.good])
            for one, share in zip(judged, shares, strict=True)
            if one.hits
        ]
        weights = _logistic(rows)
    return weights


def score(weights: Sequence[float], of: Judged) -> float:
    """Return the relevance of the best hit, 0 without one."""
    return 1 / (1 + math.exp(-_signal(weights, _best(weights, of)))) if of.hits else 0.0


def report(scored: Sequence[tuple[Judged, float]]) -> str:
    """Return how well good and bad are told apart."""
    good = sorted(score for one, score in scored if one.good)
    bad = sorted(score for one, score in scored if not one.good)
    ahead = sum(sum(g > b for b in bad) + sum(g == b for b in bad) / 2 for g in good)
    found = f"area {ahead / max(1, len(good) * len(bad)):.3f}; refused/answered wrongly"
    for least in THRESHOLDS:
        refused = sum(value < least for value in good) / max(1, len(good))
        answered = sum(value >= least for value in bad) / max(1, len(bad))
        found += f"  {least}: {refused:.1%}/{answered:.1%}"
    return found


def _best(weights: Sequence[float], of: Judged) -> tuple[float, ...]:
    return max(of.hits, key=lambda hit: _signal(weights, hit)) if weights else of.hits[0]


def _signal(weights: Sequence[float], hit: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, hit, strict=True))


def _logistic(rows: Sequence[tuple[Sequence[float], float, float]]) -> list[float]:
    """Return the weights of a logistic regression on (values, outcome, weight), by Newton."""
    size = len(rows[0][0])
    held = [HELD_AT.get(name) for name in ("bias", *relevance.Features._fields)][:size]
    weights = [set_to or 0.0 for set_to in held]
    for _ in range(STEPS):
        slope = [-HELD * weight if at else 0.0 for at, weight in enumerate(weights)]
        bend = [[(HELD if at else 1e-6) * (at == to) for to in range(size)] for at in range(size)]
        for values, outcome, count in rows:
            guess = 1 / (1 + math.exp(-max(-30.0, min(30.0, _signal(weights, values)))))
            error, spread = count * (outcome - guess), count * guess * (1 - guess)
            for at, value in enumerate(values):
                slope[at] += error * value
                for to, other in enumerate(values):
                    bend[at][to] += spread * value * other
        for at, set_to in enumerate(held):
            if set_to is not None:
                slope[at], bend[at] = 0.0, [float(at == to) for to in range(size)]
        weights = [one + by for one, by in zip(weights, _solved(bend, slope), strict=True)]
    return weights


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a positive definite system, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at, pivot in enumerate(rows):
        for other in rows[at + 1 :]:
            factor = other[at] / pivot[at]
            for to in range(at, len(other)):
                other[to] -= factor * pivot[to]
    found = [0.0] * len(rows)
    for at in reversed(range(len(rows))):
        known = sum(rows[at][to] * found[to] for to in range(at + 1, len(rows)))
        found[at] = (rows[at][-1] - known) / rows[at][at]
    return found


if __name__ == "__main__":
    main()
