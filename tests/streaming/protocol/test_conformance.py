"""The subprotocol as its table says it, frame by frame and code by code, on real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final

import jsonschema_rs
import pytest

from service.api.pages import asyncapi
from service.api.websocket_seats import SeatLimits
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.protocol import close_codes
from streaming.protocol.frames import Limits
from tests import redis_servers
from tests.streaming.doubles import PARENT
from tests.streaming.raw_websocket import raw
from tests.streaming.reading.reading_doubles import texts
from tests.streaming.sockets import CONFIG, House, Talk, house, talk
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

UNKNOWN: Final = f"{PARENT}/sessions/1/answers/404"
GOOD: Final[dict[str, dict[str, Any]]] = {
    "answer": {"servingConfig": CONFIG, "request": {"query": {"text": "why?"}}},
    "converse": {"name": f"{PARENT}/conversations/5", "request": {"query": {"input": "why?"}}},
    "resume": {"answer": UNKNOWN},
    "request": {"method": "GET", "path": f"/v1/{UNKNOWN}"},
    "cancel": {"answer": UNKNOWN},
    "ping": {},
    "auth": {"token": "t"},
}
"""A frame of each type, without its id."""
WITH_ID: Final = ("answer", "converse", "resume", "request")


@pytest.fixture(scope="module")
async def home(redis_server: redis_servers.Server) -> AsyncIterator[House]:
    """Serve all tests of frames, each of which has sockets and answers of its own."""
    async with (
        connection.connect(redis_server.url) as redis,
        house(redis, Keys(prefix="conformance")) as home,
    ):
        yield home


def faults() -> list[tuple[dict[str, Any], str]]:
    """Return each frame that has an id with each of its faults, and the field at fault."""
    found: list[tuple[dict[str, Any], str]] = [({"type": kind, "id": "1"}, "type") for kind in "x"]
    for kind in WITH_ID:
        frame = {"type": kind, "id": "1", **GOOD[kind]}
        found.append((frame | {"more": 1}, "more"))
        for field in GOOD[kind]:
            found.append(({key: frame[key] for key in frame if key != field}, field))
            if field != "request":
                found += [(frame | {field: 7}, field), (frame | {field: "x"}, field)]
    found.append(({"type": "resume", "id": "1", "answer": UNKNOWN, "after": 7}, "after"))
    found.append(({"type": "resume", "id": "1", "answer": UNKNOWN, "after": "x"}, "after"))
    return found


def fatal() -> list[dict[str, Any]]:
    """Return the frames that have a fault and no id that it could be told by."""
    found: list[dict[str, Any]] = [{}, {"type": 7}, {"type": "x"}]
    for kind in WITH_ID:
        frame = {"type": kind, **GOOD[kind]}
        found += [frame, frame | {"id": 7}, frame | {"id": ""}, frame | {"id": "1" * 129}]
    for kind in ("cancel", "ping", "auth"):
        frame = {"type": kind, **GOOD[kind]}
        found.append(frame | {"more": 1})
        for field in GOOD[kind]:
            found += [{"type": kind}, frame | {field: 7}]
    return found


class TestFrames:
    """Every frame of a client: right, lacking a field, with one more, with one of a wrong type."""

    async def test_a_fault_is_told_by_its_field_and_the_rest_goes_on(self, home: House) -> None:
        async with talk(home) as client:
            for frame, field in faults():
                await client.say(**frame)
                error = await client.hear()
                assert (error["type"], error["id"], error["error"]["code"]) == ("error", "1", 3)
                violations = error["error"]["details"][1]["fieldViolations"]
                assert violations[0]["field"] == field, frame
            await client.say("ping")
            assert await client.hear() == {"type": "pong"}

    @pytest.mark.parametrize("request_", [7, [], "x", {"query": 7}, {"more": 1}])
    @pytest.mark.parametrize("kind", ["answer", "converse"])
    async def test_a_fault_of_the_request_is_told_too(
        self, home: House, kind: str, request_: Any
    ) -> None:
        async with talk(home) as client:
            await client.say(kind, id="1", **GOOD[kind] | {"request": request_})
            error = await client.hear()
            assert (error["type"], error["id"], error["error"]["code"]) == ("error", "1", 3)

    async def test_a_fault_without_an_id_ends_the_connection(self, home: House) -> None:
        for frame in fatal():
            async with talk(home) as client:
                await client.connection.send(json.dumps(frame))
                assert await client.closed() == 4400, frame

    async def test_every_frame_of_the_service_is_as_its_document_says(
        self, redis: Redis, keys: Keys
    ) -> None:
        document = asyncapi.document()
        heard: list[dict[str, Any]] = []
        async with house(redis, keys) as home, talk(home, ready=False) as client:
            heard.append(await client.hear())
            await client.say("converse", id="1", **GOOD["converse"])
            heard.append(await client.hear())
            home.puppet.say(heard[-1]["answer"], "text", None)
            heard += await client.hear_end("1")
            await client.say("answer", id="2", **GOOD["answer"])
            heard.append(await client.hear())
            home.puppet.say(heard[-1]["answer"], "text")
            await client.say("cancel", answer=heard[-1]["answer"])
            heard += await client.hear_end("2")
            request = GOOD["request"] | {"type": "request", "id": "3"}
            for frame in (GOOD["cancel"] | {"type": "cancel"}, {"type": "ping"}, request):
                await client.say(**frame)
                heard.append(await client.hear())
            await home.sockets.drain(0)
            heard.append(await client.hear())
        payloads = {
            name: message["payload"] for name, message in document["components"]["messages"].items()
        }
        for frame in heard:
            jsonschema_rs.validate({**document, **payloads[frame["type"]]}, frame)
        assert {frame["type"] for frame in heard} == {
            "ready",
            "accepted",
            "element",
            "error",
            "pong",
            "response",
            "goaway",
        }


class TestIds:
    """What an id stands for, on one socket."""

    async def test_the_same_id_again_is_accepted_again_and_told_once(self, home: House) -> None:
        async with talk(home) as client:
            await client.ask("again")
            accepted = await client.hear()
            await client.ask("again")
            assert await client.hear_type("accepted") == accepted
            home.puppet.say(accepted["answer"], "once", None)
            assert texts(await client.hear_end("again")) == "once"

    async def test_the_same_id_after_the_end_is_the_same_answer(self, home: House) -> None:
        async with talk(home) as client:
            ends: list[dict[str, Any]] = []
            for _ in range(2):
                await client.ask("ended")
                answer = (await client.hear())["answer"]
                home.puppet.say(answer, "text", None)
                ends.append((await client.hear_end("ended"))[-1])
            assert ends[0]["response"]["answer"] == ends[1]["response"]["answer"]

    async def test_sixteen_answers_are_open_at_once(self, home: House) -> None:
        async with talk(home) as client:
            opened: list[str] = []
            for n in range(16):
                await client.ask(f"open{n}")
                opened.append((await client.hear_type("accepted"))["answer"])
            await client.ask("open16")
            refused = await client.hear_type("error")
            assert (refused["id"], refused["error"]["code"]) == ("open16", 8)
            for answer in opened:
                home.puppet.say(answer, None)
            await client.hear_end("open15")
            await client.ask("open16")
            answer = (await client.hear_type("accepted"))["answer"]
            home.puppet.say(answer, None)
            await client.hear_end("open16")

    async def test_what_never_was_cannot_be_resumed(self, home: House) -> None:
        async with talk(home) as client:
            for after in (None, "1-5"):
                await client.say("resume", id="1", answer=UNKNOWN, after=after)
                error = await client.hear()
                assert (error["id"], error["error"]["code"]) == ("1", 5)

    async def test_who_follows_may_also_cancel_what_others_asked(self, home: House) -> None:
        async with talk(home) as asker, talk(home) as other:
            await asker.ask("theirs")
            answer = (await asker.hear())["answer"]
            await other.say("resume", id="mine", answer=answer)
            await other.hear_type("accepted")
            await other.say("cancel", answer=answer)
            for client, id in ((asker, "theirs"), (other, "mine")):  # noqa: A001
                end = (await client.hear_end(id))[-1]
                assert end["error"]["details"][0]["reason"] == "CANCELLED"


# Every end

End = Callable[[Redis, Keys], Awaitable[int]]


async def _after(client: Talk, message: str | bytes) -> int:
    await client.connection.send(message)
    return await client.closed()


def _said(message: str | bytes, **options: Any) -> End:
    """Return what ends with a message that a client sends first."""

    async def end(redis: Redis, keys: Keys) -> int:
        ready = not options.get("authenticate")
        async with house(redis, keys, **options) as home, talk(home, ready=ready) as client:
            return await _after(client, message)

    return end


def _token(token: str) -> End:
    return _said(json.dumps({"type": "auth", "token": token}), authenticate=True)


def _left(code: int) -> End:
    """Return what ends because the client closes with *code*: it is said back."""

    async def end(redis: Redis, keys: Keys) -> int:
        async with house(redis, keys) as home, raw(home.url) as client:
            client.write(8, code.to_bytes(2, "big"))
            return await client.end()

    return end


async def _drained(redis: Redis, keys: Keys) -> int:
    async with house(redis, keys) as home, talk(home) as client:
        await home.sockets.drain(0)
        return await client.closed()


async def _crowded(redis: Redis, keys: Keys) -> int:
    async with (
        house(redis, keys, seats=SeatLimits(all=1)) as home,
        talk(home),
        talk(home, ready=False) as second,
    ):
        return await second.closed()


async def _elsewhere(redis: Redis, keys: Keys) -> int:
    async with house(redis, keys) as home, talk(home, subprotocol="x", ready=False) as client:
        return await client.closed()


async def _silent(redis: Redis, keys: Keys) -> int:
    limits = Limits(auth_seconds=0)
    async with (
        house(redis, keys, limits=limits, authenticate=True) as home,
        talk(home, ready=False) as client,
    ):
        return await client.closed()


async def _flooding(redis: Redis, keys: Keys) -> int:
    async with house(redis, keys) as home, talk(home) as client:
        for _ in range(200):
            await client.say("ping")
        return await client.closed()


async def _slow(redis: Redis, keys: Keys) -> int:
    """Read nothing until the service has given up, then all."""
    async with (
        house(redis, keys) as writing,
        house(redis, keys, patience=0.1, send_buffer=1 << 16) as reading,
        raw(reading.url) as client,
    ):
        # Who asked leaves first: a client that has much unread takes ten seconds to leave.
        async with talk(writing) as asker:
            await asker.ask("1")
            answer = (await asker.hear())["answer"]
        client.say("resume", id="1", answer=answer)
        await eventually(lambda: reading.replica.tail.following == 1)
        for _ in range(40):
            writing.puppet.say(answer, "0123456789" * 2000)

        def given_up() -> bool:
            """Say more, or all may have gone into the transport as one element."""
            writing.puppet.say(answer, "more")
            return reading.replica.tail.following == 0

        await eventually(given_up)
        return await client.end()


ENDS: Final[dict[int, list[End]]] = {
    1000: [_left(1000)],
    1001: [_left(1001)],
    1009: [_said("x" * (1 << 20) + "x"), _said("x" * 1001, limits=Limits(max_frame_bytes=1000))],
    1011: [_token("unforeseen")],
    1012: [_drained],
    1013: [_crowded, _token("away")],
    4400: [_said("hello"), _said(b"{}")],
    4401: [_token("bad"), _said('{"type":"ping"}', authenticate=True)],
    4403: [_token("foreign")],
    4404: [_token("nobody")],
    4406: [_elsewhere],
    4408: [_silent],
    4409: [_slow],
    4413: [_token("t" * 17_000)],
    4429: [_flooding],
}


@pytest.mark.parametrize("code", close_codes.CLOSES)
async def test_each_close_code_is_reached(redis: Redis, keys: Keys, code: int) -> None:
    for end in ENDS[code]:
        assert await end(redis, keys) == code


async def test_crowds_that_say_nothing_are_sent_away(redis: Redis, keys: Keys) -> None:
    limits = Limits(auth_seconds=1)
    async with house(redis, keys, limits=limits, authenticate=True) as home:

        async def one() -> None:
            async with raw(home.url) as client:
                assert await client.end() == 4408

        async with asyncio.TaskGroup() as tasks:
            for _ in range(100):
                tasks.create_task(one())
        await eventually(lambda: len(home.sockets) == 0)
