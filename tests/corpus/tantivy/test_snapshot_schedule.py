"""One process builds what others wait for."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.snapshot_schedule import DataStoreSnapshot
from service.corpus.tantivy.writer_threads import WriterThreads
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio


async def test_who_builds_a_data_store_that_is_deleted_keeps_nobody_waiting(tmp_path: Path) -> None:
    first, second = (IndexFolder(tmp_path, "0" * 32) for _ in range(2))
    builder = DataStoreSnapshot(STORE, first, WriterThreads())
    assert await builder.wait_for_builder() is None
    assert not second.begin_building()
    await builder.clear()
    assert second.begin_building()
