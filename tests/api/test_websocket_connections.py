"""The WebSocket as clients find it: uvicorn, Litestar, the runner, a Redis."""

from __future__ import annotations

import asyncio
import json

import pytest

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.protocol import close_codes, frames
from streaming.protocol.frames import Limits
from tests.streaming.doubles import PARENT, Puppet
from tests.streaming.reading.reading_doubles import texts
from tests.streaming.sockets import house, talk
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def test_an_answer_is_told_as_it_is_written(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        await client.ask("1")
        accepted = await client.hear()
        assert (accepted["type"], accepted["session"]) == ("accepted", f"{PARENT}/sessions/1")
        home.puppet.say(accepted["answer"], "Grüße ", "aus Köln.", None)
        elements = await client.hear_end("1")
        assert texts(elements) == "Grüße aus Köln."
        assert elements[-1]["response"]["answer"]["answerText"] == "Grüße aus Köln."
        assert len({json.dumps(e["response"]["session"]) for e in elements}) == 1
        assert len({e["response"]["answerQueryToken"] for e in elements}) == 1


async def test_the_subprotocol_is_selected(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home:
        async with talk(home) as client:
            assert client.connection.subprotocol == frames.SUBPROTOCOL
        async with talk(home, subprotocol=None) as client:
            assert client.connection.subprotocol is None
            await client.say("ping")
            assert await client.hear() == {"type": "pong"}


async def test_who_offers_other_subprotocols_only_is_sent_away(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home, subprotocol="chat", ready=False) as client:
        assert await client.closed() == close_codes.NO_SUBPROTOCOL.code


async def test_a_lost_socket_cancels_nothing_and_another_resumes(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home:
        async with talk(home) as client:
            await client.ask("1")
            answer = (await client.hear())["answer"]
            home.puppet.say(answer, "one ", "two ")
            seen: list[dict[str, object]] = []
            while not texts(seen):
                seen.append(await client.hear_type("element"))
            client.connection.transport.abort()
        home.puppet.say(answer, "three ")
        async with talk(home) as client:
            await client.say("resume", id="x", answer=answer, after=seen[-1]["position"])
            assert (await client.hear())["answer"] == answer
            home.puppet.say(answer, "four.", None)
            rest = await client.hear_end("x")
            assert texts(seen) + texts(rest) == "one two three four."
            assert rest[-1]["response"]["answer"]["answerText"] == "one two three four."


async def test_the_same_id_of_the_same_client_is_the_same_answer(redis: Redis, keys: Keys) -> None:
    """Who lost a connection says on the next one who it was, and is told the rest."""
    async with house(redis, keys) as home:
        async with talk(home) as client:
            await client.ask("same")
            answer = (await client.hear())["answer"]
            home.puppet.say(answer, "told ")
            await client.hear_type("element")
        async with talk(home) as again:
            await again.ask("same", client=client.client)
            assert (await again.hear())["answer"] == answer
            home.puppet.say(answer, "once.", None)
            assert texts(await again.hear_end("same")) == "told once."
    assert len(home.puppet.assignments) == 1


async def test_the_same_id_of_another_client_is_another_answer(redis: Redis, keys: Keys) -> None:
    """Who is not told the secret of a client cannot come upon its answers, whatever id it sends."""
    async with house(redis, keys) as home, talk(home) as one, talk(home) as two:
        assert one.client != two.client
        await one.ask("same")
        await two.ask("same")
        answers = {(await client.hear())["answer"] for client in (one, two)}
    assert len(answers) == 2


async def test_a_cancelled_answer_keeps_its_text(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        await client.ask("1")
        answer = (await client.hear())["answer"]
        home.puppet.say(answer, "so far")
        while not texts([await client.hear_type("element")]):
            pass
        await client.say("cancel", answer=answer)
        end = (await client.hear_end("1"))[-1]
        assert end["response"]["answer"]["state"] == "FAILED"
        assert end["response"]["answer"]["answerText"] == "so far"
        assert end["error"]["details"][0]["reason"] == "CANCELLED"
        await eventually(lambda: home.puppet.closed == [answer])


async def test_a_cancel_of_what_never_was_is_told(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        await client.say("cancel", answer=f"{PARENT}/sessions/1/answers/2")
        error = await client.hear()
        assert (error["type"], error["error"]["code"], "id" in error) == ("error", 5, False)


async def test_several_answers_share_a_socket(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        answers: dict[str, str] = {}
        for id in ("1", "2", "3"):  # noqa: A001
            await client.ask(id)
            answers[id] = (await client.hear_type("accepted"))["answer"]
        for id, answer in answers.items():  # noqa: A001
            home.puppet.say(answer, f"text {id}", None)
        ends: dict[str, str] = {}
        while len(ends) < 3:
            frame = await client.hear_type("element")
            told = frame["response"]["answer"]
            if told["state"] == "SUCCEEDED":
                ends[frame["id"]] = told["answerText"]
        assert ends == {"1": "text 1", "2": "text 2", "3": "text 3"}


async def test_several_sockets_follow_one_answer(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, talk(home) as one, talk(home) as two:
        await one.ask("1")
        answer = (await one.hear())["answer"]
        home.puppet.say(answer, "a")
        await two.say("resume", id="other", answer=answer)
        await two.hear_type("accepted")
        home.puppet.say(answer, "b", None)
        assert texts(await one.hear_end("1")) == texts(await two.hear_end("other")) == "ab"


async def test_what_is_written_on_another_replica_is_told_here(redis: Redis, keys: Keys) -> None:
    async with (
        house(redis, keys) as one,
        house(redis, keys) as two,
        talk(one) as asker,
        talk(two) as reader,
    ):
        await asker.ask("1")
        answer = (await asker.hear())["answer"]
        one.puppet.say(answer, "a")
        await reader.say("resume", id="1", answer=answer)
        await reader.hear_type("accepted")
        one.puppet.say(answer, "b", "c", None)
        assert texts(await reader.hear_end("1")) == "abc"


async def test_what_is_said_in_a_conversation_ends_with_the_response(
    redis: Redis, keys: Keys
) -> None:
    name = f"{PARENT}/conversations/5"
    async with house(redis, keys) as home, talk(home) as client:
        await client.say("converse", id="1", name=name, request={"query": {"input": "why?"}})
        accepted = await client.hear()
        assert accepted["session"] == name
        home.puppet.say(accepted["answer"], "a", None)
        end = (await client.hear_end("1"))[-1]
        assert end["converse"]["conversation"]["name"] == name


class TestRefusals:
    """What is wrong with one request is told under its id, and the rest goes on."""

    async def test_a_query_that_is_refused(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            await client.ask("1", "refuse")
            error = await client.hear()
            assert (error["type"], error["id"], error["error"]["code"]) == ("error", "1", 5)
            await client.ask("1")
            assert (await client.hear())["type"] == "accepted"

    async def test_a_request_with_an_unknown_field(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            config = f"{PARENT}/servingConfigs/default_config"
            await client.say("answer", id="1", servingConfig=config, request={"more": 1})
            error = await client.hear()
            assert error["error"]["details"][1]["fieldViolations"][0]["field"] == "more"

    async def test_a_request_in_another_spelling(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            config = f"{PARENT}/servingConfigs/default_config"
            request = {"query": {"text": "why?", "query_id": None}, "user_pseudo_id": "u"}
            await client.say("answer", id="1", servingConfig=config, request=request)
            assert (await client.hear())["type"] == "accepted"


class TestCloses:
    """Every end that the service chooses has its code."""

    async def test_a_binary_message(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            await client.connection.send(b"{}")
            assert await client.closed() == 4400

    async def test_no_json(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            await client.connection.send("hello")
            assert await client.closed() == 4400

    async def test_a_frame_of_more_than_a_mebibyte(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            await client.connection.send("x" * (1 << 20) + "x")
            assert await client.closed() == 1009

    async def test_a_frame_of_more_than_the_limit(self, redis: Redis, keys: Keys) -> None:
        limits = Limits(max_frame_bytes=1000)
        async with house(redis, keys, limits=limits) as home, talk(home) as client:
            await client.connection.send("x" * 1001)
            assert await client.closed() == 1009

    async def test_a_flood(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            for _ in range(150):
                await client.say("ping")
            assert await client.closed() == 4429

    async def test_a_client_that_leaves(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home:
            async with talk(home) as client:
                await client.connection.close()
                assert await client.closed() == 1000
            await eventually(lambda: len(home.sockets) == 0)


class TestAuthentication:
    """Where it is on, the first frame names who speaks."""

    async def test_a_good_token(self, redis: Redis, keys: Keys) -> None:
        async with (
            house(redis, keys, authenticate=True) as home,
            talk(home, ready=False) as client,
        ):
            await client.say("auth", token="good")
            ready = await client.hear()
            await client.ask("1")
            await client.hear()
        assert home.submitter.callers == [f"user:p:somebody client {ready['client']}"]

    @pytest.mark.parametrize("frame", [{"type": "auth", "token": "bad"}, {"type": "ping"}])
    async def test_a_bad_token_or_none(
        self, redis: Redis, keys: Keys, frame: dict[str, str]
    ) -> None:
        async with (
            house(redis, keys, authenticate=True) as home,
            talk(home, ready=False) as client,
        ):
            await client.say(**frame)
            assert await client.closed() == 4401

    async def test_no_frame_in_time(self, redis: Redis, keys: Keys) -> None:
        limits = Limits(auth_seconds=0)
        async with (
            house(redis, keys, authenticate=True, limits=limits) as home,
            talk(home, ready=False) as client,
        ):
            assert await client.closed() == 4408


class TestDraining:
    """Before the service leaves, it says so, and lets answers end."""

    async def test_everybody_is_sent_elsewhere(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as idle, talk(home) as busy:
            await busy.ask("1")
            answer = (await busy.hear())["answer"]
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(home.sockets.drain(5))
                away = await idle.hear()
                assert away["type"] == "goaway"
                assert 0.5 <= away["retryAfter"] <= 3
                await busy.hear_type("goaway")
                await busy.ask("2")
                refused = await busy.hear_type("error")
                assert refused["error"]["details"][0]["reason"] == "DRAINING"
                home.puppet.say(answer, "to the end", None)
                assert texts(await busy.hear_end("1")) == "to the end"
                assert await busy.closed() == await idle.closed() == 1012
            assert len(home.sockets) == 0

    async def test_grace_ends(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, talk(home) as client:
            await client.ask("1")
            await client.hear()
            await home.sockets.drain(0.01)
            assert await client.closed() == 1012

    async def test_who_comes_then_is_sent_away(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home:
            await home.sockets.drain(0)
            async with talk(home, ready=False) as client:
                assert await client.closed() == 1012


async def test_a_reader_that_does_not_read_neither_loses_nor_delays(
    redis: Redis, keys: Keys
) -> None:
    """Megabytes of text, of which kernel and transport hold a part."""
    puppet = Puppet()
    async with house(redis, keys, puppet) as home, talk(home) as slow, talk(home) as well:
        await well.ask("1")
        answer = (await well.hear())["answer"]
        slow.connection.transport.pause_reading()  # type: ignore[attr-defined]
        await slow.say("resume", id="1", answer=answer)
        piece = "0123456789" * 2000
        for _ in range(40):
            puppet.say(answer, *[piece] * 10)
            told = ""
            while len(told) < len(piece) * 10:
                told += texts([await well.hear()])
        slow.connection.transport.resume_reading()  # type: ignore[attr-defined]
        puppet.say(answer, None)
        elements = await slow.hear_end("1")
        assert texts(elements) == piece * 400
        assert len(elements) < 400
