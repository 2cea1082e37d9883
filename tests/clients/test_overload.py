"""A service at its bounds refuses what is over them, says when to come back, and recovers."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import threading
import urllib.request
from collections.abc import Awaitable, Callable, Generator, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import pytest

from service.corpus.operations.operation_limit import MOST
from service.corpus.operations.running_operation import TellProgress
from service.corpus.operations.stored_operations import new_name
from service.settings import Settings
from sessions.codec import json_codec
from sessions.errors import ServiceError
from sessions.resources.answer_query import AnswerQueryRequest
from streaming.client.client import Client
from tests import doubles
from tests.clients import asking, discovery
from tests.clients.asking import Town, Written
from tests.clients.conftest import running_service
from tests.clients.discovery import Service
from tests.redis_servers import Server
from tests.waiting import LONG, eventually, until

STORES: Final = "v1/projects/p/locations/global/collections/default_collection/dataStores"
CHUNK: Final = {"chunk": "c", "content": "The ferry costs 3 euros."}
BODY: Final = {
    "query": {"text": "What does the ferry cost?"},
    "searchSpec": {"searchResultList": {"searchResults": [{"chunkInfo": CHUNK}]}},
}


@pytest.fixture(scope="module")
def small(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("small")
    url = module_redis.service_url
    settings = Settings(port=0, data_dir=folder, redis_url=url, sample=False, max_requests=2)
    with running_service(settings) as service:
        yield service


@contextlib.contextmanager
def held(service: Service, count: int) -> Generator[None]:
    """Hold *count* places, by requests whose bodies do not come."""
    address = urlsplit(service.url)
    head = (
        b"POST /v1/projects/p/locations/global:retrieveContexts HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    )
    requests = service.application.requests_in_flight
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            line = socket.create_connection((address.hostname, address.port), timeout=5)
            stack.enter_context(line).sendall(head)
        until(lambda: requests.count == count)
        yield
    until(lambda: requests.count == 0)


def test_requests_over_the_bound_are_told_to_come_back(small: Service) -> None:
    with held(small, 2):
        reply = discovery.call(f"{small.url}/{STORES}")
        assert (reply.status, reply.headers["Retry-After"]) == (429, "1")
        error = reply.body["error"]
        assert error["status"] == "RESOURCE_EXHAUSTED"
        assert error["details"][0]["reason"] == "TOO_MANY_REQUESTS"
        assert error["details"][1]["retryDelay"] == "1s"
    assert discovery.call(f"{small.url}/{STORES}").status == 200


def test_probes_are_answered_where_nothing_else_is(small: Service) -> None:
    with held(small, 2):
        assert _text(small, "livez") == "{}"
        assert _text(small, "readyz") == "ready"
        before = _refused(small)
        discovery.call(f"{small.url}/{STORES}")
        assert _refused(small) == before + 1
        assert "colloquy_requests_in_flight 2.0" in _text(small, "metrics")


def _text(service: Service, path: str) -> str:
    with urllib.request.urlopen(f"{service.url}/{path}", timeout=20) as response:
        return response.read().decode()


def _refused(service: Service, bound: str = "requests") -> float:
    name = f'colloquy_refused_total{{bound="{bound}"}} '
    return float(_text(service, "metrics").partition(name)[2].partition("\n")[0])


def test_imports_over_the_bound_leave_nothing_behind(small: Service) -> None:
    """Official clients send an import again after 503 only, so a refusal must have no effect."""
    store = f"v1/{discovery.api('v1', small.url, f'p{secrets.token_hex(5)}').data_store('empty')}"
    branch = f"{store}/branches/0"
    documents = [{"id": "a", "jsonData": '{"title": "Ferries"}'}]
    body = {"inlineSource": {"documents": documents}}
    operations, go = small.application.container.operations, asyncio.Event()

    async def job(_: TellProgress) -> None:
        await go.wait()

    async def fill() -> None:
        async with asyncio.TaskGroup() as tasks:
            for _ in range(MOST):
                name = new_name(branch.removeprefix("v1/"), "test")
                tasks.create_task(operations.start(name, "import-documents", "v1", job))

    async def end() -> None:
        go.set()

    small.run(fill())
    try:
        before = _refused(small, "operations")
        reply = discovery.call(f"{small.url}/{branch}/documents:import", "POST", body)
        assert (reply.status, reply.headers["Retry-After"]) == (429, "10")
        assert reply.body["error"]["details"][0]["reason"] == "TOO_MANY_OPERATIONS"
        assert reply.body["error"]["details"][1]["retryDelay"] == "10s"
        assert _refused(small, "operations") == before + 1
        assert not discovery.call(f"{small.url}/{branch}/documents").body.get("documents")
    finally:
        small.run(end())
    until(lambda: _is_imported(small, branch, body))


def _is_imported(service: Service, branch: str, body: dict[str, Any]) -> bool:
    reply = discovery.call(f"{service.url}/{branch}/documents:import", "POST", body)
    return reply.status == 200


@pytest.fixture(scope="module")
def busy(module_redis: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    folder = tmp_path_factory.mktemp("busy")
    with asking.written(module_redis.service_url, folder, max_answers=1) as running:
        yield running


def test_answers_over_the_bound_are_refused_on_every_door(busy: Written) -> None:
    town, gate = busy.town, busy.gate()

    async def wait(_: int) -> None:
        await gate.wait()

    said = doubles.completion("It costs 3 euros.")
    busy.model.script(doubles.chunks(said, before_each=wait), doubles.stream("It costs 3 euros."))
    asyncio.run(_ask_twice(busy, town, gate))


async def _ask_twice(busy: Written, town: Town, gate: Any) -> None:
    url, config = town.v1.url, f"{town.store}/servingConfigs/default_serving_config"
    request = json_codec.decode(AnswerQueryRequest, msgspec.json.encode(BODY))
    async with Client(url.replace("http", "ws") + "/v1/ws") as client, asyncio.TaskGroup() as tasks:

        async def ask() -> str:
            told = [one async for one in client.ask("", serving_config=config, request=request)]
            return told[-1].response.answer.state.name  # pyright: ignore[reportOptionalMemberAccess]

        first = tasks.create_task(ask())
        await eventually(lambda: len(busy.model.asked) == 1)
        with pytest.raises(ServiceError) as refused:
            await ask()
        assert refused.value.reason == "TOO_MANY_ANSWERS"
        session = {"session": f"{town.store}/sessions/-"}
        path = f"{url}/v1/{config}:answer"
        reply = await asyncio.to_thread(discovery.call, path, "POST", BODY | session)
        assert (reply.status, reply.headers["Retry-After"]) == (429, "1")
        await asyncio.to_thread(busy.open, gate)
        assert await first == "SUCCEEDED"
        await eventually(lambda: _is_answered(ask))


async def _is_answered(ask: Callable[[], Awaitable[str]]) -> bool:
    """Ask; the place of an answer that ended is free a moment after its end was told."""
    try:
        return await ask() == "SUCCEEDED"
    except ServiceError as exc:
        assert exc.reason == "TOO_MANY_ANSWERS"  # noqa: PT017 - until it is free
        return False


@pytest.mark.parametrize("verb", ["countTokens", "computeTokens", "generateContent"])
def test_contents_of_more_than_a_million_characters_are_refused(small: Service, verb: str) -> None:
    path = "v1/projects/p/locations/global/publishers/google/models/m"
    contents = [{"role": "user", "parts": [{"text": "word " * 250_000}]} for _ in range(2)]
    reply = discovery.call(f"{small.url}/{path}:{verb}", "POST", {"contents": contents})
    assert reply.status == 400
    assert reply.body["error"]["details"][0]["reason"] == "INVALID_FIELD"
    assert "at most" in reply.body["error"]["message"]


def test_an_answer_waits_for_no_other_kind_of_work(small: Service) -> None:
    """Checks, measurements and what others put on asyncio's own threads shared them with it."""
    go, pools = threading.Event(), small.application.container.thread_pools

    async def fill() -> None:
        loop = asyncio.get_running_loop()
        for pool in (pools.checking, pools.measuring):
            waiting.extend(loop.create_task(pool.run(go.wait)) for _ in range(4))
        waiting.extend(loop.run_in_executor(None, go.wait) for _ in range(40))

    async def drained() -> None:
        await asyncio.wait(waiting)

    waiting: list[asyncio.Future[bool]] = []
    small.run(fill())
    try:
        store = discovery.api("v1", small.url, f"p{secrets.token_hex(5)}").data_store("empty")
        assert asyncio.run(_answered(small, store)).state.name == "SUCCEEDED"
        assert not go.is_set()
    finally:
        go.set()
        small.run(drained())


async def _answered(service: Service, store: str) -> Any:
    url, config = service.url, f"{store}/servingConfigs/default_serving_config"
    request = json_codec.decode(AnswerQueryRequest, msgspec.json.encode(BODY))
    async with Client(url.replace("http", "ws") + "/v1/ws") as client, asyncio.timeout(LONG):
        told = [one async for one in client.ask("", serving_config=config, request=request)]
    return told[-1].response.answer
