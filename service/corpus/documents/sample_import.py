"""Gives an empty installation something to answer from: the user guide of the service."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.documents import document_import
from service.corpus.isolation.pool import ParsingPool
from service.corpus.isolation.process import NOT_STARTED
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import Unavailable
from sessions.listing.pagination import ListQuery
from sessions.redis.resp_socket import FULL

GUIDE: Final = Path(__file__).parents[2] / "guide"
"""The user guide, which is the sample portal as well; what is in its folders is not for users."""

_log = logging.getLogger(__name__)


async def import_sample(catalogue: Catalogue, store: DocumentStore, parsers: ParsingPool) -> None:
    """Import the guide into an empty installation, and what is new in it into one that has it.

    An installation that has data stores of its own is left alone, and so is one whose Redis is
    full or where nothing can be parsed: the service starts without the sample.
    """
    sample = names.SAMPLE_DATA_STORE
    data_stores, _ = await catalogue.list_data_stores(ListQuery(names.parent(sample), page_size=50))
    if data_stores and all(one.name != sample for one in data_stores):
        return
    try:
        await catalogue.ensure_data_store(sample)
        await document_import.import_path(store, parsers, None, GUIDE, sample, nested=False)
    except Unavailable as exc:
        if exc.reason not in (FULL, NOT_STARTED):
            raise
        _log.warning("sample_not_imported", extra={"reason": exc.reason})
