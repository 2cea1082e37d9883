"""Run one experiment: start everything, break it by plan, let it heal, check what was heard."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiohttp
import msgspec

from service.security.limits.held_places import LEASE
from sessions import names
from sessions.codec import json_codec
from sessions.errors import NotFound
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.stores.store_set import AnswerStore
from streaming.log.event_log import EventLog
from tests.chaos import checking, model, plan, tokens
from tests.chaos.checking import Kept, Stall
from tests.chaos.crowd import CONFIG, STORE, WATCHER, Crowd
from tests.chaos.log_archive import LogArchive
from tests.chaos.plan import Fault, Kind
from tests.chaos.proxies import Proxy
from tests.chaos.records import Book, Question, Story
from tests.chaos.replicas import Fleet, Replica, fleet
from tests.chaos.tokens import Portal
from tests.chaos.topologies import Name
from tests.waiting import eventually
from tests.whole.processes import ROOT

_LONGEST: Final = 12  # stalls that are told in full
_CALM: Final = 90.0
"""Seconds within which everything has ended once nothing is broken any more."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment is made of."""

    seed: int
    counts: Mapping[Kind, int]
    replicas: int = 3
    lease: float = 1.0
    gap: float = 1.0
    """Seconds between two faults, on average."""
    askers: int = 10
    clients: int = 3
    """How many more ask through our own client."""
    readers: int = 2
    """How many follow each answer beside whoever asked."""
    life: float = 1.0
    """Seconds that a connection of theirs lives, on average."""
    quick: float = 1.0
    topology: Name = Name.STANDALONE
    fsync: str = "always"
    """Of a Redis that stands alone."""
    token_life: float = 0.0
    """Seconds that a token of those who ask lives at most; 0 asks nobody who they are."""
    before: Path = ROOT
    """Checkout of the version that replicas begin with."""
    redis_replicas: int = 0
    """How many replicas of Redis the service waits for."""


class Report(msgspec.Struct, kw_only=True):
    """What came of it."""

    faults: Counter[Kind]
    seconds: float
    drops: int
    expired: int
    """Connections that ended with their token."""
    answers: int
    states: Counter[str]
    elements: int
    readers: int
    take_overs: int
    stalls: list[float]
    """Of the take-overs during which Redis was not away."""
    lags: list[float]
    """How much later than the first reader of an answer its watcher heard each element."""
    longest: list[str]
    """What happened before and during the longest of them."""
    violations: list[str]


class Experiment:
    """Breaks *fleet* while *crowd* asks."""

    def __init__(self, setup: Setup, made: Fleet, crowd: Crowd) -> None:
        self._setup = setup
        self._fleet = made
        self._crowd = crowd
        self._chance = random.Random(f"{setup.seed} masters")
        self.done: Counter[Kind] = Counter()
        self.began = asyncio.get_running_loop().time()
        self.history: list[tuple[float, str]] = []
        """When what happened."""
        self.away: list[tuple[float, float]] = []
        """When Redis was away, from a little before to when all have it again."""

    async def run(self) -> None:
        """Ask and break, then heal, and wait until everything is read, or never will be."""
        setup = self._setup
        asking = asyncio.create_task(self._crowd.ask(setup.askers, setup.clients))
        try:
            chance = random.Random(f"{setup.seed} faults")
            faults = plan.faults(
                chance, setup.counts, replicas=setup.replicas, gap=setup.gap, lease=setup.lease
            )
            async with asyncio.TaskGroup() as healing:
                for fault in faults:
                    await asyncio.sleep(fault.gap)
                    if asking.done():
                        break
                    await self._break(fault, healing)
        finally:
            self._crowd.stop()
            with contextlib.suppress(TimeoutError):  # who still reads is stuck: that is checked
                async with asyncio.timeout(_CALM):
                    await asking

    async def _break(self, fault: Fault, healing: asyncio.TaskGroup) -> None:
        self.done[fault.kind] += 1
        match fault.kind:
            case Kind.RESTART | Kind.CRASH | Kind.FREEZE | Kind.DEPOSE:
                since = asyncio.get_running_loop().time()
                await self._break_redis(fault)
                self.away.append((since - self._setup.lease, asyncio.get_running_loop().time() + 1))
            case Kind.CLIENTS:
                self._fleet.blind.cut()
                self._fleet.wise.cut()
            case _:
                begun = asyncio.Event()
                healing.create_task(self._harm(fault, begun))
                await begun.wait()

    async def _break_redis(self, fault: Fault) -> None:
        redis = self._fleet.redis
        self._note(fault.kind.name)
        match fault.kind:
            case Kind.FREEZE:
                await redis.freeze(self._chance, fault.seconds)
            case Kind.DEPOSE:
                await redis.depose(self._chance)
            case _:
                how = signal.SIGTERM if fault.kind is Kind.RESTART else signal.SIGKILL
                await redis.restart(how)

    async def _harm(self, fault: Fault, begun: asyncio.Event) -> None:
        async with self._fleet.victim(fault.replica) as victim:
            begun.set()
            name = f"{fault.kind.name} {victim.number}"
            self._note(name)
            await _harm(victim, fault)
            self._note(f"{name} over")

    def _note(self, what: str) -> None:
        self.history.append((asyncio.get_running_loop().time(), what))

    def around(self, stall: Stall) -> str:
        """Say what happened from a lease before *stall* to its end."""
        since, until = stall.since - self._setup.lease, stall.since + stall.seconds
        noted = [f"{at - stall.since:+.2f} {what}" for at, what in self.history]
        near = [
            line for (at, _), line in zip(self.history, noted, strict=True) if since < at < until
        ]
        return f"{stall.seconds:.2f} s from {stall.since - self.began:.1f} s on: {', '.join(near)}"


