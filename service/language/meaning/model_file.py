"""The file that tells what pieces of words mean, and what becomes of that where they stand.

A number of a table is a whole one of few bits times a scale, which its row has; all of the file is
compressed.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

_HEAD: Final = struct.Struct("<4I")
_TOPS: Final = {4: 7, 8: 127}
"""The largest number of so many bits."""
_TELLING: Final = 32.0
"""What one is in the byte that says how much a piece tells: none tells eight times the average."""


class MeaningModel(NamedTuple):
    """What is known of pieces of words, and how they are read in a text."""

    pieces: tuple[str, ...]
    """Those that are known, in the order of the rows from 1 on: row 0 is for what is not."""
    vectors: Matrix
    """A row for each piece: what it means on average."""
    telling: Matrix
    """How much each piece tells, a column; about 1 on average."""
    weights: Matrix
    """What becomes of a word by itself, its neighbours and its text: see `contextual_vectors`."""


def pack(model: MeaningModel) -> bytes:
    """Return *model* as it is stored."""
    names = "\n".join(model.pieces).encode()
    rows, width = model.vectors.shape
    plain = (
        _HEAD.pack(len(names), rows, width, len(model.weights)),
        names,
        _packed(model.vectors, 4),
        np.clip(np.rint(model.telling * _TELLING), 0, 255).astype(np.uint8).tobytes(),
        _packed(model.weights, 8),
    )
    return zlib.compress(b"".join(plain), 9)


def unpack(stored: bytes) -> MeaningModel:
    """Return what `pack` stored."""
    plain = zlib.decompress(stored)
    length, rows, width, inputs = _HEAD.unpack_from(plain)
    at = _HEAD.size + length
    pieces = tuple(plain[_HEAD.size : at].decode().split("\n"))
    end = at + rows * (2 + width // 2)
    vectors = _unpacked(plain[at:end], rows, 4)
    telling = np.frombuffer(plain[end : end + rows], np.uint8).astype(np.float32) / _TELLING
    weights = _unpacked(plain[end + rows :], inputs, 8)
    return MeaningModel(pieces, vectors, telling[:, None], weights)


def _packed(table: Matrix, bits: int) -> bytes:
    """Return the scales of the rows of *table*, and its numbers."""
    top = _TOPS[bits]
    scales = np.maximum(np.abs(table).max(1, keepdims=True) / top, 1e-6).astype("<f2")
    numbers = np.clip(np.rint(table / scales.astype(np.float32)), -top, top).astype(np.int8)
    if bits == 4:
        numbers = (numbers[:, 0::2] & 15) | (numbers[:, 1::2] << 4)
    return scales.tobytes() + numbers.tobytes()


def _unpacked(stored: bytes, rows: int, bits: int) -> Matrix:
    scales = np.frombuffer(stored[: 2 * rows], "<f2").astype(np.float32)
    numbers = np.frombuffer(stored[2 * rows :], np.int8).reshape(rows, -1)
    if bits == 4:
        # Shifted out and in again, the lower half has its sign.
        numbers = np.stack(((numbers << 4) >> 4, numbers >> 4), 2).reshape(rows, -1)
    return numbers.astype(np.float32) * scales[:, None]
