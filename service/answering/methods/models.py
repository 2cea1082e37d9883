"""Say which models are answered to: ids of many, and one generator behind them all."""

from __future__ import annotations

from collections.abc import Sequence

from sessions import names
from sessions.errors import NotFound


class Models:
    """The model ids that are answered to; whatever its id, it is the one generator."""

    def __init__(self, generator: str, ids: Sequence[str] = ()) -> None:
        """*generator* is the name of what really writes; without *ids* every id is good."""
        self.generator = generator
        self._ids = tuple(ids)

    def check(self, name: str) -> None:
        """Raise `NotFound` where no model or endpoint of this *name* is answered to."""
        model = names.last_id(name)
        if self._ids and model not in self._ids and model.partition("@")[0] not in self._ids:
            raise NotFound(f"there is no model '{model}' here", resource=name)

    def listed(self) -> tuple[str, ...]:
        """Return the ids to show; where every id is good, the generator's own."""
        return self._ids or (self.generator,)
