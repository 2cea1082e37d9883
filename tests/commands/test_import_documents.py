"""The link that an import prints leads to the service as it speaks: with TLS or without."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from tests.sessions import certificates
from tests.whole.processes import services

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_the_printed_link_speaks_as_the_service_does(tmp_path: Path, scheme: str) -> None:
    (tmp_path / "loans.md").write_text("# Loans\n\nFour weeks.\n")
    context = None
    if scheme == "https":
        pair = certificates.localhost(tmp_path, "one")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(pair.certificate, pair.key)

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with services(tmp_path / "data") as (one,):
        server = await asyncio.start_server(hold, "127.0.0.1", one.port, ssl=context)
        status, said = await one.command("import", str(tmp_path / "loans.md"), "--data-store", "x")
        server.close()
    assert status == 0
    assert f"{scheme}://127.0.0.1:{one.port}/?data-store=x" in said
