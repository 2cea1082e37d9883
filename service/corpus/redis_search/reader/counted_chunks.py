"""Remember what is told of the words of chunks, since most searches find some that others found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from service.corpus.redis_search.reader.chunk_scores import FoundChunk
from service.corpus.redis_search.word_counts import unpack

_KEPT: Final = 4_000
"""Chunks that one of the two halves knows at most: 3 KB each."""


class CountedChunks:
    """The chunks of all data stores that were found last, by their keys. Any thread may ask.

    What a key stands for never changes: the number of a document is never given again.
    """

    def __init__(self) -> None:
        self._new: dict[bytes, FoundChunk] = {}
        self._old: dict[bytes, FoundChunk] = {}

    def of(
        self, keys: Iterable[bytes], read: Callable[[Sequence[bytes]], Sequence[bytes | None]]
    ) -> list[FoundChunk]:
        """Return the chunks with these *keys*, but those that are gone.

        *read* returns what is stored of some keys, None for what is not there.
        """
        new, old = self._new, self._old
        found = {key: new.get(key) or old.get(key) for key in keys}
        if unknown := [key for key, chunk in found.items() if chunk is None]:
            for key, packed in zip(unknown, read(unknown), strict=True):
                if packed is not None:
                    _, number, place = key.rsplit(b":", 2)
                    found[key] = FoundChunk(int(number), int(place), unpack(packed))
        there = {key: chunk for key, chunk in found.items() if chunk is not None}
        new |= there
        if len(new) > _KEPT:
            self._new, self._old = {}, new
        return list(there.values())
