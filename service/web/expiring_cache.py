"""Keep what was read of the web for a while, and not too much of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")


class _Kept(NamedTuple, Generic[_T]):
    value: _T
    size: int
    until: float


class ExpiringCache(Generic[_T]):
    """At most *room* of values by key, each for *seconds*; the one unused for longest goes first.

    Whoever puts a value says how large it is, in the unit of *room*.
    """

    def __init__(self, *, room: int, seconds: float) -> None:
        self._room = room
        self._seconds = seconds
        self._kept: OrderedDict[str, _Kept[_T]] = OrderedDict()
        self._size = 0

    def get(self, key: str) -> _T | None:
        """Return the value of *key*, None where there is none any more."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        if kept.until <= asyncio.get_running_loop().time():
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return kept.value

    def put(self, key: str, value: _T, *, size: int = 1) -> None:
        """Keep *value*, unless it is larger than all the room."""
        self._drop(key)
        if size > self._room:
            return
        until = asyncio.get_running_loop().time() + self._seconds
        self._kept[key] = _Kept(value, size, until)
        self._size += size
        while self._size > self._room:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: str) -> None:
        kept = self._kept.pop(key, None)
        self._size -= kept.size if kept else 0
