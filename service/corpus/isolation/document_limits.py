"""How much of the machine reading one document may take."""

from __future__ import annotations

import msgspec

_MEGABYTE = 1024 * 1024


class ParsingLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a document may take, by its size: more than good files need, measured, on each axis.

    Of files of 20 MB, Markdown took the most memory (620 MB above an empty process) and a PDF the
    most time (32 seconds), so each has more than twice as much as it needs.
    """

    memory: int = 512 * _MEGABYTE
    """Bytes of address space, of which some 140 MB are the process without a document."""
    memory_per_byte: int = 64
    """Bytes more for each byte of the document."""
    most_memory: int = 2048 * _MEGABYTE
    seconds: float = 20.0
    """Seconds of CPU."""
    seconds_per_megabyte: float = 8.0
    most_seconds: float = 300.0
    wall_factor: float = 3.0
    """How much longer than its CPU seconds it may take on a busy machine, and *wall_extra*."""
    wall_extra: float = 30.0
    reply: int = 192 * _MEGABYTE
    """Bytes that the process may say of one document."""

    def memory_of(self, size: int) -> int:
        """Return the bytes of address space for a document of *size* bytes."""
        return min(self.memory + self.memory_per_byte * size, self.most_memory)

    def seconds_of(self, size: int) -> float:
        """Return the CPU seconds for a document of *size* bytes."""
        return min(self.seconds + self.seconds_per_megabyte * size / _MEGABYTE, self.most_seconds)

    def wall_of(self, size: int) -> float:
        """Return the seconds by the clock after which the process is killed."""
        return self.wall_factor * self.seconds_of(size) + self.wall_extra
