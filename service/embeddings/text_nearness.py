"""Tell how near texts are to a question, by the embeddings of an endpoint, while somebody waits."""

from __future__ import annotations

import asyncio
import logging
import operator
import time
from array import array
from collections.abc import Sequence
from typing import Final

from service.embeddings.embedder import Embedder, TextKind
from sessions.errors import ServiceError

PATIENCE: Final = 0.5
"""Seconds after which the answer is chosen without: ten texts take a small model a tenth."""
_SPARED: Final = 5.0
"""Seconds for which an embedder that failed is not asked again."""
_KEPT: Final = 2_000
"""Texts whose vectors are kept, those made first going first: 3 to 12 MB."""
_log = logging.getLogger(__name__)


class TextNearness:
    """Compares a question with texts by *embedder*.

    The vectors of texts are kept: what answers one question is often looked at for the next.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: dict[str, array[float]] = {}
        self._spared_until = 0.0

    async def cosines(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the cosine of *question* and each of *texts*; nothing where that takes too long.

        A `service.generation.generator.Nearness`.
        """
        if time.monotonic() < self._spared_until:
            return ()
        try:
            async with asyncio.timeout(PATIENCE):
                [asked] = await self._embedder.embed([question], TextKind.QUERY)
                vectors = await self._vectors(texts)
        except (ServiceError, TimeoutError) as exc:
            self._spared_until = time.monotonic() + _SPARED
            reason = exc.message if isinstance(exc, ServiceError) else "it took too long"
            _log.warning("blocks_not_compared", extra={"reason": reason})
            return ()
        if any(len(one) != len(asked) for one in vectors):
            self._kept.clear()  # the endpoint has another model under the same name
            return ()
        return [sum(map(operator.mul, asked, one)) for one in vectors]

    async def _vectors(self, texts: Sequence[str]) -> list[array[float]]:
        known = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        made = await self._embedder.embed(new, TextKind.DOCUMENT)
        known |= zip(new, made, strict=True)
        self._kept |= known
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return [known[text] for text in texts]
