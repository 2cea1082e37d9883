"""Those who write documents and search for them all the while, in each replica by itself.

What a search must know is what was acknowledged `FRESH` seconds before it was asked, or, where the
replica or Redis was harmed since, so many seconds after the last fault of them was over. While such
a fault is on a search may know less, but nothing that was never written. A change that nobody
answered may be carried out at any later time: its document is left alone from then on.
"""

from __future__ import annotations

import asyncio
import base64
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
import msgspec

from tests.chaos.replicas import Fleet, Replica
from tests.chaos.troubles import Troubles

STORE: Final = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/register"
)
FRESH: Final = 1.0
"""Seconds after which every replica knows what one of them acknowledged."""

_DOCUMENTS: Final = 6  # that one writer changes at a time
_DELETES: Final = 0.25
_PAUSE: Final = 1.2  # seconds between two changes of one writer, at most
_LOOK: Final = 0.3  # seconds between two searches in one replica, at most
_PATIENCE: Final = 10.0
_BUSY: Final = frozenset({429, 503})
"""What a service in trouble may answer."""
_LETTERS: Final = "bcdfghjklmnpqrstvwxz"


class Change(msgspec.Struct, kw_only=True):
    """What a document is to say from now on: its mark, None where it is deleted."""

    mark: str | None
    sent: float
    known: float | None = None
    """When it was acknowledged."""


class Entry(msgspec.Struct, kw_only=True):
    """One document, and what was made of it by whoever writes it, one change after the other."""

    id: str
    word: str
    """The word by which it is found, whatever its mark."""
    changes: list[Change] = msgspec.field(default_factory=list[Change])
    doubtful: bool = False
    """Whether a change of it went unanswered."""

    def possible(self, settled: float, now: float) -> set[str | None]:
        """Return the marks that it may have: what was acknowledged by *settled* is certain."""
        marks: set[str | None] = {None}
        for change in self.changes:
            if change.known is not None and change.known <= settled:
                marks = {change.mark}
            elif change.sent <= now:
                marks.add(change.mark)
        return marks


class Findings(msgspec.Struct, kw_only=True):
    """What came of all searches."""

    changes: int = 0
    unchanged: Counter[str] = msgspec.field(default_factory=Counter[str])
    """Changes that nobody acknowledged, by what was answered or went wrong instead."""
    searches: int = 0
    held: int = 0
    """Searches that were held to the bound, and not only to what was ever written."""
    unanswered: int = 0
    latest: float = 0.0
    """Seconds after which a search still did not know what was acknowledged, with no fault on."""
    wrong: list[str] = msgspec.field(default_factory=list[str])


