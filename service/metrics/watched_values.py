"""Ask for values that others keep, whenever the metrics are read.

So what is counted on the way of each piece of text costs an addition, not a call of a library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector

from service.metrics.exposition import Over
from sessions.distribution import Distribution


class WatchedValues(Collector):
    """The gauges, counters and histograms that are asked for."""

    def __init__(self) -> None:
        self._families: dict[str, Callable[[], Metric]] = {}
        self.over: dict[str, Over] = {}
        """How the gauges of several processes become one."""

    def gauge(self, name: str, description: str, value: Callable[[], float], over: Over) -> None:
        """Ask *value* for the gauge *name*."""
        self.over[name] = over
        self._families[name] = lambda: GaugeMetricFamily(name, description, value())

    def gauges(
        self, name: str, description: str, label: str, values: Callable[[], Mapping[str, float]]
    ) -> None:
        """Ask *values* for the gauges *name*, one for each value of *label*."""

        def family() -> Metric:
            gauges = GaugeMetricFamily(name, description, labels=[label])
            for key, value in values().items():
                gauges.add_metric([key], value)
            return gauges

        self._families[name] = family

    def counters(
        self, name: str, description: str, label: str, values: Callable[[], Mapping[str, float]]
    ) -> None:
        """Ask *values* for the counters *name*, one for each value of *label*."""

        def family() -> Metric:
            counters = CounterMetricFamily(name, description, labels=[label])
            for key, value in values().items():
                counters.add_metric([key], value)
            return counters

        self._families[name] = family

    def counter(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Ask *value* for the counter *name*, which is told with ``_total``."""
        self._families[name] = lambda: CounterMetricFamily(name, description, value())

    def histogram(self, name: str, description: str, values: Distribution) -> None:
        """Tell *values* as the histogram *name*."""
        self._families[name] = lambda: HistogramMetricFamily(
            name,
            description,
            buckets=[(_bound(bound), count) for bound, count in values.cumulative()],
            sum_value=values.total,
        )

    def collect(self) -> Iterable[Metric]:
        """Return all of them, as they are now."""
        return [family() for family in self._families.values()]


def _bound(value: float) -> str:
    return "+Inf" if value == math.inf else repr(float(value))
