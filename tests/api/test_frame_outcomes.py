"""What came of frames and of sockets is counted, whoever asked and however they went."""

from __future__ import annotations

import pytest

from service.api.frame_outcomes import METHODS
from service.api.websocket_endpoint import LEFT
from service.metrics.metrics import FRAMES
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.reading.resumptions import ResumeOutcome
from tests.streaming.doubles import PARENT
from tests.streaming.sockets import house, talk
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

NOWHERE = f"{PARENT}/sessions/1/answers/nothing"


def test_the_metrics_know_each_method_that_a_frame_calls() -> None:
    assert list(FRAMES) == list(METHODS.values())


async def test_each_frame_that_asks_is_told_with_its_method_status_and_id(
    redis: Redis, keys: Keys
) -> None:
    async with house(redis, keys) as home, talk(home) as client:
        await client.ask("1")
        answer = (await client.hear_type("accepted"))["answer"]
        await client.say("resume", id="2", answer=answer)
        await client.hear_type("accepted")
        await client.say("cancel", answer=answer)
        await client.hear_end("2")
        await client.say("cancel", answer=NOWHERE)
        await client.hear_type("error")
        told = [(one.method, one.id, one.status) for one in home.outcomes]
    assert told == [
        ("AnswerQuery", "1", 200),
        ("FollowAnswer", "2", 200),
        ("CancelAnswer", "", 200),
        ("CancelAnswer", "", 404),
    ]
    assert all(0 <= one.seconds < 60 for one in home.outcomes)


async def test_who_resumes_is_counted_and_who_asks_is_not(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home:
        async with talk(home) as client:
            await client.ask("1")
            answer = (await client.hear_type("accepted"))["answer"]
            home.puppet.say(answer, "one ")
            position = (await client.hear_type("element"))["position"]
        counts = home.sources.resumes.by_outcome
        assert not any(counts.values())
        async with talk(home) as client:
            await client.say("resume", id="x", answer=answer, after=position)
            await client.hear_type("accepted")
            await client.say("resume", id="y", answer=NOWHERE)
            await client.hear_type("error")
        assert {outcome: count for outcome, count in counts.items() if count} == {
            ResumeOutcome.RESUMED: 1,
            ResumeOutcome.GONE: 1,
        }


async def test_sockets_are_counted_by_state(redis: Redis, keys: Keys) -> None:
    async with (
        house(redis, keys, authenticate=True) as home,
        talk(home, ready=False) as stranger,
        talk(home, ready=False) as known,
    ):
        await eventually(lambda: home.sockets.states()["greeting"] == 2)
        await known.say("auth", token="good")
        await known.hear_type("ready")
        states = {"greeting": 1, "ready": 1, "leaving": 0, "closing": 0}
        assert home.sockets.states() == states
        assert home.sockets.waiting_bytes() == 0
        await stranger.connection.close()


async def test_sockets_that_end_are_counted_by_code(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home:
        async with talk(home):
            pass
        async with talk(home) as client:
            await client.connection.send(b"no frame")
            assert await client.closed() == 4400
        async with talk(home, subprotocol="chat", ready=False) as client:
            assert await client.closed() == 4406
        await eventually(lambda: len(home.sockets) == 0)
        closes = home.sockets.closes
        assert {code: n for code, n in closes.items() if n} == {LEFT: 1, "4400": 1, "4406": 1}
