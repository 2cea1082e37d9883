"""A client that loses connections, and no answer."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncGenerator, Callable

import pytest

from sessions import names
from sessions.errors import (
    AlreadyExists,
    FailedPrecondition,
    Internal,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answer_query, answers
from sessions.resources.answers import State
from streaming.client import followed_answer
from streaming.client.client import Client
from streaming.client.followed_answer import FollowedAnswer
from streaming.protocol import frames
from streaming.protocol.frames import Element, Limits
from tests.streaming.doubles import PARENT, Puppet
from tests.streaming.sockets import CONFIG, House, house
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Proxy:
    """A line between client and service that can be cut, and led to another service."""

    def __init__(self, home: House) -> None:
        self.url = ""
        self.connections = 0
        self.muted = False
        """Whether what the service says is lost on the way."""
        self._lines: set[asyncio.StreamWriter] = set()
        self._port = 0
        self.lead_to(home)

    def lead_to(self, home: House | None) -> None:
        """Lead further connections to *home*, or nowhere."""
        self._port = int(home.url.split(":")[2].partition("/")[0]) if home else 0

    def cut(self) -> None:
        """Break every line as a dying network does."""
        for writer in self._lines:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        self.connections += 1
        if not self._port:
            writer.transport.abort()
            return
        inward, outward = await asyncio.open_connection("127.0.0.1", self._port)
        lines = {writer, outward}
        self._lines |= lines
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_carry(reader, outward, lambda: False))
                tasks.create_task(_carry(inward, writer, lambda: self.muted))
        finally:
            self._lines -= lines


async def _carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, lost: Callable[[], bool]
) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            if not lost():
                writer.write(data)
                await writer.drain()
    writer.transport.abort()


@contextlib.asynccontextmanager
async def proxy(home: House) -> AsyncGenerator[Proxy]:
    """Run a proxy in front of *home*."""
    line = Proxy(home)
    async with await asyncio.start_server(line.serve, "127.0.0.1", 0) as server:
        line.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/ws"
        try:
            yield line
        finally:
            line.cut()


class Told:
    """What a client was told of one answer."""

    def __init__(self) -> None:
        self.text = ""
        self.resets = 0
        self.end: Element | None = None

    async def take(self, elements: AsyncGenerator[Element]) -> Told:
        async for element in elements:
            answer = element.response.answer
            assert answer is not None
            if element.reset:
                self.text, self.resets = "", self.resets + 1
            if answer.state in (State.SUCCEEDED, State.FAILED):
                self.end = element
            else:
                self.text += answer.answer_text
        return self

    @property
    def whole(self) -> str:
        assert self.end is not None
        assert self.end.response.answer is not None
        return self.end.response.answer.answer_text


def ask(client: Client, id: str = "") -> AsyncGenerator[Element]:
    return client.ask("why?", serving_config=CONFIG, id=id)


def answer_of(home: House, n: int = 0) -> str:
    return home.puppet.assignments[n].answer


async def begun(home: House, number: int = 1) -> str:
    """Wait for so many answers and return the last."""
    await eventually(lambda: len(home.puppet.assignments) >= number)
    return answer_of(home, number - 1)


async def test_an_answer_is_asked_and_told(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, Client(home.url) as client:
        async with asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            home.puppet.say(await begun(home), "Grüße ", "aus Köln.", None)
        assert told.result().text == told.result().whole == "Grüße aus Köln."


async def test_a_conversation_is_told_with_its_response(redis: Redis, keys: Keys) -> None:
    name = names.conversation(PARENT, "1")
    async with house(redis, keys) as home, Client(home.url) as client:
        async with asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(client.converse("why?", name=name)))
            home.puppet.say(await begun(home), "a", None)
        end = told.result().end
        assert end is not None
        assert end.converse is not None
        assert end.converse.conversation is not None
        assert end.converse.conversation.name == name


async def test_lost_connections_lose_nothing(redis: Redis, keys: Keys) -> None:
    """Cut again and again while two answers are told."""
    chance = random.Random(7)
    async with house(redis, keys) as home, proxy(home) as line, Client(line.url) as client:
        async with asyncio.TaskGroup() as tasks:
            one = tasks.create_task(Told().take(ask(client, "one")))
            two = tasks.create_task(Told().take(ask(client, "two")))
            await begun(home, 2)
            written = ["", ""]
            for n in range(60):
                for which in (0, 1):
                    piece = f"{n}é{which} "
                    written[which] += piece
                    home.puppet.say(answer_of(home, which), piece)
                if chance.random() < 0.2:
                    line.cut()
                await asyncio.sleep(chance.random() * 0.02)
            for which in (0, 1):
                home.puppet.say(answer_of(home, which), None)
        assert line.connections > 1
        for told in (one.result(), two.result()):
            assert told.text == told.whole
            assert told.resets == 0
        assert {one.result().text, two.result().text} == set(written)


async def test_what_was_not_accepted_is_asked_again_once(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, proxy(home) as line:
        line.lead_to(None)
        async with Client(line.url) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            await eventually(lambda: line.connections > 0)
            line.lead_to(home)
            home.puppet.say(await begun(home), "a", None)
        assert told.result().text == "a"
        assert len(home.puppet.assignments) == 1


async def test_what_was_accepted_unheard_is_asked_again_as_of_the_same_client(
    redis: Redis, keys: Keys
) -> None:
    """Another connection gives it another name; it says the first one, or it would ask anew."""
    async with house(redis, keys) as home, proxy(home) as line, Client(line.url) as client:
        async with asyncio.TaskGroup() as tasks:
            first = tasks.create_task(Told().take(ask(client)))
            home.puppet.say(await begun(home), "a", None)
            await first
            line.muted = True
            told = tasks.create_task(Told().take(ask(client, "twice")))
            answer = await begun(home, 2)
            line.cut()
            line.muted = False
            home.puppet.say(answer, "once", None)
        assert told.result().text == "once"
        assert len(home.puppet.assignments) == 2


async def test_another_replica_goes_on(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as first, house(redis, keys) as second, proxy(first) as line:
        async with Client(line.url) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(first)
            first.puppet.say(answer, "one ")
            line.lead_to(second)
            line.cut()
            first.puppet.say(answer, "two", None)
        assert told.result().text == "one two"


async def test_a_service_that_goes_away_is_left_for_another(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as first, house(redis, keys) as second, proxy(first) as line:
        async with Client(line.url) as client, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(first)
            first.puppet.say(answer, "one ")
            line.lead_to(second)
            await first.sockets.drain(5)
            await eventually(lambda: len(second.sockets) == 1)
            first.puppet.say(answer, "two", None)
        assert told.result().text == "one two"


async def test_an_answer_is_resumed_by_name(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, Client(home.url) as client:
        stream = ask(client)
        home.puppet.say(await _name(stream), "one ", "two")
        element = await anext(stream)
        while element.response.answer and not element.response.answer.answer_text:
            element = await anext(stream)
        await stream.aclose()
        home.puppet.say(answer_of(home), " three", None)
        rest = await Told().take(client.resume(answer_of(home), element.position))
        assert element.response.answer is not None
        assert element.response.answer.answer_text + rest.text == rest.whole == "one two three"
        again = await Told().take(client.resume(answer_of(home)))
        assert again.text == "one two three"


async def _name(stream: AsyncGenerator[Element]) -> str:
    """Return the name of the answer whose first element comes."""
    answer = (await anext(stream)).response.answer
    assert answer is not None
    return answer.name


async def test_a_cancel_is_told_as_the_end(redis: Redis, keys: Keys) -> None:
    async with house(redis, keys) as home, Client(home.url) as client:
        async with asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client)))
            answer = await begun(home)
            await client.cancel(answer)
        end = told.result().end
        assert end is not None
        assert end.error is not None
        assert end.error.code == 1


class TestRefusals:
    """What cannot be mended by coming back is raised."""

    async def test_a_query_that_is_refused(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, Client(home.url) as client:
            with pytest.raises(NotFound):
                await anext(client.ask("refuse", serving_config=CONFIG))

    async def test_a_token_that_is_refused(self, redis: Redis, keys: Keys) -> None:
        async with (
            house(redis, keys, authenticate=True) as home,
            Client(home.url, "bad") as client,
        ):
            for _ in range(2):
                with pytest.raises(Unauthenticated) as raised:
                    await anext(ask(client))
                assert raised.value.reason == "TOKEN_INVALID"

    async def test_no_token_where_one_is_needed(self, redis: Redis, keys: Keys) -> None:
        limits = Limits(auth_seconds=0)
        async with (
            house(redis, keys, authenticate=True, limits=limits) as home,
            Client(home.url) as client,
        ):
            with pytest.raises(Unauthenticated) as raised:
                await anext(ask(client))
        assert raised.value.reason == "CREDENTIALS_MISSING"

    async def test_a_good_token_is_sent(self, redis: Redis, keys: Keys) -> None:
        async with (
            house(redis, keys, authenticate=True) as home,
            Client(home.url, "good") as client,
        ):
            await anext(ask(client))

    async def test_a_place_that_has_no_such_service(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, Client(home.url + "/elsewhere") as client:
            with pytest.raises(FailedPrecondition):
                await anext(ask(client))

    async def test_a_service_that_is_away_for_long(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            url = f"ws://127.0.0.1:{listener.getsockname()[1]}/v1/ws"
        async with Client(url, patience=0.05) as client:
            with pytest.raises(Unavailable):
                await anext(ask(client))
            with pytest.raises(Unavailable):
                await client.cancel(f"{PARENT}/sessions/1/answers/1")

    async def test_an_id_that_is_followed_already(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, Client(home.url) as client:
            first = ask(client, "1")
            await anext(first)
            with pytest.raises(AlreadyExists):
                await anext(ask(client, "1"))
            await first.aclose()


async def test_a_consumer_that_stops_does_not_stop_the_others(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many elements wait for the first, so the connection waits for it, until it leaves."""
    monkeypatch.setattr(followed_answer, "WAITING", 2)
    async with house(redis, keys, Puppet()) as home, Client(home.url) as client:
        idle = ask(client, "idle")
        await anext(idle)
        async with asyncio.TaskGroup() as tasks:
            told = tasks.create_task(Told().take(ask(client, "busy")))
            await begun(home, 2)
            for n in range(10):
                home.puppet.say(answer_of(home, 0), f"{n} ")
                await asyncio.sleep(0.001)
            await idle.aclose()
            home.puppet.say(answer_of(home, 1), "told", None)
        assert told.result().text == "told"


