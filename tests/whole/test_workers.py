"""Several processes on one port: each a replica, none of them missed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import ssl
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.sessions import certificates
from tests.sessions.certificates import Certificate
from tests.streaming.sockets import Talk
from tests.waiting import LONG, eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
_START: Final = 60.0
"""Seconds within which a worker starts, on a machine that has much else to do."""


STORES: Final = "/v1/projects/p/locations/global/collections/default_collection/dataStores"
CONNECTIONS: Final = 8
"""The kernel deals them out among the workers."""


class Pair(NamedTuple):
    """Two workers on a port that others reach, and the key of an operator."""

    service: Service
    key: str

    def client(self) -> aiohttp.ClientSession:
        """Return an HTTP client, with connections of its own, that shows the key."""
        return aiohttp.ClientSession(self.service.rest, headers={"x-goog-api-key": self.key})


@pytest.fixture(scope="module")
async def pair(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    """Two workers for tests that ask them, or kill one; all end when all are told to."""
    data = tmp_path_factory.mktemp("pair") / "data"
    async with services(data, [("COLLOQUY_HOST", "0.0.0.0")]) as (service,):
        key = await keys(service, "create", "--scope", "admin")
        await service.start("--workers", "2")
        await are_both_there(service)
        yield Pair(service, key)
        await ends(service, signal.SIGTERM)


async def are_both_there(service: Service) -> None:
    """Wait until each worker, and each that took the place of one, has started."""
    record = service.record
    await eventually(lambda: len(service.workers()) == 2, within=_START)
    await eventually(
        lambda: (
            record.read_text().count("service_ready") - record.read_text().count("worker_died") == 2
        ),
        within=_START,
    )


async def end_one(service: Service, how: signal.Signals) -> None:
    """End one of the two workers by a signal, and wait for the one that takes its place."""
    stays, goes = service.workers()
    os.kill(goes, how)
    await eventually(lambda: goes not in service.workers(), within=_START)
    await are_both_there(service)
    assert stays in service.workers()


async def keys(service: Service, *arguments: str) -> str:
    """Run ``colloquy keys`` on the data of *service*; return the last line of its output."""
    return (await service.given("keys", *arguments)).splitlines()[-1]


async def ends(service: Service, how: signal.Signals) -> None:
    """Tell the supervisor to end, which ends all."""
    workers = service.workers()
    assert await service.stop(how) == 0
    assert not any(map(is_alive, workers))
    assert service.redis_pid() == 0


async def test_a_number_of_workers_out_of_range_is_refused(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        status, said = await service.command("serve", "--workers", "0")
        assert status == 2
        assert said == "colloquy: --workers: give 1 to 64\n"


async def test_workers_that_cannot_start_end_and_why_is_told_once(tmp_path: Path) -> None:
    """Also where Redis is needed to know it: whether there is an API key stands there."""
    public = {"COLLOQUY_HOST": "0.0.0.0"}.items()
    async with services(tmp_path / "data", [*public]) as (service,):
        status, said = await service.command("serve", "--workers", "3")
        assert status == 2
        assert said.count("lets others than this machine in") == 1
        assert service.redis_pid() == 0


async def test_workers_do_not_outlive_their_supervisor(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.start("--workers", "2")
        workers = service.workers()
        await service.stop(signal.SIGKILL)
        await eventually(lambda: not any(map(is_alive, workers)), within=_START)
        assert service.redis_pid() == 0
        await service.start()
        assert await service.stop() == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_workers_that_have_hardly_begun_end_as_well(
    tmp_path: Path, how: signal.Signals
) -> None:
    """Whichever signal tells their supervisor to end, which heeds each likewise, early and late."""
    async with services(tmp_path / "data") as (service,):
        await service.launch("--workers", "2")
        # The second begins when the first has started.
        await eventually(lambda: bool(service.workers()))
        await ends(service, how)


async def test_all_workers_show_a_certificate_that_was_renewed(tmp_path: Path) -> None:
    first, second = (certificates.localhost(tmp_path, name) for name in ("first", "second"))
    options = ("--tls-cert", str(first.certificate), "--tls-key", str(first.key))
    async with services(tmp_path / "data") as (service,):
        await service.launch("--workers", "2", *options)
        # Who starts later than the files are replaced has nothing to renew.
        await eventually(
            lambda: service.record.read_text().count("service_ready") == 2, within=_START
        )
        assert is_shown(service, first)
        second.certificate.replace(first.certificate)
        second.key.replace(first.key)
        renewed = "tls_certificate_renewed"
        await eventually(lambda: service.record.read_text().count(renewed) == 2, within=_START)
        assert all(is_shown(service, first) for _ in range(8))
        assert await service.stop() == 0


async def test_tls_that_cannot_be_spoken_ends_the_start(tmp_path: Path) -> None:
    pair = certificates.localhost(tmp_path)
    pair.key.write_text("no key")
    options = ("--tls-cert", str(pair.certificate), "--tls-key", str(pair.key))
    async with services(tmp_path / "data") as (service,):
        status, said = await service.command("serve", *options)
        assert status == 2
        assert "colloquy: --tls-cert and --tls-key: " in said
        assert "Traceback" not in said


def is_shown(service: Service, pair: Certificate) -> bool:
    """Tell whether a client that trusts what lies in the files of *pair* now may ask."""
    trust = ssl.create_default_context(cafile=pair.certificate)
    try:
        with urllib.request.urlopen(f"https://localhost:{service.port}/readyz", context=trust):
            return True
    except OSError:
        return False


def is_alive(pid: int) -> bool:
    return (Path("/proc") / str(pid) / "fd").exists()


async def test_keys_come_and_go_while_workers_serve(pair: Pair) -> None:
    """Each worker is a replica: each learns of a key, and of its end, by itself."""

    async def all_are_told(key: str, status: int) -> bool:
        return await statuses(pair.service, key) == {status}

    assert await all_are_told("", 403)
    assert await all_are_told(pair.key, 200)
    later = await keys(pair.service, "create", "--scope", "read-only")
    await eventually(lambda: all_are_told(later, 200))
    await keys(pair.service, "revoke", later)
    await eventually(lambda: all_are_told(later, 403))
    assert await all_are_told(pair.key, 200)


async def statuses(service: Service, key: str) -> set[int]:
    """Return what several new connections are answered."""
    headers = {"x-goog-api-key": key} if key else {}

    async def ask() -> int:
        async with (
            aiohttp.ClientSession() as client,
            client.get(service.rest + STORES, headers=headers) as reply,
        ):
            return reply.status

    async with asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(ask()) for _ in range(CONNECTIONS)]
    return {each.result() for each in asked}


async def test_a_merged_visitor_is_sent_away_by_every_worker(pair: Pair) -> None:
    """Who becomes a user leaves every socket, at every replica."""
    async with pair.client() as client, contextlib.AsyncExitStack() as stack:

        async def call(path: str, **body: Any) -> Any:
            async with client.post(STORES + path, json=body) as reply:
                assert reply.status == 200, await reply.text()
                return await reply.json()

        await call("?dataStoreId=a", displayName="a")
        merged, other = [await call("/a:mintVisitorToken") for _ in range(2)]

        async def greeted(token: str) -> Talk:
            line: ClientConnection = await stack.enter_async_context(
                connect(pair.service.websocket)
            )
            await Talk(line).say("auth", token=token)
            assert (await Talk(line).hear())["type"] == "ready"
            return Talk(line)

        talks = [await greeted(merged["token"]) for _ in range(CONNECTIONS)]
        stays = await greeted(other["token"])
        await call("/a:mergeVisitor", visitorToken=merged["token"], userPseudoId="ann")
        async with asyncio.timeout(LONG):
            assert {await each.closed() for each in talks} == {4401}
        assert (talks[0].connection.close_reason or "").startswith("TOKEN_REVOKED")
        await stays.say("ping")
        assert (await stays.hear())["type"] == "pong"


async def test_whichever_worker_is_asked_tells_the_metrics_of_all(pair: Pair) -> None:
    """Also what one of them had counted that was killed since."""
    service, asked = pair.service, 0

    async def counted() -> bool:
        """Tell whether each of many scrapes, which reach both, tells all requests."""
        for _ in range(10):
            if await not_found(pair) != asked:
                return False
        return True

    for _ in range(30):
        await ask_for_nothing(pair)
        asked += 1
    await eventually(counted, within=_START)
    await end_one(service, signal.SIGKILL)
    await eventually(counted, within=_START)


async def ask_for_nothing(pair: Pair) -> None:
    """Ask, on a connection of its own, for a data store that there is not."""
    async with pair.client() as client, client.get(f"{STORES}/nothing") as reply:
        assert reply.status == 404


async def not_found(pair: Pair) -> float:
    """Return how often, by the metrics, somebody asked for what there is not."""
    async with pair.client() as client, client.get("/metrics") as reply:
        said = re.search(
            r'^colloquy_http_requests_total\{method="GetDataStore",status="4xx"\} (\S+)$',
            await reply.text(),
            re.MULTILINE,
        )
        return float(said[1]) if said else 0.0


async def test_a_worker_that_dies_or_is_stopped_is_started_again(pair: Pair) -> None:
    """What is said to one of them is not said to all."""
    for how in (signal.SIGKILL, signal.SIGTERM):
        await end_one(pair.service, how)
