"""How sure a figure is: 95 % intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

_RESAMPLES: Final = 1_000
_SEED: Final = 5
"""So that the same results have the same intervals."""
_Z: Final = 1.96


class ConfidenceInterval(NamedTuple):
    """A figure and the interval in which it lies in 95 of 100 repetitions."""

    value: float
    low: float
    high: float


def of_share(hits: int, count: int) -> ConfidenceInterval:
    """Return the share *hits* of *count* with its Wilson interval, which holds for few as well."""
    if not count:
        return ConfidenceInterval(0.0, 0.0, 1.0)
    share = hits / count
    middle = share + _Z * _Z / (2 * count)
    width = _Z * math.sqrt(share * (1 - share) / count + _Z * _Z / (4 * count * count))
    whole = 1 + _Z * _Z / count
    return ConfidenceInterval(
        share, max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)
    )


def of_mean(groups: Sequence[Sequence[float]]) -> ConfidenceInterval | None:
    """Return the mean of all values, and its interval by resampling whole *groups*.

    The turns of one conversation resemble each other: taken one by one they would seem to prove
    more than they do. None where there is no value.
    """
    told = [(sum(group), len(group)) for group in groups if group]
    if not told:
        return None
    count = sum(size for _, size in told)
    mean = sum(total for total, _ in told) / count
    chance = random.Random(_SEED)  # noqa: S311 - no secret
    means: list[float] = []
    for _ in range(_RESAMPLES if len(told) > 1 else 0):
        drawn = chance.choices(told, k=len(told))
        means.append(sum(total for total, _ in drawn) / sum(size for _, size in drawn))
    means.sort()
    cut = len(means) // 40
    low, high = (means[cut], means[-1 - cut]) if means else (mean, mean)
    return ConfidenceInterval(mean, low, high)
