"""The lines about requests, as a running service writes them."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from websockets.asyncio.client import connect

from tests.streaming.sockets import Talk
from tests.tracing.collector import Collector
from tests.waiting import eventually
from tests.whole.asking import CONFIG, PAGES, QUERY, STORE
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
SESSION = {"query": {"text": QUERY}, "session": f"{STORE}/sessions/-"}


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service that writes a line about each request, and traces what its caller does."""
    folder: Path = tmp_path_factory.mktemp("access")
    (folder / "loans.md").write_text(PAGES["loans.md"])
    async with Collector() as collector:
        settings = collector.environment(COLLOQUY_ACCESS_LOG="1")
        async with services(folder / "data", tuple(settings.items())) as (running,):
            await running.given("import", str(folder / "loans.md"), "--data-store", "library")
            await running.start()
            yield running


async def line(service: Service, **about: Any) -> dict[str, Any]:
    """Return the line that has these fields, once it is there."""
    found: list[dict[str, Any]] = []

    def is_there() -> bool:
        events = [json.loads(each) for each in service.record.read_text().splitlines()]
        served = [event for event in events if event["event"] == "request_served"]
        found[:] = [each for each in served if about.items() <= each.items()]
        return bool(found)

    await eventually(is_there)
    (one,) = found
    return one


async def send(
    service: Service, verb: str, path: str, body: Any = None, **headers: str
) -> tuple[int, bytes]:
    """Send a request; return the status and the body."""
    async with (
        aiohttp.ClientSession(auto_decompress=False) as client,
        client.request(verb, f"{service.rest}/{path}", json=body, headers=headers) as reply,
    ):
        return reply.status, await reply.read()


def headers() -> tuple[str, dict[str, str]]:
    """Return a new id, and headers that give it to a request."""
    made = secrets.token_hex(8)
    trace = secrets.token_hex(16)
    return made, {"x-request-id": made, "traceparent": f"00-{trace}-b7ad6b7169203331-01"}


async def test_a_request_has_a_line_with_what_came_of_it(service: Service) -> None:
    own, given = headers()
    status, body = await send(service, "GET", f"v1/{STORE}/sessions", **given)
    told = await line(service, request_id=own)
    assert told.pop("seconds") > 0
    assert told["trace_id"] == given["traceparent"].split("-")[1]
    assert {name: told[name] for name in ("over", "method", "status", "bytes", "principal")} == {
        "over": "http",
        "method": "ListSessions",
        "status": status,
        "bytes": len(body),
        "principal": "anonymous",
    }


async def test_a_stream_has_one_line_at_its_end(service: Service) -> None:
    own, given = headers()
    _, body = await send(service, "POST", f"v1/{CONFIG}:streamAnswer", SESSION, **given)
    told = await line(service, request_id=own)
    assert (told["method"], told["status"]) == ("StreamAnswerQuery", 200)
    assert told["bytes"] == len(body)


async def test_what_is_no_method_has_a_line_without_its_path(service: Service) -> None:
    own, given = headers()
    await send(service, "GET", f"nowhere/{own}-path", **given)
    told = await line(service, request_id=own)
    assert (told["method"], told["status"]) == ("none", 404)
    assert f"{own}-path" not in json.dumps(told)


async def test_probes_have_no_line(service: Service) -> None:
    own, given = headers()
    for path in ("livez", "readyz", "metrics"):
        await send(service, "GET", path, **given)
    after, given = headers()
    await send(service, "GET", "guide", **given)
    await line(service, request_id=after)  # lines stand in the order of the requests
    assert own not in service.record.read_text()


async def test_frames_and_what_they_call_have_lines(service: Service) -> None:
    ask, call = secrets.token_hex(8), secrets.token_hex(8)
    async with connect(service.websocket) as connection:
        client = Talk(connection)
        await client.hear_type("ready")
        await client.say("answer", id=ask, servingConfig=CONFIG, request={"query": {"text": QUERY}})
        answer = (await client.hear_type("accepted"))["answer"]
        await client.hear_end(ask)
        await client.say("request", id=call, method="GET", path=f"/v1/{STORE}/sessions")
        await client.hear_type("response")
    told = [await line(service, request_id=each) for each in (ask, call)]
    assert [(one["over"], one["method"], one["status"]) for one in told] == [
        ("websocket", "AnswerQuery", 200),
        ("websocket", "ListSessions", 200),
    ]
    assert told[0]["answer"] == answer
    assert "bytes" not in told[0]


async def test_no_line_holds_what_was_asked_or_answered(service: Service) -> None:
    own, given = headers()
    _, body = await send(service, "POST", f"v1/{CONFIG}:answer", SESSION, **given)
    answer = json.loads(body)["answer"]["answerText"]
    told = json.dumps(await line(service, request_id=own))
    assert QUERY not in told
    assert answer[:20] not in told
