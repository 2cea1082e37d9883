"""Count the answers that are accepted and end here, and how long they take."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Generator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from sessions.resources.answers import Answer, State
from sessions.resources.user_events import Feedback, FeedbackType
from streaming.log.events import Failed, Succeeded

STAGES: Final = (
    *("understanding", "rephrasing", "retrieving", "judging"),
    *("generating", "proving", "relating"),
)
"""Values of the label ``stage``."""
FAILURES: Final = (
    *("CANCELLED", "DEADLINE_EXCEEDED", "WRITER_LOST"),
    *("MODEL_UNAVAILABLE", "MODEL_TIMEOUT", "MODEL_RATE_LIMITED", "MODEL_REFUSED"),
    *("MODEL_REQUEST_INVALID", "MODEL_MALFORMED", "MODEL_TRUNCATED", "MODEL_TOO_LONG"),
    *("MODEL_FILTERED", "INDEX_NOT_READY", "INTERNAL"),
)
"""Why an answer fails, as the guide lists it."""
OTHER: Final = "OTHER"
"""Stands for every other reason, since a label takes no value that is not listed."""
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_STAGE_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)


class AnswerMetrics:
    """The metrics of answers in sessions and conversations."""

    def __init__(self, registry: CollectorRegistry) -> None:
        counter = functools.partial(Counter, registry=registry)
        histogram = functools.partial(Histogram, registry=registry)
        self._ended = counter(
            "colloquy_answers",
            "Answers of sessions and conversations that ended here",
            ["state", "skipped"],
        )
        self._seconds = histogram(
            "colloquy_answer_seconds",
            "From the acceptance of a query to the end of its answer",
            ["state"],
            buckets=_SECONDS,
        )
        self._accepted = counter(
            "colloquy_answers_accepted",
            "Answers of sessions and conversations that were accepted here",
        )
        self._taken_over = counter(
            "colloquy_answers_taken_over",
            "Answers that went on here after another replica wrote them no more",
        )
        self._first_text = histogram(
            "colloquy_answer_first_text_seconds",
            "From the beginning of the work at an answer to its first text",
            buckets=_SECONDS,
        )
        self._stage_seconds = histogram(
            "colloquy_answer_stage_seconds",
            "How long each stage of an answer took",
            ["stage"],
            buckets=_STAGE_SECONDS,
        )
        self._skipped = counter(
            "colloquy_answers_skipped",
            "Why answers were skipped; one answer may have several reasons",
            ["reason"],
        )
        self._failed = counter("colloquy_answers_failed", "Why answers failed", ["reason"])
        self._feedback = counter("colloquy_feedback", "What people think of answers", ["type"])
        self._feedback_reasons = counter(
            "colloquy_feedback_reasons", "What people did not like of answers", ["reason"]
        )
        self._begin_at_zero()

    def _begin_at_zero(self) -> None:
        """Tell the values that alerts watch before the first: a rise needs what it rises from."""
        for state in (State.SUCCEEDED, State.FAILED):
            self._seconds.labels(state.name)
        for stage in STAGES:
            self._stage_seconds.labels(stage)
        for reason in (*FAILURES, OTHER):
            self._failed.labels(reason)
        for liked in (FeedbackType.LIKE, FeedbackType.DISLIKE):
            self._feedback.labels(liked.name)

    def accepted(self) -> None:
        """Count an answer that was accepted: it ends, here or elsewhere."""
        self._accepted.inc()

    def taken_over(self) -> None:
        """Count an answer that goes on here."""
        self._taken_over.inc()

    def first_text(self, seconds: float) -> None:
        """Count an answer whose first text came *seconds* after its work began."""
        self._first_text.observe(seconds)

    @contextlib.contextmanager
    def stage(self, stage: str) -> Generator[None]:
        """Count the seconds of a *stage*, one of `STAGES`, however it ends."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._stage_seconds.labels(stage).observe(time.monotonic() - began)

    def ended(self, answer: Answer, terminal: Succeeded | Failed) -> None:
        """Count an *answer* that has ended by its *terminal* event."""
        if isinstance(terminal, Failed):
            reason = terminal.reason if terminal.reason in FAILURES else OTHER
            self._failed.labels(reason).inc()
        for skipped in set(answer.answer_skipped_reasons):
            self._skipped.labels(skipped.name).inc()
        is_skipped = str(bool(answer.answer_skipped_reasons)).lower()
        self._ended.labels(answer.state.name, is_skipped).inc()
        if answer.create_time and answer.complete_time:
            seconds = (answer.complete_time - answer.create_time).total_seconds()
            self._seconds.labels(answer.state.name).observe(max(0.0, seconds))

    def given_feedback(self, feedback: Feedback) -> None:
        """Count *feedback* by its type and its reasons."""
        self._feedback.labels(feedback.feedback_type.name).inc()
        for reason in set(feedback.reasons):
            self._feedback_reasons.labels(reason.name).inc()
