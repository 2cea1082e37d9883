"""Keep several processes of the service at work on one socket; each is a replica of its own.

A worker lives no longer than its supervisor: it stops when its standard input ends, a socket whose
other end the supervisor holds. The first worker tells through it that it has started; the others
begin then, so that what keeps all of them from starting is told once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Final

from service.commands import signals
from service.metrics import worker_files

MOST: Final = 64
"""Workers of one supervisor."""
_PAUSE: Final = 1.0
"""Seconds before a worker that died is started again."""
_START: Final = 30.0
"""Seconds within which a worker that ends by itself, the first time, could not even start."""

_log = logging.getLogger(__name__)


class _Workers:
    """Whether the first has started, whether all shall leave, and whether they shall be quick."""

    def __init__(self, metrics: Path) -> None:
        self.metrics = metrics
        """The folder in which each tells the others what it counts."""
        self.leaving = asyncio.Event()
        self.hurried = asyncio.Event()
        self.started = asyncio.Event()
        """Set once the first worker has started, or all leave."""

    def tell(self, at_once: bool) -> None:
        """Leave; where that is said already and again *at_once*, be quick."""
        if self.leaving.is_set() and at_once:
            self.hurried.set()
        self.leaving.set()
        self.started.set()


async def supervise(count: int, listener: socket.socket) -> int:
    """Run *count* workers on *listener* until a signal, which they all get, as they do a second.

    A worker that ends is started again, whatever ended it: its answers are taken over by the
    others meanwhile. The result is that of the first worker that could not even start, or 0.
    """
    with tempfile.TemporaryDirectory(prefix="colloquy-", ignore_cleanup_errors=True) as metrics:
        state = _Workers(Path(metrics))
        signals.heed(state.tell)
        async with asyncio.TaskGroup() as tasks:
            workers = [
                tasks.create_task(_keep(number, listener, state), name=f"worker-{number}")
                for number in range(count)
            ]
    return max(worker.result() for worker in workers)


async def _keep(number: int, listener: socket.socket, state: _Workers) -> int:
    """Run one worker again and again; return its exit status when all leave."""
    clock = asyncio.get_running_loop().time
    if number:
        await state.started.wait()
    # Only the first run can show that no worker can start at all: one that has served is started
    # again whatever ends it, or its bad moment would end all the others.
    until = clock() + _START
    while not state.leaving.is_set():
        status = await _run(number, listener, state)
        is_refusal = status > 0 and clock() < until  # a signal is a negative status
        if is_refusal:
            state.tell(at_once=False)
        if state.leaving.is_set():
            return max(status, 0)
        until = 0.0
        _log.error("worker_died", extra={"worker": number, "status": status})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PAUSE):
                await state.leaving.wait()
    return 0


async def _run(number: int, listener: socket.socket, state: _Workers) -> int:
    """Run one worker and return its exit status; tell it to stop when all leave."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours:
        with theirs:
            process = await _start(number, listener, theirs, state.metrics)
        return await _ended(process, ours, state)


async def _ended(process: asyncio.subprocess.Process, line: socket.socket, state: _Workers) -> int:
    """Return the exit status of *process*, which tells by its *line* that it has started."""
    async with asyncio.TaskGroup() as tasks:
        ended = tasks.create_task(process.wait(), name="ended")
        hearing = tasks.create_task(_hear(line, state.started), name="started")
        for each in (state.leaving, state.hurried):
            news = tasks.create_task(each.wait(), name="leaving")
            await asyncio.wait((ended, news), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            if not ended.done():
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
        await ended
        hearing.cancel()
    return ended.result()


async def _hear(line: socket.socket, started: asyncio.Event) -> None:
    if await asyncio.get_running_loop().sock_recv(line, 1):
        started.set()


def tell_started(line: int) -> None:
    """Tell the supervisor, by its *line*, that this worker has started."""
    with contextlib.suppress(OSError):  # it is gone, and so shall we be
        os.write(line, b"1")


async def _start(
    number: int, listener: socket.socket, line: socket.socket, metrics: Path
) -> asyncio.subprocess.Process:
    arguments = [*sys.argv[1:], "--listener", str(listener.fileno()), "--workers", "1"]
    arguments += ["--metrics-file", str(metrics / f"{number}{worker_files.SUFFIX}")]
    if number:
        arguments.append("--silent")
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "service",
        *arguments,
        stdin=line.fileno(),
        pass_fds=[listener.fileno()],
        # Ctrl-C reaches the whole group of a terminal; the workers are told by their supervisor.
        start_new_session=True,
    )
