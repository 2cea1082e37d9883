"""Keep the log entries that wait for one reader, up to a bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from streaming.log import events
from streaming.log.event_log import LogEntry

ROOM: Final = 256 << 10
"""How much text, in bytes or nearly so, waits for one reader before it is dropped.

Dropped is the queue, not the data: the reader has it from the log."""


class EntryQueue:
    """Entries that wait for one reader, with a bound: over it they are dropped."""

    __slots__ = ("_entries", "_size", "overflowed")

    def __init__(self) -> None:
        self._entries: list[LogEntry] = []
        self._size = 0
        self.overflowed = False

    def __bool__(self) -> bool:
        return bool(self._entries)

    def add(self, entries: Sequence[LogEntry]) -> None:
        """Keep *entries*, or forget all where that is too much."""
        self._entries += entries
        for entry in entries:
            event = entry.event
            self._size += _ENTRY + len(event.text) if type(event) is events.TextAppended else _ENTRY
        if self._size > ROOM:
            self.overflowed = True
            self._entries.clear()

    def take(self) -> list[LogEntry]:
        """Return what waits, which is then no longer kept."""
        taken, self._entries, self._size = self._entries, [], 0
        return taken


_ENTRY: Final = 200  # bytes that an entry takes beside its text
