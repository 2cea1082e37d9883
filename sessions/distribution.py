"""Count values by their size, at the price of an addition: for what is measured very often."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

SHORT_SECONDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Bounds for what takes milliseconds and, when something is wrong, seconds."""


class Distribution:
    """How many of the values that were added are at most each of the *bounds*, and their sum.

    It belongs to one thread.
    """

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float] = SHORT_SECONDS) -> None:
        """*bounds* rise; what is above the last is counted as well."""
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count *value*."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def cumulative(self) -> list[tuple[float, int]]:
        """Return for each bound, infinity the last, how many values are at most that."""
        bounds = (*self._bounds, math.inf)
        return list(zip(bounds, itertools.accumulate(self._counts), strict=True))
