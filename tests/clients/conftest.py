"""One service on a free port for the whole test run, and the official clients of its APIs."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from service.composition.app import Application, create_app
from service.server import http_server, listening
from service.server.certificates import Certificates
from service.settings import Settings
from tests import redis_servers
from tests.clients import asking, discovery
from tests.clients import keyed as keyed_service
from tests.clients.asking import Written
from tests.clients.discovery import Api, Service
from tests.clients.keyed import Keyed
from tests.clients.writing import Writing, served
from tests.sessions import certificates
from tests.sessions.certificates import Certificate
from tests.waiting import LONG


class _Thread(threading.Thread):
    """A service in a thread of its own, with an event loop of its own."""

    def __init__(self, settings: Settings, certificate: Certificate | None = None) -> None:
        super().__init__(name="service", daemon=True)
        self._settings = settings
        self._certificate = certificate
        self._ready = threading.Event()
        self._leave: Callable[[], None] | None = None
        self.application: Application | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.failure: BaseException | None = None
        self.port = 0

    def run(self) -> None:
        with asyncio.Runner() as runner:
            self.loop = runner.get_loop()
            try:
                runner.run(self._serve())
            except BaseException as exc:
                self.failure = exc
                self._ready.set()
                raise

    async def _serve(self) -> None:
        listener = listening.listen(self._settings)
        self.port = listener.getsockname()[1]
        self.application = application = create_app(self._settings)
        shown = Certificates(*self._certificate) if self._certificate else None
        server = uvicorn.Server(http_server.configuration(application.asgi, certificates=shown))
        self._leave = lambda: setattr(server, "should_exit", True)
        async with application.opened():
            await application.ready.wait()
            self._ready.set()
            await server.serve([listener])

    def wait_ready(self) -> None:
        assert self._ready.wait(2 * LONG)
        if self.failure is not None:
            raise self.failure

    def stop(self) -> None:
        assert self._leave is not None
        self._leave()
        self.join(2 * LONG)
        assert not self.is_alive()


@contextlib.contextmanager
def running_service(
    settings: Settings, certificate: Certificate | None = None
) -> Generator[Service]:
    thread = _Thread(settings, certificate)
    thread.start()
    thread.wait_ready()
    assert thread.application is not None
    assert thread.loop is not None
    scheme = "https" if certificate else "http"
    yield Service(f"{scheme}://127.0.0.1:{thread.port}", thread.application, thread.loop)
    thread.stop()


@pytest.fixture(scope="session")
def buckets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that stands for gs:// in the service."""
    return tmp_path_factory.mktemp("buckets")


@pytest.fixture(scope="session")
def service(
    redis_binary: str, buckets: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Serve without the sample, as a user of Redis with no right too many.

    On a Redis of its own, as all services here: those of one Redis index the documents of all.
    """
    folder: Path = tmp_path_factory.mktemp("service")
    with redis_servers.for_service(redis_binary) as redis:
        settings = Settings(
            port=0,
            data_dir=folder,
            redis_url=redis.service_url,
            sample=False,
            import_dir=buckets,
        )
        with running_service(settings) as running:
            yield running


@pytest.fixture(scope="session")
def secure(
    redis_binary: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Service, Path]]:
    """Serve over TLS, without imports; the certificate is its own authority."""
    folder: Path = tmp_path_factory.mktemp("secure")
    certificate = certificates.localhost(folder)
    with redis_servers.for_service(redis_binary) as redis:
        settings = Settings(port=0, data_dir=folder, redis_url=redis.service_url, sample=False)
        with running_service(settings, certificate) as running:
            yield running, certificate.certificate


@pytest.fixture(scope="session")
def writing(redis_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writing]:
    """Serve with a model that writes what the test scripts."""
    with (
        redis_servers.for_service(redis_binary) as redis,
        served(redis.service_url, tmp_path_factory.mktemp("writing")) as found,
    ):
        yield found


@pytest.fixture(scope="session")
def keyed(redis_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    """Serve to those alone who show who they are."""
    with keyed_service.served(redis_binary, tmp_path_factory.mktemp("keyed")) as found:
        yield found


@pytest.fixture(scope="session")
def written(redis_binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    """Serve a town with a model that writes what the test scripts, at the pace that it sets."""
    with (
        redis_servers.for_service(redis_binary) as redis,
        asking.written(redis.service_url, tmp_path_factory.mktemp("written")) as running,
    ):
        yield running


@pytest.fixture(params=["v1", "v1beta", "v1alpha"])
def api(request: Any, service: Service) -> Api:
    """The clients of each version in turn, in a project of the test's own."""
    return discovery.api(request.param, service.url, f"p{secrets.token_hex(5)}")


@pytest.fixture
def v1(service: Service) -> Api:
    """The clients of v1, in a project of the test's own."""
    return discovery.api("v1", service.url, f"p{secrets.token_hex(5)}")
