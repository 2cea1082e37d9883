"""What came of an experiment, and how it is laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from tests.bench.measuring import quantile
from tests.chaos import checking
from tests.chaos.crowd import WATCHER
from tests.chaos.plan import Kind, Setup
from tests.chaos.records import Book, Question, Story
from tests.chaos.searchers import FRESH, Findings
from tests.chaos.troubles import Troubles

_LONGEST: Final = 12  # stalls that are told in full
_SLACK: Final = 0.5
_WIDE: Final = 48
"""Characters of a row's name that the others are not laid out by."""


class Report(msgspec.Struct, kw_only=True):
    """What came of it."""

    faults: Counter[Kind]
    seconds: float
    drops: int
    expired: int
    """Connections that ended with their token."""
    answers: int
    states: Counter[str]
    elements: int
    readers: int
    take_overs: int
    stalls: list[float]
    """Of the take-overs during which Redis was not away."""
    lags: list[float]
    """How much later than the first reader of an answer its watcher heard each element."""
    longest: list[str]
    """What happened before and during the longest of the stalls."""
    latest: list[str]
    """The same of the longest lags."""
    found: Findings
    """What the searches found."""
    violations: list[str]


def report(
    book: Book,
    troubles: Troubles,
    lease: float,
    *,
    faults: Counter[Kind],
    found: Findings,
    seconds: float,
    violations: list[str],
) -> Report:
    """Sum up what *book* tells of so many *seconds*; call it when nobody reads any more."""
    by_question = book.by_question()
    stalls = [stall for stories in by_question.values() for stall in checking.stalls(stories)]
    calm = [stall for stall in stalls if not troubles.is_excused(stall)]
    calm.sort(key=lambda stall: stall.seconds)
    lags = [lag for stories in by_question.values() for lag in checking.lags(stories, WATCHER)]
    lags.sort(key=lambda lag: lag.seconds)
    return Report(
        faults=faults,
        seconds=seconds,
        drops=sum(story.drops for story in book.stories),
        expired=sum(story.expired for story in book.stories),
        answers=len(book.questions),
        states=Counter(_outcome(question, by_question) for question in book.questions),
        elements=sum(len(story.heard) for story in book.stories),
        readers=len(book.stories),
        take_overs=len(stalls),
        stalls=[stall.seconds for stall in calm],
        lags=[lag.seconds for lag in lags],
        longest=[troubles.around(stall, lease) for stall in calm[: -_LONGEST - 1 : -1]],
        latest=[troubles.around(lag, lease) for lag in lags[:-4:-1]],
        found=found,
        violations=violations,
    )


def table(came: Report, setup: Setup) -> str:
    """Lay the report out, violations last."""
    stalls, lags = came.stalls or [0.0], came.lags or [0.0]
    bound = setup.lease + _SLACK
    late = sum(stall > bound for stall in stalls)
    lines = [(kind.value, str(came.faults[kind])) for kind in Kind if came.faults[kind]]
    lines += [
        ("client connections lost", f"{came.drops:,}"),
        ("  with their token", f"{came.expired:,}"),
        ("answers", f"{came.answers:,}"),
        *((f"  {state}", str(count)) for state, count in sorted(came.states.items())),
        ("readers", f"{came.readers:,}"),
        ("elements read", f"{came.elements:,}"),
        ("take-overs that readers saw", str(came.take_overs)),
        ("  stall, p50", f"{quantile(stalls, 0.5):.2f} s"),
        ("  stall, p95", f"{quantile(stalls, 0.95):.2f} s"),
        ("  stall, p99", f"{quantile(stalls, 0.99):.2f} s"),
        ("  stall, longest", f"{stalls[-1]:.2f} s"),
        (f"  over {bound:g} s (lease + {_SLACK:g} s)", f"{late} of {len(came.stalls)}"),
        ("a reader behind the first one, p50", f"{quantile(lags, 0.5) * 1000:.1f} ms"),
        ("  p99", f"{quantile(lags, 0.99) * 1000:.0f} ms"),
        ("  longest", f"{lags[-1]:.2f} s"),
        ("changes of documents acknowledged", f"{came.found.changes:,}"),
        ("searches answered", f"{came.found.searches:,}"),
        (f"  held to {FRESH:g} s after the last change and fault", f"{came.found.held:,}"),
        ("  refused or not answered", f"{came.found.unanswered:,}"),
        ("  behind a change, with no fault on, longest", f"{came.found.latest:.2f} s"),
        ("time", f"{came.seconds:.0f} s"),
        ("VIOLATIONS", f"{len(came.violations):,}"),
        *((f"  {kind}", f"{n:,}") for kind, n in checking.kinds(came.violations).most_common(20)),
    ]
    width = max(len(name) for name, _ in lines if len(name) < _WIDE)
    rows = [f"{name.ljust(width)}  {value}" for name, value in lines]
    late = [f"  {line}" for line in came.longest]
    later = ["The longest lags:", *(f"  {line}" for line in came.latest)]
    return "\n".join([*rows, *came.violations[:50], "The longest stalls:", *late, *later])


def _outcome(question: Question, by_question: Mapping[str, list[Story]]) -> str:
    for story in by_question.get(question.id, ()):
        if story.end is not None:
            skipped = checking.is_skipped(story.end)
            return "SKIPPED" if skipped else story.reason or str(story.end.get("state"))
    return "unheard"
