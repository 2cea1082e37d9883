"""Keep the index of one data store as its documents are, together with the other replicas.

Every replica follows the feed. The one that takes the lease first writes; the others wait until
the index has what they want, and take over where the one that has it stops.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from service.corpus.following.catch_up import LONGEST_RETRY, RETRY, CatchUp
from service.corpus.following.damaged_documents import DamagedDocuments
from service.corpus.redis_search.entries import EntryTotals
from service.corpus.redis_search.entry_writer import LEASE, EntryWriter, LeaseLost
from service.corpus.redis_search.reader.entry_reads import EntryReads
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.redis_search.reader.viewed_store import ViewedStore
from service.corpus.storage.change_feed import Changes
from service.corpus.storage.document_store import DocumentStore
from sessions.errors import ServiceError
from sessions.supervision import contained

_SLICE: Final = 50
"""Documents that are written at once: all of them are in memory meanwhile."""
_WAIT: Final = 0.1
"""Seconds between two looks at what another replica writes."""
_log = logging.getLogger(__name__)

Observe = Callable[[BaseException], None]


class StoreFollower:
    """The index of the data store *name*, kept as the store is from the first `touch` on."""

    def __init__(
        self,
        name: str,
        store: DocumentStore,
        writer: EntryWriter,
        reads: EntryReads,
        tasks: asyncio.TaskGroup,
        observe: Observe,
    ) -> None:
        """*tasks* outlive it."""
        self._name = name
        self._store = store
        self._writer = writer
        self._reads = reads
        self._tasks = tasks
        self._observe = observe
        self._failures = 0
        self._doubted = False
        self.catching_up: Final = CatchUp(name, self._catch_up, self._failed)
        self.view: StoreView | None = None
        """What is known of it; None until all that was stored at first can be found."""
        self.viewed: ViewedStore | None = None
        """The same, as it is searched."""
        self.damaged: Final = DamagedDocuments(name)

    @property
    def position(self) -> int:
        """What the view includes of the feed."""
        return 0 if self.view is None else self.view.totals.position

    @property
    def has_documents(self) -> bool:
        """Tell whether there is anything to search."""
        return self.view is not None and self.view.totals.documents > 0

    @property
    def is_shown(self) -> bool:
        """Tell whether it can be searched: all that was stored at first can be found."""
        return self.view is not None

    @property
    def is_idle(self) -> bool:
        """Tell whether there is nothing in it, and nothing is to be done for it."""
        return not (self.catching_up.is_busy or self.position)

    def doubt(self) -> None:
        """Have it looked, when it next catches up, whether the engine has the index at all."""
        self._doubted = True

    def begin_empty(self) -> None:
        """Let it be searched as it begins, with nothing: its data store came up later."""
        self._show(EntryTotals())

    async def _failed(self, exc: BaseException) -> float:
        self._observe(exc)
        pause = min(RETRY * 2**self._failures, LONGEST_RETRY)
        self._failures += 1
        return pause

    async def _catch_up(self, done: Callable[[], None]) -> bool:
        """Wait until the index has what was stored before the call, whoever writes it."""
        target: int | None = None
        while True:
            totals = await self._writer.totals()
            changes = await self._store.feed.read(self._name, totals.position)
            if target is None:
                target = changes.position
            # The feed goes on while others write; who waits wants what was there at first.
            there = changes.position == totals.position or 0 < target <= totals.position
            if there and not self._doubted:
                self._show(totals)
                self._failures = 0
                done()
                return False
            if not await self._writer.take():
                await asyncio.sleep(_WAIT)
                continue
            # What fails there ends none of the tasks that it stands among; the lease runs out then.
            keeper = contained(self._keep_lease(), "lease_not_kept", data_store=self._name)
            keeping = self._tasks.create_task(keeper, name="index-lease")
            try:
                self._doubted = False
                await self._write(totals, changes)
            except LeaseLost:
                continue
            finally:
                keeping.cancel()
                with contextlib.suppress(ServiceError):  # it ends by itself
                    await self._writer.release()

    def _show(self, totals: EntryTotals) -> None:
        """Let what is in the index be searched, of which these are the *totals*."""
        if self.view is None or self.view.totals != totals:
            self.view = StoreView(self._reads, totals)
            self.viewed = ViewedStore(self.view)

    async def _keep_lease(self) -> None:
        """Keep the lease while a step takes longer than it lasts."""
        with contextlib.suppress(ServiceError):
            while True:  # where it is lost, the next step is refused
                await asyncio.sleep(LEASE / 1_000 / 4)
                await self._writer.take()

    async def _write(self, totals: EntryTotals, changes: Changes) -> None:
        if changes.whole and not changes.position:
            await self._writer.drop()  # the data store is empty, or gone
            self.damaged.clear()
            return
        if await self._writer.begin() and (totals.position or totals.documents):
            # The engine lost it, as where a slot has moved to another server.
            _log.warning("index_lost", extra={"data_store": self._name})
            await self._writer.drop()
            return
        # Read anew: what another replica included before the lease was taken.
        if (await self._writer.totals()).position != totals.position:
            return
        if changes.whole:
            await self._compare()
        else:
            for at in range(0, len(changes.ids), _SLICE):
                await self._apply(changes.ids[at : at + _SLICE])
        await self._writer.include(changes.position)

    async def _compare(self) -> None:
        """Make the index what the store holds now."""
        there = set(await self._writer.all_ids())
        async for ids in _gathered(self._store.all_ids(self._name)):
            there.difference_update(ids)
            await self._apply(ids)
        gone = sorted(there)
        for at in range(0, len(gone), _SLICE):
            await self._apply(gone[at : at + _SLICE])

    async def _apply(self, ids: Sequence[str]) -> None:
        packed = await self._store.packed_contents(self._name, ids)
        self.damaged.note(ids, await self._writer.apply(ids, packed))
        if self.view is not None:
            self._show(await self._writer.totals())


async def _gathered(pages: AsyncIterator[list[str]]) -> AsyncIterator[list[str]]:
    """Yield the ids in *pages*, as many at once as are written together."""
    async for page in pages:
        for at in range(0, len(page), _SLICE):
            yield page[at : at + _SLICE]
