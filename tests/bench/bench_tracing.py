"""What traces cost: CPU of the service for a delta, with one in ten answers traced and with none.

Two servers run the same loop (`tests.bench.websocket_server`) over one Redis and take turns; one
sends its traces to a collector in this process, which throws them away. CPU is that of the whole
round: accepting, writing, telling, ending, and sending what is left.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from tests import redis_servers
from tests.bench.bench_websocket import BUSY, JOINED, Server, joined, read, server
from tests.bench.measuring import Row, at_most, cpu_seconds, informs, rounds
from tests.bench.websocket_reader import MARGIN, Found, Task
from tests.bench.websocket_server import PACE

ANSWERS: Final = 400
ROUNDS: Final = 5
SHARE: Final = "0.1"


class _Collector(BaseHTTPRequestHandler):
    received = 0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        _Collector.received += len(body)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def collector() -> Generator[str]:
    """Take what is sent, and give the address to send to."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Collector) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_address[1]}"
        listening.shutdown()


def run(answers: int = ANSWERS, count: int = ROUNDS) -> list[Row]:
    """Return the rows."""
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_servers.standalone(redis_servers.binary() or "redis-server", Path(folder)) as redis,
        collector() as address,
        server("log", redis.url) as off,
        server("log", redis.url, _traced(address)) as on,
    ):
        found: list[Found] = []
        contenders = {
            name: _contender(running, answers, found)
            for name, running in (("off", off), ("on", on))
        }
        cpu = rounds(contenders, count)
    if not _Collector.received:
        raise RuntimeError("nothing was traced")
    subject = f"{answers} answers × 50/s"
    ratio = at_most(f"{subject}: CPU traced : untraced", cpu["on"] / cpu["off"], 1.03)
    if joined(found) >= JOINED:
        ratio = ratio._replace(promise=BUSY, holds=None)
    return [
        informs(f"{subject}: untraced", cpu["off"], "µs CPU a delta"),
        informs(f"{subject}: one in ten traced", cpu["on"], "µs CPU a delta"),
        ratio,
    ]


def _traced(address: str) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": address,
        "OTEL_TRACES_SAMPLER": "parentbased_traceidratio",
        "OTEL_TRACES_SAMPLER_ARG": SHARE,
    }


def _contender(running: Server, answers: int, found: list[Found]) -> Callable[[], float]:
    task = Task(port=running.port, pid=running.pid, answers=answers)
    deltas = answers * (task.warm + task.span + MARGIN) / PACE  # of the whole round

    def once() -> float:
        before = cpu_seconds(running.pid)
        found.append(read(running, answers))
        return (cpu_seconds(running.pid) - before) / deltas * 1e6

    return once
