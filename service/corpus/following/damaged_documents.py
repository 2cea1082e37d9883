"""Remember which documents of a data store are damaged, and say so once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from sessions import names

_log = logging.getLogger(__name__)


class DamagedDocuments:
    """The documents of a data store that cannot be read, by id."""

    def __init__(self, data_store: str) -> None:
        self._data_store = data_store
        self._digests: dict[str, bytes] = {}

    def __len__(self) -> int:
        return len(self._digests)

    def clear(self) -> None:
        """Forget them: the data store is empty, or gone."""
        self._digests.clear()

    def note(self, ids: Iterable[str], damaged: Mapping[str, bytes]) -> None:
        """Say that of the documents *ids* those *damaged* are, by digests of what is stored."""
        for i in ids:
            digest = damaged.get(i)
            if digest is None:
                self._digests.pop(i, None)
            elif self._digests.get(i) != digest:
                self._digests[i] = digest
                extra = {"document": names.document(self._data_store, i)}
                _log.error("document_damaged", extra=extra)
