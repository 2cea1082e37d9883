"""Where events stand, and what clients send for it."""

from __future__ import annotations

import pytest

from sessions.errors import InvalidArgument
from streaming.log import positions
from streaming.log.positions import Position


def test_positions_are_ordered_and_read_as_they_are_written() -> None:
    assert Position(1, 17) < Position(2, 0) < Position(2, 1)
    assert positions.parse(str(Position(3, 21))) == Position(3, 21)
    assert Position(1, 0).following == Position(1, 1)


@pytest.mark.parametrize(
    "text", ["", "1", "1-", "-1", "1-2-3", "a-b", " 1-2", "1-²", "9" * 20 + "-1"]
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        positions.parse(text)
    assert refusal.value.field == "after"
