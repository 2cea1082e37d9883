"""Start services without importing again, for each, what they all stand on.

A process is forked from one that has imported everything, which takes a second and a half, and has
answered made-up questions once. It is the service all the same: its own process with its own
environment, streams and signals, which runs what `python -m service` runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

from service.__main__ import main

_ROOT: Final = Path(__file__).parents[1]
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_servers: Final[set[int]] = set()
"""Process ids of the servers that this process has started: one, unless it was killed."""


class ForkedProcess:
    """A process that was forked, with what `asyncio.subprocess.Process` has of it."""

    def __init__(self, process: ForkServerProcess) -> None:
        if process.pid is None:
            raise AssertionError("look at what was started")
        self.pid: Final = process.pid
        self._process = process

    @property
    def returncode(self) -> int | None:
        """The exit status, or a signal as a negative number; None while it runs."""
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        """Send a signal, to nobody where the process has ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, which)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    async def wait(self) -> int:
        """Wait for the end and return the exit status."""
        ended = asyncio.Event()
        loop, file = asyncio.get_running_loop(), self._process.sentinel
        while (status := self.returncode) is None:
            loop.add_reader(file, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(file)
        return status


def start(
    arguments: tuple[str, ...],
    environment: Mapping[str, str],
    printed: Path,
    record: Path,
    typed: Path = Path(os.devnull),
) -> ForkedProcess:
    """Run ``colloquy`` with *arguments*; it reads *typed*, and appends to what else is named."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.imported_service"])
    given = (arguments, dict(environment), (typed, printed, record))
    process = context.Process(target=_run, args=given)
    process.start()
    forked = ForkedProcess(process)
    with contextlib.suppress(OSError):  # no Linux, or it has ended already
        _servers.add(int(_stat(forked.pid)[1]))
    return forked


def _run(
    arguments: tuple[str, ...], environment: Mapping[str, str], streams: tuple[Path, Path, Path]
) -> None:
    for number, path in enumerate(streams):
        mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY
        file = os.open(path, mode)
        os.dup2(file, number)
        os.close(file)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    os.chdir(_ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = ["colloquy", *arguments]
    sys.exit(main())


def spent() -> float:
    """Return the seconds of CPU of what imports, and of the forked processes that have ended."""
    total = 0
    for pid in _servers:
        with contextlib.suppress(OSError):
            total += sum(map(int, _stat(pid)[11:15]))
    return total / _TICKS


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
