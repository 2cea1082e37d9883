"""Bound what a generator writes: as a whole, and at once.

A model may be asked to repeat something for ever, and may send any amount in one event. Whoever
reads its pieces works on each without a pause, while all others wait.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterator
from typing import Final

from service.generation.generator import Piece
from sessions.errors import ResourceExhausted

LONGEST: Final = 200_000
"""Characters that the text of one answer may have, markers included."""
_PORTION: Final = 1_000
"""Characters at once: what is made of them takes a few milliseconds."""


async def enforce(pieces: AsyncGenerator[Piece], written: int = 0) -> AsyncGenerator[Piece]:
    """Yield *pieces* as they come, a large one in portions, up to `LONGEST` characters.

    Others have their turn after every thousand characters. *written* characters were told before.
    Closing it closes *pieces*.

    Raises:
        ResourceExhausted: there is more (MODEL_TOO_LONG); what was yielded stands.
    """
    room, at_once = LONGEST - written, 0
    async with contextlib.aclosing(pieces):
        async for piece in pieces:
            size = len(piece.text)
            parts = (piece,) if size <= min(_PORTION, room) else _cut(piece, room)
            for portion in parts:
                yield portion
                at_once += len(portion.text)
                if at_once >= _PORTION:
                    at_once = 0
                    await asyncio.sleep(0)
            room -= size
            if room < 0:
                raise ResourceExhausted(
                    f"the model wrote more than {LONGEST:,} characters; the answer is cut short",
                    reason="MODEL_TOO_LONG",
                )


def _cut(piece: Piece, room: int) -> Iterator[Piece]:
    """Yield *piece* in portions, its sources with the last, as far as there is *room*."""
    starts = range(0, min(len(piece.text), room), _PORTION)
    for start in starts:
        portion = piece.text[start : min(start + _PORTION, room)]
        is_last = start + _PORTION >= len(piece.text) <= room
        yield Piece(portion, piece.sources if is_last else ())
