"""Say which models are answered to: ids of many, and one generator or embedder behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sessions import names
from sessions.errors import NotFound

_EMBEDDING: Final = ("embed", "gecko")
"""What stands in the ids of models that embed: text-embedding-005, textembedding-gecko@003."""


class Models:
    """The model ids that are answered to; whatever its id, it is the one generator.

    Those of embedding models are the one embedder in the same way.
    """

    def __init__(self, generator: str, ids: Sequence[str] = (), embedder: str = "") -> None:
        """*generator* is the name of what really writes; without *ids* every id is good.

        *embedder* is the name of what really embeds, "" where nothing does.
        """
        self.generator = generator
        self._ids = tuple(ids)
        self._embedder = embedder

    def embeds(self, name: str) -> bool:
        """Tell whether a model of this *name* is one that embeds."""
        model = names.last_id(name)
        if self._embedder and model == names.last_id(self._embedder):
            return True
        return any(part in model.lower() for part in _EMBEDDING)

    def check(self, name: str) -> None:
        """Raise `NotFound` where no model or endpoint of this *name* is answered to."""
        model = names.last_id(name)
        if self._embedder and self.embeds(name):
            return
        if self._ids and model not in self._ids and model.partition("@")[0] not in self._ids:
            raise NotFound(f"there is no model '{model}' here", resource=name)

    def listed(self) -> tuple[str, ...]:
        """Return the ids to show; where every id is good, those of generator and embedder."""
        embedders = (names.last_id(self._embedder),) if self._embedder else ()
        return (*(self._ids or (self.generator,)), *embedders)
