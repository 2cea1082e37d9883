"""Bodies of requests while they come: where they are kept, and how much of them."""

from __future__ import annotations

import asyncio
import io
import threading
from pathlib import Path
from typing import IO, Any

import pytest

from service.api.http.request_bodies import MEMORY, RequestBodies
from sessions.errors import ResourceExhausted
from tests import waiting

pytestmark = pytest.mark.anyio

PIECE = bytes(range(256)) * 256


async def test_a_body_is_read_as_it_came(tmp_path: Path) -> None:
    bodies = RequestBodies(tmp_path)
    with bodies.new() as body:
        for _ in range(40):
            await body.add(PIECE)
        await body.add(b"end")
        assert body.size == 40 * len(PIECE) + 3
        assert await body.read() == PIECE * 40 + b"end"
        assert await body.read() == PIECE * 40 + b"end"


async def test_a_large_body_is_on_disk_and_leaves_nothing(tmp_path: Path) -> None:
    """Not even a name while it is there: a process that dies leaves nothing, either."""
    bodies = RequestBodies(tmp_path / "absent")
    with bodies.new() as body:
        for _ in range(40):
            await body.add(PIECE)
        assert body.size - bodies.on_disk <= MEMORY
        assert list((tmp_path / "absent").iterdir()) == []
    assert bodies.on_disk == 0


async def test_a_small_body_is_in_memory(tmp_path: Path) -> None:
    bodies = RequestBodies(tmp_path / "absent")
    with bodies.new() as body:
        await body.add(PIECE)
        assert await body.read() == PIECE
        assert bodies.on_disk == 0
    assert not (tmp_path / "absent").exists()


async def test_all_bodies_together_have_a_bound(tmp_path: Path) -> None:
    bodies = RequestBodies(tmp_path, most=4 * MEMORY)
    with bodies.new() as one:
        for _ in range(10):
            await one.add(PIECE)
        with bodies.new() as two, pytest.raises(ResourceExhausted) as refused:
            for _ in range(10):
                await two.add(PIECE)
        assert refused.value.retry_after >= 1
    with bodies.new() as two:
        for _ in range(10):
            await two.add(PIECE)
        assert await two.read() == PIECE * 10


async def test_a_folder_that_cannot_be_used_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with RequestBodies(tmp_path / "file").new() as body:
        for _ in range(10):
            await body.add(PIECE)
        assert await body.read() == PIECE * 10


class SlowFile(io.FileIO):
    """Takes what is written when it may."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "wb")
        self.begun, self.may_go_on = threading.Event(), threading.Event()

    def write(self, data: Any, /) -> int:
        """Write, at some time."""
        self.begun.set()
        assert self.may_go_on.wait(20)
        return super().write(data)


async def test_a_body_that_is_left_is_closed_when_nobody_writes_it(tmp_path: Path) -> None:
    """The number of the file could be another's by then, who would get these bytes."""
    file = SlowFile(tmp_path / "file")

    class Bodies(RequestBodies):
        def open(self) -> IO[bytes]:
            return file

    with Bodies(tmp_path).new() as body:
        adding = asyncio.ensure_future(body.add(bytes(MEMORY + 1)))
        await waiting.eventually(file.begun.is_set)
        adding.cancel()
        await asyncio.wait([adding])
    assert not file.closed
    file.may_go_on.set()
    await waiting.eventually(lambda: file.closed)