async def _harm(victim: Replica, fault: Fault) -> None:
    """Do what *fault* says to one replica, and undo it."""
    match fault.kind:
        case Kind.KILL:
            await victim.end(signal.SIGKILL)
        case Kind.STOP:
            await victim.end(signal.SIGTERM)
        case Kind.UPGRADE:
            await victim.upgrade()
        case Kind.PAUSE:
            await victim.freeze(fault.seconds)
        case Kind.CUT:
            victim.redis.cut()
        case Kind.HUSH:
            victim.redis.hush()
            await asyncio.sleep(fault.seconds)
            victim.redis.speak()
        case Kind.SLOW:
            victim.redis.delay = 0.02
            await asyncio.sleep(fault.seconds)
            victim.redis.delay = 0.0
        case _:
            raise AssertionError("that is no fault of one replica")


async def run(setup: Setup, folder: Path) -> Report:
    """Run *setup*; logs of the replicas are left in *folder*."""
    book = Book()
    async with model.Model(quick=setup.quick) as said:
        settings = {
            "COLLOQUY_LLM_BASE_URL": said.base_url,
            "COLLOQUY_LLM_MODEL": "scripted",
            "COLLOQUY_SAMPLE": "off",
            "COLLOQUY_LEASE": str(setup.lease),
            "COLLOQUY_GRACE": "1",
            "COLLOQUY_REDIS_REPLICAS": str(setup.redis_replicas),
        }
        portal = None
        if setup.token_life:
            portal = Portal(folder, STORE, setup.token_life, str(setup.seed))
            settings["COLLOQUY_PORTAL"] = str(portal.file)
        async with fleet(
            folder,
            settings,
            count=setup.replicas,
            topology=setup.topology,
            fsync=setup.fsync,
            before=setup.before,
        ) as made:
            await _begin(made)
            shown = {}
            if portal is not None:
                shown = {"x-goog-api-key": await tokens.require(made.redis.url)}
                for replica in made.replicas:
                    await eventually(lambda replica=replica: _asks_who(replica), within=10)
            crowd = Crowd(
                _url(made.blind),
                book,
                seed=str(setup.seed),
                life=setup.life,
                readers=setup.readers,
                watch=_url(made.wise),
                portal=portal,
            )
            began = time.monotonic()
            experiment = Experiment(setup, made, crowd)
            async with connection.connect(made.redis.url) as redis:
                archive = LogArchive(EventLog(redis, Keys()), book)
                reading = asyncio.create_task(archive.keep_reading())
                try:
                    await experiment.run()
                    seconds = time.monotonic() - began
                    violations = await _checked(book, made, shown, redis, archive)
                finally:
                    reading.cancel()
            drops = sum(story.drops for story in book.stories)
    return _report(book, experiment, seconds, drops, violations)


def _url(balancer: Proxy) -> str:
    return f"ws://127.0.0.1:{balancer.port}/v1/ws"


async def _begin(made: Fleet) -> None:
    """Start the replicas and give them the documents."""
    async with asyncio.TaskGroup() as tasks:
        for replica in made.replicas:
            tasks.create_task(replica.start())
    rest = f"{made.replicas[0].rest}/v1"
    async with aiohttp.ClientSession(raise_for_status=True) as http:
        stores = f"{rest}/{names.parent(STORE)}/dataStores?dataStoreId=library"
        await eventually(lambda: _is_made(http, stores, {"displayName": "Library"}), within=30)
        for number, text in enumerate(model.DOCUMENTS):
            content = {"rawBytes": base64.b64encode(text.encode()).decode()}
            document = f"{rest}/{STORE}/branches/default_branch/documents?documentId=d{number}"
            given = {"content": content | {"mimeType": "text/html"}}
            await eventually(partial(_is_made, http, document, given), within=30)
        for replica in made.replicas:
            await eventually(lambda replica=replica: _finds(http, replica), within=30)
    for replica in made.replicas:
        replica.sound = True


