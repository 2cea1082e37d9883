"""Measure how what is written comes to the log, batch by batch, at the price of some additions."""

from __future__ import annotations

from typing import Final

from sessions.distribution import Distribution

_ENTRIES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)


class WriteMeasures:
    """What the batches of one process hold, and how long they take."""

    __slots__ = ("append_seconds", "entries", "lag_seconds", "sent_bytes")

    def __init__(self) -> None:
        self.entries = Distribution(_ENTRIES)
        """How many entries a batch holds."""
        self.sent_bytes = 0
        """All that was sent to append them, in bytes; what is sent again counts again."""
        self.append_seconds = Distribution()
        """From the sending of a batch to its acknowledgement."""
        self.lag_seconds = Distribution()
        """From when the first of a batch waited for it, to its acknowledgement."""
