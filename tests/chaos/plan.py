"""Decide what an experiment is made of, and what is broken when, all of it from one seed."""

from __future__ import annotations

import enum
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.chaos.topologies import Name
from tests.whole.processes import ROOT


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
    PART = "masters of Redis cut off from the other nodes, not from clients"
    FULL = "masters of Redis without memory"
    DISK = "masters of Redis with a slow disk"
    TIME = "steps of the clock of a master of Redis, and back"
    REPLICA_DISK = "replicas with a slow disk"
    REPLICA_TIME = "steps of the clock of a replica, and back"


REDIS: Final = frozenset(
    {Kind.RESTART, Kind.CRASH, Kind.FREEZE, Kind.DEPOSE, Kind.PART, Kind.FULL, Kind.DISK, Kind.TIME}
)
"""What is done to Redis, one at a time."""

PRELOADED: Final = frozenset(
    {Kind.PART, Kind.DISK, Kind.TIME, Kind.REPLICA_DISK, Kind.REPLICA_TIME}
)
"""What needs a C compiler."""


class Fault(NamedTuple):
    """*kind*, *gap* seconds after the one before, at that *replica*, for so many *seconds*."""

    kind: Kind
    gap: float
    replica: int
    seconds: float
    step: float
    """Of a clock, in seconds, back or forth."""


_LONGEST: Final = {
    Kind.PAUSE: 3.0,
    Kind.HUSH: 2.5,
    Kind.SLOW: 3.0,
    Kind.FREEZE: 5.0,
    Kind.PART: 2.0,
    Kind.FULL: 4.0,
    Kind.DISK: 4.0,
    Kind.TIME: 3.0,
    Kind.REPLICA_DISK: 4.0,
    Kind.REPLICA_TIME: 4.0,
}
"""In leases. Most are over one, so that others take the answers while the owner lives."""
_STEP: Final = 20.0
"""Seconds of the longest step of a clock, in leases of one second a long time."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment is made of."""

    seed: int
    counts: Mapping[Kind, int]
    replicas: int = 3
    lease: float = 1.0
    gap: float = 1.0
    """Seconds between two faults, on average."""
    askers: int = 10
    clients: int = 3
    """How many more ask through our own client."""
    readers: int = 2
    """How many follow each answer beside whoever asked."""
    life: float = 1.0
    """Seconds that a connection of theirs lives, on average."""
    quick: float = 1.0
    topology: Name = Name.STANDALONE
    fsync: str = "always"
    """Of a Redis that stands alone."""
    token_life: float = 0.0
    """Seconds that a token of those who ask lives at most; 0 asks nobody who they are."""
    writers: int = 2
    """How many change documents, which are searched for in each replica."""
    before: Path = ROOT
    """Checkout of the version that replicas begin with."""
    redis_replicas: int = 0
    """How many replicas of Redis the service waits for."""


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
            chance.choice((-1, 1)) * chance.uniform(lease, _STEP),
        )
        for kind in kinds
    ]
