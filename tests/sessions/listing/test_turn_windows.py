"""The turns of a long session are told some at a time."""

from __future__ import annotations

import pytest

from sessions.errors import InvalidArgument
from sessions.listing import turn_windows
from sessions.resources.sessions import Query, Session, Turn

SESSION = Session(turns=tuple(Turn(query=Query(text=str(number))) for number in range(5)))


@pytest.mark.parametrize(
    ("offset", "limit", "told"),
    [
        (0, 0, "01234"),
        (0, 2, "01"),
        (3, 0, "34"),
        (3, 9, "34"),
        (9, 2, ""),
        (-2, 0, "34"),
        (-2, 2, "34"),
        (-4, 2, "12"),
        (-6, 2, "0"),
        (-8, 2, ""),
        (-9, 0, "01234"),
    ],
)
def test_turns_are_counted_from_both_ends(offset: int, limit: int, told: str) -> None:
    turns = turn_windows.cut(SESSION, offset, limit).turns
    assert "".join(turn.query.text or "" for turn in turns if turn.query) == told


def test_fewer_turns_than_none_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="turnLimit"):
        turn_windows.cut(SESSION, 0, -1)
