"""Which requests have a line in the log: what fails, within bounds, and a share of all others."""

from __future__ import annotations

import pytest

from service.access_log import FAILURES, AccessLog


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("share", "drawn", "wanted"), [(0.1, 0.09, True), (0.1, 0.1, False)])
def test_of_what_succeeds_a_share_has_a_line(share: float, drawn: float, wanted: bool) -> None:
    assert AccessLog(share, draw=lambda: drawn).wants(200) is wanted


def test_with_no_share_nothing_that_succeeds_has_one_and_with_all_everything() -> None:
    assert not AccessLog(0, draw=lambda: 0.0).wants(204)
    assert AccessLog(1, draw=lambda: 0.999999).wants(304)


@pytest.mark.parametrize("status", [400, 404, 429, 499, 500, 503])
def test_what_fails_has_a_line_whatever_the_share(status: int) -> None:
    assert AccessLog(0).wants(status)


def line(log: AccessLog, request_id: str = "") -> None:
    log.write(over="http", method="none", status=404, seconds=0.5, request_id=request_id)


def test_a_flood_of_failures_is_left_out_and_its_number_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Who is refused cheaply must not cost the writing of a line instead."""
    caplog.set_level("INFO")
    clock = Clock()
    log = AccessLog(0, now=clock)
    assert [log.wants(429) for _ in range(2 * FAILURES + 7)].count(True) == 2 * FAILURES
    clock.now = 1.0
    assert log.wants(429)
    line(log)
    line(log)
    assert [vars(record).get("left_out") for record in caplog.records] == [7, None]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("4bf92f35-77b3:1", "4bf92f35-77b3:1"),
        ("", None),
        ("a b", None),
        ("é", None),
        ("x" * 129, None),
        ("a\n", None),
    ],
)
def test_an_id_is_told_where_it_looks_like_one(
    caplog: pytest.LogCaptureFixture, given: str, told: str | None
) -> None:
    caplog.set_level("INFO")
    line(AccessLog(0), given)
    assert vars(caplog.records[-1]).get("request_id") == told
