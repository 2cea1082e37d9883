"""Do what takes long beside the event loop, on threads that searches do not wait for."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

_AT_ONCE: Final = 2
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Room:
    """Room for two calls at a time; later ones wait for theirs, in order.

    A call whose caller was cancelled takes its room until it returns.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix=name)

    async def run(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what *work* returns, which blocks."""
        call = functools.partial(work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)


class Threads:
    """The rooms of one process, which all its pipelines share."""

    def __init__(self) -> None:
        self.proving = Room("proving")
        """For texts, which take longest."""
        self.reading = Room("reading")
        """For what is asked, which does not wait for texts."""
