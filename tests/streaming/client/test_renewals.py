"""A client whose tokens end, and whose answers do not."""

from __future__ import annotations

import asyncio
import time

import pytest

from sessions.errors import PermissionDenied, Unauthenticated
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.client.client import Client
from streaming.client.tokens import REFUSALS
from tests.streaming.client.test_client import Told, ask, begun
from tests.streaming.sockets import House, house
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Issuer:
    """Gives a client tokens that live for *life* seconds each."""

    def __init__(self, home: House, life: float) -> None:
        self._home = home
        self._life = life
        self.given = 0
        self.held: asyncio.Event | None = None
        """What the next token waits for."""

    async def __call__(self) -> str:
        if self.given and self.held is not None:
            await self.held.wait()
        self.given += 1
        token = f"token {self.given}"
        self._home.doorkeeper.issue(token, expires=time.time() + self._life, credential=token)
        return token


async def test_a_token_is_renewed_before_it_ends(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        issuer = Issuer(home, 0.3)
        async with Client(home.url, issuer) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(home)
            await eventually(lambda: issuer.given >= 3)
            assert len(home.sockets) == 1
            home.puppet.say(answer, "whole", None)
        assert told.result().text == told.result().whole == "whole"


async def test_an_answer_outlives_a_token_that_was_not_renewed(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        issuer = Issuer(home, 0.2)
        issuer.held = asyncio.Event()
        async with Client(home.url, issuer) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(home)
            home.puppet.say(answer, "before, ")
            await eventually(lambda: len(home.sockets) == 0)
            home.puppet.say(answer, "while it is away, ")
            issuer.held.set()
            await eventually(lambda: home.replica.tail.following == 1)
            home.puppet.say(answer, "and after", None)
        result = told.result()
        assert result.text == result.whole == "before, while it is away, and after"
        assert result.resets == 0


async def test_an_answer_outlives_a_revoked_key(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        issuer = Issuer(home, 60.0)
        async with Client(home.url, issuer) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(home)
            home.puppet.say(answer, "before ")
            home.sockets.revoke("token 1")
            await eventually(lambda: issuer.given == 2 and home.replica.tail.following == 1)
            home.puppet.say(answer, "after", None)
        assert told.result().text == told.result().whole == "before after"


async def test_a_provider_whose_tokens_are_refused_is_given_up(redis: Redis, keys: Keys) -> None:
    async def wrong() -> str:
        return "wrong"

    async with house(redis, keys, authenticate=True) as home, Client(home.url, wrong) as client:
        with pytest.raises(Unauthenticated):
            await anext(ask(client))
        assert len(home.doorkeeper.given) == REFUSALS


async def test_what_the_provider_says_is_told_to_who_asks(redis: Redis, keys: Keys) -> None:
    async def logged_out() -> str:
        raise PermissionDenied("log in again", reason="LOGGED_OUT")

    async with (
        house(redis, keys, authenticate=True) as home,
        Client(home.url, logged_out) as client,
    ):
        with pytest.raises(PermissionDenied, match="log in again"):
            await anext(ask(client))
