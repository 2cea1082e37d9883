"""The program that distils word vectors."""

from __future__ import annotations

import pytest

from service.language import word_vectors
from tests.training import train_word_vectors
from tests.training.train_word_vectors import OUT, Word
from tests.training.translated_words import Learnt, Translation


def test_our_own_words_are_in_the_file() -> None:
    """Whoever adds words runs the program."""
    names, *_ = word_vectors.unpack(OUT.read_bytes())
    known = {word_vectors.bare(name) for name in names}
    missing = {word_vectors.fold(word.spelling) for word in train_word_vectors.own()} - known
    assert not {word for word in missing if word.isalpha()}
    assert OUT.stat().st_size < 4_500_000


def test_it_distils_what_word_vectors_reads() -> None:
    np = pytest.importorskip("numpy")

    class Teacher:
        """Puts words of the same first letter in the same corner."""

        def encode(self, batch: list[str]) -> object:
            corners = np.eye(26)
            return np.array([corners[ord(word[0].lower()) - 97] for word in batch])

    words = [Word(word, -8.0 - n) for n, word in enumerate(("able", "acid", "Acid", "bath", "cat"))]
    packed = train_word_vectors.distil(Teacher(), words, size=4, clusters=3)
    known, vectors, starts, _ = word_vectors.unpack(packed)
    assert set(known) == {"able", "acid", "bath", "cat"}
    assert (starts[0], starts[-1]) == (0, 4)
    size = len(vectors) // 4
    rows = {word: vectors[n * size : (n + 1) * size] for n, word in enumerate(known)}
    assert rows["able"] == rows["acid"] != rows["bath"]


def test_a_word_goes_where_its_translation_is() -> None:
    np = pytest.importorskip("numpy")

    class Teacher:
        """Puts each word in a corner of its own."""

        def encode(self, batch: list[str]) -> object:
            return np.array([np.eye(26)[ord(word[0]) - 97] for word in batch])

    words = [Word(word, -8.0) for word in ("acid", "bath", "kalt@de", "warm@de")]
    learnt = {"kalt@de": Learnt([Translation("bath", 1.0)], 500)}
    packed = train_word_vectors.distil(Teacher(), words, size=4, clusters=2, learnt=learnt)
    known, vectors, *_ = word_vectors.unpack(packed)
    size = len(vectors) // 4
    rows = {word: vectors[n * size : (n + 1) * size] for n, word in enumerate(known)}
    assert word_vectors.similarity(rows["kalt@de"], rows["bath"]) > 0.6
    assert word_vectors.similarity(rows["warm@de"], rows["bath"]) < 0.5
