"""What traces cost: CPU of the service for a delta, with one in ten answers traced and with none.

Two servers run the same loop (`tests.bench.websocket_server`) over one Redis and take turns; one
sends its traces to a collector in this process, which throws them away. CPU is that of the process
over the whole round: accepting, writing, telling, ending, and sending what is left. It is compared
in pairs, since other work on the machine makes every instruction dearer, for both of a pair.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Final

from tests import redis_servers
from tests.bench.bench_websocket import Server, joined, read, server
from tests.bench.measuring import Row, cpu_seconds, informs, paired, ratio, ratio_at_most
from tests.bench.websocket_reader import MARGIN, Found, Task
from tests.bench.websocket_server import PACE

ANSWERS: Final = 400
PAIRS: Final = 12
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


def run(answers: int = ANSWERS, count: int = PAIRS) -> list[Row]:
    """Return the rows."""
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_servers.standalone(redis_servers.binary() or "redis-server", Path(folder)) as redis,
        collector() as address,
        server("log", redis.url) as off,
        server("log", redis.url, _traced(address)) as on,
    ):
        found: dict[str, list[Found]] = {"traced": [], "untraced": []}
        traced = _contender(on, answers, found["traced"])
        untraced = _contender(off, answers, found["untraced"])
        pairs = paired(traced, untraced, count)
    if not _Collector.received:
        raise RuntimeError("nothing was traced")
    subject = f"{answers} answers × 50/s"
    cpu = [median(figures) for figures in zip(*pairs, strict=True)]
    return [
        informs(f"{subject}: untraced", cpu[1], "µs CPU a delta"),
        informs(f"{subject}: one in ten traced", cpu[0], "µs CPU a delta"),
        # Where more are joined a delta costs less: the two have to be alike.
        *(
            informs(f"{subject}: {name}, a frame tells", joined(found[name]), "deltas")
            for name in found
        ),
        ratio_at_most(f"{subject}: CPU traced : untraced", ratio(pairs), 1.03),
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
