"""Keep several processes of the service at work on one socket; each is a replica of its own."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from typing import Final

MOST: Final = 64
"""Workers of one supervisor."""
_PAUSE: Final = 1.0
"""Seconds before a worker that died is started again."""
_START: Final = 30.0
"""Seconds within which a worker that ends by itself, the first time, could not even start."""

_log = logging.getLogger(__name__)


async def supervise(count: int, listener: socket.socket) -> int:
    """Run *count* workers on *listener* until a signal, which they all get.

    A worker that dies is started again: its answers are taken over by the others meanwhile. The
    result is that of the first worker that could not even start, or 0.
    """
    leaving = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, leaving.set)
    async with asyncio.TaskGroup() as tasks:
        workers = [
            tasks.create_task(_keep(number, listener, leaving), name=f"worker-{number}")
            for number in range(count)
        ]
    return max(worker.result() for worker in workers)


async def _keep(number: int, listener: socket.socket, leaving: asyncio.Event) -> int:
    """Run one worker again and again; return its exit status when all are *leaving*."""
    clock = asyncio.get_running_loop().time
    until = clock() + _START
    while True:
        process = await _start(number, listener)
        async with asyncio.TaskGroup() as tasks:
            ended = tasks.create_task(process.wait(), name="ended")
            told = tasks.create_task(leaving.wait(), name="leaving")
            await asyncio.wait((ended, told), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                process.terminate()
                return await ended
            told.cancel()
        is_refusal = ended.result() > 0 and clock() < until  # a signal is a negative status
        if leaving.is_set() or ended.result() == 0 or is_refusal:
            leaving.set()
            return ended.result()
        until = 0.0
        _log.error("worker_died", extra={"worker": number, "status": ended.result()})
        try:
            async with asyncio.timeout(_PAUSE):
                await leaving.wait()
            return 0
        except TimeoutError:
            continue


async def _start(number: int, listener: socket.socket) -> asyncio.subprocess.Process:
    arguments = [*sys.argv[1:], "--listener", str(listener.fileno()), "--workers", "1"]
    if number:
        arguments.append("--silent")
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "service",
        *arguments,
        pass_fds=[listener.fileno()],
        # Ctrl-C reaches the whole group of a terminal; the workers are told by their supervisor.
        start_new_session=True,
    )
