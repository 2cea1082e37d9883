"""What tells how near the chunks of a data store are to a query, whoever keeps their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

BEST: Final = 50
"""Chunks that a comparison names, the nearest: more never come among the first hits."""


class NearChunk(NamedTuple):
    """A chunk that is near to a query: its document's id, its place there, and its cosine."""

    document_id: str
    place: int
    cosine: float


class Comparison(Protocol):
    """How near the chunks that may be found are to a query."""

    count: int
    """How many chunks that are."""
    total: float
    """The sum of their cosines."""
    squares: float
    """The sum of the squares of their cosines."""

    def best(self) -> Sequence[NearChunk]:
        """Return the nearest of the chunks, at most `BEST`, the nearest first."""
        ...

    def cosine(self, document_id: str, place: int) -> float | None:
        """Return the cosine of a chunk; None where it has no vector (yet)."""
        ...
