"""Tell what several people asked of a data store, and what one person did.

What one person asked is shown to nobody else: a phrase is suggested once as many visitors asked
it as the operator wants. Whoever gave no id counts, with all others of that kind, as one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from service.answering.completion.suggestion_table import Suggestion, SuggestionTable
from service.corpus.storage import query_history
from service.corpus.storage.capped_log import CappedLog
from service.corpus.storage.query_history import HistoryPhrase, QueryHistory
from service.thread_pools import ThreadPool
from sessions.errors import InvalidArgument

HISTORY: Final = "search-history"
EVENTS: Final = "user-event"
BOTH: Final = ""
_FRESH: Final = 1.0
"""Seconds for which nobody looks again at what was asked: people type faster than that."""
_STORES: Final = 32
"""Data stores of which this process remembers what was asked: 10 MB each, at most."""
_HALF: Final = 14 * 86_400_000
"""Milliseconds after which that somebody asked counts half."""
_DAY: Final = 86_400_000


class _Followed:
    """One log of a data store, as far as it was read."""

    def __init__(self, log: CappedLog, data_store: str) -> None:
        self._log = log
        self._data_store = data_store
        self._cut = 0
        self.entries: list[HistoryPhrase] = []

    async def refresh(self, oldest: int) -> bool:
        """Read what is new, and forget what is older than *oldest*; tell whether anything was."""
        cut = await self._log.cut(self._data_store)
        before = self.entries
        entries = before if cut == self._cut else []
        self._cut = cut
        after = entries[-1].id if entries else ""
        new = [
            query_history.unpacked(entry)
            async for page in self._log.read(self._data_store, after)
            for entry in page
        ]
        if new or entries is not before or (entries and entries[0].at < oldest):
            kept = [each for each in (*entries, *new) if each.at >= oldest]
            self.entries = kept[-query_history.MOST :]
            return True
        return False


class _Asked:
    """What was asked of one data store, and the tables that were made of it."""

    def __init__(self, asked: QueryHistory, data_store: str) -> None:
        self.logs = {
            HISTORY: _Followed(asked.history, data_store),
            EVENTS: _Followed(asked.events, data_store),
        }
        self.looked = 0.0
        self.tables: dict[str, SuggestionTable] = {}
        self.lock = asyncio.Lock()

    def of(self, model: str) -> list[HistoryPhrase]:
        """Return what was asked, by the *model* of a completion."""
        chosen = self.logs.values() if model == BOTH else [self.logs[model]]
        return [each for log in chosen for each in log.entries]


class PopularPhrases:
    """What was asked of all data stores, as this process has read it."""

    def __init__(self, asked: QueryHistory, users: int, pool: ThreadPool) -> None:
        """Suggest what at least so many *users* asked."""
        self._asked = asked
        self._users = users
        self._pool = pool
        self._stores: OrderedDict[str, _Asked] = OrderedDict()

    async def table(self, data_store: str, model: str) -> SuggestionTable:
        """Return what several people asked of *data_store*, by the *model* of a completion."""
        state = await self._read(data_store)
        async with state.lock:
            if model not in state.tables:
                given = (state.of(model), self._users, data_store, time.time() * 1000)
                state.tables[model] = await self._pool.run(_table, *given)
            return state.tables[model]

    async def recent(self, data_store: str, user: str) -> list[HistoryPhrase]:
        """Return what *user* asked of *data_store*, each phrase once, the latest first."""
        if not user:
            return []
        visitor = await self._asked.visitor(user)
        state = await self._read(data_store)
        own = sorted((e for e in state.of(BOTH) if e.visitor == visitor), key=lambda e: e.at)
        latest: dict[str, HistoryPhrase] = {}
        for each in reversed(own):
            latest.setdefault(each.phrase, each)
        return list(latest.values())

    async def forget(
        self, data_stores: Sequence[str], user: str, phrase: str | None, until: float
    ) -> None:
        """Delete what *user* asked *until* a time in epoch milliseconds, all without a *phrase*."""
        if not user:
            raise InvalidArgument("userPseudoId: say whose search it is", field="userPseudoId")
        visitor = await self._asked.visitor(user)

        def is_meant(each: HistoryPhrase) -> bool:
            return (
                each.visitor == visitor
                and each.at <= until
                and (phrase is None or each.phrase == phrase)
            )

        for data_store in data_stores:
            for log in (self._asked.history, self._asked.events):
                await self._asked.forget(data_store, log, is_meant)
            self._stores.pop(data_store, None)

    def clear(self) -> None:
        """Forget all that this process has read; what is still kept is read again."""
        self._stores.clear()

    async def _read(self, data_store: str) -> _Asked:
        state = self._stores.setdefault(data_store, _Asked(self._asked, data_store))
        self._stores.move_to_end(data_store)
        while len(self._stores) > _STORES:
            self._stores.popitem(last=False)
        async with state.lock:
            if time.monotonic() - state.looked >= _FRESH:
                oldest = int(time.time() * 1000 - self._asked.days * _DAY)
                changed = [await log.refresh(oldest) for log in state.logs.values()]
                if any(changed):
                    state.tables.clear()
                state.looked = time.monotonic()
        return state


def _table(
    asked: Iterable[HistoryPhrase], users: int, data_store: str, now: float
) -> SuggestionTable:
    """Return the phrases that at least so many *users* asked, worth more the later they did."""
    latest: defaultdict[str, dict[bytes, int]] = defaultdict(dict)
    for each in asked:
        visitors = latest[each.phrase]
        visitors[each.visitor] = max(each.at, visitors.get(each.visitor, 0))
    return SuggestionTable(
        Suggestion(
            text=phrase,
            worth=sum(0.5 ** (max(0.0, now - at) / _HALF) for at in visitors.values()),
            data_stores=(data_store,),
        )
        for phrase, visitors in latest.items()
        if len(visitors) >= users
    )
