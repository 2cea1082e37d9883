"""A small dose of chaos; ``./dev chaos`` is the whole one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.plan import Kind, Setup
from tests.chaos.running import run

pytestmark = pytest.mark.anyio


async def test_nothing_is_lost_doubled_or_stuck(redis_binary: str, tmp_path: Path) -> None:
    """Kill, freeze and cut off replicas, freeze and restart Redis, drop clients all the time.

    Everybody has to show who it is, and comes back with a new token every two seconds at most.
    """
    counts = {
        Kind.KILL: 1,
        Kind.PAUSE: 1,
        Kind.FREEZE: 1,
        Kind.HUSH: 1,
        Kind.CUT: 1,
        Kind.CLIENTS: 1,
        Kind.CRASH: 1,
    }
    setup = Setup(
        seed=20260101,
        counts=counts,
        replicas=2,
        askers=3,
        clients=2,
        gap=0.5,
        life=0.5,
        quick=3,
        token_life=2.0,
    )
    report = await run(setup, tmp_path)
    assert report.violations == []
    assert sum(report.faults.values()) == sum(counts.values())
    assert report.answers > 0
    assert report.drops > 0
    assert report.expired > 0
