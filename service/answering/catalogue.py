"""Tells which data stores stand behind what a query is put to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Catalogue(Protocol):
    """Knows the data stores and engines."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        """Return the data stores behind the data store or engine *parent*.

        Raises:
            NotFound: there is no such data store or engine.
        """
        ...
