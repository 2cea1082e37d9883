"""The examples for proxies that run here carry what clients send and replicas stream.

Each runs in front of two replicas, with its example but for addresses and names of files.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Final

import aiohttp
import pytest
import yaml

from streaming.client.client import Client
from streaming.protocol.frames import Element
from tests.deployment import proxy_programs
from tests.deployment.proxy_programs import FOLDER, PROXIES, Proxy
from tests.waiting import eventually
from tests.whole.asking import (
    CONFIG,
    CONTENTS,
    PIECES,
    QUERY,
    STORE,
    STREAMS,
    THOUGHT,
    TOLD,
    Pausing,
    replicas,
)
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

RATE: Final = 5
"""Requests of one address in a minute, where they are counted."""


@pytest.fixture(scope="module")
async def model() -> AsyncIterator[Pausing]:
    pausing = Pausing()
    async with pausing.server:
        yield pausing


@pytest.fixture(scope="module")
async def two(
    tmp_path_factory: pytest.TempPathFactory, model: Pausing
) -> AsyncIterator[list[Service]]:
    """Two replicas over one Redis, which give running answers a second when they stop."""
    async with replicas(tmp_path_factory.mktemp("two"), model, grace=1, count=2) as made:
        await asyncio.gather(*(service.start() for service in made))
        yield made


@pytest.fixture(scope="module", params=PROXIES)
async def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, two: list[Service]
) -> AsyncIterator[Proxy]:
    folder = tmp_path_factory.mktemp(request.param)
    async with proxy_programs.running(request.param, folder, two) as made:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", str(made.certificate))  # for the client of WebSockets
            yield made


@contextlib.asynccontextmanager
async def browser(proxy: Proxy, address: str = "") -> AsyncGenerator[aiohttp.ClientSession]:
    """Open a connection for each request, so that a replica is chosen for each."""
    connector = aiohttp.TCPConnector(
        ssl=proxy.trust, force_close=True, local_addr=(address, 0) if address else None
    )
    async with aiohttp.ClientSession(connector=connector) as http:
        yield http


@pytest.mark.parametrize("name", ["array", "events"])
async def test_a_stream_is_passed_on_as_it_comes(proxy: Proxy, model: Pausing, name: str) -> None:
    """Text is here while the model has not said the rest."""
    path, body = STREAMS[name]
    model.go.clear()
    async with (
        browser(proxy) as http,
        http.post(f"{proxy.rest}/v1/{path}", json=body) as reply,
    ):
        assert reply.status == 200
        received = await reply.content.readuntil(b"four weeks")
        assert b"20 cents" not in received
        model.go.set()
        assert b"20 cents" in await reply.content.read()


@pytest.mark.parametrize("name", PIECES)
async def test_a_generation_is_passed_on_as_it_comes(
    proxy: Proxy, model: Pausing, name: str
) -> None:
    """What the model thinks is here while it has not said the rest."""
    thinking = {"thinkingConfig": {"includeThoughts": True}}
    body = {"contents": CONTENTS, "generationConfig": thinking}
    model.go.clear()
    async with (
        browser(proxy) as http,
        http.post(f"{proxy.rest}/v1/{PIECES[name][0]}", json=body) as reply,
    ):
        assert reply.status == 200
        await reply.content.readuntil(THOUGHT.encode())
        model.go.set()
        assert b"20 cents" in await reply.content.read()


async def test_a_websocket_is_opened_with_its_subprotocol(proxy: Proxy, model: Pausing) -> None:
    model.go.set()
    async with Client(proxy.websocket) as client:
        assert text_of(await asked(client)) == TOLD


async def test_a_replica_that_stops_loses_nobody(
    proxy: Proxy, two: list[Service], model: Pausing
) -> None:
    """What ran is handed over and followed on; who asks is answered, or told when to come back."""
    stopping, staying = two
    model.go.clear()
    before, ended = model.waiting, asyncio.Event()
    async with Client(proxy.websocket) as one, Client(proxy.websocket) as other:
        answers = [asyncio.create_task(asked(client)) for client in (one, other)]
        await eventually(lambda: model.waiting == before + len(answers))
        visitors = asyncio.create_task(visits(proxy, ended))
        assert await stopping.stop() == 0
        assert staying.process is not None
        assert staying.process.returncode is None
        model.go.set()
        assert [text_of(await answer) for answer in answers] == [TOLD, TOLD]
        ended.set()
        assert await visitors > 0
    await stopping.start()


async def visits(proxy: Proxy, ended: asyncio.Event) -> int:
    """Search and ask anew until *ended*; return how often that went well."""
    served = 0
    async with browser(proxy) as http:
        while not ended.is_set():
            url = f"{proxy.rest}/v1/{CONFIG}:search"
            async with http.post(url, json={"query": QUERY}) as reply:
                served += reply.status == 200
                assert reply.status == 200 or reply.headers["Retry-After"], await reply.text()
            await asyncio.sleep(0.02)  # the machine has others to serve
    return served


@pytest.mark.parametrize("name", PROXIES)
async def test_without_a_replica_clients_are_told_when_to_come_back(
    name: str, tmp_path: Path
) -> None:
    async with (
        services(tmp_path / "data", count=2) as absent,
        proxy_programs.running(name, tmp_path, absent) as proxy,
        browser(proxy) as http,
        http.get(f"{proxy.rest}/v1/{STORE}") as reply,
    ):
        assert reply.status in (502, 503)
        assert int(reply.headers["Retry-After"]) == 1
        assert (await reply.json())["error"]["status"] == "UNAVAILABLE"


@pytest.fixture(scope="module")
async def counting(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service that counts what an address asks, behind a proxy on this machine."""
    settings = {"COLLOQUY_PROXIES": "127.0.0.1", "COLLOQUY_RATE_LIMITS": f"address={RATE}"}
    data = tmp_path_factory.mktemp("counting") / "data"
    async with services(data, [*settings.items()]) as (service,), service.in_a_thread():
        yield service


