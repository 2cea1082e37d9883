"""A small model that can be thought through: two dimensions, and words of one piece."""

from __future__ import annotations

import numpy as np

from service.language.meaning import contextual_vectors
from service.language.meaning.model_file import Matrix, MeaningModel

PIECES = ("press", "encrypt", "key", "button", "cipher", "the")


def small_model() -> MeaningModel:
    """Return a model in which the neighbours of "key" tell what it is.

    "press" and "button" lie in one direction, "encrypt" and "cipher" in the other, and "key" is
    between them; each word is half itself and half the mean of its text.
    """
    rows = [[0, 0], [1, 0], [0, 1], [0.4, 0.4], [1, 0], [0, 1], [0, 0]]
    vectors = np.array(rows, np.float32)
    telling = np.ones((len(vectors), 1), np.float32)
    return MeaningModel(PIECES, vectors, telling, _weights())


def _weights() -> Matrix:
    own = np.ones((1, 2), np.float32)
    given = contextual_vectors.inputs(own, np.ones((1, 1), np.float32), [1]).shape[1]
    weights = np.zeros((given, 2), np.float32)
    weights[0:2] = np.eye(2) / 2
    # Behind itself, its two neighbours and the mean of what is near is the mean of the text.
    weights[8:10] = np.eye(2) / 2
    return weights
