"""Count what resuming a stream led to, as `streaming.reading.subscription` draws it."""

from __future__ import annotations

import enum


class ResumeOutcome(enum.StrEnum):
    """What became of a reader that came back."""

    RESUMED = enum.auto()
    """It goes on behind what it knew."""
    SNAPSHOT = enum.auto()
    """It named no position, and was given everything so far."""
    STORED = enum.auto()
    """The answer had ended long before, and was given whole."""
    RESET = enum.auto()
    """What it knew stands no more: it was given everything anew."""
    GONE = enum.auto()
    """There is no such answer, or no more."""
    AWAY = enum.auto()
    """Redis was away for too long."""


class ResumeCounts:
    """How many resumptions of one process led to what."""

    __slots__ = ("by_outcome",)

    def __init__(self) -> None:
        self.by_outcome: dict[str, int] = dict.fromkeys(ResumeOutcome, 0)

    def add(self, outcome: ResumeOutcome) -> None:
        """Count one."""
        self.by_outcome[outcome] += 1