async def _is_made(http: aiohttp.ClientSession, url: str, message: Mapping[str, Any]) -> bool:
    """Make what is at *url*; tell whether it is there: a client tries again after status 503."""
    async with http.post(url, json=message, raise_for_status=False) as reply:
        if reply.status in {200, 409}:
            return True
        if reply.status != 503:
            reply.raise_for_status()
        return False


async def _asks_who(replica: Replica) -> bool:
    """Tell whether *replica* knows that everybody has to show who they are."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"{replica.rest}/v1/{STORE}/sessions") as reply,
    ):
        return reply.status == 403


async def _finds(http: aiohttp.ClientSession, replica: Replica) -> bool:
    """Tell whether *replica* knows the documents."""
    url = f"{replica.rest}/v1/{CONFIG}:search"
    async with http.post(url, json={"query": model.QUESTION}) as reply:
        return bool((await reply.json()).get("results"))


async def _checked(
    book: Book,
    made: Fleet,
    shown: Mapping[str, str],
    redis: connection.Redis,
    archive: LogArchive,
) -> list[str]:
    """Read everything that is kept, *shown* the headers, and return all violations."""
    kept: dict[str, Kept] = {}
    violations: list[str] = []
    keys = Keys()
    store = AnswerStore(redis, keys)
    rest = f"{made.replicas[0].rest}/v1"
    by_question = book.by_question()
    async with aiohttp.ClientSession(headers=shown) as http:
        for question in book.questions:
            stories = by_question.get(question.id, ())
            name = min((answer for story in stories for answer in story.answers), default="")
            if not name:
                violations.append(f"{question.id}: was never accepted")
                continue
            stored = await _stored(http, rest, store, name)
            kept[name] = Kept(stored, await archive.read(question, name))
            faults = checking.check_question(question, stories, kept[name])
            violations += (f"{question.id} {name}: {fault}" for fault in faults)
        for owner in {names.parent(name) for name in kept}:
            async with http.get(f"{rest}/{owner}") as reply:
                document = await reply.json()
            accepted = [one for name, one in kept.items() if names.parent(name) == owner]
            violations += checking.check_turns(owner, document, accepted)
    for partition in range(keys.partitions):
        key = keys.leases(partition)
        if left := await redis.execute(key, "ZRANGE", key, 0, -1):
            violations.append(f"{len(left)} answers still have a lease: {left[:2]}")
    if left := await _taken(redis, keys):
        violations.append(f"places are taken though nothing is under way: {left[:5]}")
    return violations


async def _stored(
    http: aiohttp.ClientSession, rest: str, store: AnswerStore, name: str
) -> dict[str, Any] | None:
    """Return the answer as the service gives it; one of a conversation has no route."""
    if "/conversations/" not in name:
        async with http.get(f"{rest}/{name}") as reply:
            return await reply.json() if reply.status == 200 else None
    try:
        return msgspec.json.decode(json_codec.encode(await store.get(name)))
    except NotFound:
        return None


async def _taken(redis: connection.Redis, keys: Keys) -> list[bytes]:
    """Return where places are still taken after their lease; nothing is asked any more."""
    left: list[bytes] = []

    async def none_left() -> bool:
        left[:] = [key async for page in redis.scan(f"{keys.prefix}:*:now") for key in page]
        return not left

    with contextlib.suppress(TimeoutError):
        await eventually(none_left, within=LEASE + 1)
    return left


def _report(
    book: Book, experiment: Experiment, seconds: float, drops: int, violations: list[str]
) -> Report:
    by_question = book.by_question()
    stalls = [
        stall
        for stories in by_question.values()
        for stall in checking.stalls([story for story in stories if story.reader == WATCHER])
    ]
    calm = [stall for stall in stalls if not _during(experiment.away, stall)]
    calm.sort(key=lambda stall: stall.seconds)
    return Report(
        faults=experiment.done,
        seconds=seconds,
        drops=drops,
        expired=sum(story.expired for story in book.stories),
        answers=len(book.questions),
        states=Counter(_outcome(question, by_question) for question in book.questions),
        elements=sum(len(story.heard) for story in book.stories),
        readers=len(book.stories),
        take_overs=len(stalls),
        stalls=[stall.seconds for stall in calm],
        lags=sorted(
            lag for stories in by_question.values() for lag in checking.lags(stories, WATCHER)
        ),
        longest=[experiment.around(stall) for stall in calm[: -_LONGEST - 1 : -1]],
        violations=violations,
    )


def _outcome(question: Question, by_question: Mapping[str, list[Story]]) -> str:
    for story in by_question.get(question.id, ()):
        if story.end is not None:
            skipped = checking.is_skipped(story.end)
            return "SKIPPED" if skipped else story.reason or str(story.end.get("state"))
    return "unheard"


def _during(away: list[tuple[float, float]], stall: Stall) -> bool:
    return any(
        since <= stall.since + stall.seconds and stall.since <= until for since, until in away
    )
