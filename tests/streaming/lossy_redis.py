"""A way to Redis that loses or holds back the reply to one command, which Redis executes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

_CHUNK: Final = 1 << 16


class Lossy:
    """Passes on what comes to its port to the Redis at *path*. It is entered by `opened`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._port = 0
        self._lose: list[bytes] = []
        self._hold: bytes | None = None
        self.held = asyncio.Event()
        """Whether a reply is held back."""
        self._passing = asyncio.Event()
        self._passing.set()

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"redis://127.0.0.1:{self._port}/0"

    def lose(self, command: bytes, times: int = 1) -> None:
        """Lose the reply to the next command that contains *command*, and all behind it.

        And, on the sockets that come, as often as *times* says.
        """
        self._lose = [command] * times

    def hold(self, command: bytes) -> None:
        """Hold back the reply to the next command that contains *command*, until `go_on`."""
        self._hold = command

    def go_on(self) -> None:
        """Let pass what is held back."""
        self._passing.set()

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[Lossy]:
        """Listen on a free port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_CHUNK)
        self._port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._path, limit=_CHUNK)
        lost = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._ask(reader, far_writer, lost))
                tasks.create_task(self._answer(far_reader, writer, lost))
        finally:
            far_writer.transport.abort()
            writer.transport.abort()

    async def _ask(
        self, reader: asyncio.StreamReader, far: asyncio.StreamWriter, lost: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                if self._lose and self._lose[-1] in data:
                    self._lose.pop()
                    lost.set()
                if self._hold is not None and self._hold in data:
                    self._hold = None
                    self._passing.clear()
                far.write(data)
                if lost.is_set():
                    break
            far.write_eof()  # Redis executes what it got, and closes

    async def _answer(
        self, far: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: asyncio.Event
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await far.read(_CHUNK):
                if not self._passing.is_set():
                    self.held.set()
                    await self._passing.wait()
                if not lost.is_set():
                    writer.write(data)
        writer.transport.abort()
