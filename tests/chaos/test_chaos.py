"""A small dose of chaos over each kind of Redis; ``./dev chaos`` is the whole one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.chaos import preload
from tests.chaos.plan import PRELOADED, Kind, Setup
from tests.chaos.running import run
from tests.chaos.topologies import Name

pytestmark = pytest.mark.anyio

DOSES: Final[Mapping[Name, tuple[Kind, ...]]] = {
    Name.STANDALONE: (
        *(Kind.KILL, Kind.PAUSE, Kind.HUSH, Kind.CUT, Kind.CLIENTS),
        *(Kind.FREEZE, Kind.CRASH, Kind.FULL, Kind.DISK),
    ),
    Name.SENTINEL: (Kind.PAUSE, Kind.CLIENTS, Kind.DEPOSE, Kind.TIME, Kind.REPLICA_TIME),
    Name.CLUSTER: (Kind.PAUSE, Kind.CLIENTS, Kind.PART, Kind.FULL, Kind.REPLICA_DISK),
}


@pytest.mark.parametrize("topology", Name, ids=lambda name: name.value)
async def test_nothing_is_lost_doubled_stuck_or_searched_in_vain(
    redis_binary: str, tmp_path: Path, topology: Name
) -> None:
    """Harm replicas, Redis and the ways between them, drop clients all the time.

    Where no clock is set everybody has to show who it is, and comes back with a new token every
    two seconds at most.
    """
    kinds = DOSES[topology]
    if not preload.has_compiler():
        kinds = tuple(kind for kind in kinds if kind not in PRELOADED)
    alone = topology is Name.STANDALONE
    setup = Setup(
        seed=20260101,
        counts=dict.fromkeys(kinds, 1),
        topology=topology,
        replicas=2,
        redis_replicas=0 if alone else 1,
        askers=3,
        clients=2,
        readers=1,
        gap=0.5,
        life=0.5,
        quick=3,
        token_life=0.0 if Kind.TIME in kinds else 2.0,
    )
    report = await run(setup, tmp_path)
    assert report.violations == []
    assert sum(report.faults.values()) == len(kinds)
    assert report.answers > 0
    assert report.drops > 0
    assert report.found.held > 0, report.found
    assert bool(report.expired) == bool(setup.token_life)
