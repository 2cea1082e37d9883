"""Page tokens: only what the installation sealed for this very list goes on."""

from __future__ import annotations

import asyncio
import base64
from typing import Final

import msgspec
import pytest

from sessions.errors import InvalidArgument
from sessions.listing.page_tokens import PageTokens
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

STATES: Final = msgspec.msgpack.Decoder(tuple[str, int])
LIST: Final = ("sessions", "projects/p", "", "")


async def _refused(tokens: PageTokens, text: str, *bound: str) -> bool:
    with pytest.raises(InvalidArgument) as refusal:
        await tokens.resumed(STATES, text, *bound)
    return (refusal.value.field, refusal.value.reason) == ("pageToken", "INVALID_PAGE_TOKEN")


async def test_all_replicas_share_one_key_whoever_is_first(redis: Redis, keys: Keys) -> None:
    replicas = [PageTokens(redis, keys) for _ in range(4)]
    async with asyncio.TaskGroup() as tasks:
        writing = [tasks.create_task(each.token(("a", 1), *LIST)) for each in replicas]
    for each in replicas:
        for task in writing:
            assert await each.resumed(STATES, task.result(), *LIST) == ("a", 1)


async def test_a_token_does_not_tell_where_it_stands(redis: Redis, keys: Keys) -> None:
    """That may be somebody else's, between what is shown."""
    tokens = PageTokens(redis, keys)
    shown = [await tokens.token(("export-user-data", 7), *LIST) for _ in range(2)]
    raw = [base64.urlsafe_b64decode(each + "=" * (-len(each) % 4)) for each in shown]
    assert not any(b"user" in each for each in raw)
    # Nor whether two stand at the same.
    assert raw[0][12:] != raw[1][12:]


async def test_a_token_is_bound_to_each_part_of_its_list(redis: Redis, keys: Keys) -> None:
    tokens = PageTokens(redis, keys)
    token = await tokens.token(("a", 1), *LIST)
    for at in range(len(LIST)):
        other = [*LIST]
        other[at] += "x"
        assert await _refused(tokens, token, *other)
    # Nor does it matter where one part ends and the next begins.
    assert await _refused(tokens, token, LIST[0] + LIST[1], "", "", "")


async def test_no_token_can_be_forged_or_changed(redis: Redis, keys: Keys) -> None:
    tokens = PageTokens(redis, keys)
    token = await tokens.token(("a", 1), *LIST)
    raw = bytearray(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    for at in range(len(raw)):
        changed = bytes(raw[:at]) + bytes([raw[at] ^ 1]) + bytes(raw[at + 1 :])
        assert await _refused(tokens, base64.urlsafe_b64encode(changed).decode().rstrip("="), *LIST)
    body = msgspec.msgpack.encode(("a", 2**63))
    for tag in (b"", bytes(12), bytes(raw[:12])):
        assert await _refused(tokens, base64.urlsafe_b64encode(tag + body).decode(), *LIST)
    for text in ("", "x", "ä", "=", "a" * 100_000, token[:-1], token + "A", token[:16]):
        assert await _refused(tokens, text, *LIST)


async def test_another_installation_seals_nothing_for_here(redis: Redis, keys: Keys) -> None:
    mine, theirs = PageTokens(redis, keys), PageTokens(redis, Keys(f"{keys.prefix}-other"))
    assert await _refused(mine, await theirs.token(("a", 1), *LIST), *LIST)


async def test_a_key_that_a_failover_lost_is_read_anew(redis: Redis, keys: Keys) -> None:
    """The process that read it first and the one that made the next come to agree."""
    before, after = PageTokens(redis, keys), PageTokens(redis, keys)
    await before.token(("a", 1), *LIST)
    await redis.execute(keys.install, "HDEL", keys.install, "page_token_key")
    token = await after.token(("b", 2), *LIST)
    assert await before.resumed(STATES, token, *LIST) == ("b", 2)
    assert await after.resumed(STATES, await before.token(("b", 2), *LIST), *LIST) == ("b", 2)
