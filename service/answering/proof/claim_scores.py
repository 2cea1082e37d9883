"""Make one score of what was measured of a claim over a text.

``claim_weights.txt`` holds the weights, which ``tests/training/train_grounding.py`` fits to what
people judged.
"""

from __future__ import annotations

import functools
import importlib.resources
import math
import operator
from typing import Final, NamedTuple

COPY: Final = 0.6
"""The share of its pairs of words that a text has of a claim that is nearly a quotation of it."""
_MOSTLY_COVERED: Final = 0.85
_CONTRADICTED: Final = 0.3
_EDITED: Final = 0.45
"""The greatest scores of claims with faults. People find every fourth copy with another word in it
supported all the same ("aspects" for "parts"), so that is put beside the middle."""


class Measures(NamedTuple):
    """What the score of a claim over a text is made of, each 0..1."""

    covered: float
    """How much of the claim, by weight, stands together in the text."""
    alike: float
    """How much of it is told by words that mean about the same."""
    paired: float
    """The share of its neighbouring terms that are neighbours in the text, times `covered`."""
    precise: float
    """How much of the closest sentence the claim is, times `covered`."""
    copied: float
    """The share of its pairs of words that stand so in the text."""
    newest: float
    """The weight of the most telling term that stands nowhere, nor one like it; 1 is the most."""
    numbers: float
    """Whether a number of the claim is not there where the rest is."""
    names: float
    """Whether a name of the claim is nowhere in the text."""


class Faults(NamedTuple):
    """What shows that a claim that is nearly a quotation was made to say something else."""

    numbers: bool
    """A number of the claim is not there where the rest is."""
    names: bool
    """A name of it is nowhere in the text."""
    denied: bool
    """Claim and closest sentence deny differently, or the one has the opposite of the other."""
    edited: bool
    """A telling word was put between words of the text, or in the place of another."""
    swapped: bool
    """Two names stand in each other's place."""


def score(measures: Measures, faults: Faults) -> float:
    """Return how sure it is that a claim with these *measures* and *faults* is supported, 0..1."""
    return bounded(logistic(*_weights(), measures), measures, faults)


def logistic(bias: float, weights: Measures, measures: Measures) -> float:
    """Return the logistic function of what *measures* weigh together."""
    return 1 / (1 + math.exp(-bias - sum(map(operator.mul, weights, measures))))


def bounded(score: float, measures: Measures, faults: Faults) -> float:
    """Return *score*, or what *faults* leave of it: a lie that is copied but for a word is one."""
    copied = measures.copied >= COPY
    if (
        faults.swapped
        or (copied and faults.denied)
        or (faults.numbers and (copied or measures.covered >= _MOSTLY_COVERED))
    ):
        return min(score, _CONTRADICTED)
    return min(score, _EDITED) if faults.edited or (copied and faults.names) else score


@functools.cache
def _weights() -> tuple[float, Measures]:
    """Read ``claim_weights.txt``: a name and its weight a line."""
    file = importlib.resources.files("service.answering.proof").joinpath("claim_weights.txt")
    named = {name: float(weight) for name, weight in map(str.split, file.read_text().splitlines())}
    return named.pop("bias"), Measures(**named)
