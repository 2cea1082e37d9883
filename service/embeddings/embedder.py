"""The contract of every embedder: texts become vectors that can be compared."""

from __future__ import annotations

import enum
import math
from array import array
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from sessions.errors import Internal

LONGEST: Final = 2_000
"""Characters of a text that are embedded: longer ones say no more of their topic, and the usual
models read 512 tokens."""


class TextKind(enum.StrEnum):
    """What a text is: some models embed what is asked in another way than what answers."""

    QUERY = "query"
    DOCUMENT = "document"


class Embedder(Protocol):
    """Embeds texts with one model."""

    @property
    def name(self) -> str:
        """The model, with whatever else makes its vectors what they are.

        Vectors of another name are never compared with those of this one.
        """
        ...

    @property
    def share(self) -> float | None:
        """What the best cosine weighs beside the best score by words, by measurement.

        None where it depends on how far the best cosine stands out (`fusion.share`).
        """
        ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return a vector (of ``array("f")``) of length 1 for each of *texts*, in their order.

        All have the same number of parts. A text that says nothing has all parts 0.

        Raises:
            ServiceError: it cannot be done now, or not at all.
        """
        ...


def unit(parts: Iterable[float]) -> array[float]:
    """Return *parts* as a vector of length 1; one that has no length stays as it is.

    Raises:
        Internal: a part is no finite number.
    """
    length = math.hypot(*(vector := array("f", parts)))
    if not math.isfinite(length):
        raise Internal("the embedding is not finite", reason="EMBEDDING_MALFORMED")
    return array("f", (part / length for part in vector)) if length else vector
