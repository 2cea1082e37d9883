"""A Redis that answers as a test says, on a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

import hiredis

Answer = Callable[[list[bytes]], bytes | Awaitable[bytes | None] | None]
"""The reply to a command, in RESP; None where there is none, ever."""


class ScriptedRedis:
    """What a scripted Redis has seen."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.commands: list[list[bytes]] = []
        """Those of callers: not what greets a server, or shows that it lives."""
        self.chunks: list[bytes] = []
        """What arrived in one read each, where there was one of those in it."""
        self.writers: list[asyncio.StreamWriter] = []

    def hang_up(self) -> None:
        """Break all connections."""
        for writer in self.writers:
            writer.transport.abort()


@contextlib.asynccontextmanager
async def scripted_redis(answer: Answer, version: str = "7.0.0") -> AsyncGenerator[ScriptedRedis]:
    """Serve *answer* on a unix socket; PING and INFO are answered as a Redis of *version* does."""
    with tempfile.TemporaryDirectory(prefix="colloquy-") as folder:
        socket = Path(folder) / "peer.sock"
        seen = ScriptedRedis(f"unix://{socket}")

        info = f"redis_version:{version}\r\nrole:master\r\n".encode()
        known: dict[bytes, bytes] = {
            b"PING": b"+PONG\r\n",
            b"INFO": b"$%d\r\n%s\r\n" % (len(info), info),
        }

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seen.writers.append(writer)
            with contextlib.suppress(OSError):
                await _serve(reader, writer, seen, known, answer)
            writer.close()

        server = await asyncio.start_unix_server(serve, socket)
        try:
            yield seen
        finally:
            server.close()
            seen.hang_up()


async def _serve(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    seen: ScriptedRedis,
    known: dict[bytes, bytes],
    answer: Answer,
) -> None:
    parser = hiredis.Reader()
    while chunk := await reader.read(1 << 20):
        before = len(seen.commands)
        parser.feed(chunk)
        while (command := _next(parser)) is not None:
            if (reply := known.get(command[0])) is None:
                seen.commands.append(command)
                if len(seen.commands) == before + 1:
                    seen.chunks.append(chunk)
                told = answer(command)
                reply = await told if isinstance(told, Awaitable) else told
            if reply is not None:
                writer.write(reply)


def _next(parser: hiredis.Reader) -> list[bytes] | None:
    command: Any = parser.gets()
    return None if command is False else command
