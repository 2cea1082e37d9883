"""Run one experiment: start everything, break it by plan, let it heal, check what was heard."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from sessions.redis import connection
from sessions.redis.keys import Keys
from streaming.log.event_log import EventLog
from tests.chaos import library, model, reports, tokens, verification
from tests.chaos.crowd import STORE, Crowd
from tests.chaos.experiment import Experiment
from tests.chaos.log_archive import LogArchive
from tests.chaos.plan import Setup
from tests.chaos.proxies import Proxy
from tests.chaos.records import Book
from tests.chaos.replicas import Fleet, fleet
from tests.chaos.reports import Report
from tests.chaos.searchers import Searchers
from tests.chaos.tokens import Portal
from tests.chaos.troubles import Troubles
from tests.waiting import eventually


async def run(setup: Setup, folder: Path) -> Report:
    """Run *setup*; logs of the replicas are left in *folder*."""
    async with model.Model(quick=setup.quick) as said:
        settings = {
            "COLLOQUY_LLM_BASE_URL": said.base_url,
            "COLLOQUY_LLM_MODEL": "scripted",
            "COLLOQUY_SAMPLE": "off",
            "COLLOQUY_LEASE": str(setup.lease),
            "COLLOQUY_GRACE": "1",
            "COLLOQUY_REDIS_REPLICAS": str(setup.redis_replicas),
        }
        portal = None
        if setup.token_life:
            portal = Portal(folder, STORE, setup.token_life, str(setup.seed))
            settings["COLLOQUY_PORTAL"] = str(portal.file)
        async with fleet(folder, settings, setup) as made:
            await library.begin(made)
            return await _run(setup, made, portal)


async def _run(setup: Setup, made: Fleet, portal: Portal | None) -> Report:
    """Run *setup* on replicas that are ready; those who ask show tokens of *portal*."""
    shown: dict[str, str] = {}
    if portal is not None:
        shown["x-goog-api-key"] = await tokens.require(made.redis.url)
        for replica in made.replicas:
            await eventually(lambda replica=replica: library.asks_who(replica), within=10)
    book, troubles = Book(), Troubles()
    crowd = Crowd(
        _url(made.blind),
        book,
        seed=str(setup.seed),
        life=setup.life,
        readers=setup.readers,
        watch=_url(made.wise),
        portal=portal,
    )
    searchers = Searchers(made, troubles, shown, str(setup.seed))
    experiment = Experiment(setup, made, crowd, searchers, troubles)
    began = time.monotonic()
    async with connection.connect(made.redis.url) as redis:
        archive = LogArchive(EventLog(redis, Keys()), book)
        reading = asyncio.create_task(archive.keep_reading())
        try:
            await experiment.run()
            seconds = time.monotonic() - began
            await searchers.look_at_all()
            violations = await verification.violations(book, made, shown, redis, archive)
        finally:
            reading.cancel()
    return reports.report(
        book,
        troubles,
        setup.lease,
        faults=experiment.done,
        found=searchers.findings,
        seconds=seconds,
        violations=[*violations, *searchers.findings.wrong],
    )


def _url(balancer: Proxy) -> str:
    return f"ws://127.0.0.1:{balancer.port}/v1/ws"
