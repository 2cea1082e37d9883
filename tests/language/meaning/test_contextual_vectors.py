"""What words mean where they stand, by a model of two dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from service.language.meaning.contextual_vectors import LONGEST, ContextualVectors
from tests.language.meaning.models import small_model


def test_the_words_around_it_tell_what_a_word_means() -> None:
    encoder = ContextualVectors(small_model())
    pressed, encrypted, button = encoder.encode(["press the key", "encrypt the key", "button"])
    assert pressed[2] @ button[0] > encrypted[2] @ button[0]


def test_each_word_has_a_row_of_length_one() -> None:
    rows = ContextualVectors(small_model()).encode(["press the key", "", "key"])
    assert [len(one) for one in rows] == [3, 0, 1]
    assert np.linalg.norm(np.concatenate(rows), axis=1) == pytest.approx(1.0, abs=1e-3)


def test_a_text_is_read_the_same_whatever_stands_beside_it() -> None:
    """Texts are read together, and none may see the words of another."""
    encoder = ContextualVectors(small_model())
    alone = encoder.encode(["press the key"])
    [_, between, _] = encoder.encode(["cipher", "press the key", "encrypt the cipher"])
    assert np.allclose(alone[0], between, atol=1e-6)


def test_no_more_than_the_beginning_of_a_text_is_read() -> None:
    [rows] = ContextualVectors(small_model()).encode(["key " * 1_000])
    assert len(rows) == LONGEST


def test_texts_without_words_have_no_rows() -> None:
    assert [rows.shape for rows in ContextualVectors(small_model()).encode(["", " "])] == [
        (0, 2),
        (0, 2),
    ]
