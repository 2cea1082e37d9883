"""A loop whose clock is set by hand, and a connection that nobody reads until it is told to."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from typing import Any


class Timer:
    """A call that is due, unless it is cancelled."""

    def __init__(self, call: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self._call = call
        self._arguments = arguments
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True

    def fire(self) -> None:
        if not self._cancelled:
            self._call(*self._arguments)


class Clock:
    """The loop that is running, with timers that fire when `pass_by` says that time passed."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.call_soon = self._loop.call_soon
        self.create_task = self._loop.create_task
        self._now = 0.0
        self._set = itertools.count()
        self._timers: list[tuple[float, int, Timer]] = []

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, call: Callable[..., object], *arguments: Any) -> Timer:
        timer = Timer(call, arguments)
        heapq.heappush(self._timers, (when, next(self._set), timer))
        return timer

    def call_later(self, delay: float, call: Callable[..., object], *arguments: Any) -> Timer:
        return self.call_at(self._now + delay, call, *arguments)

    async def pass_by(self, seconds: float) -> None:
        """Let so many seconds pass, and all happen that is due meanwhile."""
        until = self._now + seconds
        while self._timers and self._timers[0][0] <= until:
            self._now, _, timer = heapq.heappop(self._timers)
            timer.fire()
            await settle()
        self._now = until


async def settle() -> None:
    """Let everything go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


class NoSocket:
    """What stands for the socket: the kernel knows nothing of it."""

    def fileno(self) -> int:
        return 1 << 30

    def setsockopt(self, *_: Any) -> None:
        pass

    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", 1)

    getpeername = getsockname


class MemoryTransport(asyncio.Transport):
    """Keeps what is written; where its client *reads* nothing, a close waits for that for ever."""

    def __init__(self, protocol: Any, *, reads: bool) -> None:
        super().__init__()
        self.protocol = protocol
        self.reads = reads
        self.written = b""
        self.is_reset = False
        self.half_closed = False
        self.lost = False
        self._closing = False
        self._socket = NoSocket()

    def write(self, data: Any) -> None:
        if not self._closing:
            self.written += bytes(data)

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.half_closed = True

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._closing = True
        if self.reads:
            self._lose(None)

    def abort(self) -> None:
        self._closing = self.is_reset = True
        self._lose(None)

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0 if self.reads else 1 << 16

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._socket if name == "socket" else default

    def _lose(self, exc: Exception | None) -> None:
        if not self.lost:
            self.lost = True
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, exc)
