"""Measure contenders fairly: interleaved rounds, medians, CPU seconds, and ratios between them.

A program under tests/bench is a module ``bench_<subject>`` with ``run() -> list[Row]``. Absolute
figures belong to one machine on one day, so a promise is a ratio within one run wherever it can be.
"""

from __future__ import annotations

import gc
import importlib
import itertools
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Row(NamedTuple):
    """One line of the table: what is promised, what was measured, whether it holds."""

    subject: str
    measured: str
    promise: str = ""
    holds: bool | None = None
    """None where nothing is promised, and the line only informs."""


def at_most(subject: str, measured: float, bound: float, unit: str = "×") -> Row:
    """Return the row of a promise that *measured* stays at or under *bound*."""
    return Row(subject, f"{measured:.3g} {unit}", f"≤ {bound:g} {unit}", measured <= bound)


def at_least(subject: str, measured: float, bound: float, unit: str = "×") -> Row:
    """Return the row of a promise that *measured* reaches *bound*."""
    return Row(subject, f"{measured:.3g} {unit}", f"≥ {bound:g} {unit}", measured >= bound)


def informs(subject: str, measured: float, unit: str) -> Row:
    """Return a row without a promise."""
    return Row(subject, f"{measured:.3g} {unit}")


def cpu_seconds(pid: int | None = None) -> float:
    """Return the user and system time spent so far by this process, or by *pid* (Linux only).

    Of another process the kernel tells it in ticks, usually of 10 ms: measure at least a second.
    """
    if pid is None:
        return time.process_time()
    # The name in brackets may hold blanks; utime and stime are fields 14 and 15 of proc(5).
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_bytes(pid: int | None = None) -> int:
    """Return the memory that this process, or *pid*, holds now (Linux only)."""
    return int(Path(f"/proc/{pid or 'self'}/statm").read_text().split()[1]) * _PAGE


def quantile(samples: Sequence[float], share: float) -> float:
    """Return the smallest sample that at least *share* of all samples do not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, max(0, int(share * len(ordered) + 0.999999) - 1))]


def rounds(contenders: Mapping[str, Callable[[], float]], count: int) -> dict[str, float]:
    """Run every contender once a round, for *count* rounds; return the median of each.

    A contender returns its own figure (seconds, microseconds a token, …). They take turns, so
    that a noisy minute falls on all of them, in an order that changes from round to round; a
    first round warms them up and is not counted.
    """
    figures: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    for turn in range(count + 1):
        for name in names:
            gc.collect()
            figure = contenders[name]()
            if turn:
                figures[name].append(figure)
        names = names[1:] + names[:1]
    return {name: median(values) for name, values in figures.items()}


class Ratio(NamedTuple):
    """A ratio that was measured in pairs, and between which bounds it lies."""

    low: float
    middle: float
    high: float

    def __str__(self) -> str:
        return f"{self.middle:.3f} ({self.low:.3f} to {self.high:.3f})"


def ratio(pairs: Sequence[Sequence[float]]) -> Ratio:
    """Return how many times the first of each of the *pairs* is the second, of six pairs at least.

    It is the estimate that goes with Wilcoxon's signed ranks, with an interval of 95 %: a few pairs
    that were disturbed count as what they are, whatever they show.
    """
    logs = [math.log(first / second) for first, second in pairs]
    means = sorted((one + other) / 2 for one, other in _pairs_of(logs))
    n = len(logs)
    # The normal approximation of the distribution of the signed ranks (Hollander and Wolfe, 3.3).
    spread = 1.96 * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    low = max(0, math.floor(n * (n + 1) / 4 - spread))
    return Ratio(*(math.exp(each) for each in (means[low], median(means), means[-1 - low])))


def _pairs_of(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    return itertools.combinations_with_replacement(values, 2)


def ratio_at_most(subject: str, measured: Ratio, bound: float) -> Row:
    """Return the row of a promise that *measured* stays at or under *bound*.

    It holds, or is broken, where all of the interval says so; otherwise nobody can tell.
    """
    holds = True if measured.high <= bound else False if measured.low > bound else None
    told = f"≤ {bound:g} ×" if holds is not None else f"≤ {bound:g} ×: too noisy to tell"
    return Row(subject, f"{measured} ×", told, holds)


def run_program(name: str) -> list[Row]:
    """Run the program ``bench_<name>``; here, where a fresh process can import it from."""
    return importlib.import_module(f"tests.bench.bench_{name}").run()


def table(rows: Sequence[tuple[str, Row]]) -> str:
    """Lay out (program, row) pairs as aligned columns."""
    marks = {True: "holds", False: "BROKEN", None: ""}
    lines = [("program", "subject", "measured", "promise", "")]
    lines += [
        (name, row.subject, row.measured, row.promise, marks[row.holds]) for name, row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
