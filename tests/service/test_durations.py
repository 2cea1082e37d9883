"""Times that an operator types are read, or refused with what to type."""

from __future__ import annotations

import argparse

import pytest

from service.durations import seconds


@pytest.mark.parametrize(
    ("text", "told"),
    [("0s", 0), ("30m", 1_800), ("12h", 43_200), ("90d", 7_776_000), ("3650d", 315_360_000)],
)
def test_a_time_is_read(text: str, told: int) -> None:
    assert seconds(text) == told


@pytest.mark.parametrize("text", ["", "90", "d", "1.5h", "-1d", "٣d", "1w", "90d ", "1d12h"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="give a duration such as 90d"):
        seconds(text)


def test_a_time_beyond_ten_years_is_refused() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="give 3650d at most"):
        seconds("3651d")
