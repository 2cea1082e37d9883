"""Data stores and documents from the terminal."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from service.__main__ import parser
from service.settings import Settings
from sessions.errors import ServiceError

pytestmark = pytest.mark.anyio


async def called(settings: Settings, *arguments: str) -> tuple[int, str]:
    given = parser().parse_args(arguments)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = await given.command(given, settings)
    return status, out.getvalue()


async def test_data_stores_and_documents_are_listed_shown_and_deleted(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "loans.md").write_text("# Loans\n\nA book is kept four weeks.\n")
    (pages / "fees.md").write_text("# Fees\n\nA late book costs one euro.\n")
    for name in ("prices.xlsx", "more.XLSX", "talk.mp4", "logo.png", ".hidden"):
        (pages / name).write_bytes(b"x")
    status, told = await called(settings, "import", str(pages), "--data-store", "help")
    assert (status, told.splitlines()[0]) == (
        0,
        "left out, as no import reads them: 2 .xlsx, 1 .mp4",
    )
    _, told = await called(settings, "stores", "list")
    assert told.split()[:3] == ["help", "2", "documents"]
    _, told = await called(settings, "documents", "list", "--data-store", "help")
    loans = next(line.split()[0] for line in told.splitlines() if line.endswith(" Loans"))
    _, told = await called(settings, "documents", "show", "--data-store", "help", loans)
    assert "A book is kept four weeks." in told
    await called(settings, "documents", "delete", "--data-store", "help", loans)
    status, told = await called(settings, "stores", "delete", "help")
    assert (status, "1 documents" in told) == (1, True)
    assert (await called(settings, "stores", "delete", "help", "--yes"))[0] == 0
    for arguments in (
        ("stores", "show", "help"),
        ("documents", "list", "--data-store", "help"),
        ("sessions", "--data-store", "help"),
    ):
        with pytest.raises(ServiceError) as raised:
            await called(settings, *arguments)
        assert raised.value.message.startswith("there is no data store 'help'")
