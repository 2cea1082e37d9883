"""The service to clients that must hurry, to those that must not stop, and as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions.redis import connection
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.server.impatience import calm, hasty
from tests.server.raw_http import App, Client, dialled
from tests.streaming.sockets import House, house, served


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
async def address(app: App) -> AsyncIterator[str]:
    """Serve the application to clients that must hurry."""
    async with served(app, hasty, send_buffer=1 << 16) as address:  # type: ignore[arg-type]
        yield address


@pytest.fixture
async def client(address: str) -> AsyncIterator[Client]:
    async with dialled(address) as client:
        yield client


@pytest.fixture
async def calm_address(app: App) -> AsyncIterator[str]:
    """Serve the application to clients that must not stop."""
    async with served(app, calm, send_buffer=1 << 16) as address:  # type: ignore[arg-type]
        yield address


@pytest.fixture
async def steady(calm_address: str) -> AsyncIterator[Client]:
    async with dialled(calm_address) as client:
        yield client


@pytest.fixture
async def patient(app: App) -> AsyncIterator[Client]:
    """Connect to the service as it is."""
    async with served(app) as address, dialled(address) as client:  # type: ignore[arg-type]
        yield client


@pytest.fixture(scope="module")
async def home(redis_server: redis_servers.Server) -> AsyncIterator[House]:
    """Serve clients that need no hurry."""
    async with (
        connection.connect(redis_server.url) as redis,
        house(redis, Keys(prefix="lines")) as home,
    ):
        yield home
