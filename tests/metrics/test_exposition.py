from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from service.metrics import exposition
from service.metrics.metrics import Metrics
from sessions.distribution import Distribution


def process(running: float, up: float, full: float, seconds: float) -> Metrics:
    """Return the metrics of a process."""
    metrics, waits = Metrics(), Distribution((1, 2))
    metrics.watch("running", "Answers", lambda: running)
    metrics.watch("up", "Redis", lambda: up, "min")
    metrics.watch("full", "Redis", lambda: full, "max")
    metrics.watch_distribution("wait_seconds", "Waiting", waits)
    waits.add(seconds)
    metrics.refused("answers")
    return metrics


def values(text: bytes) -> dict[str, float]:
    """Return the values of *text*, as Prometheus reads it."""
    families = text_string_to_metric_families(text.decode())
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_what_several_processes_count_is_added_up_and_what_they_see_is_joined() -> None:
    processes = [process(3, 1, 0, 0.5), process(4, 0, 1, 1.5)]
    read = values(exposition.text(exposition.merged(each.families() for each in processes)))
    assert read["colloquy_refused_totalanswers"] == 2
    assert read["colloquy_running"] == 7
    assert read["colloquy_up"] == 0
    assert read["colloquy_full"] == 1
    assert read["colloquy_wait_seconds_bucket1.0"] == 1
    assert read["colloquy_wait_seconds_bucket2.0"] == 2
    assert read["colloquy_wait_seconds_bucket+Inf"] == 2
    assert read["colloquy_wait_seconds_sum"] == 2.0
    assert read["colloquy_wait_seconds_count"] == 2


def test_one_process_alone_tells_what_it_has() -> None:
    alone = process(3, 1, 0, 0.5)
    assert exposition.text(exposition.merged([alone.families()])) == alone.text()
