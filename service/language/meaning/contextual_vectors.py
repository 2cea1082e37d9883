"""Tell what each word of a text means where it stands.

A word means something by itself, on average over all texts; its two neighbours, the words near it,
those that the text begins with (its title and headings) and the text as a whole move that, each by
a matrix that was fitted to what a sentence encoder says of words in texts. So "key" is another
thing in "press the key" than in "encrypt with the key".
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.language.meaning import word_pieces
from service.language.meaning.model_file import Matrix, MeaningModel

LONGEST: Final = 96
"""Words of a text that are read."""
_LEAD: Final = 8
"""Words that a text begins with."""
_NEAR: Final = 5
"""Words before and behind one that are near it."""
_KEPT: Final = 20_000
"""Words of which the pieces are kept: 5 MB."""
_PRODUCT: Final = 8.0
"""Makes the product of two vectors about as large as one."""


class ContextualVectors:
    """Reads texts by a *model*; any number of threads may ask at the same time."""

    def __init__(self, model: MeaningModel) -> None:
        self._model = model
        numbers = {piece: number for number, piece in enumerate(model.pieces, 1)}

        @functools.lru_cache(maxsize=_KEPT)
        def cut(word: str) -> list[int]:
            return word_pieces.cut(word, numbers)

        self._cut = cut

    def encode(self, texts: Sequence[str]) -> list[Matrix]:
        """Return for each of *texts* a row of length 1 for each of its words."""
        cut = [word_pieces.words(text, LONGEST) for text in texts]
        sizes = [len(words) for words in cut]
        model = self._model
        if not any(sizes):
            return [np.zeros((0, model.weights.shape[1]), np.float32) for _ in texts]
        pieces = [self._cut(word) for word in chain.from_iterable(cut)]
        own, telling = summed(pieces, model.vectors, model.telling)
        told = inputs(own, telling, sizes) @ model.weights
        told /= np.linalg.norm(told, axis=1, keepdims=True) + 1e-9
        return [told[first:end] for first, end in pairwise([0, *np.cumsum(sizes).tolist()])]


def summed(
    pieces: Sequence[Sequence[int]], vectors: Matrix, telling: Matrix
) -> tuple[Matrix, Matrix]:
    """Return what words mean by themselves, the mean of their pieces, and how much each tells."""
    counts = np.array([len(one) for one in pieces])
    numbers = np.fromiter(chain.from_iterable(pieces), np.int64, int(counts.sum()))
    starts = np.cumsum(counts) - counts
    sums: Matrix = np.add.reduceat(vectors[numbers], starts)
    own: Matrix = (sums / counts[:, None]).astype(np.float32)
    return own, np.maximum.reduceat(telling[numbers], starts)


def inputs(own: Matrix, telling: Matrix, sizes: Sequence[int]) -> Matrix:
    """Return for each word what the weights are applied to.

    *own* and *telling* have a row for each word of all texts, which have *sizes* words.
    """
    counts = np.array(sizes)
    text = np.repeat(np.arange(len(counts)), counts)
    ends = np.cumsum(counts)
    first, end = (ends - counts)[text], ends[text]
    at = np.arange(len(own))
    mean = _Means(own, telling, first, end)
    whole, lead = mean.between(first, end), mean.between(first, first + _LEAD)
    return np.concatenate(
        [
            own,
            _beside(own, at - 1, first, end),
            _beside(own, at + 1, first, end),
            mean.between(at - _NEAR, at + _NEAR + 1),
            whole,
            lead,
            own * whole * _PRODUCT,
            np.ones_like(telling),
        ],
        axis=1,
        dtype=np.float32,
    )


class _Means:
    """Means of words that stand together, by how much they tell."""

    def __init__(
        self, own: Matrix, telling: Matrix, first: NDArray[np.int64], end: NDArray[np.int64]
    ) -> None:
        # In double precision, as each mean is a small difference of two large sums.
        both = np.concatenate([own * telling, telling], axis=1, dtype=np.float64)
        self._sums = np.concatenate([np.zeros((1, both.shape[1])), np.cumsum(both, axis=0)])
        self._first, self._end = first, end

    def between(self, low: NDArray[np.int64], high: NDArray[np.int64]) -> Matrix:
        """Return the mean of the words from *low* to before *high* that are of the same text."""
        inside = (np.clip(one, self._first, self._end) for one in (low, high))
        before, behind = (self._sums[one] for one in inside)
        taken = behind - before
        return (taken[:, :-1] / np.maximum(taken[:, -1:], 1e-6)).astype(np.float32)


def _beside(
    own: Matrix, at: NDArray[np.int64], first: NDArray[np.int64], end: NDArray[np.int64]
) -> Matrix:
    """Return the words that stand *at*, nothing for those that are of another text."""
    there = (at >= first) & (at < end)
    return np.where(there[:, None], own[np.clip(at, 0, len(own) - 1)], np.float32(0))
