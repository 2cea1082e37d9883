"""How many parts the vectors of a model have: an endpoint may change that under the same name."""

from __future__ import annotations

import logging
from array import array
from collections.abc import Callable, Sequence

_log = logging.getLogger(__name__)


class VectorLength:
    """The length that the vectors of a model have now."""

    def __init__(self) -> None:
        self.parts = 0
        """0 while nothing has been embedded."""
        self._left = set[int]()
        self._changed: list[Callable[[], None]] = []

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call *callback* where there is another length: nothing of before can be compared."""
        self._changed.append(callback)

    def note(self, vectors: Sequence[array[float]]) -> None:
        """Take the length of *vectors* for that of the model, where it is a new one.

        Each length once: two models behind one name would take turns for ever.
        """
        length = len(vectors[0])
        if length == self.parts or length in self._left:
            return
        if self.parts:
            _log.warning("vectors_of_another_length", extra={"before": self.parts})
            self._left.add(self.parts)
        self.parts = length
        for changed in self._changed:
            changed()
