"""A WebSocket client by hand, for what no library would send or leave undone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncGenerator
from typing import Any, Final
from urllib.parse import urlsplit

from tests.waiting import LONG

CONTINUATION: Final = 0
TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10

_SMALL: Final = 1 << 16  # bytes that the kernel keeps of what is not read; less is slow to fill
_RESET: Final = 7  # TCP_CLOSE of <netinet/tcp.h>


class Raw:
    """One connection, after the handshake. What nobody asks for is not read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self.closed = 1006
        """The close code that was read, if one was."""

    def write(self, opcode: int, payload: bytes = b"", *, fin: bool = True) -> None:
        """Write a frame, masked with zeros."""
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xff" + struct.pack("!Q", size)
        self.writer.write(bytes([fin << 7 | opcode]) + length + bytes(4) + payload)

    def say(self, type: str, **fields: Any) -> None:
        """Write a text message."""
        self.write(TEXT, json.dumps({"type": type, **fields}).encode())

    async def read(self) -> tuple[int, bytes]:
        """Read a frame."""
        async with asyncio.timeout(LONG):
            first, size = await self._reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self._reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
            payload = await self._reader.readexactly(size)
        if first & 0xF == CLOSE:
            (self.closed,) = struct.unpack("!H", payload[:2])
            self.write(CLOSE, payload)
        return first & 0xF, payload

    async def hear(self) -> dict[str, Any]:
        """Read the next text message, past all pings and pongs."""
        while True:
            opcode, payload = await self.read()
            if opcode == TEXT:
                return json.loads(payload)

    async def end(self) -> int:
        """Read all there is to the end of the connection; return the close code."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await self.read()
        return self.closed

    def is_reset(self) -> bool:
        """Whether the other side gave the connection up, without reading from it (Linux)."""
        line: socket.socket = self.writer.get_extra_info("socket")
        return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _RESET


@contextlib.asynccontextmanager
async def raw(url: str) -> AsyncGenerator[Raw]:
    """Connect, and shake hands."""
    host, _, port = urlsplit(url).netloc.partition(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL)
    line.connect((host, int(port)))
    reader, writer = await asyncio.open_connection(sock=line, limit=_SMALL)
    try:
        writer.write(handshake(url))
        await reader.readuntil(b"\r\n\r\n")
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


def handshake(url: str) -> bytes:
    """Return the request that asks for a WebSocket."""
    parts = urlsplit(url)
    return (
        f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: colloquy.v1\r\n\r\n"
    ).encode()
