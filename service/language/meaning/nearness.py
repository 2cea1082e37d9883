"""Tell how near texts are to a question by what their words mean where they stand.

Each word of the question counts by the word of a text that is most like it. English alone is known.
The model is read with the first call, and texts are kept for the next ones.
"""

from __future__ import annotations

import functools
import importlib.resources
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from service.language.meaning import model_file
from service.language.meaning.contextual_vectors import ContextualVectors
from service.language.meaning.model_file import Matrix

LANGUAGE: Final = "en"
"""The language that is known."""
_KEPT: Final = 500
"""Texts that are kept, those asked about last: 10 MB."""


def nearness(question: str, texts: Sequence[str]) -> list[float]:
    """Return how near each of *texts* is to *question*, -1 to 1; 0 where either has no word."""
    asked, *told = _texts().vectors((question, *texts))
    return [_nearness(asked, one) for one in told]


def _nearness(asked: Matrix, told: Matrix) -> float:
    return float((asked @ told.T).max(1).mean()) if len(asked) and len(told) else 0.0


class EncodedTexts:
    """The vectors of the words of texts, kept for those of which they were asked last.

    Any number of threads may ask at the same time.
    """

    def __init__(self, encoder: ContextualVectors, most: int) -> None:
        self._encoder = encoder
        self._most = most
        self._kept: OrderedDict[str, Matrix] = OrderedDict()
        self._keeping = threading.Lock()

    def vectors(self, texts: Sequence[str]) -> list[Matrix]:
        """Return for each of *texts* a row for each of its words; they must not be changed."""
        with self._keeping:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        # Outside the lock, as others need not wait for it.
        found |= zip(new, self._encoder.encode(new), strict=True)
        with self._keeping:
            for text in texts:
                self._kept[text] = found[text]
                self._kept.move_to_end(text)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return [found[text] for text in texts]


@functools.cache
def _texts() -> EncodedTexts:
    file = importlib.resources.files("service.language.meaning").joinpath("model.bin")
    return EncodedTexts(ContextualVectors(model_file.unpack(file.read_bytes())), _KEPT)