class Searchers:
    """Write and search until they are told to `stop`."""

    def __init__(
        self, fleet: Fleet, troubles: Troubles, shown: Mapping[str, str], seed: str
    ) -> None:
        """Show the headers *shown* to say who asks."""
        self._fleet = fleet
        self._troubles = troubles
        self._shown = shown
        self._seed = seed
        self._entries: list[Entry] = []
        self._stopping = False
        self.findings = Findings()

    def stop(self) -> None:
        """Write and search nothing more."""
        self._stopping = True

    async def run(self, writers: int) -> None:
        """Let so many write while one searches in each replica."""
        async with self._session() as http, asyncio.TaskGroup() as tasks:
            for number in range(writers):
                tasks.create_task(self._write(http, number))
            for replica in self._fleet.replicas:
                tasks.create_task(self._search(http, replica))

    async def look_at_all(self) -> None:
        """Search once for each document in each replica, after the last fault was over."""
        async with self._session() as http:
            for replica in self._fleet.replicas:
                for entry in self._entries:
                    await self._look(http, replica, entry, entry.word)

    def _session(self) -> aiohttp.ClientSession:
        limit = aiohttp.ClientTimeout(total=_PATIENCE)
        return aiohttp.ClientSession(headers=self._shown, timeout=limit)

    async def _write(self, http: aiohttp.ClientSession, number: int) -> None:
        chance = random.Random(f"{self._seed} writer {number}")
        mine: list[Entry] = []
        while not self._stopping:
            mine = [entry for entry in mine if not entry.doubtful]
            if len(mine) < _DOCUMENTS:
                name = f"w{number}-{len(self._entries)}"
                mine.append(Entry(id=name, word=_word(chance)))
                self._entries.append(mine[-1])
            await self._change(http, chance.choice(mine), chance)
            await asyncio.sleep(chance.uniform(0, _PAUSE))

    async def _change(
        self, http: aiohttp.ClientSession, entry: Entry, chance: random.Random
    ) -> None:
        """Change, create or delete one document by whichever replica the balancer chooses."""
        there = bool(entry.changes) and entry.changes[-1].mark is not None
        mark = None if there and chance.random() < _DELETES else _word(chance)
        change = Change(mark=mark, sent=_now())
        entry.changes.append(change)
        address = f"http://127.0.0.1:{self._fleet.blind.port}/v1/{STORE}"
        url = f"{address}/branches/default_branch/documents/{entry.id}"
        try:
            if mark is None:
                asked = http.delete(url)
            else:
                asked = http.patch(f"{url}?allowMissing=true", json=_document(entry.word, mark))
            async with asked as reply:
                if reply.status == 200:
                    await reply.read()
                    change.known = _now()
                    self.findings.changes += 1
                    return
                self.findings.unchanged[str(reply.status)] += 1
                # aiohttp sends a DELETE again on its own where the connection was cut behind it.
                twice = mark is None and reply.status == 404
                if reply.status not in _BUSY and not twice:
                    said = f"{reply.status} {await reply.text()}"
                    self.findings.wrong.append(f"{entry.id}: a change was answered by {said}")
        except (OSError, TimeoutError, aiohttp.ClientError) as exc:
            # The replica was killed, or is frozen.
            self.findings.unchanged[type(exc).__name__] += 1
        entry.doubtful = True

    async def _search(self, http: aiohttp.ClientSession, replica: Replica) -> None:
        chance = random.Random(f"{self._seed} searcher {replica.number}")
        while not self._stopping:
            await asyncio.sleep(chance.uniform(0, _LOOK))
            known = [one for one in self._entries[-5 * _DOCUMENTS :] if not one.doubtful]
            if not known:
                continue
            entry = chance.choice(known)
            marks = [change.mark for change in entry.changes[-3:] if change.mark]
            words = chance.choice([entry.word, *marks])
            await self._look(http, replica, entry, words)

    async def _look(
        self, http: aiohttp.ClientSession, replica: Replica, entry: Entry, words: str
    ) -> None:
        """Search by *words* for *entry*, and judge what is found."""
        since, well = _now(), self._troubles.well_since(replica.number)
        found = await self._found(http, replica, words)
        if found is None:
            self.findings.unanswered += 1
        elif not entry.doubtful:
            well = well if well == self._troubles.well_since(replica.number) else None
            self._judge(replica, entry, words, found.get(entry.id), since, well)

    async def _found(
        self, http: aiohttp.ClientSession, replica: Replica, words: str
    ) -> dict[str, str] | None:
        """Return the marks of what is found by their ids, None where there is no answer."""
        url = f"{replica.rest}/v1/{STORE}/servingConfigs/default_config:search"
        try:
            async with http.post(url, json={"query": words, "pageSize": 50}) as reply:
                if reply.status == 200:
                    results = (await reply.json()).get("results", ())
                    return {one["id"]: one["document"]["structData"]["mark"] for one in results}
                if reply.status not in _BUSY:
                    said = f"{reply.status} {await reply.text()}"
                    self.findings.wrong.append(f"a search was answered by {said}")
        except (OSError, TimeoutError, aiohttp.ClientError):
            pass
        return None

    def _judge(
        self,
        replica: Replica,
        entry: Entry,
        words: str,
        seen: str | None,
        since: float,
        well: float | None,
    ) -> None:
        """Hold what was *seen* by a search, asked at *since*, to what there may be."""
        findings = self.findings
        findings.searches += 1
        settled = -1.0 if well is None or since - well < FRESH else since - FRESH
        findings.held += settled > 0
        now = _now()
        if not fits(entry, words, seen, settled, now):
            findings.wrong.append(
                f"{entry.id}: replica {replica.number}, {since - (well or since):.2f} s after its "
                f"last fault, finds {seen!r} by {words!r}: {_told(entry, since)}"
            )
        if well is None:
            return
        for known in (one.known for one in entry.changes if one.known is not None):
            if known < since and not fits(entry, words, seen, known, now):
                findings.latest = max(findings.latest, since - max(known, well))


def fits(entry: Entry, words: str, seen: str | None, settled: float, now: float) -> bool:
    """Tell whether a search by *words* for *entry* may see the mark *seen*, or nothing."""
    possible = entry.possible(settled, now)
    if seen is not None:
        return seen in possible
    if words == entry.word:
        return None in possible
    return possible != {words}


def _told(entry: Entry, since: float) -> str:
    told = [
        f"{one.mark!r} from {one.sent - since:+.2f}"
        + (f" known {one.known - since:+.2f}" if one.known is not None else "")
        for one in entry.changes[-4:]
    ]
    return ", ".join(told)


def _document(word: str, mark: str) -> dict[str, Any]:
    text = f"The entry {word} is marked {mark}."
    content = {"mimeType": "text/plain", "rawBytes": base64.b64encode(text.encode()).decode()}
    return {"structData": {"mark": mark}, "content": content}


def _word(chance: random.Random) -> str:
    """Make a word up that is no misspelling of another."""
    return "".join(chance.choices(_LETTERS, k=12))


def _now() -> float:
    return asyncio.get_running_loop().time()
