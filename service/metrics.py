"""What the service counts, for Prometheus; no label takes a caller's value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from sessions.resources.answers import Answer
from sessions.resources.user_events import Feedback, FeedbackType

CONTENT_TYPE: Final = "text/plain; version=1.0.0; charset=utf-8"
BOUNDS: Final = (
    *("answers", "operations", "requests"),
    *("visitor", "user", "address", "key", "project"),
    *("concurrent_requests", "failed_credentials", "daily_tokens"),
)
"""What is refused at: bounds of this process, then those of callers."""
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "colloquy_answers",
            "Answers of sessions and conversations that ended here",
            ["state", "skipped"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "colloquy_answer_seconds",
            "From the acceptance of a query to the end of its answer",
            buckets=_SECONDS,
            registry=self._registry,
        )

        self._refusals = Counter(
            "colloquy_refused",
            "Questions, operations, requests and frames refused at a bound",
            ["bound"],
            registry=self._registry,
        )
        for bound in BOUNDS:
            self._refusals.labels(bound)

        self._query_embeddings = Counter(
            "colloquy_query_embeddings",
            "Queries that were to be embedded here; without, they are searched by words alone",
            ["outcome"],
            registry=self._registry,
        )

        self._feedback = Counter(
            "colloquy_feedback",
            "What people think of answers",
            ["type"],
            registry=self._registry,
        )
        self._feedback_reasons = Counter(
            "colloquy_feedback_reasons",
            "What people did not like of answers",
            ["reason"],
            registry=self._registry,
        )
        for liked in (FeedbackType.LIKE, FeedbackType.DISLIKE):
            self._feedback.labels(liked.name)

    def given_feedback(self, feedback: Feedback) -> None:
        """Count *feedback* by its type and its reasons."""
        self._feedback.labels(feedback.feedback_type.name).inc()
        for reason in set(feedback.reasons):
            self._feedback_reasons.labels(reason.name).inc()

    def query_embedded(self, done: bool) -> None:
        """Count a query that was to be embedded, and whether it was."""
        self._query_embeddings.labels("embedded" if done else "failed").inc()

    def refused(self, bound: str) -> None:
        """Count what was refused at a *bound*, one of `BOUNDS`."""
        self._refusals.labels(bound).inc()

    def ended(self, answer: Answer) -> None:
        """Count an *answer* that has ended."""
        skipped = str(bool(answer.answer_skipped_reasons)).lower()
        self._answers.labels(answer.state.name, skipped).inc()
        if answer.create_time and answer.complete_time:
            self._seconds.observe((answer.complete_time - answer.create_time).total_seconds())

    def watch(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a gauge that asks *value* whenever it is read."""
        Gauge(f"colloquy_{name}", description, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)
