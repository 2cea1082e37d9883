"""A TCP proxy that cuts, delays and holds back what passes, at either side of a replica."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncGenerator, Callable
from typing import Final

_CHUNK: Final = 1 << 16
_RESET: Final = struct.pack("ii", 1, 0)  # closing sends a reset, and nothing that waits

Choose = Callable[[], int]
"""Names the port that a new connection goes to; raises LookupError where there is none."""


class Proxy:
    """Passes on what comes to its port. It listens while it is entered by `opened`."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._links: set[_Link] = set()
        self._open = asyncio.Event()
        self._open.set()
        self.port = 0
        self.delay = 0.0
        """Seconds by which everything is late, in either direction."""

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[Proxy]:
        """Listen on a free port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_CHUNK)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()

    def cut(self) -> None:
        """Reset all connections, from one byte to the next."""
        for link in tuple(self._links):
            link.cut()

    def cut_to(self, port: int) -> None:
        """Reset the connections that go to *port*."""
        for link in tuple(self._links):
            if link.port == port:
                link.cut()

    def hush(self) -> None:
        """Let nothing pass; connections stay open."""
        self._open.clear()

    def speak(self) -> None:
        """Let pass what came, and what comes."""
        self._open.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            port = self._choose()
            far = await asyncio.open_connection("127.0.0.1", port, limit=_CHUNK)
        except (OSError, LookupError):
            _reset(writer)
            return
        link = _Link(port, writer, far[1])
        self._links.add(link)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._pump(reader, far[1], link))
                tasks.create_task(self._pump(far[0], writer, link))
        finally:
            self._links.discard(link)
            link.cut()

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, link: _Link
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._open.wait()
                if target.is_closing():
                    break
                target.write(data)
                await target.drain()
            if not target.is_closing() and target.can_write_eof():
                target.write_eof()
                return
        link.cut()


class _Link:
    """One connection to *port*: its two ends."""

    def __init__(self, port: int, *ends: asyncio.StreamWriter) -> None:
        self.port = port
        self._ends = ends

    def cut(self) -> None:
        for end in self._ends:
            _reset(end)


def _reset(writer: asyncio.StreamWriter) -> None:
    line: socket.socket | None = writer.get_extra_info("socket")
    if line is not None and line.fileno() >= 0:
        with contextlib.suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()
