"""The threads that write the indexes of all data stores of a process, and whose turn it is."""

from __future__ import annotations

import asyncio
from typing import Final

from service.thread_pools import ThreadPool

SMALL_CHANGE: Final = 100
"""Documents up to which a change never waits for larger ones."""
_READ_AHEAD: Final = 2


class WriterThread:
    """One thread for writes of a kind; who waits has its turn in the order of asking."""

    def __init__(self, name: str) -> None:
        self.threads = ThreadPool(name, 1)
        # What is read from Redis before the thread is free for it: it all lies in memory.
        self.turn = asyncio.Semaphore(_READ_AHEAD)


class WriterThreads:
    """What the indexes of all data stores share."""

    def __init__(self) -> None:
        self._small = WriterThread("index")
        self._large = WriterThread("index-large")
        self.merging = ThreadPool("index-merging", 1)
        """Waits until tantivy has merged segments, while others write."""
        self.disk = ThreadPool("index-disk", 1)
        """Opens and writes snapshots."""
        self.publishing = asyncio.Lock()

    def thread_for(self, documents: int) -> WriterThread:
        """Return the thread that writes a change of so many *documents*."""
        return self._small if documents <= SMALL_CHANGE else self._large

    async def finish(self) -> None:
        """Return when no thread writes any more; nothing new may be begun."""
        for threads in (self._small.threads, self._large.threads, self.merging, self.disk):
            await threads.run(int)
