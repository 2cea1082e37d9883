"""What a stranger, or somebody with a credential of their own, tries at a socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosed

from service.security.principals import PrincipalKind
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.api.test_websocket_credentials import known
from tests.streaming.raw_websocket import raw
from tests.streaming.reading.reading_doubles import texts
from tests.streaming.sockets import House, Talk, house, talk
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

NO_AUTH: Final[list[Any]] = [
    {},
    {"type": "auth"},
    {"type": ["auth"], "token": "good"},
    {"type": "AUTH", "token": "good"},
    {"type": "auth", "token": "good", "id": "1"},
    *({"type": "auth", "token": token} for token in (None, 1, True, ["good"], {"token": "good"})),
    *({"type": "auth", "token": token} for token in ("", " good", "good\0", "\ud800", "ｇood")),
    *([], "auth", 1, None),
]
"""What looks like an ``auth`` that some reader might take for a good one."""


@pytest.fixture
async def home(redis: Redis, keys: Keys) -> Any:
    async with house(redis, keys, authenticate=True) as built:
        yield built


async def rest(client: Talk) -> list[Any]:
    """Return all frames to the end of the connection, which is a 4401."""
    told: list[Any] = []
    async with asyncio.timeout(LONG):
        with contextlib.suppress(ConnectionClosed):
            while True:
                told.append(json.loads(await client.connection.recv()))
    assert client.connection.close_code == 4401
    return told


async def test_nothing_but_a_good_auth_lets_in(home: House) -> None:
    for shape in NO_AUTH:
        async with talk(home, ready=False) as client:
            for text in (json.dumps(shape), '{"type": "auth", "token": "good"}'):
                await client.connection.send(text)
            assert await rest(client) == [], shape
    for message, code in ((b'{"type": "auth", "token": "good"}', 4400), ("{" * 20_000, 4413)):
        async with talk(home, ready=False) as client:
            await client.connection.send(message)
            assert await client.closed() == code


@pytest.mark.parametrize(
    ("second", "changes"),
    [
        ("another user", {"id": "user:p/grace", "subject": "grace"}),
        ("a key", {"id": "key:1", "kind": PrincipalKind.SERVER, "subject": ""}),
        ("another data store", {"data_stores": ("projects/p/elsewhere",)}),
        ("more data stores", {"data_stores": ("projects/p/here", "projects/p/elsewhere")}),
        ("another project", {"project": "q"}),
        ("bad", {}),
    ],
)
async def test_who_speaks_cannot_be_changed(
    home: House, second: str, changes: dict[str, Any]
) -> None:
    """Two tokens at once are taken one after the other; what stands behind is not heard."""
    home.doorkeeper.issue("first", data_stores=("projects/p/here",), project="p")
    if changes:
        home.doorkeeper.issue(
            second, **{"data_stores": ("projects/p/here",), "project": "p"} | changes
        )
    async with talk(home, ready=False) as client:
        for token in ("first", second):
            await client.say("auth", token=token)
        await client.ask("1")
        assert [frame["type"] for frame in await rest(client)] == ["ready"]
    assert home.submitter.callers == []


async def test_a_revocation_in_the_middle_of_an_answer_is_its_last_word(home: House) -> None:
    """What was seen before, and what is after it, is the whole answer to the byte."""
    home.doorkeeper.issue("good", credential="k1")
    async with known(home) as client:
        await client.ask("1")
        answer = (await client.hear_type("accepted"))["answer"]
    said, seen, after = "", "", {}
    for number in range(8):
        async with known(home) as client:
            await client.say("resume", id="1", answer=answer, **after)
            said += (piece := f"{number} Grüße. ")
            home.puppet.say(answer, piece)
            while piece not in seen:
                element = await client.hear_type("element")
                seen, after = seen + texts([element]), {"after": element["position"]}
            home.sockets.revoke("k1")
            said += (late := f"{number} too late. ")
            home.puppet.say(answer, late)
            assert late not in json.dumps(await rest(client), ensure_ascii=False)
    async with known(home) as client:
        await client.say("resume", id="1", answer=answer, **after)
        home.puppet.say(answer, None)
        assert seen + texts(await client.hear_end("1")) == said


async def test_ids_are_shared_by_nobody(home: House) -> None:
    """Neither with the secret of another client, nor with a guess."""
    home.doorkeeper.issue("grace", id="user:p/grace", subject="grace")
    async with known(home) as ada, known(home, "grace") as grace:
        await ada.ask("1", client="a" * 22)
        answer = (await ada.hear())["answer"]
        home.puppet.say(answer, "hers", None)
        await ada.hear_end("1")
        await grace.ask("1", client="a" * 22, session=answer.partition("/answers/")[0])
        assert (await grace.hear_type("error"))["error"]["code"] == 5
    assert len(set(home.submitter.callers)) == len(home.submitter.callers)


async def test_a_position_of_another_answer_opens_nothing(home: House) -> None:
    home.doorkeeper.issue("grace", id="user:p/grace", subject="grace")
    async with known(home) as ada, known(home, "grace") as grace:
        await ada.ask("1")
        hers = (await ada.hear())["answer"]
        home.puppet.say(hers, "secret " * 9, None)
        position = (await ada.hear_end("1"))[-1]["position"]
        await grace.ask("2")
        own = (await grace.hear())["answer"]
        home.puppet.say(own, "own", None)
        await grace.hear_end("2")
        await grace.say("resume", id="3", answer=own, after=position)
        told = await grace.hear_end("3")
        assert "secret" not in json.dumps(told)
        assert told[-1]["response"]["answer"]["answerText"] == "own"


async def test_who_says_no_more_is_forgotten(home: House) -> None:
    """Half-closed, torn off, or silent in the middle of a frame: each place comes back."""
    for _ in range(20):
        async with raw(home.url) as half, raw(home.url) as torn, raw(home.url) as broken:
            half.writer.write_eof()
            broken.writer.write(b"\x81\xfe\x40")
            broken.writer.write_eof()
            torn.writer.transport.abort()
            await half.end()
            await broken.end()
    async with raw(home.url) as client:
        client.say("auth", token="good")
        assert (await client.hear())["type"] == "ready"
        client.writer.write_eof()
        await client.end()
    await eventually(lambda: len(home.sockets) == 0)
    async with known(home):
        assert len(home.sockets) == 1
