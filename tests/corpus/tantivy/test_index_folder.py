"""Processes of one host share a folder and nothing else."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from service.corpus.tantivy.index_folder import IndexFolder

pytestmark = pytest.mark.anyio


async def test_a_start_among_others_that_clear_the_folder_keeps_its_index_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them may have found the lock that was just made, and hold it."""
    installation = "0" * 32
    first = IndexFolder(tmp_path, installation)
    (held,) = (tmp_path / installation / "live").glob("*.lock")
    tokens = iter([held.stem, "f" * 16])

    def token_hex(_: int) -> str:
        return next(tokens)

    monkeypatch.setattr(secrets, "token_hex", token_hex)
    second = IndexFolder(tmp_path, installation)
    assert second.new_live().parent.name == "f" * 16
    second.close()
    first.close()
