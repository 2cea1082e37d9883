"""Let several streams run beside each other, and read them as one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final, TypeVar

_T = TypeVar("_T")
_QUEUED: Final = 16
"""Items that wait to be read: who reads slowly slows down who writes."""


async def interleaved(streams: Sequence[AsyncGenerator[_T]], *, at_once: int) -> AsyncGenerator[_T]:
    """Yield what *streams* yield, as it comes; at most *at_once* of them run at a time.

    The first failure ends them all and is raised. Closing it closes all that run.
    """
    if len(streams) == 1:
        async with aclosing(streams[0]) as only:
            async for item in only:
                yield item
        return
    queue = asyncio.Queue[_T | _Ended](maxsize=_QUEUED)
    slots = asyncio.Semaphore(at_once)
    failure: BaseException | None = None
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(_run(stream, slots, queue)) for stream in streams]
        left = len(streams)
        try:
            while left and failure is None:
                item = await queue.get()
                if isinstance(item, _Ended):
                    left -= 1
                    failure = item.failure
                else:
                    yield item
        except GeneratorExit:
            # The group would wrap it; a generator that ends instead is closed as well.
            pass
        finally:
            for task in running:
                task.cancel()
    if failure is not None:
        raise failure


class _Ended:
    """The end of one stream, and why where it failed."""

    def __init__(self, failure: BaseException | None) -> None:
        self.failure = failure


async def _run(
    stream: AsyncGenerator[_T], slots: asyncio.Semaphore, queue: asyncio.Queue[_T | _Ended]
) -> None:
    """Put what *stream* yields, then its end, into *queue*; no failure leaves it."""
    failure: BaseException | None = None
    try:
        async with slots, aclosing(stream):
            async for item in stream:
                await queue.put(item)
    except Exception as exc:  # noqa: BLE001 - the reader raises it
        failure = exc
    await queue.put(_Ended(failure))
