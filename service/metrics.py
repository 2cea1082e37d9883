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

        self._accepted = Counter(
            "colloquy_answers_accepted",
            "Answers of sessions and conversations that were accepted here",
            registry=self._registry,
        )
        self._taken_over = Counter(
            "colloquy_answers_taken_over",
            "Answers that went on here after another replica wrote them no more",
            registry=self._registry,
        )
        self._first_text = Histogram(
            "colloquy_answer_first_text_seconds",
            "From the beginning of the work at an answer to its first text",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._skipped = Counter(
            "colloquy_answers_skipped",
            "Why answers were skipped; one answer may have several reasons",
            ["reason"],
            registry=self._registry,
        )

        self._requests = Counter(
            "colloquy_http_requests",
            "Requests over HTTP, by API method and class of the status",
            ["method", "status"],
            registry=self._registry,
        )
        self._request_seconds = Histogram(
            "colloquy_http_request_seconds",
            "From the arrival of a request over HTTP to the head of its response",
            ["method"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._model_tokens = Counter(
            "colloquy_model_tokens",
            "Tokens that the model counted",
            ["kind"],
            registry=self._registry,
        )
        for kind in ("prompt", "completion"):
            self._model_tokens.labels(kind)

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

    def accepted(self) -> None:
        """Count an answer that was accepted: it ends, here or elsewhere."""
        self._accepted.inc()

    def taken_over(self) -> None:
        """Count an answer that goes on here."""
        self._taken_over.inc()

    def first_text(self, seconds: float) -> None:
        """Count an answer whose first text came *seconds* after its work began."""
        self._first_text.observe(seconds)

    def responded(self, method: str, status: int, seconds: float) -> None:
        """Count a request to an API *method*, which took *seconds* until its *status* was told."""
        self._requests.labels(method, f"{status // 100}xx").inc()
        self._request_seconds.labels(method).observe(seconds)

    def model_used(self, prompt: int, completion: int) -> None:
        """Count the tokens of one *completion* and its *prompt*."""
        self._model_tokens.labels("prompt").inc(prompt)
        self._model_tokens.labels("completion").inc(completion)

    def ended(self, answer: Answer) -> None:
        """Count an *answer* that has ended."""
        for reason in set(answer.answer_skipped_reasons):
            self._skipped.labels(reason.name).inc()
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
