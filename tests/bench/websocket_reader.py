"""Read answers from a WebSocket server, many at once, as a process beside what is measured.

``python -m tests.bench.websocket_reader`` takes a `Task` as JSON on its command line and prints a
`Found`. It speaks just enough WebSocket to cost little: it asks, takes frames apart, counts the
pieces of text, and looks into every sixteenth for the time at which its text was due.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
import uvloop

from sessions import names
from tests.bench.measuring import cpu_seconds, quantile, resident_bytes

CONFIG: Final = f"{names.SAMPLE_DATA_STORE}/servingConfigs/default_config"
_SAMPLED: Final = 16
_PIECE: Final = b" words more "
_SPACE: Final = 0.00117  # seconds between two questions, so that not all pieces are due at once
PACE: Final = 50
"""Pieces of each answer a second."""
MARGIN: Final = 6.0  # seconds that an answer takes longer, until all have begun


class Task(msgspec.Struct, kw_only=True):
    """What to read: *answers* for *warm* + *span* seconds from the server *pid* at *port*."""

    port: int
    pid: int
    answers: int
    warm: float = 1.0
    span: float = 3.0


class Found(msgspec.Struct, kw_only=True):
    """What was found within the span."""

    deltas: int
    """Pieces of text that were told."""
    frames: int
    """Frames that told them."""
    share: float
    """How many pieces came, of one that were due: under 1 where the server fell behind."""
    server_us: float
    """CPU time of the server for each of them, in microseconds."""
    reader_share: float
    """Share of a core that this process took: near 1 it is what was measured."""
    p50_ms: float
    p99_ms: float
    grown: int
    """Bytes by which the server grew."""


class Counts:
    """What all connections of this process have read."""

    def __init__(self) -> None:
        self.deltas = self.frames = 0
        self.ended = 0
        self.delays: list[float] = []
        self.news = asyncio.Event()


class Reader(asyncio.Protocol):
    """One connection that asks once."""

    path = "/v1/ws"
    text = b'"answerText":"'
    """What stands before a piece of text."""
    running = b"STREAMING"
    """What else a frame with text has."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._buffer: bytes = b""
        self.open = False
        self._seen = 0
        self.answer = ""
        """What was accepted."""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: colloquy.v1\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        buffer: bytes = self._buffer + data if self._buffer else data
        if not self.open:
            head, found, buffer = buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            self.open = True
        at: int = 0
        size = len(buffer)
        while size - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(buffer[start : start + 2], "big"), start + 2
            elif length == 127:
                length, start = int.from_bytes(buffer[start : start + 8], "big"), start + 8
            if start + length > size:
                break
            self._frame(buffer, start, start + length)
            at = start + length
        self._buffer = buffer[at:]

    def ask(self, seconds: float) -> None:
        """Ask for an answer that takes so long."""
        request = {"query": {"text": str(seconds)}}
        self.say({"type": "answer", "id": "1", "servingConfig": CONFIG, "request": request})

    def say(self, frame: dict[str, Any]) -> None:
        """Send *frame*, which is neither short nor long."""
        body = json.dumps(frame).encode()
        self.transport.write(b"\x81\xfe" + len(body).to_bytes(2, "big") + bytes(4) + body)

    def _frame(self, buffer: bytes, start: int, end: int) -> None:
        counts = self._counts
        if (text := buffer.find(self.text, start, end)) > 0 and buffer.find(
            self.running, start, end
        ) > 0:
            counts.deltas += buffer.count(_PIECE, text, end)  # what waits together is told together
            counts.frames += 1
            self._seen += 1
            if self._seen % _SAMPLED == 0:
                text += len(self.text)
                due = int(buffer[text : buffer.index(b" ", text)])
                counts.delays.append((time.monotonic_ns() - due) / 1e6)
        elif buffer.find(b"SUCCEEDED", start, end) > 0:
            counts.ended += 1
            counts.news.set()
        elif buffer.find(b'"accepted"', start, end) > 0:
            self.answer = json.loads(buffer[start:end])["answer"]


async def read(task: Task) -> Found:
    """Ask for all answers, let them get going, and measure."""
    loop = asyncio.get_running_loop()
    counts = Counts()
    before = resident_bytes(task.pid)
    readers = [Reader(counts) for _ in range(task.answers)]
    for reader in readers:
        await loop.create_connection(lambda reader=reader: reader, "127.0.0.1", task.port)
    while not all(reader.open for reader in readers):  # noqa: ASYNC110 - a look is enough
        await asyncio.sleep(0.01)
    for reader in readers:
        reader.ask(task.warm + task.span + MARGIN)
        await asyncio.sleep(_SPACE)
    while counts.deltas < task.answers:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.05)
    await asyncio.sleep(task.warm)
    deltas, told, counts.delays = counts.deltas, counts.frames, []
    cpu, own, began = cpu_seconds(task.pid), time.process_time(), time.monotonic()
    await asyncio.sleep(task.span)
    deltas, told = counts.deltas - deltas, counts.frames - told
    cpu = cpu_seconds(task.pid) - cpu
    own, took = time.process_time() - own, time.monotonic() - began
    delays = counts.delays
    grown = resident_bytes(task.pid) - before
    while counts.ended < task.answers:
        counts.news.clear()
        await counts.news.wait()
    for reader in readers:
        reader.transport.abort()
    return Found(
        deltas=deltas,
        frames=told,
        share=deltas / (task.answers * PACE * took),
        server_us=cpu * 1e6 / deltas,
        reader_share=own / took,
        p50_ms=quantile(delays, 0.5),
        p99_ms=quantile(delays, 0.99),
        grown=grown,
    )


async def read_idle(port: int, connections: int, look: Callable[[], int]) -> int:
    """Open connections that say nothing, and return what *look* finds meanwhile."""
    loop = asyncio.get_running_loop()
    readers = [Reader(Counts()) for _ in range(connections)]
    for reader in readers:
        await loop.create_connection(lambda reader=reader: reader, "127.0.0.1", port)
    await asyncio.sleep(1.0)
    found = look()
    for reader in readers:
        reader.transport.abort()
    await asyncio.sleep(0.5)
    return found


if __name__ == "__main__":
    found = uvloop.run(read(msgspec.json.decode(sys.argv[1], type=Task)))
    print(msgspec.json.encode(found).decode())
