"""What the service counts, for Prometheus; no label takes a caller's value."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from service.metrics import exposition, worker_files
from service.metrics.answer_metrics import AnswerMetrics
from service.metrics.exposition import Family, Over
from service.metrics.loop_lag import LoopLag
from service.metrics.watched_values import WatchedValues
from sessions.distribution import Distribution

CONTENT_TYPE: Final = "text/plain; version=1.0.0; charset=utf-8"
BOUNDS: Final = (
    *("answers", "operations", "requests"),
    *("visitor", "user", "address", "key", "project"),
    *("concurrent_requests", "failed_credentials", "daily_tokens"),
)
"""What is refused at: bounds of this process, then those of callers."""
FRAMES: Final = ("AnswerQuery", "ConverseConversation", "FollowAnswer", "CancelAnswer")
"""The API methods that frames of their own call."""
SEARCHES: Final = ("found", "nothing", "failed")
"""How a search of the index ends."""
_SEARCH_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_PUBLISHES: Final = 5.0
"""Seconds between two writings of a worker's file: what a worker that is killed has counted since
is lost, and what another tells of it is as old."""


class Metrics:
    """The metrics of one process, or of all workers of one supervisor."""

    def __init__(self, worker_file: Path | None = None) -> None:
        """Sum with the other workers, whose files lie beside *worker_file*, where there is one."""
        self._file = worker_file
        # What the worker before counted goes on: a counter that falls would be taken for one that
        # began anew, and all that it shows for new.
        self._inherited = worker_files.read_counted(worker_file) if worker_file else ()
        self._registry = CollectorRegistry()
        self._watched = WatchedValues()
        self._registry.register(self._watched)
        self.answers = AnswerMetrics(self._registry)
        self.loop_lag = LoopLag()
        self.watch_distribution(
            "event_loop_lag_seconds",
            "How late the event loop woke who slept",
            self.loop_lag.seconds,
        )
        counter = functools.partial(Counter, registry=self._registry)
        histogram = functools.partial(Histogram, registry=self._registry)
        self._requests = counter(
            "colloquy_http_requests",
            "Requests over HTTP, by API method and class of the status",
            ["method", "status"],
        )
        self._request_seconds = histogram(
            "colloquy_http_request_seconds",
            "From the arrival of a request over HTTP to the head of its response",
            ["method"],
            buckets=_SECONDS,
        )
        # Looking them up by their labels costs as much as counting.
        self._children = functools.cache(self._children_of)
        self._frames = counter(
            "colloquy_websocket_requests",
            "Frames that were accepted or refused, by API method and class of the status",
            ["method", "status"],
        )
        self._frame_seconds = histogram(
            "colloquy_websocket_request_seconds",
            "From a frame to its acceptance or refusal",
            ["method"],
            buckets=_SECONDS,
        )
        self._searches = counter(
            "colloquy_index_searches", "Searches of the index, by what they found", ["outcome"]
        )
        self._search_seconds = histogram(
            "colloquy_index_search_seconds",
            "How long searches of the index took",
            buckets=_SEARCH_SECONDS,
        )
        self._model_tokens = counter(
            "colloquy_model_tokens", "Tokens that the model counted", ["kind"]
        )
        self._refusals = counter(
            "colloquy_refused",
            "Questions, operations, requests and frames refused at a bound",
            ["bound"],
        )
        self._query_embeddings = counter(
            "colloquy_query_embeddings",
            "Queries that were to be embedded here; without, they are searched by words alone",
            ["outcome"],
        )
        self._begin_at_zero()

    def _begin_at_zero(self) -> None:
        """Tell the values that alerts watch before the first: a rise needs what it rises from."""
        for kind in ("prompt", "completion"):
            self._model_tokens.labels(kind)
        for bound in BOUNDS:
            self._refusals.labels(bound)
        for outcome in SEARCHES:
            self._searches.labels(outcome)
        for method in FRAMES:
            self._frame_seconds.labels(method)
            for status in ("2xx", "5xx"):
                self._frames.labels(method, status)

    def query_embedded(self, done: bool) -> None:
        """Count a query that was to be embedded, and whether it was."""
        self._query_embeddings.labels("embedded" if done else "failed").inc()

    def refused(self, bound: str) -> None:
        """Count what was refused at a *bound*, one of `BOUNDS`."""
        self._refusals.labels(bound).inc()

    def responded(self, method: str, status: int, seconds: float) -> None:
        """Count a request to an API *method*, which took *seconds* until its *status* was told."""
        requests, took = self._children(method, status // 100)
        requests.inc()
        took.observe(seconds)

    def _children_of(self, method: str, status: int) -> tuple[Counter, Histogram]:
        return self._requests.labels(method, f"{status}xx"), self._request_seconds.labels(method)

    def frame_served(self, method: str, status: int, seconds: float) -> None:
        """Count a frame that was accepted or refused, by one of `FRAMES`, after *seconds*."""
        self._frames.labels(method, f"{status // 100}xx").inc()
        self._frame_seconds.labels(method).observe(seconds)

    def searched(self, outcome: str, seconds: float) -> None:
        """Count a search of the index, by one of `SEARCHES`."""
        self._searches.labels(outcome).inc()
        self._search_seconds.observe(seconds)

    def model_used(self, prompt: int, completion: int) -> None:
        """Count the tokens of one *completion* and its *prompt*."""
        self._model_tokens.labels("prompt").inc(prompt)
        self._model_tokens.labels("completion").inc(completion)

    def watch(
        self, name: str, description: str, value: Callable[[], float], over: Over = "sum"
    ) -> None:
        """Add a gauge that asks *value* whenever it is read.

        *over* says what it is over several workers: the sum, or the least or the most of them.
        """
        self._watched.gauge(f"colloquy_{name}", description, value, over)

    def watch_each(
        self, name: str, description: str, label: str, values: Callable[[], Mapping[str, float]]
    ) -> None:
        """Add a gauge for each value of *label*, which are few and always the same."""
        self._watched.gauges(f"colloquy_{name}", description, label, values)

    def watch_counts(
        self, name: str, description: str, label: str, values: Callable[[], Mapping[str, float]]
    ) -> None:
        """Add a counter, as `watch_count`, for each value of *label*, which are always the same."""
        self._watched.counters(f"colloquy_{name}", description, label, values)

    def watch_count(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a counter that asks *value*, which never falls, whenever it is read."""
        self._watched.counter(f"colloquy_{name}", description, value)

    def watch_distribution(self, name: str, description: str, values: Distribution) -> None:
        """Add a histogram of *values*, which go on being added to."""
        self._watched.histogram(f"colloquy_{name}", description, values)

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        if self._file is None:
            return exposition.text(self.families())
        # Ours are told from the file, as by the other workers: so no sum is less than one that any
        # of them told before.
        self.publish()
        return exposition.text(exposition.merged(worker_files.read_all(self._file)))

    def publish(self) -> None:
        """Write the file that the other workers read, where there are any."""
        if self._file is None:
            return
        families = self.families()
        if self._inherited:
            families = exposition.merged([self._inherited, families])
        worker_files.write(self._file, families)

    async def keep_publishing(self) -> None:
        """Write that file again and again, until cancelled."""
        while self._file is not None:
            self.publish()
            await asyncio.sleep(_PUBLISHES)

    def families(self) -> Sequence[Family]:
        """Return what this process itself counts."""
        return exposition.families(self._registry.collect(), self._watched.over)
