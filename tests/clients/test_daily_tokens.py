"""Each project has its tokens of the model for a day, whichever way it asks; then it is told so."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, cast

import pytest
from anyio.from_thread import BlockingPortal
from redis import Redis

from sessions.redis.keys import Keys
from streaming.client.client import Client
from streaming.protocol.rpc_status import reason
from tests import doubles, redis_servers
from tests.clients import asking, discovery
from tests.clients.asking import QUERY
from tests.waiting import LONG, until

MOST: Final = 1_000_000
EACH: Final = 42
_ASKED: Final = {"query": {"text": QUERY}}
_CONTENTS: Final = {"contents": [{"role": "user", "parts": [{"text": QUERY}]}]}


_SAID: Final = doubles.completion("A parking permit costs 40 € a year [1].")
_USAGE: Final = {"prompt_tokens": EACH - 12, "completion_tokens": 12}
_REPORTED: Final = doubles.chunks(
    [*_SAID[:-1], doubles.data({**doubles.event(), "choices": [], "usage": _USAGE}), _SAID[-1]]
)


class Town(NamedTuple):
    """A project with one document."""

    v1: discovery.Api
    store: str


def _town(url: str) -> Town:
    api = discovery.Api("v1", url, f"p{secrets.token_hex(5)}")
    store = api.data_store("town")
    api.import_(store, api.document("permit", asking.PERMIT))
    return Town(api, store)


class Tokens(NamedTuple):
    """Two towns in two projects, whose model reports `EACH` tokens for each text."""

    towns: tuple[Town, Town]
    redis: Redis
    model: doubles.OpenAIServer
    portal: BlockingPortal

    def used(self, town: Town) -> int:
        """Return how many tokens a project has used today."""
        return int(self.redis.get(_today(town)) or 0)  # pyright: ignore[reportArgumentType]

    def use(self, town: Town, tokens: int) -> None:
        """Let it have used so many."""
        self.redis.set(_today(town), tokens)


def _today(town: Town) -> bytes:
    return Keys().quota(town.v1.project, "tokens", str(int(time.time() // 86_400)), "day")


@pytest.fixture(scope="module")
def tokens(redis_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tokens]:
    folder = tmp_path_factory.mktemp("tokens")
    with (
        redis_servers.folder() as kept,
        redis_servers.standalone(redis_binary, kept) as server,
        asking.served(server.url, folder, llm_daily_tokens=MOST) as (url, model, portal),
        Redis.from_url(server.url) as redis,  # pyright: ignore[reportUnknownMemberType]
    ):
        model.script(_REPORTED)
        yield Tokens((_town(url), _town(url)), redis, model, portal)


def _post(town: Town, path: str, body: Any) -> str:
    """Return why a request was refused, or an answer FAILED, "" where neither."""
    reply = town.v1.call(path, "POST", body)
    if reply.status == 200:
        told: Any = reply.body
        last = cast("dict[str, Any]", told[-1] if path.endswith(":streamAnswer") else {})
        error = last.get("error", {"details": [{"reason": ""}]})
        assert ("error" in last) == (last.get("answer", {}).get("state") == "FAILED")
        return error["details"][0]["reason"]
    error = reply.body["error"]
    assert "tokens of the model for today" in error["message"]
    assert abs(int(reply.headers["Retry-After"]) - (86_400 - time.time() % 86_400)) < 5
    return error["details"][0]["reason"]


def _config(town: Town, verb: str, body: Any) -> str:
    return _post(town, f"{town.store}/servingConfigs/default_config:{verb}", body)


def _model(town: Town, verb: str) -> str:
    path = f"projects/{town.v1.project}/locations/us-central1/publishers/google/models/m:{verb}"
    return _post(town, path, _CONTENTS)


def _socket(town: Town) -> str:
    async def ask() -> str:
        async with (
            Client(town.v1.url.replace("http", "ws") + "/v1/ws") as client,
            asyncio.timeout(LONG),
        ):
            config = f"{town.store}/servingConfigs/default_config"
            last = [element async for element in client.ask(QUERY, serving_config=config)][-1]
        assert last.response.answer is not None
        if last.error is None:
            return ""
        assert last.response.answer.state.name == "FAILED"
        assert "tokens of the model for today" in last.error.message
        return reason(last.error)

    return asyncio.run(ask())


def _summary(town: Town) -> str:
    spec = {"summarySpec": {"summaryResultCount": 3}}
    return _config(town, "search", {"query": QUERY, "contentSearchSpec": spec})


def _converse(town: Town) -> str:
    return _post(town, f"{town.store}/conversations/-:converse", {"query": {"input": QUERY}})


_DOORS: Final[dict[str, Callable[[Town], str]]] = {
    "answer": lambda town: _config(town, "answer", _ASKED),
    "answer in a session": lambda town: _config(
        town, "answer", {**_ASKED, "session": f"{town.store}/sessions/-"}
    ),
    "stream of an answer": lambda town: _config(town, "streamAnswer", _ASKED),
    "stream of an answer in a session": lambda town: _config(
        town, "streamAnswer", {**_ASKED, "session": f"{town.store}/sessions/-"}
    ),
    "socket": _socket,
    "summary": _summary,
    "conversation": _converse,
    "content": lambda town: _model(town, "generateContent"),
    "stream of content": lambda town: _model(town, "streamGenerateContent"),
}


@pytest.mark.parametrize("door", _DOORS)
def test_the_project_that_asks_pays_and_is_stopped(tokens: Tokens, door: str) -> None:
    """The other one neither pays nor stops, and a search without a summary goes on."""
    ask, (one, other) = _DOORS[door], tokens.towns
    for town in tokens.towns:
        tokens.use(town, 0)
    assert ask(one) == ""
    assert (tokens.used(one), tokens.used(other)) == (EACH, 0)
    tokens.use(one, MOST)
    assert ask(one) == "DAILY_TOKENS_EXCEEDED"
    assert ask(other) == ""
    assert (tokens.used(one), tokens.used(other)) == (MOST, EACH)
    assert _config(one, "search", {"query": QUERY}) == ""


def test_what_nobody_waits_for_is_given_back(tokens: Tokens) -> None:
    """A client that goes away pays for the prompt and what was written, and no more."""
    town, _ = tokens.towns
    tokens.use(town, 0)
    gate = tokens.portal.call(asyncio.Event)
    held = doubles.completion("A parking permit ", "costs", " 40 € a year [1].")
    tokens.model.script(
        doubles.chunks(held, before_each=lambda n: gate.wait() if n > 1 else _soon())
    )
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    connection, response = asking.opened(town.v1, path, _ASKED)
    try:
        asking.first(response)
        until(lambda: tokens.used(town) > 4_096)
        response.close()
        connection.close()
        until(lambda: 0 < tokens.used(town) < 4_096)
    finally:
        tokens.portal.call(gate.set)
        tokens.model.script(_REPORTED)


async def _soon() -> None:
    pass
