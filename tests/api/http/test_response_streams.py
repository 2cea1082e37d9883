"""Streamed responses: the array that the official clients read, and Server-Sent Events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import aiohttp
import anyio
import pytest
from google.auth.credentials import AnonymousCredentials
from litestar import Litestar, Request, Response, get, post

from service.api.http import chunked_response, errors, response_streams
from service.api.http.json_bodies import wants_numbers
from service.api.pending_requests import PendingRequests
from service.security.principals import Principal, PrincipalKind
from sessions.errors import ServiceError, Unavailable
from streaming.reading.elements import PlacedElement
from tests.api.http.stream_doubles import (
    ANEW,
    AWAY,
    BROKEN,
    FIRST,
    SECOND,
    WHOLE,
    Client,
    as_it_is,
    documents,
    endless,
    failing,
    known,
    listed,
    scripted,
    state,
    told,
)
from tests.packages import Package
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    STARTED,
    STORE,
    SUCCEEDED,
    Memory,
    text,
)
from tests.streaming.sockets import served
from tests.waiting import eventually

pytestmark = pytest.mark.anyio
official = Package("google.cloud.discoveryengine_v1")
USER = Principal(kind=PrincipalKind.USER, id="user:p/ada", project="p", subject="ada")


class TestArray:
    async def test_it_begins_and_ends_with_a_bracket_and_nothing_else(self) -> None:
        memory = Memory()
        memory.tell(*WHOLE)
        client = await Client(response_streams.array(told(memory), as_it_is)).read()
        assert client.body.startswith(b"[{")
        assert client.body.endswith(b"}\n]")
        assert client.ended

    async def test_its_type_makes_it_text(self) -> None:
        client = await Client(response_streams.array(scripted(FIRST), as_it_is)).read()
        assert (b"content-type", b"application/json; charset=UTF-8") in client.start["headers"]
        assert client.start["status"] == 200

    async def test_each_element_is_sent_with_its_closing_brace(self) -> None:
        client = await Client(response_streams.array(scripted(FIRST, SECOND), as_it_is)).read()
        assert all(chunk.endswith(b"}") for chunk in client.chunks[:2])
        assert len(json.loads(client.body)) == 2

    async def test_enums_are_numbers_where_the_caller_wants_them(self) -> None:
        client = await Client(
            response_streams.array(scripted(FIRST), as_it_is, numbers=True)
        ).read()
        assert json.loads(client.body)[0]["answer"]["state"] == 1

    async def test_what_is_written_anew_is_told_at_the_end_only(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("old"))
        response = Client(response_streams.array(told(memory), as_it_is))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(response.read())
            await eventually(lambda: len(response.chunks) == 1)
            memory.tell(STARTED, text("new"), SUCCEEDED, epoch=2, reset=True)
        old, end = (element["answer"] for element in json.loads(response.body))
        assert (old["answerText"], end["answerText"], end["state"]) == ("old", "new", "SUCCEEDED")

    async def test_a_failure_before_the_first_element_is_an_ordinary_error(self) -> None:
        client = Client(response_streams.array(scripted(AWAY), as_it_is))
        with pytest.raises(Unavailable):
            await client.read()
        assert not client.start

    async def test_a_failure_later_ends_with_an_element_that_failed(self) -> None:
        client = await Client(
            response_streams.array(scripted(FIRST, SECOND, AWAY), as_it_is)
        ).read()
        end = json.loads(client.body)[-1]["answer"]
        assert (end["state"], end["answerText"]) == ("FAILED", "a\u2028b\u0085")
        assert end["name"] == ANSWER

    async def test_what_nobody_foresaw_ends_it_alike_and_is_logged_once(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        client = await Client(
            response_streams.array(scripted(FIRST, SECOND, BROKEN), as_it_is)
        ).read()
        end = json.loads(client.body)[-1]["answer"]
        assert (end["state"], end["answerText"]) == ("FAILED", "a\u2028b\u0085")
        (record,) = caplog.records
        assert record.message == "stream_failed"
        assert record.exc_info
        assert record.exc_info[1] is BROKEN

    async def test_what_nobody_foresaw_before_the_first_element_is_an_ordinary_error(self) -> None:
        with pytest.raises(ZeroDivisionError):
            await Client(response_streams.array(scripted(BROKEN), as_it_is)).read()

    async def test_a_process_that_stops_ends_it_with_an_element_that_failed(self) -> None:
        memory, pending_requests = Memory(), PendingRequests()
        memory.tell(STARTED, text("as far as "))
        client = Client(response_streams.array(told(memory), as_it_is), pending_requests)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(client.read())
            await eventually(lambda: bool(client.chunks))
            await pending_requests.drain(0)
        end = json.loads(client.body)[-1]["answer"]
        assert (end["state"], end["answerText"]) == ("FAILED", "as far as ")
        assert memory.followers() == 0

    @pytest.mark.parametrize("form", [response_streams.array, response_streams.events])
    async def test_a_token_that_ends_says_which_answer_goes_on(self, form: Any) -> None:
        """The answer is not over, so it is not told to have failed."""
        memory, pending_requests = Memory(), PendingRequests()
        memory.tell(STARTED, text("as far as "))
        client = Client(form(told(memory), as_it_is), pending_requests, USER)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(client.read())
            await eventually(lambda: bool(client.chunks))
            pending_requests.end({USER.mark})
        body = client.body
        if form is response_streams.events:
            first, last = (event.splitlines() for event in body.split(b"\n\n")[-3:-1])
            assert last[0] == first[0], "what comes later is asked for from there"
            body = b"[%b]" % last[1].removeprefix(b"data: ")
        end = json.loads(body)[-1]
        assert end["answer"] == {"name": ANSWER, "state": "STREAMING"}
        assert (end["error"]["code"], end["error"]["status"]) == (403, "PERMISSION_DENIED")
        assert end["error"]["details"][0]["reason"] == "TOKEN_REVOKED"
        assert memory.followers() == 0

    async def test_a_stream_of_nothing_is_an_array_of_nothing(self) -> None:
        client = await Client(response_streams.array_of(documents())).read()
        assert json.loads(client.body) == []

    async def test_silence_is_filled_with_white_space(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(chunked_response, "KEEP_ALIVE", 0.005)
        memory = Memory()
        memory.tell(STARTED)
        response = Client(response_streams.array(told(memory), as_it_is))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(response.read())
            await eventually(lambda: response.chunks.count(b"\n") >= 2)
            memory.tell(SUCCEEDED)
        assert len(json.loads(response.body)) == 2
        assert response.body.endswith(b"]")


class TestEvents:
    async def test_an_event_has_its_position_and_one_line_of_data(self) -> None:
        client = await Client(response_streams.events(scripted(FIRST, SECOND), as_it_is)).read()
        first, second, rest = client.body.decode().split("\n\n")
        assert first.startswith("id: 1-0\ndata: {")
        assert second.startswith("id: 1-1\ndata: {")
        assert rest == ""
        document = second.removeprefix("id: 1-1\ndata: ")
        assert document.splitlines() == [document]
        assert json.loads(document)["answer"]["answerText"] == "a\u2028b\u0085"

    async def test_its_type(self) -> None:
        client = await Client(response_streams.events(scripted(FIRST), as_it_is)).read()
        assert (b"content-type", b"text/event-stream; charset=utf-8") in client.start["headers"]

    async def test_what_is_written_anew_says_so(self) -> None:
        client = await Client(response_streams.events(scripted(FIRST, ANEW), as_it_is)).read()
        first, anew, _ = client.body.decode().split("\n\n")
        assert anew.startswith("id: 2-0\ndata: {")
        assert "event:" not in client.body.decode()
        told = [json.loads(event.partition("data: ")[2]) for event in (first, anew)]
        assert [element.get("reset") for element in told] == [None, True]
        assert "reset" not in told[1]["answer"]

    async def test_silence_is_a_comment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A blank line alone is dropped by some proxies, and is nothing to a reader of lines."""
        monkeypatch.setattr(chunked_response, "KEEP_ALIVE", 0.01)
        hold = asyncio.Event()

        async def halting() -> AsyncGenerator[PlacedElement]:
            async for element in scripted(FIRST):
                yield element
            await hold.wait()

        client = Client(response_streams.events(halting(), as_it_is))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(client.read())
            await eventually(lambda: len(client.chunks) > 2)
            hold.set()
        silences = [chunk for chunk in client.chunks[1:] if chunk]
        assert set(silences) == {b":\n\n"}

    async def test_those_of_an_earlier_question_begin_at_once(self) -> None:
        client = await Client(
            response_streams.events_again(listed([], scripted(FIRST, SECOND)), as_it_is)
        ).read()
        silence, first, second, _ = client.body.decode().split("\n\n")
        assert silence == ":"
        assert (first[:8], second[:8]) == ("id: 1-0\n", "id: 1-1\n")

    async def test_those_of_an_earlier_question_break_off_as_they_are(self) -> None:
        """The answer has not failed: a browser comes back and goes on."""
        client = await Client(
            response_streams.events_again(listed([], scripted(FIRST, AWAY)), as_it_is)
        ).read()
        assert client.ended
        assert "FAILED" not in client.body.decode()
        assert client.body.decode().count("id: ") == 1

    async def test_those_that_cannot_begin_are_refused(self) -> None:
        with pytest.raises(Unavailable):
            await Client(response_streams.events_again(failing(), as_it_is)).read()

    async def test_events_for_others_are_data_alone(self) -> None:
        client = await Client(response_streams.events_of(documents(b'{"a":1}', b'{"b":2}'))).read()
        assert client.body == b'data: {"a":1}\n\ndata: {"b":2}\n\n'

    async def test_a_failure_of_those_is_the_last_event(self) -> None:
        client = await Client(response_streams.events_of(documents(b'{"a":1}', AWAY))).read()
        last = client.body.decode().split("\n\n")[1]
        assert last.startswith('data: {"error":{"code":503,')

    async def test_what_nobody_foresaw_of_those_is_told_without_details(self) -> None:
        client = await Client(response_streams.events_of(documents(b'{"a":1}', BROKEN))).read()
        last = json.loads(client.body.decode().split("\n\n")[1].removeprefix("data: "))
        assert (last["error"]["code"], last["error"]["status"]) == (500, "INTERNAL")
        assert "zero" not in client.body.decode()

    async def test_a_process_that_stops_ends_them_with_the_reason(self) -> None:
        pending_requests = PendingRequests()
        client = Client(response_streams.events_of(endless(b'{"a":1}')), pending_requests)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(client.read())
            await eventually(lambda: bool(client.chunks))
            await pending_requests.drain(0)
        *_, last, rest = client.body.decode().split("\n\n")
        assert last.startswith('data: {"error":{"code":503,')
        assert "SHUTTING_DOWN" in last
        assert rest == ""

    async def test_a_failure_before_the_first_event_is_an_ordinary_error(self) -> None:
        with pytest.raises(Unavailable):
            await Client(response_streams.events_of(documents(AWAY))).read()

    async def test_silence_of_others_is_an_empty_line(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The reader of one client library takes a comment for data."""
        monkeypatch.setattr(chunked_response, "KEEP_ALIVE", 0.005)
        response = Client(response_streams.events_of(endless(b'{"a":1}')))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(response.read())
            await eventually(lambda: b"\n" in response.chunks)
            response.leave.set()


async def test_a_client_that_leaves_ends_the_generator() -> None:
    memory = Memory()
    memory.tell(STARTED)
    response = Client(response_streams.array(told(memory), as_it_is))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(response.read())
        await eventually(lambda: bool(response.chunks))
        assert memory.followers() == 1
        response.leave.set()
    assert memory.followers() == 0
    assert not response.ended


def application(
    make: Callable[[], AsyncIterator[PlacedElement]], pending: PendingRequests | None = None
) -> Litestar:
    """Serve a stream at the path of ``:streamAnswer``."""

    @post("/v1/{name:path}", status_code=200)
    async def stream_answer(request: Request[Any, Any, Any]) -> Response[Any]:
        return response_streams.array(make(), as_it_is, numbers=wants_numbers(request))

    @get("/events")
    async def events() -> Response[Any]:
        return response_streams.events(make(), as_it_is)

    return Litestar(
        [stream_answer, events],
        exception_handlers={ServiceError: errors.handle_service_error},
        state=state(pending or PendingRequests()),
        openapi_config=None,
    )


async def test_the_official_client_reads_the_array() -> None:
    memory = Memory()
    memory.tell(*WHOLE[:5])

    async with served(known(application(lambda: told(memory)))) as address:
        client: Any = official.ConversationalSearchServiceClient(
            transport="rest",
            credentials=AnonymousCredentials(),
            client_options={"api_endpoint": f"http://{address}"},
        )
        request = official.AnswerQueryRequest(
            serving_config=f"{STORE}/servingConfigs/default_config",
            query=official.Query(text="why?"),
        )
        stream: Any = await anyio.to_thread.run_sync(client.stream_answer_query, request)
        first = await anyio.to_thread.run_sync(next, stream)
        memory.tell(*WHOLE[5:])  # what is there is read before the rest is written
        rest = await anyio.to_thread.run_sync(list, stream)
    answers = [element.answer for element in (first, *rest)]
    assert answers[-1].state == official.Answer.State.SUCCEEDED
    assert answers[-1].answer_text == "Grüße aus Köln."
    assert "".join(answer.answer_text for answer in answers[:-1]) == "Grüße aus Köln."


async def test_the_official_client_learns_which_answer_goes_on_without_its_token() -> None:
    memory, pending = Memory(), PendingRequests()
    memory.tell(STARTED, text("as far as "))
    app = application(lambda: told(memory), pending)
    async with served(known(app, USER)) as address:
        client: Any = official.ConversationalSearchServiceClient(
            transport="rest",
            credentials=AnonymousCredentials(),
            client_options={"api_endpoint": f"http://{address}"},
        )
        request = official.AnswerQueryRequest(
            serving_config=f"{STORE}/servingConfigs/default_config",
            query=official.Query(text="why?"),
        )
        stream: Any = await anyio.to_thread.run_sync(client.stream_answer_query, request)
        await anyio.to_thread.run_sync(next, stream)
        pending.end({USER.mark})
        (last,) = await anyio.to_thread.run_sync(list, stream)
    assert last.answer.name == ANSWER
    assert last.answer.state == official.Answer.State.STREAMING


async def test_an_early_failure_has_the_body_of_any_error() -> None:
    async with (
        served(known(application(lambda: scripted(AWAY)))) as address,
        aiohttp.ClientSession() as session,
        session.get(f"http://{address}/events") as response,
    ):
        assert response.status == 503
        assert (await response.json())["error"]["status"] == "UNAVAILABLE"


async def test_a_real_client_that_leaves_is_noticed() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with served(known(application(lambda: told(memory)))) as address:
        async with aiohttp.ClientSession() as session:
            response = await session.get(f"http://{address}/events")
            assert (await response.content.readline()) == b"id: 1-0\n"
            response.close()
        await eventually(lambda: memory.followers() == 0)
