"""A connection lives no longer than what it stands on; the answers go on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from service.api.websocket_seats import SeatLimits
from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Portal
from service.security.limits.quotas import READS
from service.security.principals import PEOPLE, PrincipalKind
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.streaming.reading.reading_doubles import texts
from tests.streaming.sockets import House, Talk, house, talk
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def known(home: House, token: str = "good") -> AsyncGenerator[Talk]:
    """Connect as who *token* stands for."""
    async with talk(home, ready=False) as client:
        await client.say("auth", token=token)
        assert (await client.hear())["type"] == "ready"
        yield client


async def _talk_on(home: House, answer: str) -> None:
    """Let *answer* go on until nobody follows it any more."""
    while home.replica.tail.following:
        home.puppet.say(answer, "more ")
        await asyncio.sleep(0.005)  # the pace of a writer who does not hear of the end


async def test_it_ends_with_its_token_and_tells_nothing_more(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home, known(home) as client:
        await client.ask("1")
        answer = (await client.hear())["answer"]
        home.doorkeeper.issue("short", expires=time.time() + 0.1)
        await client.say("auth", token="short")
        assert 0 < (await client.hear_type("ready"))["expiresIn"] <= 0.1
        heard: list[str] = []
        async with asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
            tasks.create_task(_talk_on(home, answer))
            with contextlib.suppress(ConnectionClosed):
                while True:
                    heard.append(str(await client.connection.recv()))
            home.puppet.say(answer, "too late")
        assert client.connection.close_code == 4401
        assert (client.connection.close_reason or "").startswith("TOKEN_EXPIRED")
        assert "too late" not in "".join(heard)
        async with known(home) as again:
            await again.say("resume", id="1", answer=answer)
            home.puppet.say(answer, None)
            assert "too late" in texts(await again.hear_end("1"))


async def test_a_renewal_lets_it_live_on(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        end = time.time() + 0.2
        home.doorkeeper.issue("short", expires=end)
        async with known(home, "short") as client:
            await client.say("auth", token="good")
            assert "expiresIn" not in await client.hear_type("ready")
            await eventually(lambda: time.time() > end + 0.05)
            await client.ask("1")
            assert (await client.hear())["type"] == "accepted"


async def test_revocation_ends_those_that_stand_on_it(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        home.doorkeeper.issue("other", credential="k2")
        async with known(home) as client, known(home, "other") as other:
            home.sockets.revoke("k2")
            assert await other.closed() == 4401
            await client.say("ping")
            assert (await client.hear())["type"] == "pong"


async def test_revocation_meets_who_is_being_looked_up(redis: Redis, keys: Keys) -> None:
    """Who looks it up may have looked just before."""
    async with house(redis, keys, authenticate=True) as home:
        home.doorkeeper.issue("good", credential="k1")
        waiting = home.doorkeeper.waiting = asyncio.Event()
        async with talk(home, ready=False) as client:
            await client.say("auth", token="good")
            await eventually(lambda: bool(home.doorkeeper.given))
            home.sockets.revoke("k1")
            waiting.set()
            assert await client.closed() == 4401


async def test_a_renewal_that_takes_too_long_saves_nothing(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        home.doorkeeper.issue("short", expires=time.time() + 0.2)
        async with known(home, "short") as client:
            home.doorkeeper.waiting = asyncio.Event()
            await client.say("auth", token="good")
            assert await client.closed() == 4401


async def test_the_first_key_sends_away_who_brought_none(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        home.doorkeeper.required = True
        home.sockets.revoke("")
        assert await client.closed() == 4401


async def test_another_principal_comes_as_another_connection(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home, known(home) as client:
        home.doorkeeper.issue("grace", id="user:p:grace", subject="grace")
        await client.say("auth", token="grace")
        assert await client.closed() == 4401
        assert (client.connection.close_reason or "").startswith("PRINCIPAL_CHANGED")


async def test_strangers_and_tabs_are_counted(redis: Redis, keys: Keys) -> None:
    seats = SeatLimits(strangers_per_address=1, per_person=1)
    async with house(redis, keys, authenticate=True, seats=seats) as home:
        async with talk(home, ready=False), talk(home, ready=False) as second:
            assert await second.closed() == 4429
        await eventually(lambda: len(home.sockets) == 0)
        async with known(home), talk(home, ready=False) as tab:
            await tab.say("auth", token="good")
            assert await tab.closed() == 4429


async def test_nobody_has_to_become_a_visitor_first(redis: Redis, keys: Keys) -> None:
    async with (
        house(redis, keys, authenticate=True) as home,
        talk(home, ready=False) as client,
    ):
        home.doorkeeper.issue("", kind=PrincipalKind.NOBODY, id="nobody")
        await client.say("auth", token="")
        assert await client.closed() == 4401


async def test_what_the_handshake_tells_goes_with_each_token(redis: Redis, keys: Keys) -> None:
    async with (
        house(redis, keys, authenticate=True) as home,
        connect(home.url + "?key=k", origin=Origin("https://a.example")) as line,
    ):
        await Talk(line).say("auth", token="good")
        await Talk(line).hear()
    (given,) = home.doorkeeper.given
    assert (given.origin, given.address, given.in_url) == ("https://a.example", "127.0.0.1", True)


async def test_what_is_somebody_else_s_is_told_as_what_is_absent(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys, authenticate=True) as home:
        home.doorkeeper.issue("grace", id="user:p:grace", subject="grace")
        async with known(home) as ada, known(home, "grace") as grace:
            await ada.ask("1")
            answer = (await ada.hear())["answer"]
            absent = answer.replace("/sessions/1/", "/sessions/no/")
            for frame in ("resume", "cancel"):
                told: list[str] = []
                for name in (answer, absent):
                    fields = {"id": "9"} if frame == "resume" else {}
                    await grace.say(frame, **fields, answer=name)
                    error = (await grace.hear_type("error"))["error"]
                    assert error["code"] == 5
                    told.append(json.dumps(error).replace("/sessions/no/", "/sessions/1/"))
                assert told[0] == told[1]
            await grace.ask("2", session=answer.partition("/answers/")[0])
            assert (await grace.hear_type("error"))["error"]["code"] == 5
            home.puppet.say(answer, "hers", None)
            assert texts(await ada.hear_end("1")) == "hers"


async def test_a_page_asks_only_what_it_is_listed_for(redis: Redis, keys: Keys) -> None:
    page = Origin("https://a.example")
    listed = Portal(data_stores=(DataStorePolicy(name="guide", origins=(str(page),)),))
    for portal, opens in ((listed, True), (Portal(), False)):
        async with (
            house(redis, keys, portal=portal) as home,
            connect(home.url, origin=page) as line,
        ):
            client = Talk(line)
            await client.hear()
            await client.ask("1")
            frame = await client.hear()
            assert (frame["type"] == "accepted") is opens
            if not opens:
                assert frame["error"]["details"][0]["reason"] == "ORIGIN_NOT_ALLOWED"


async def test_the_place_of_an_answer_is_free_once_its_end_is_told(
    redis: Redis, keys: Keys
) -> None:
    """Whoever wrote it: here nobody tells the limiter but the connection."""
    one = {"user": 1, "key": 1, "visitor": 1}
    many = dict.fromkeys(one, 1000)
    async with (
        house(redis, keys, authenticate=True, rates=many, concurrent=one) as home,
        known(home) as client,
    ):
        for id in ("1", "2"):  # noqa: A001 - as the field is called
            await client.ask(id)
            answer = (await client.hear_type("accepted"))["answer"]
            # Followed under another id it is still the one that is under way.
            await client.say("resume", id=f"{id} anew", answer=answer)
            await client.hear_type("accepted")
            await client.ask("too many")
            while (refused := await client.hear_type("error"))["id"] != "too many":
                pass
            assert refused["error"]["details"][0]["reason"] == "TOO_MANY_CONCURRENT_REQUESTS"
            home.puppet.say(answer, "told.", None)
            await client.hear_end(f"{id} anew")


async def test_questions_over_the_quota_are_refused_and_others_go_on(
    redis: Redis, keys: Keys
) -> None:
    """Under their id: the socket stays, and what is followed on it is told to its end."""
    rates = {kind.value: 1 for kind in PEOPLE} | {"key": 1}
    async with (
        house(redis, keys, authenticate=True, rates=rates) as home,
        known(home) as client,
    ):
        await client.ask("1")
        answer = (await client.hear())["answer"]
        await client.ask("2")
        refused = await client.hear_type("error")
        assert (refused["id"], refused["error"]["code"]) == ("2", 8)
        assert refused["error"]["details"][0]["reason"] == "RATE_LIMIT_EXCEEDED"
        home.puppet.say(answer, "told.", None)
        assert texts(await client.hear_end("1")) == "told."


async def test_frames_that_read_count_as_reads_do(redis: Redis, keys: Keys) -> None:
    """Also of what is not there, or one could look for it as fast as frames come."""
    rates = {kind.value: 1 for kind in PEOPLE} | {"key": 1}
    async with (
        house(redis, keys, authenticate=True, rates=rates) as home,
        known(home) as client,
    ):
        absent, reasons = "projects/p/locations/l/dataStores/d/sessions/s/answers/no", set[str]()
        for number in range(READS // 2):
            await client.say("resume", id=str(number), answer=absent)
            assert (await client.hear_type("error"))["error"]["code"] == 5
            await client.say("cancel", answer=absent)
            assert (await client.hear_type("error"))["error"]["code"] == 5
        for frame in ({"type": "resume", "id": "more"}, {"type": "cancel"}):
            await client.say(**frame, answer=absent)
            refused = await client.hear_type("error")
            assert refused.get("id") == frame.get("id")
            reasons.add(refused["error"]["details"][0]["reason"])
        assert reasons == {"RATE_LIMIT_EXCEEDED"}
        await client.ask("1")
        await client.hear_type("accepted")
