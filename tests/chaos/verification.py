"""Read everything that is kept in the end, and hold it to what was heard."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import aiohttp
import msgspec

from service.security.limits.held_places import LEASE
from sessions import names
from sessions.codec import json_codec
from sessions.errors import NotFound
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.stores.store_set import AnswerStore
from tests.chaos import checking
from tests.chaos.checking import Kept
from tests.chaos.log_archive import LogArchive
from tests.chaos.records import Book
from tests.chaos.replicas import Fleet
from tests.waiting import eventually


async def violations(
    book: Book,
    made: Fleet,
    shown: Mapping[str, str],
    redis: connection.Redis,
    archive: LogArchive,
) -> list[str]:
    """Read everything that is kept, *shown* the headers, and return all violations."""
    kept: dict[str, Kept] = {}
    found: list[str] = []
    keys = Keys()
    store = AnswerStore(redis, keys)
    rest = f"{made.replicas[0].rest}/v1"
    by_question = book.by_question()
    async with aiohttp.ClientSession(headers=shown) as http:
        for question in book.questions:
            stories = by_question.get(question.id, ())
            name = min((answer for story in stories for answer in story.answers), default="")
            if not name:
                said = [one for story in stories for one in story.complaints]
                found.append(f"{question.id}: was never accepted: {said}")
                continue
            stored = await _stored(http, rest, store, name)
            kept[name] = Kept(stored, await archive.read(name))
            faults = checking.check_question(question, stories, kept[name])
            found += (f"{question.id} {name}: {fault}" for fault in faults)
        for owner in {names.parent(name) for name in kept}:
            async with http.get(f"{rest}/{owner}") as reply:
                document = await reply.json()
            accepted = [one for name, one in kept.items() if names.parent(name) == owner]
            found += checking.check_turns(owner, document, accepted)
    for partition in range(keys.partitions):
        key = keys.leases(partition)
        if left := await redis.execute(key, "ZRANGE", key, 0, -1):
            found.append(f"{len(left)} answers still have a lease: {left[:2]}")
    if left := await _taken(redis, keys):
        found.append(f"places are taken though nothing is under way: {left[:5]}")
    return found


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
