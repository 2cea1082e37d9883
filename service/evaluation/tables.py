"""Show figures as tables: for a terminal, and in Markdown for a page."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence

from service.evaluation import intervals
from service.evaluation.turn_metrics import Figure
from service.evaluation.verdicts import Judged, Verdict


def of_figures(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the lines of a table of *figures*."""
    wide = max((len(one.name) for one in figures), default=0)
    shown = ""
    for one in figures:
        if one.set != shown:
            shown = one.set
            yield shown
        value, low, high = one.interval
        yield f"  {one.name:<{wide}}  {value:6.3f}   {low:.3f} to {high:.3f}   n={one.count}"


def of_figures_in_markdown(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the lines of the same table in Markdown."""
    yield "| Data | Measure | Value | 95 % interval | Turns |"
    yield "| --- | --- | --- | --- | --- |"
    for one in figures:
        value, low, high = one.interval
        yield f"| {one.set} | {one.name} | {value:.3f} | {low:.3f} to {high:.3f} | {one.count} |"


def of_verdicts(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield how many replies got which verdict, by kind where the list names kinds."""
    kinds: dict[str, list[Judged]] = {}
    for one in judged:
        kinds.setdefault(one.question.kind, []).append(one)
    rows = [*kinds.items(), ("all", judged)] if len(kinds) > 1 else [("all", judged)]
    columns = [one for one in Verdict if any(each.verdict is one for each in judged)]
    wide = max(len(kind) for kind, _ in rows)
    yield f"{'':{wide}}" + "".join(f"{column.value:>18}" for column in columns) + f"{'good':>22}"
    for kind, of in rows:
        counted = collections.Counter(one.verdict for one in of)
        cells = "".join(f"{counted[column] or '·':>18}" for column in columns)
        count = len(of) - counted[Verdict.UNJUDGED]
        good = intervals.of_share(sum(one.verdict.good for one in of), count)
        told = f"{good.value:.0%} ({good.low:.0%} to {good.high:.0%})" if count else "-"
        yield f"{kind or 'other':{wide}}{cells}{told:>22}"
