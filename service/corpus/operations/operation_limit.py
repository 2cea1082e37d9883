"""Bound the operations that one process works at, so that a flood is refused and not kept.

An operation outlives its request: neither the requests in flight nor the bodies on disk bound how
many wait with what they brought. So they are counted from before anything is written of them, where
a refusal has no effect, until their end is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sessions.errors import ResourceExhausted

MOST: Final = 100
"""Operations of one process that are not ended."""
MOST_BYTES: Final = 128 << 20
"""Bytes of the requests whose operations are not done; decoded they take a few times as much."""
_LATER: Final = 10


class OperationLimit:
    """Counts the operations of one process; *refused* is called for each that is not begun."""

    def __init__(
        self, refused: Callable[[], None], *, most: int = MOST, most_bytes: int = MOST_BYTES
    ) -> None:
        self._refused = refused
        self._most = most
        self._most_bytes = most_bytes
        self._count = self._bytes = 0

    def admit(self, size: int) -> OperationPermit:
        """Give a place to an operation that keeps *size* bytes of its request.

        Raises:
            ResourceExhausted: there is none (TOO_MANY_OPERATIONS).
        """
        # One alone has a place whatever its size: it would never find a better moment.
        too_large = self._bytes > 0 and self._bytes + size > self._most_bytes
        if self._count >= self._most or too_large:
            self._refused()
            raise ResourceExhausted(
                "this replica works at as many operations as it may, or keeps as many bytes for "
                "them; nothing was begun: wait for others to end, and send this again",
                reason="TOO_MANY_OPERATIONS",
                retry_after=_LATER,
            )
        self._count += 1
        self._bytes += size
        return OperationPermit(self, size)

    def free(self, operations: int, size: int) -> None:
        """Count *operations* and *size* bytes as gone."""
        self._count -= operations
        self._bytes -= size


class OperationPermit:
    """What one operation takes of the limit."""

    def __init__(self, limit: OperationLimit, size: int) -> None:
        self._limit = limit
        self._size = size
        self._taken = True

    def drop_request(self) -> None:
        """Give back the bytes: the work is done, though its end may still have to be written."""
        size, self._size = self._size, 0
        self._limit.free(0, size)

    def give_back(self) -> None:
        """Give back all; once more does nothing."""
        self.drop_request()
        taken, self._taken = self._taken, False
        self._limit.free(int(taken), 0)