def element(text: str, state: State, *, reset: bool = False) -> Element:
    answer = answers.Answer(state=state, answer_text=text)
    return Element("1", "1-1", answer_query.AnswerQueryResponse(answer=answer), reset)


class TestLaws:
    """The text that was told is that of the answer, or the client says so."""

    async def test_what_was_told_must_be_the_answer(self) -> None:
        request = FollowedAnswer(frames.Resume("1", "a"))
        request.check(element("one ", State.STREAMING))
        request.check(element("two", State.STREAMING))
        with pytest.raises(Internal):
            request.check(element("one too", State.SUCCEEDED))

    async def test_what_was_told_must_be_all_of_it(self) -> None:
        request = FollowedAnswer(frames.Resume("1", "a"))
        request.check(element("two", State.STREAMING))
        with pytest.raises(Internal):
            request.check(element("one two", State.SUCCEEDED))

    async def test_who_resumed_knows_the_rest_only(self) -> None:
        request = FollowedAnswer(frames.Resume("1", "a", "1-1"))
        request.check(element("two", State.STREAMING))
        request.check(element("one two", State.SUCCEEDED))
        assert request.done

    async def test_a_reset_forgets_what_was_told(self) -> None:
        request = FollowedAnswer(frames.Resume("1", "a", "1-1"))
        request.check(element("old", State.STREAMING))
        request.check(element("new", State.STREAMING, reset=True))
        request.check(element("new", State.SUCCEEDED))
        assert request.done

    async def test_an_end_may_come_alone(self) -> None:
        request = FollowedAnswer(frames.Resume("1", "a"))
        request.check(element("whole", State.SUCCEEDED))
        assert request.done
