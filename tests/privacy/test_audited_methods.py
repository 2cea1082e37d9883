"""Every method that changes documents, stores, engines or corpora is an administrative act."""

from __future__ import annotations

from typing import Any

import pytest

from service.api.documents.data_stores import DataStoresController
from service.api.documents.documents import DocumentsController
from service.api.documents.engines import EnginesController
from service.api.rag.rag_corpora import RagCorporaController
from service.api.rag.rag_files import RagFilesController
from service.privacy import audited_methods

_ADMINISTRATIVE = (
    DataStoresController,
    DocumentsController,
    EnginesController,
    RagCorporaController,
    RagFilesController,
)
_READING = {"mint_read_token"}
"""What is no GET and changes nothing."""


@pytest.mark.parametrize("controller", _ADMINISTRATIVE)
def test_each_write_is_recorded(controller: Any) -> None:
    members: dict[str, Any] = {**vars(controller)}
    for name, handler in members.items():
        if getattr(handler, "http_methods", {"GET"}) - {"GET", "HEAD", "OPTIONS"}:
            assert name in _READING | {*audited_methods.EACH, *audited_methods.COUNTED}
