"""The health check of the image, run as the container's engine runs it."""

from __future__ import annotations

import contextlib
import http.server
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.sessions import certificates

SCRIPT: Final = Path(__file__).parent.parent / "docker" / "health.py"
HEAVY: Final = {"asyncio", "email", "http", "service", "urllib", "logging", "ssl"}


@contextlib.contextmanager
def answering(status: int, tls: ssl.SSLContext | None = None) -> Generator[tuple[int, list[str]]]:
    """Reply *status* to each request; yield the port, and the paths that were asked for."""
    paths: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_address[1], paths
        finally:
            server.shutdown()
            thread.join()


def check(port: int, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-S", *options, str(SCRIPT)],
        env=os.environ | {"COLLOQUY_PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("status", "exit_status"), [(200, 0), (503, 1), (404, 1)])
def test_a_container_is_healthy_where_the_service_is_ready(status: int, exit_status: int) -> None:
    with answering(status) as (port, paths):
        assert check(port).returncode == exit_status
    assert set(paths) == {"/readyz"}


@pytest.mark.parametrize(("status", "exit_status"), [(200, 0), (503, 1)])
def test_a_service_that_speaks_tls_is_asked_over_tls(
    status: int, exit_status: int, tmp_path: Path
) -> None:
    pair = certificates.localhost(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair.certificate, pair.key)
    with answering(status, context) as (port, paths):
        assert check(port).returncode == exit_status
    assert paths == ["/readyz"]


def test_nobody_there_is_no_health_and_says_nothing_of_python() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        ended = check(unused.getsockname()[1])
    assert (ended.returncode, ended.stderr) == (1, "")


def test_the_check_costs_no_more_than_the_start_of_a_bare_python() -> None:
    with answering(200) as (port, _):
        told = check(port, "-X", "importtime").stderr
    imported = {line.split("|")[-1].strip().split(".")[0] for line in told.splitlines()}
    assert "socket" in imported
    assert imported & HEAVY == set()
