"""Keep the index of one data store as its documents are, together with the other replicas.

Every replica follows the feed. The one that takes the lease first writes; the others wait until
the index has what they want, and take over where the one that has it stops.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

from service.corpus.redis_search.entries import EntryTotals
from service.corpus.redis_search.entry_reads import EntryReads
from service.corpus.redis_search.entry_writer import LEASE, EntryWriter, LeaseLost
from service.corpus.redis_search.store_view import StoreView
from service.corpus.storage.change_feed import Changes
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import ServiceError, Unavailable
from sessions.supervision import PASSING

_SLICE: Final = 50
"""Documents that are written at once: all of them are in memory meanwhile."""
_WAIT: Final = 0.1
"""Seconds between two looks at what another replica writes."""
_RETRY: Final = 1.0
"""Seconds until what failed is tried again; longer where it fails again and again."""
_LONGEST_RETRY: Final = 60.0
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
        observe: Observe,
    ) -> None:
        self._name = name
        self._store = store
        self._writer = writer
        self._reads = reads
        self._observe = observe
        self._wanted = False
        self._waiting: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None
        self._failures = 0
        self._doubted = False
        self.view: StoreView | None = None
        """What can be searched; None until all that was stored at first can be."""
        self.settled = asyncio.Event()
        """Set when there is a view, or there will be none soon: it failed and is tried again."""
        self.damaged: dict[str, bytes] = {}
        """Documents that cannot be read, by id, with digests of what is stored of them."""

    @property
    def position(self) -> int:
        """What the view includes of the feed."""
        return 0 if self.view is None else self.view.totals.position

    @property
    def has_documents(self) -> bool:
        """Tell whether there is anything to search."""
        return self.view is not None and self.view.totals.documents > 0

    @property
    def is_idle(self) -> bool:
        """Tell whether there is nothing in it, and nothing is to be done for it."""
        busy = self._task is not None and not self._task.done()
        return not (busy or self._waiting or self.position)

    def touch(self, tasks: asyncio.TaskGroup) -> None:
        """Catch up soon, in a task of *tasks*."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = tasks.create_task(self._keep_up(tasks), name=f"index {self._name}")

    async def refresh(self, tasks: asyncio.TaskGroup) -> None:
        """Return when what was stored before the call can be found.

        Raises:
            Unavailable: Redis is away, or the index failed and is tried again.
        """
        caught_up = asyncio.get_running_loop().create_future()
        self._waiting.append(caught_up)
        self.touch(tasks)
        await caught_up

    def doubt(self, tasks: asyncio.TaskGroup) -> None:
        """Look soon whether the engine has the index at all, and build it anew where it has not."""
        self._doubted = True
        self.touch(tasks)

    def stop(self) -> None:
        """Catch up no more."""
        if self._task is not None:
            self._task.cancel()

    async def _keep_up(self, tasks: asyncio.TaskGroup) -> None:
        while self._wanted:
            # Both before the feed is read: a change that comes after is wanted again, and who
            # waits for it waits for the next round, since this one may not see it.
            self._wanted = False
            waiting, self._waiting = self._waiting, []
            try:
                await self._catch_up(tasks)
                self._failures = 0
                for each in waiting:
                    if not each.done():
                        each.set_result(None)
            except PASSING:
                for each in waiting:
                    each.cancel()
                raise
            except BaseException as exc:  # noqa: BLE001 - a supervisor: nothing may end the task
                await self._failed(exc, waiting)

    async def _failed(self, exc: BaseException, waiting: Sequence[asyncio.Future[None]]) -> None:
        self._observe(exc)
        error = exc
        if not isinstance(exc, ServiceError):
            self.settled.set()  # nobody waits for it alone
            error = Unavailable("the index cannot be written; try again", reason="INDEX_FAILED")
        for each in waiting:
            if not each.done():
                each.set_exception(error)
        self._wanted = True
        pause = min(_RETRY * 2**self._failures, _LONGEST_RETRY)
        self._failures += 1
        await asyncio.sleep(pause)

    async def _catch_up(self, tasks: asyncio.TaskGroup) -> None:
        """Return when the index has what was stored before the call, whoever wrote it."""
        target: int | None = None
        while True:
            totals = await self._writer.totals()
            changes = await self._store.feed.read(self._name, totals.position)
            if target is None:
                target = changes.position
            # The feed goes on while others write; who waits wants what was there at first.
            there = changes.position == totals.position or 0 < target <= totals.position
            if there and not self._doubted:
                self.show(totals)
                return
            if not await self._writer.take():
                await asyncio.sleep(_WAIT)
                continue
            keeping = tasks.create_task(self._keep_lease(), name="index-lease")
            try:
                self._doubted = False
                await self._write(totals, changes)
            except LeaseLost:
                continue
            finally:
                keeping.cancel()
                with contextlib.suppress(ServiceError):  # it ends by itself
                    await self._writer.release()

    def show(self, totals: EntryTotals) -> None:
        """Let what is in the index be searched, of which these are the *totals*."""
        if self.view is None or self.view.totals != totals:
            self.view = StoreView(self._reads, totals)
        self.settled.set()

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
        self._note_damaged(ids, await self._writer.apply(ids, packed))
        if self.view is not None:
            self.show(await self._writer.totals())

    def _note_damaged(self, ids: Sequence[str], damaged: Mapping[str, bytes]) -> None:
        for i in ids:
            digest = damaged.get(i)
            if digest is None:
                self.damaged.pop(i, None)
            elif self.damaged.get(i) != digest:  # say it once
                self.damaged[i] = digest
                _log.error("document_damaged", extra={"document": names.document(self._name, i)})


async def _gathered(pages: AsyncIterator[list[str]]) -> AsyncIterator[list[str]]:
    """Yield the ids in *pages*, as many at once as are written together."""
    async for page in pages:
        for at in range(0, len(page), _SLICE):
            yield page[at : at + _SLICE]
