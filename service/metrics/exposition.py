"""Sum the metrics of several processes, and write them in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec
from prometheus_client import CollectorRegistry, Metric, generate_latest

Over = Literal["sum", "max", "min"]
"""How the values of several processes become one."""

_JOINED: Final[Mapping[Over, Callable[[float, float], float]]] = {
    "sum": lambda one, other: one + other,
    "max": max,
    "min": min,
}


class Sample(msgspec.Struct, array_like=True):
    """One value, under the labels that it has."""

    name: str
    labels: dict[str, str]
    value: float


class Family(msgspec.Struct, array_like=True, frozen=True):
    """All values of one metric."""

    name: str
    description: str
    kind: str
    over: Over
    samples: list[Sample]


class _Collected(CollectorRegistry):
    """What Prometheus' library writes out: just the given *families*."""

    def __init__(self, families: Iterable[Family]) -> None:
        super().__init__()
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """Return the families as the library knows them."""
        for family in self._families:
            metric = Metric(family.name, family.description, family.kind)
            for sample in family.samples:
                metric.add_sample(sample.name, sample.labels, sample.value)
            yield metric


def families(metrics: Iterable[Metric], over: Mapping[str, Over]) -> Sequence[Family]:
    """Return *metrics* as they are summed; *over* says how those that are not added are."""
    return [
        Family(
            metric.name,
            metric.documentation,
            metric.type,
            over.get(metric.name, "sum"),
            [
                Sample(sample.name, sample.labels, float(sample.value))
                for sample in metric.samples
                # When a series began: no number that could be summed, and nobody asks for it.
                if not sample.name.endswith("_created")
            ],
        )
        for metric in metrics
    ]


def merged(processes: Iterable[Iterable[Family]]) -> Sequence[Family]:
    """Return one family of each name; what *processes* have under the same labels is joined."""
    joined: dict[str, tuple[Family, dict[tuple[str, frozenset[tuple[str, str]]], Sample]]] = {}
    for process in processes:
        for family in process:
            if family.name not in joined:
                joined[family.name] = (msgspec.structs.replace(family, samples=[]), {})
            into, known = joined[family.name]
            join = _JOINED[into.over]
            for sample in family.samples:
                key = sample.name, frozenset(sample.labels.items())
                if (there := known.get(key)) is not None:
                    there.value = join(there.value, sample.value)
                    continue
                known[key] = copy = Sample(sample.name, sample.labels, float(sample.value))
                into.samples.append(copy)
    return [family for family, _ in joined.values()]


def text(families: Iterable[Family]) -> bytes:
    """Return *families* in Prometheus' text format."""
    return generate_latest(_Collected(families))
