"""Bound the bodies of requests, and keep them while they come: in memory, or else on disk.

A body may take minutes to come, and there may be many. So no more than `MEMORY` of each is in
memory until all of it is there, and what is on disk has a bound of its own. The files have no
names: nothing is left of them, however the process ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import tempfile
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from service.thread_pools import ThreadPool
from sessions.errors import ResourceExhausted

MAX_BODY: Final = 2 << 20
"""Bytes of a body of JSON: nothing else is done while one is decoded."""
MAX_LARGE_BODY: Final = 32 << 20
"""The same where documents, turns, facts or contents are brought along (guide/limits.md)."""
MEMORY: Final = 256 << 10
"""Bytes of one body that are in memory while it comes."""
MOST: Final = 1 << 30
"""Bytes of all bodies of a process that are on disk at a time."""
_PIECE: Final = 1 << 20
_THREADS: Final = 2
_AT_ONCE: Final = 2
"""Files, and bodies, that are whole in memory at a time: this bounds it, whatever is on its way."""

_log = logging.getLogger(__name__)


class RequestBodies:
    """The bodies on their way to one process."""

    def __init__(self, folder: Path, *, most: int = MOST) -> None:
        """Keep at most so many bytes in *folder*, or in the system's where that cannot be used."""
        self._folder = folder
        self._most = most
        self._pool = ThreadPool("bodies", _THREADS)
        self.on_disk = 0
        """Bytes that are on disk now."""
        self.files_in_memory = asyncio.Semaphore(_AT_ONCE)
        """Held by whoever has a file of any size whole in memory."""
        self.bodies_in_memory = asyncio.Semaphore(_AT_ONCE)
        """Held while a body becomes whole in memory: what comes to its end at once does not at once
        take room, where it is read and let go without waiting for anything in between."""

    def new(self) -> RequestBody:
        """Return an empty body, to be entered; it is gone when it is left."""
        return RequestBody(self, self._pool)

    def take(self, size: int) -> None:
        """Count *size* further bytes as being on disk.

        Raises:
            ResourceExhausted: there are too many (TOO_MANY_BODIES).
        """
        if self.on_disk + size > self._most:
            raise _exhausted("the bodies of other requests take too much room; send this again")
        self.on_disk += size

    def give_back(self, size: int) -> None:
        """Count *size* bytes as gone."""
        self.on_disk -= size

    def open(self) -> IO[bytes]:
        """Open a file without a name; blocks."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            return tempfile.TemporaryFile(dir=self._folder, buffering=0)
        return tempfile.TemporaryFile(buffering=0)


class RequestBody:
    """One body; while it is entered it can be added to and read."""

    def __init__(self, bodies: RequestBodies, pool: ThreadPool) -> None:
        self._bodies = bodies
        self._pool = pool
        self._waiting: list[bytes] = []
        self._held = self._stored = 0
        self._file: IO[bytes] | None = None
        self._writing = threading.Lock()
        self._is_left = False

    @property
    def size(self) -> int:
        """How many bytes have come."""
        return self._held + self._stored

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._waiting.clear()
        # A thread that still writes closes it: under its hands, the number of the file might be
        # given to a connection, which would get these bytes.
        self._is_left = True
        if not self._writing.locked():
            self._close()
        self._bodies.give_back(self._stored)
        self._held = self._stored = 0

    async def add(self, data: bytes) -> None:
        """Keep *data* behind what there is.

        Raises:
            ResourceExhausted: there is no room, for all bodies or on the disk (TOO_MANY_BODIES).
        """
        self._waiting.append(data)
        self._held += len(data)
        if self._held > MEMORY:
            self._bodies.take(self._held)
            self._stored += self._held
            self._held = 0
            waiting, self._waiting = b"".join(self._waiting), []
            try:
                await self._pool.run(self._write, waiting)
            except OSError as exc:
                _log.warning("body_not_kept", extra={"error": str(exc)})
                raise _exhausted("the disk of the service takes no more; send this later") from exc

    async def read(self) -> bytes:
        """Return all that has come."""
        if self._file is None:
            return b"".join(self._waiting)
        async with self._bodies.bodies_in_memory:
            return b"".join([piece async for piece in self._pieces(self._file)])

    async def _pieces(self, file: IO[bytes]) -> AsyncIterator[bytes]:
        for at in range(0, self._stored, _PIECE):
            yield await self._pool.run(_read, file, at, self._stored)
        yield b"".join(self._waiting)

    def _write(self, data: bytes) -> None:
        try:
            with self._writing:
                if self._file is None and not self._is_left:
                    self._file = self._bodies.open()
                view = memoryview(data)
                while self._file is not None and view and not self._is_left:
                    view = view[self._file.write(view) :]
        finally:
            if self._is_left:  # looked at behind the lock, as it is set before that is looked at
                self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()


def _read(file: IO[bytes], at: int, end: int) -> bytes:
    return os.pread(file.fileno(), min(_PIECE, end - at), at)


def _exhausted(why: str) -> ResourceExhausted:
    return ResourceExhausted(why, reason="TOO_MANY_BODIES", retry_after=10)
