"""Read which documents of each data store are for whom: its own setting, and the portal's file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from service.corpus import document_filters
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import DocumentPolicy
from service.corpus.document_filters import ALL, NOTHING, Filter
from service.portal.portal import Portal
from service.portal.portal_file import PortalError
from sessions import names
from sessions.errors import InvalidArgument, NotFound

_FRESH: Final = 1.0
"""Seconds for which nobody looks again whether a data store asks for readers: an answer searches a
dozen times, and who turns that on waits no longer than for the revocation of a key."""
_STORES: Final = 10_000
"""Data stores of which that is remembered."""
_FOR_NOBODY: Final = DocumentPolicy(filter=NOTHING)


class DocumentPolicies:
    """The policies of all data stores, as this process knows them."""

    def __init__(
        self, catalogue: Catalogue, portal: Portal, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Read the filters of *portal*.

        Raises:
            PortalError: one of them cannot be read, or is not that of a data store.
        """
        self._catalogue = catalogue
        self._portal = portal
        self._clock = clock
        self._filters = {
            one.name: _filter(one.name, one.document_filter) for one in portal.data_stores
        }
        self._asks_for_readers: dict[str, tuple[float, bool]] = {}

    async def of(self, data_store: str) -> DocumentPolicy:
        """Return the policy of the data store or corpus of this canonical name.

        Nobody sees the documents of one that is gone.

        Raises:
            Unavailable: Redis is away.
        """
        found = self._portal.policy(data_store)
        condition = self._filters[found.name] if found else ALL
        if "/dataStores/" not in data_store:  # corpora have no such setting
            return DocumentPolicy(filter=condition)
        try:
            has_readers = await self._has_readers(data_store)
        except NotFound:
            return _FOR_NOBODY
        return DocumentPolicy(has_readers=has_readers, filter=condition)

    async def _has_readers(self, data_store: str) -> bool:
        now = self._clock()
        looked, asks = self._asks_for_readers.get(data_store, (now - _FRESH, False))
        if now - looked < _FRESH:
            return asks
        asks = (await self._catalogue.get_data_store(data_store)).acl_enabled
        if len(self._asks_for_readers) >= _STORES:
            self._asks_for_readers.clear()
        self._asks_for_readers[data_store] = now, asks
        return asks


def _filter(name: str, text: str) -> Filter:
    """Return the filter *text* of what the portal calls *name*.

    Raises:
        PortalError: it cannot be read, or cannot be enforced there.
    """
    where = f"data_stores '{name}': document_filter"
    if text and "/engines/" in names.canonical(name):
        raise PortalError(
            f"{where} is that of an engine; write it to each of its data stores, since a document "
            "is to be hidden whichever way it is looked for"
        )
    try:
        return document_filters.parse_policy(text, field=where)
    except InvalidArgument as exc:
        raise PortalError(exc.message) from exc
