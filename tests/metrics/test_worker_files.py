from __future__ import annotations

from pathlib import Path

from service.metrics import worker_files
from service.metrics.metrics import Metrics
from tests.metrics.test_exposition import values


def worker(folder: Path, number: int) -> Metrics:
    """Return the metrics of a worker that begins."""
    metrics = Metrics(folder / f"{number}{worker_files.SUFFIX}")
    metrics.watch("running", "Answers", lambda: True)
    return metrics


def refused(metrics: Metrics) -> float:
    return values(metrics.text())["colloquy_refused_totalanswers"]


def test_each_worker_tells_what_all_count(tmp_path: Path) -> None:
    one, other = worker(tmp_path, 0), worker(tmp_path, 1)
    one.refused("answers")
    other.refused("answers")
    other.publish()
    assert refused(one) == 2
    assert refused(other) == 2
    assert values(one.text())["colloquy_running"] == 2


def test_a_worker_in_the_place_of_one_that_died_goes_on_with_its_counts(tmp_path: Path) -> None:
    """Counters that fall would make Prometheus take all that they show for new."""
    one, dies = worker(tmp_path, 0), worker(tmp_path, 1)
    dies.refused("answers")
    dies.publish()
    follows = worker(tmp_path, 1)
    follows.refused("answers")
    assert refused(follows) == 2
    assert refused(one) == 2
    assert values(one.text())["colloquy_running"] == 2


def test_what_one_worker_told_the_next_tells_too(tmp_path: Path) -> None:
    """Also where the first has not written its file since."""
    one, other = worker(tmp_path, 0), worker(tmp_path, 1)
    one.refused("answers")
    assert refused(one) == 1
    assert refused(other) == 1


def test_a_folder_that_takes_nothing_loses_no_request(tmp_path: Path) -> None:
    gone = worker(tmp_path / "gone", 0)
    gone.publish()
    assert gone.text() == b""
