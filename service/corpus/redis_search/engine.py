"""Ask the Query Engine of Redis, and read what it says when it cannot.

What it finds before it runs out of time it returns as if that were all, so that a reply that took
as long as it may is none.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from redis.exceptions import ResponseError

from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

PATIENCE: Final = 2_000
"""Milliseconds that the engine gives to a search: less than a socket waits for a reply."""
MISSING: Final = "INDEX_NOT_READY"
"""The reason of what fails since an index is not there (yet)."""
SCORER: Final = "BM25STD"
"""The only one that counts how long a chunk is as the literature has it."""

REMEDY: Final = (
    "use a Redis with the Query Engine (Redis 8, Redis Stack, or Redis 6.2 and newer with the "
    "module RediSearch 2.10 or newer), or set COLLOQUY_INDEX=embedded"
)


class EngineQuery(NamedTuple):
    """A question to the index of a name, for so many keys."""

    name: bytes
    query: str
    limit: int


class EngineHit(NamedTuple):
    """What the engine found: a key, and how well it fits."""

    key: bytes
    score: float


class EngineReply(NamedTuple):
    """How many there are, and the best of them, as many as were asked for."""

    total: int
    hits: Sequence[EngineHit]


async def check(redis: Redis, keys: Keys) -> None:
    """Return where the engine is there, and may be used.

    Raises:
        FailedPrecondition: it is not; the message names the remedy.
    """
    probe = keys.corpus("", "probe")
    try:
        await redis.execute(probe, "FT.CREATE", probe, "PREFIX", 1, probe, "SCHEMA", "x", "TEXT")
        await redis.execute(probe, "FT.DROPINDEX", probe)
    except ResponseError as exc:
        if says_it_exists(exc) or says_it_is_missing(exc):
            return  # another replica starts as well
        raise FailedPrecondition(_refusal(str(exc)), reason="QUERY_ENGINE_UNUSABLE") from exc


def _refusal(said: str) -> str:
    if said.startswith("NOPERM"):
        return (
            "COLLOQUY_INDEX=redis: the user of the service may not use the Query Engine; give it "
            "the rights of docker/redis-users-search.acl, or set COLLOQUY_INDEX=embedded"
        )
    if "unknown command" in said.lower():
        return f"COLLOQUY_INDEX=redis: this Redis has no Query Engine; {REMEDY}"
    if "db != 0" in said.lower():
        return (
            "COLLOQUY_INDEX=redis: the Query Engine works in database 0 alone; name no other in "
            "COLLOQUY_REDIS_URL, or set COLLOQUY_INDEX=embedded"
        )
    return f"COLLOQUY_INDEX=redis: the Query Engine refuses an index ({said}); {REMEDY}"


async def ask(redis: Redis, slot: bytes, queries: Sequence[EngineQuery]) -> list[EngineReply]:
    """Return the replies to *queries*, which are about keys in the slot of the key *slot*.

    Raises:
        Unavailable: an index is not there, or the engine ran out of time.
    """
    found = await replies(redis, slot, [_packed(each) for each in queries])
    return [_read(each, reply) for each, reply in zip(queries, found, strict=True)]


async def replies(redis: Redis, slot: bytes, commands: Sequence[bytes]) -> list[Any]:
    """Return what the engine replies to packed *commands*; raises as `ask` does."""
    began = time.monotonic()
    found = await redis.batch([(slot, each) for each in commands])
    late = (time.monotonic() - began) * 1_000 >= PATIENCE
    for reply in found:
        if isinstance(reply, ResponseError) and says_it_is_missing(reply):
            raise Unavailable("the index is being built; try again", reason=MISSING)
        if isinstance(reply, Exception):
            raise reply
    if late:
        raise Unavailable("the search engine is too slow; try again", reason="INDEX_TOO_SLOW")
    return found


async def create(redis: Redis, command: Sequence[bytes | str | int]) -> bool:
    """Make an index by *command*; False where there is one of its name."""
    name = command[1]
    try:
        await redis.execute(name if isinstance(name, bytes) else str(name).encode(), *command)
    except ResponseError as exc:
        if not says_it_exists(exc):
            raise
        return False
    return True


async def drop(redis: Redis, name: bytes) -> None:
    """Drop the index of this *name*, if there is one; what is in it stays in Redis."""
    try:
        await redis.execute(name, "FT.DROPINDEX", name)
    except ResponseError as exc:
        if not says_it_is_missing(exc):
            raise


def says_it_exists(error: ResponseError) -> bool:
    """Tell whether an index could not be made since there is one of its name."""
    return "already exists" in str(error).lower()


def says_it_is_missing(error: ResponseError) -> bool:
    """Tell whether there is no index of a name; each release has other words for it."""
    said = str(error).lower()
    return "unknown index name" in said or "no such index" in said or "index not found" in said


def _packed(asked: EngineQuery) -> bytes:
    command: list[str | bytes | int] = ["FT.SEARCH", asked.name, asked.query]
    command += ["LIMIT", 0, asked.limit, "TIMEOUT", PATIENCE]
    if asked.limit:
        command += ["SCORER", SCORER, "WITHSCORES", "NOCONTENT"]
    command += ["DIALECT", 2]
    return pack(*command)


def _read(asked: EngineQuery, reply: list[Any]) -> EngineReply:
    count, *rest = reply
    if not asked.limit:
        return EngineReply(count, ())
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return EngineReply(count, [EngineHit(key, float(score)) for key, score in pairs])
