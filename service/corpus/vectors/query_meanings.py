"""What queries mean to a model: nothing waits long for it, and what was asked is remembered."""

from __future__ import annotations

import asyncio
import logging
import time
from array import array
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from service.corpus.index import SearchContext
from service.corpus.vectors.embedding_rounds import asked_to_wait
from service.corpus.vectors.vector_length import VectorLength
from service.embeddings.embedder import Embedder, TextKind, unit
from sessions.errors import ServiceError

EARLIER: Final = 0.5
"""What the query before counts beside the query: without it follow-ups lose their topic (2 to 4
points where most say little by themselves), and in full it hides what a new question asks."""
_SPARED: Final = 5.0
"""Seconds for which an embedder that failed is not asked about queries."""
_LONGEST: Final = 1_000
"""Characters of a query that are embedded."""
_REMEMBERED: Final = 1_000
_PATIENCE: Final = 1.5
"""Seconds that a query waits for its vector: the local model takes longer with its first text."""
_log = logging.getLogger(__name__)


class Meaning(NamedTuple):
    """What a query means to a model, and what that weighs (see `fusion.share`)."""

    vector: array[float]
    share: float | None


class QueryMeanings:
    """What queries mean to the model of *embedder*, whose vectors have *length*.

    *observe* is told of each query that was to be embedded whether it was.
    """

    def __init__(
        self, embedder: Embedder, length: VectorLength, observe: Callable[[bool], None]
    ) -> None:
        self._embedder = embedder
        self._length = length
        self._observe = observe
        self._asked: dict[str, array[float]] = {}
        self._spared_until = 0.0
        length.on_change(self._asked.clear)

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        if not query.strip():
            return None
        texts = [text[-_LONGEST:] for text in (query, *context.queries[:1]) if text.strip()]
        # Held here: while the others are embedded, what is remembered may be forgotten.
        known = {text: self._asked[text] for text in texts if text in self._asked}
        unknown = [text for text in texts if text not in known]
        if unknown:
            known |= await self._embed(unknown)
        if len(known) < len(set(texts)):
            return None
        own, before = known[texts[0]], known[texts[-1]]
        # An endpoint may have begun to give vectors of another length.
        if len(texts) == 2 and len(own) == len(before):
            own = unit(a + EARLIER * b for a, b in zip(own, before, strict=True))
        return Meaning(own, self._embedder.share)

    async def _embed(self, texts: Sequence[str]) -> dict[str, array[float]]:
        """Return, and remember, the vectors of *texts*; nothing where that takes too long."""
        if time.monotonic() < self._spared_until:
            return {}
        try:
            async with asyncio.timeout(_PATIENCE):
                vectors = await self._embedder.embed(texts, TextKind.QUERY)
        except (ServiceError, TimeoutError) as exc:
            self._spared_until = time.monotonic() + max(_SPARED, asked_to_wait(exc))
            self._observe(False)
            reason = exc.message if isinstance(exc, ServiceError) else "it took too long"
            _log.warning("query_not_embedded", extra={"reason": reason})
            return {}
        self._observe(True)
        if len(self._asked) > _REMEMBERED:
            self._asked.clear()
        self._length.note(vectors)
        made = dict(zip(texts, vectors, strict=True))
        self._asked.update(made)
        return made
