"""Decide what is broken when, all of it from one seed."""

from __future__ import annotations

import enum
import random
from collections.abc import Mapping
from typing import Final, NamedTuple


class Kind(enum.Enum):
    """What is done to a replica, to its way to Redis, to its clients, or to Redis itself."""

    KILL = "replicas killed (SIGKILL)"
    PAUSE = "replicas frozen (SIGSTOP)"
    STOP = "replicas stopped in good order (SIGTERM)"
    UPGRADE = "replicas replaced by one of the other version (SIGTERM)"
    CUT = "connections of a replica to Redis reset"
    HUSH = "replicas that Redis cannot hear for a while"
    SLOW = "replicas with a slow way to Redis"
    CLIENTS = "resets of all client connections"
    RESTART = "Redis stopped and started (SIGTERM)"
    CRASH = "Redis killed and started (SIGKILL)"
    FREEZE = "masters of Redis frozen (SIGSTOP)"
    DEPOSE = "masters of Redis frozen until they were replaced"


class Fault(NamedTuple):
    """*kind*, *gap* seconds after the one before, at that *replica*, for so many *seconds*."""

    kind: Kind
    gap: float
    replica: int
    seconds: float


_LONGEST: Final = {Kind.PAUSE: 3.0, Kind.HUSH: 2.5, Kind.SLOW: 3.0, Kind.FREEZE: 5.0}
"""In leases. Most are over one, so that others take the answers while the owner lives."""


def faults(
    chance: random.Random, counts: Mapping[Kind, int], *, replicas: int, gap: float, lease: float
) -> list[Fault]:
    """Return so many faults of each kind in some order, *gap* seconds apart on average."""
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    chance.shuffle(kinds)
    return [
        Fault(
            kind,
            gap * chance.uniform(0.2, 1.8),
            chance.randrange(replicas),
            lease * chance.uniform(0.3, _LONGEST.get(kind, 0.3)),
        )
        for kind in kinds
    ]
