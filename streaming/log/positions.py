"""Say where an event stands in its log, in the form that Redis Streams and clients share."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from sessions.errors import InvalidArgument

_FORM: Final = re.compile(r"(\d{1,15})-(\d{1,15})", re.ASCII)


class Position(NamedTuple):
    """The place of an entry: the epoch that wrote it, and its number in that epoch from 0.

    Positions of one answer are totally ordered, and a later entry has a greater one.
    """

    epoch: int
    seq: int

    @property
    def following(self) -> Position:
        """The next position in the same epoch; behind `BEGINNING` it is 1-0."""
        return Position(self.epoch, self.seq + 1) if self.epoch else Position(1, 0)

    def __str__(self) -> str:
        return f"{self.epoch}-{self.seq}"


make_position: Final = cast(
    "Callable[[tuple[int, int]], Position]",
    functools.partial(tuple.__new__, Position),  # pyright: ignore[reportUnknownMemberType] - its stub says too little
)
"""Make a `Position` at half the price, for each of many pieces of text."""

BEGINNING: Final = Position(0, 0)
"""Before every entry: epochs count from 1."""


def parse(text: str, *, field: str = "after") -> Position:
    """Read the form ``<epoch>-<seq>``.

    Raises:
        InvalidArgument: *text* has not that form; *field* is named.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise InvalidArgument(f"{field}: give a position as it was received", field=field)
    return Position(int(match[1]), int(match[2]))
