"""A parsing process has nothing of the service, and ends when it is to."""

from __future__ import annotations

import asyncio
import datetime as dt
from pathlib import Path
from typing import Final

import pytest

from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.messages import ReadCommand
from service.corpus.isolation.pool import ParsingPool
from service.corpus.isolation.process import ParsingProcess
from service.corpus.parsing import chunking
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.stored_documents import StoredDocument
from tests import waiting
from tests.corpus.texts import STORE
from tests.waiting import LONG

pytestmark = pytest.mark.anyio


ROW: Final = b"Some *words* in a [row](x).\n\n"


async def read(pool: ParsingPool, *sources: DocumentSource) -> list[StoredDocument | Unreadable]:
    return await pool.read(sources, STORE, chunk_size=chunking.SIZE)


def status(pid: int) -> list[str]:
    """Return what the system tells of a process after its name, nothing where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


async def test_a_process_that_is_heard_no_more_ends_with_its_pipes() -> None:
    """It has said more than is read ahead: its end would stand behind that."""
    process = await ParsingProcess.start()
    command = ReadCommand(
        limits=ParsingLimits(),
        data_store=STORE,
        now=dt.datetime.now(dt.UTC),
        chunk_size=chunking.SIZE,
        sources=(DocumentSource(id="large", filename="large.txt"),),
    )
    await process.send(command, [ROW * 30_000, b""])
    # It sleeps once all that is between us is full.
    await waiting.eventually(lambda: status(process.pid)[0] == "S", within=60)
    process.kill()
    async with asyncio.timeout(LONG):
        await process.wait_ended()
