"""Requests over HTTP are traced as their client and the operator's sampler say."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
from websockets.asyncio.client import connect

from tests.tracing.collector import Collector
from tests.whole.asking import CONFIG, PAGES, QUERY, STORE
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
CALLER = "b7ad6b7169203331"
SESSION = {"query": {"text": QUERY}, "session": f"{STORE}/sessions/-"}


class Tracing(NamedTuple):
    """A service that traces what its caller does and nothing else, and where it sends that."""

    service: Service
    collector: Collector

    async def call(
        self, verb: str, path: str, body: Any = None, *, traceparent: str = ""
    ) -> tuple[int, Any]:
        """Return the status of what is called and its document."""
        headers = {"traceparent": traceparent} if traceparent else {}
        url = f"{self.service.rest}/{path}"
        async with (
            aiohttp.ClientSession(headers=headers) as client,
            client.request(verb, url, json=body) as reply,
        ):
            return reply.status, json.loads(await reply.text())


@pytest.fixture(scope="module")
async def tracing(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tracing]:
    folder: Path = tmp_path_factory.mktemp("requests")
    (folder / "pages").mkdir()
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text)
    async with Collector() as collector:
        named = {"OTEL_SERVICE_NAME": "help", "OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=town"}
        sampled = {
            "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
            "OTEL_TRACES_SAMPLER_ARG": "0",
        }
        settings = collector.environment(**named, **sampled)
        async with services(folder / "data", tuple(settings.items())) as (service,):
            await service.given("import", str(folder / "pages"), "--data-store", "library")
            await service.start()
            yield Tracing(service, collector)


def context(*, sampled: bool = True) -> tuple[str, str]:
    """Return a new trace, and the traceparent of a caller in it."""
    trace = secrets.token_hex(16)
    return trace, f"00-{trace}-{CALLER}-{sampled:02x}"


async def test_a_stream_is_traced_to_its_last_byte_in_the_trace_of_its_caller(
    tracing: Tracing,
) -> None:
    trace, traceparent = context()
    path = f"v1/{CONFIG}:streamAnswer"
    status, elements = await tracing.call("POST", path, SESSION, traceparent=traceparent)
    assert (status, elements[-1]["answer"]["state"]) == (200, "SUCCEEDED")
    request = await tracing.collector.one(
        "POST StreamAnswerQuery", lambda span: span.trace == trace
    )
    written = await tracing.collector.one("write answer", lambda span: span.trace == trace)
    accepted = await tracing.collector.one("accept answer", lambda span: span.trace == trace)
    assert (request.kind, request.parent, accepted.parent) == ("SERVER", CALLER, request.id)
    assert request.attributes["http.request.method"] == "POST"
    assert request.attributes["http.response.status_code"] == 200
    assert request.failure == ""
    assert request.end >= written.events[-1].at
    assert request.service["service.name"] == "help"
    assert tracing.collector.headers[-1]["x-tenant"] == "town"


async def test_who_follows_over_http_points_to_the_trace_of_the_answer(tracing: Tracing) -> None:
    asked, traceparent = context()
    path = f"v1/{CONFIG}:answer"
    _, reply = await tracing.call("POST", path, SESSION, traceparent=traceparent)
    followed, traceparent = context()
    path = f"v1/{reply['answer']['name']}:stream"
    await tracing.call("GET", path, traceparent=traceparent)
    request = await tracing.collector.one("GET FollowAnswer", lambda span: span.trace == followed)
    accepted = await tracing.collector.one("accept answer", lambda span: span.trace == asked)
    assert request.links == [(asked, accepted.id)]


async def test_what_is_not_sampled_is_not_sent_and_neither_are_its_parts(tracing: Tracing) -> None:
    unsampled, traceparent = context(sampled=False)
    path = f"v1/{CONFIG}:answer"
    for given in (traceparent, "", "00-nothing", f"00-{'0' * 32}-{CALLER}-01"):
        status, _ = await tracing.call("POST", path, SESSION, traceparent=given)
        assert status == 200
    last, traceparent = context()
    await tracing.call("GET", f"v1/{STORE}/sessions", traceparent=traceparent)
    await tracing.collector.one("GET ListSessions", lambda span: span.trace == last)
    # Sent in order: what came before would be here by now.
    sent = {span.trace for span in tracing.collector.spans if span.name == "GET ListSessions"}
    assert sent == {last}
    assert unsampled not in {span.trace for span in tracing.collector.spans}


@pytest.mark.parametrize(
    ("path", "status", "failure"),
    [("v1/nothing", 404, ""), (f"v1/{STORE}/sessions/1", 404, "")],
)
async def test_what_a_caller_got_wrong_is_no_failure_of_the_service(
    tracing: Tracing, path: str, status: int, failure: str
) -> None:
    trace, traceparent = context()
    assert (await tracing.call("GET", path, traceparent=traceparent))[0] == status
    request = await tracing.collector.first(lambda span: span.trace == trace)
    assert request.attributes["http.response.status_code"] == status
    assert request.failure == failure


async def test_a_method_that_is_called_by_a_frame_is_in_the_trace_of_the_frame(
    tracing: Tracing,
) -> None:
    trace, traceparent = context()
    async with connect(
        tracing.service.websocket, additional_headers={"traceparent": context()[1]}
    ) as socket:
        await socket.recv()
        called = {"id": "r", "method": "GET", "path": f"/v1/{STORE}/sessions"}
        await socket.send(json.dumps({"type": "request", **called, "traceparent": traceparent}))
        assert json.loads(await socket.recv())["status"] == 200
    request = await tracing.collector.one("GET ListSessions", lambda span: span.trace == trace)
    assert request.parent == CALLER
