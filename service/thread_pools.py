"""Run what blocks beside the event loop, each kind of work on a few threads of its own.

Nothing uses asyncio's default executor: there, slow imports or searches would take every thread,
and an answer would wait for them.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class ThreadPool:
    """At most *size* calls at a time; later ones wait for their turn, in order.

    The bound survives cancellation, since the threads themselves are counted: a call whose caller
    was cancelled keeps its place until it returns, and one that has not begun is given up. The
    threads begin with the first calls and end when the pool is let go.
    """

    def __init__(self, name: str, size: int) -> None:
        self._executor = ThreadPoolExecutor(size, thread_name_prefix=name)
        self.calls = 0
        """Calls that run or wait."""

    async def run(self, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what *work* returns, which blocks."""
        call = functools.partial(work, *args, **kwargs)
        self.calls += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, call)
        finally:
            self.calls -= 1


class ThreadPools:
    """The pools of one process that several of its parts share; others own theirs."""

    def __init__(self) -> None:
        self.proving = ThreadPool("proving", 2)
        """Holds written texts against their sources, which takes longest."""
        self.reading = ThreadPool("reading", 2)
        """Reads what is asked, which does not wait for texts."""
        self.measuring = ThreadPool("measuring", 2)
        """Measures how far from a query the contexts are that were found for it."""
        self.checking = ThreadPool("checking", 2)
        """Checks and ranks the texts that a caller brings, as many as one request may hold."""

    @property
    def calls(self) -> Mapping[str, int]:
        """How many calls run or wait in each pool whose caller waits still."""
        return {name: pool.calls for name, pool in vars(self).items()}
