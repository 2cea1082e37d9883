"""Tell how near texts are to a question by what their words mean where they stand.

Each word of the question counts by the word of a text that is most like it, and the question as a
whole by how like it the text as a whole is. English alone is known.
The model is read with the first call, and texts are kept for the next ones.
"""

from __future__ import annotations

import functools
import importlib.resources
import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from service.language.meaning import model_file
from service.language.meaning.contextual_vectors import ContextualVectors
from service.language.meaning.model_file import Matrix

LANGUAGE: Final = "en"
"""The language that is known."""
_BY_WORD: Final = 0.7
"""What the words count, of 1; what is left is for the texts as wholes."""
_KEPT: Final = 500
"""Texts that are kept, those asked about last: 10 MB."""


def nearness(question: str, texts: Sequence[str]) -> list[float]:
    """Return how near each of *texts* is to *question*, -1 to 1; 0 where either has no word."""
    asked, *told = _texts().vectors((question, *texts))
    return [_nearness(asked, one) for one in told]


def _nearness(asked: Matrix, told: Matrix) -> float:
    if not len(asked) or not len(told):
        return 0.0
    by_word = float((asked @ told.T).max(1).mean())
    means = asked.mean(0), told.mean(0)
    lengths = math.hypot(*means[0].tolist()) * math.hypot(*means[1].tolist())
    return _BY_WORD * by_word + (1 - _BY_WORD) * float(means[0] @ means[1]) / (lengths or 1.0)


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