@pytest.mark.parametrize("name", PROXIES)
async def test_each_client_is_counted_by_its_own_address(
    name: str, tmp_path: Path, counting: Service
) -> None:
    """What a client says of itself is not believed, and another client is not counted with it."""
    own = own_address()
    made_up = [f"198.51.100.{n}" for n in range(3 * RATE)]
    async with proxy_programs.running(name, tmp_path, [counting, counting]) as proxy:
        began = time.monotonic()
        statuses = [await searched(proxy, "127.0.0.2", said) for said in made_up]
        let = len(statuses) - statuses.count(429)
        assert let <= RATE * (1 + (time.monotonic() - began) / 60)
        assert await searched(proxy, own, "127.0.0.2") != 429


async def searched(proxy: Proxy, address: str, said: str) -> int:
    """Return the status of a search from *address*, which *said* that it asks for another."""
    headers = {"X-Forwarded-For": said}
    async with (
        browser(proxy, address) as http,
        http.post(f"{proxy.rest}/v1/{CONFIG}:search", json={"query": "x"}, headers=headers) as got,
    ):
        return got.status


def own_address() -> str:
    """Return an address of this machine that is not its loopback; none skips the test."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of documentation: nothing is sent
        except OSError:
            pytest.skip("this machine has no address but its loopback")
        return str(probe.getsockname()[0])


async def asked(client: Client) -> list[Element]:
    """Ask in a session, and return all elements."""
    session = f"{STORE}/sessions/-"
    return [each async for each in client.ask(QUERY, serving_config=CONFIG, session=session)]


def text_of(elements: list[Element]) -> str:
    """Return the text of the whole answer."""
    return str(elements[-1].response.answer.answer_text) if elements[-1].response.answer else ""


@pytest.mark.parametrize("example", ["traefik.yaml", "envoy.yaml"])
def test_examples_that_are_not_run_are_read_at_least(example: str) -> None:
    text = (FOLDER / example).read_text()
    assert isinstance(yaml.safe_load(text), dict)
    assert all(f"colloquy-{n}" in text for n in (1, 2))
    assert "/readyz" in text


def test_every_example_is_run_or_named_as_not_run() -> None:
    run = {about.example for about in PROXIES.values()}
    assert {path.name for path in FOLDER.iterdir()} == run | {"traefik.yaml", "envoy.yaml"}
    page = (FOLDER.parents[1] / "service" / "guide" / "deployment.md").read_text("utf-8")
    assert "no test runs those for Traefik and Envoy" in page
