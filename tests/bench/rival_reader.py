"""Read from ours and from rivals alike, as a process beside what is measured.

``python -m tests.bench.rival_reader`` takes a `Task` as JSON on its command line and prints a
`Found`. In difference to `tests.bench.websocket_reader` it speaks Socket.IO as well, may follow
several answers on a connection, has connections that never read, and does not wait for the end.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
import uuid
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import uvloop

from tests.bench.measuring import cpu_seconds, quantile, resident_bytes
from tests.bench.websocket_reader import CONFIG, Counts, Reader

_LONG: Final = 3.0  # seconds that an answer takes longer than it is measured
_SPACE: Final = 0.00117
_BEGIN: Final = 20.0  # seconds within which all have begun, or a rival cannot


class Task(msgspec.Struct, kw_only=True):
    """What to read from the server *pid* at *port*: *answers*, a few on each connection."""

    port: int
    pid: int
    answers: int
    warm: float = 1.0
    span: float = 2.0
    each: int = 1
    """Answers on a connection."""
    readers: int = 1
    """Connections that follow an answer; several only where *each* is 1."""
    others: int = 0
    """How many more connections there are, measured by nobody."""
    others_each: int = 1
    """Answers on each of these."""
    mute: bool = False
    """Whether these never read."""
    kind: str = "websocket"
    """What it speaks: websocket, socketio or chainlit."""
    redis: int = 0
    """The process of Redis."""


class Found(msgspec.Struct, kw_only=True):
    """What was found within the span."""

    rate: float
    """Pieces that arrived in a second, by those that were due."""
    server_us: float
    """CPU time of the server for each of them, in microseconds."""
    redis_us: float
    p50_ms: float
    p99_ms: float
    """The whole span, where nothing arrived."""
    grown: int
    """Bytes by which the server grew in all."""


class SocketIO(Reader):
    """One connection that speaks Engine.IO 4 and Socket.IO 5."""

    path = "/socket.io/?EIO=4&transport=websocket"
    joined = False
    """Whether it is in the namespace: what is asked before is lost."""

    def ask(self, seconds: float) -> None:
        """Ask for an answer that takes so long."""
        self._say(b'42["ask",%d]' % seconds)

    def _join(self) -> None:
        self._say(b"40")

    def _frame(self, buffer: bytes, start: int, end: int) -> None:
        kind = buffer[start : start + 2]
        if kind == b"2":
            self._say(b"3")
        elif kind == b"0{":
            self._join()
        elif kind == b"40":
            self.joined = True
        else:
            super()._frame(buffer, start, end)

    def _say(self, body: bytes) -> None:
        length = (
            bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
        )
        self.transport.write(b"\x81" + length + bytes(4) + body)


class Chainlit(SocketIO):
    """One connection that speaks as Chainlit's page does."""

    path = "/ws/socket.io/?EIO=4&transport=websocket"
    text = b'"token":"'
    running = b"stream_token"

    def ask(self, seconds: float) -> None:
        """Ask for an answer that takes so long."""
        asked = {"id": str(uuid.uuid4()), "type": "user_message", "output": str(seconds)}
        told = {**asked, "name": "user", "createdAt": "2026-01-01T00:00:00Z"}
        self._emit("connection_successful")
        self._emit("client_message", {"message": told, "fileReferences": None})

    def _join(self) -> None:
        auth = {"clientType": "webapp", "sessionId": str(uuid.uuid4()), "threadId": ""}
        self._say(b"40" + json.dumps(auth).encode())

    def _emit(self, *what: object) -> None:
        self._say(b"42" + json.dumps(what).encode())


_KINDS: Final = {"websocket": Reader, "socketio": SocketIO, "chainlit": Chainlit}


async def read(task: Task) -> Found:
    """Ask for all answers, let them get going, and measure."""
    counts = Counts()
    before = resident_bytes(task.pid)
    readers = await _opened(task, counts, task.answers * task.readers // task.each)
    others = set(await _opened(task, Counts(), task.others, mute=task.mute))
    seconds = round(task.warm + task.span + _LONG + task.answers / 1000)
    asking = readers[:: task.readers]
    for reader in (*asking, *others):
        another = reader in others
        for number in range(task.others_each if another else task.each):
            _ask(reader, number, seconds)
            await asyncio.sleep(_SPACE)
        if task.mute and another:
            reader.transport.pause_reading()
    await _join(readers, task.readers)
    await asyncio.sleep(task.warm)
    deltas, counts.delays = counts.deltas, []
    pids = (task.pid, task.redis or task.pid)
    cpu, began = [cpu_seconds(pid) for pid in pids], time.monotonic()
    await asyncio.sleep(task.span)
    cpu = [cpu_seconds(pid) - spent for pid, spent in zip(pids, cpu, strict=True)]
    deltas, took = counts.deltas - deltas, time.monotonic() - began
    delays = counts.delays or [task.span * 1000]
    grown = resident_bytes(task.pid) - before
    for reader in (*readers, *others):
        reader.transport.abort()
    return Found(
        rate=deltas / took / (50 * task.answers * task.readers),
        server_us=cpu[0] * 1e6 / max(1, deltas),
        redis_us=cpu[1] * 1e6 / max(1, deltas),
        p50_ms=quantile(delays, 0.5),
        p99_ms=quantile(delays, 0.99),
        grown=grown,
    )


def _ask(reader: Reader, number: int, seconds: int) -> None:
    if isinstance(reader, SocketIO):
        reader.ask(seconds)
        return
    request = {"query": {"text": str(seconds)}}
    asked = {"type": "answer", "id": str(number), "servingConfig": CONFIG, "request": request}
    reader.say(asked)


async def _join(readers: Sequence[Reader], each: int) -> None:
    """Let all but the first of *each* readers follow what the first one has asked for."""
    for number, reader in enumerate(readers):
        first = readers[number - number % each]
        if reader is not first:
            while not first.answer:  # noqa: ASYNC110 - a look is enough
                await asyncio.sleep(0.01)  # not in the way of the server
            reader.say({"type": "resume", "id": "1", "answer": first.answer})


async def _opened(task: Task, counts: Any, many: int, *, mute: bool = False) -> list[Reader]:
    """Open so many connections; the *mute* hold next to nothing in their sockets."""
    loop = asyncio.get_running_loop()
    kind = _KINDS[task.kind]
    readers: list[Reader] = []
    for _ in range(many):
        line = socket.socket()
        if mute:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.setblocking(False)
        await loop.sock_connect(line, ("127.0.0.1", task.port))
        readers.append((await loop.create_connection(lambda: kind(counts), sock=line))[1])
    async with asyncio.timeout(_BEGIN):
        while not all(getattr(reader, "joined", reader.open) for reader in readers):  # noqa: ASYNC110 - a look is enough
            await asyncio.sleep(0.01)  # not in the way of the server
    return readers


if __name__ == "__main__":
    found = uvloop.run(read(msgspec.json.decode(sys.argv[1], type=Task)))
    print(msgspec.json.encode(found).decode())
