"""Several processes on one port: each a replica, none of them missed."""

from __future__ import annotations

import os
import re
import signal
import ssl
import urllib.request
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from tests.sessions import certificates
from tests.sessions.certificates import Certificate
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
_START: Final = 60.0
"""Seconds within which a worker starts, on a machine that has much else to do."""


async def test_a_worker_that_dies_or_is_stopped_is_started_again(tmp_path: Path) -> None:
    """What is said to one of them is not said to all; and all end when all are told to."""
    async with services(tmp_path / "data") as (service,):
        await service.start("--workers", "2")
        await eventually(lambda: len(service.workers()) == 2, within=_START)
        for how in (signal.SIGKILL, signal.SIGTERM):
            stays, goes = service.workers()
            os.kill(goes, how)
            await eventually(
                lambda goes=goes: goes not in service.workers() and len(service.workers()) == 2,
                within=_START,
            )
            assert stays in service.workers()
        await eventually(service.is_ready, within=_START)
        await ends(service, signal.SIGTERM)


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


async def test_whichever_worker_is_asked_tells_the_metrics_of_all(tmp_path: Path) -> None:
    """Also what one of them had counted that was killed since."""
    async with services(tmp_path / "data") as (service,):
        await service.start("--workers", "2")
        await eventually(lambda: len(service.workers()) == 2, within=_START)
        asked = 0

        async def counted() -> bool:
            """Tell whether each of many scrapes, which reach both, tells all requests."""
            for _ in range(10):
                if await not_found(service) != asked:
                    return False
            return True

        for _ in range(30):
            await ask_for_nothing(service)
            asked += 1
        await eventually(counted, within=_START)
        os.kill(service.workers()[0], signal.SIGKILL)
        await eventually(lambda: len(service.workers()) == 2, within=_START)
        await eventually(service.is_ready, within=_START)
        await eventually(counted, within=_START)


async def ask_for_nothing(service: Service) -> None:
    """Ask, on a connection of its own, for a page that there is not."""
    async with (
        aiohttp.ClientSession() as client,
        client.get(f"{service.rest}/nothing") as reply,
    ):
        assert reply.status == 404


async def not_found(service: Service) -> float:
    """Return how often, by the metrics, somebody asked for what there is not."""
    async with (
        aiohttp.ClientSession() as client,
        client.get(f"{service.rest}/metrics") as reply,
    ):
        said = re.search(
            r'^colloquy_http_requests_total\{method="none",status="4xx"\} (\S+)$',
            await reply.text(),
            re.MULTILINE,
        )
        return float(said[1]) if said else 0.0
