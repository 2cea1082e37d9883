"""Hear when somebody wants the process to stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Generator


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
