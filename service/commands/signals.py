"""Hear when somebody wants the process to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Generator
from typing import Protocol


def heed(leave: Callable[[bool], None]) -> None:
    """Call *leave* at each signal to stop, from the running loop, until the process ends.

    It is told whether the signal, if it is not the first, means that there is no time left. That
    of a terminal that closes does not: it comes several times by itself. ``nohup`` holds.
    """
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, leave, True)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGHUP, leave, False)


class _Server(Protocol):
    """What leaves in good order, once it has started."""

    started: bool

    def leave(self, *, at_once: bool = False) -> None:
        """Begin to leave, or be quick about it."""
        ...


class Stop:
    """Stops the task that made it, which runs a server or, before, opens what that needs."""

    def __init__(self) -> None:
        self.server: _Server | None = None
        self._task = asyncio.current_task()

    def __call__(self, at_once: bool) -> None:
        """Stop; see `heed`."""
        if self.server is not None and self.server.started:
            self.server.leave(at_once=at_once)
        elif self._task is not None and not self._task.cancelling():
            self._task.cancel()  # once: what is open is then closed


@contextlib.contextmanager
def heeded(leave: Callable[[bool], None]) -> Generator[None]:
    """Call *leave* as `heed` does, for as long as the context lasts."""
    heed(leave)
    try:
        yield
    finally:
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.remove_signal_handler(each)


def heed_end(file: int, leave: Callable[[bool], None]) -> None:
    """Call *leave* when nobody holds the other end of *file*, which tells nothing before."""
    loop = asyncio.get_running_loop()

    def look() -> None:
        if not os.read(file, 1):
            loop.remove_reader(file)
            leave(False)

    loop.add_reader(file, look)
