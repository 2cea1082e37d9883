"""The file of a model."""

from __future__ import annotations

import numpy as np

from service.language.meaning import model_file
from service.language.meaning.model_file import MeaningModel


def test_what_was_packed_comes_back_as_near_as_its_bits_allow() -> None:
    numbers = np.random.default_rng(1)
    vectors = numbers.normal(size=(4, 6)).astype(np.float32)
    weights = numbers.normal(size=(9, 6)).astype(np.float32)
    telling = np.array([[0.0], [1.0], [2.5], [7.0]], np.float32)
    stored = model_file.pack(MeaningModel(("a", "##é", "ok"), vectors, telling, weights))
    read = model_file.unpack(stored)
    assert read.pieces == ("a", "##é", "ok")
    assert np.array_equal(read.telling, telling)
    assert np.all(np.abs(read.vectors - vectors) <= np.abs(vectors).max(1)[:, None] / 13)
    assert np.all(np.abs(read.weights - weights) <= np.abs(weights).max(1)[:, None] / 250)


def test_what_was_read_is_packed_alike() -> None:
    """A model that was rounded once is not rounded again: the same texts give the same file."""
    numbers = np.random.default_rng(2)
    table = numbers.normal(size=(5, 8)).astype(np.float32)
    first = model_file.unpack(
        model_file.pack(MeaningModel(("a",), table, np.ones((5, 1), np.float32), table))
    )
    again = model_file.unpack(model_file.pack(first))
    assert np.allclose(first.vectors, again.vectors, rtol=1e-3)
