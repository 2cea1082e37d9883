from __future__ import annotations

from service.metrics.metrics import Metrics
from tests.metrics.test_exposition import values


def test_a_counter_and_a_gauge_are_asked_whenever_they_are_read() -> None:
    metrics, kept = Metrics(), [1.0]
    metrics.watch_count("beats", "Beats", lambda: kept[0])
    metrics.watch("height", "Height", lambda: -kept[0])
    for kept[0] in (3.0, 5.0):
        read = values(metrics.text())
        assert read["colloquy_beats_total"] == kept[0]
        assert read["colloquy_height"] == -kept[0]


def test_gauges_under_a_label_are_told_each() -> None:
    metrics = Metrics()
    metrics.watch_each("calls", "Calls", "pool", lambda: {"reading": 2, "proving": 0})
    read = values(metrics.text())
    assert read["colloquy_callsreading"] == 2
    assert read["colloquy_callsproving"] == 0
