"""What traces cost: CPU of the service for a delta, with one in ten answers traced and with none.

Two servers run the same loop (`tests.bench.websocket_server`) over one Redis; one sends its traces
to a collector in this process, which throws them away. CPU is that of the process over the whole
round: accepting, writing, telling, ending, and sending what is left. In each round both serve half
of the answers at the same time: whatever else goes on, on a machine that is shared, makes every
instruction of both dearer and joins the pieces of both.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Final

from tests import redis_servers
from tests.bench.bench_websocket import Server, joined, read, server
from tests.bench.measuring import Row, cpu_seconds, informs, ratio, ratio_at_most
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
        servers = {"traced": on, "untraced": off}
        pairs = [_pair(servers, answers // 2, found) for _ in range(count + 1)][1:]
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


def _pair(
    servers: Mapping[str, Server], answers: int, found: Mapping[str, list[Found]]
) -> tuple[float, ...]:
    """Read so many answers from each server at once; return the CPU of each for a delta, in µs."""
    task = Task(port=0, pid=0, answers=answers)
    deltas = answers * (task.warm + task.span + MARGIN) / PACE  # of the whole round
    before = {name: cpu_seconds(running.pid) for name, running in servers.items()}
    with ThreadPoolExecutor(len(servers)) as readers:
        reading = {name: readers.submit(read, one, answers) for name, one in servers.items()}
        for name, done in reading.items():
            found[name].append(done.result())
    spent = (cpu_seconds(running.pid) - before[name] for name, running in servers.items())
    return tuple(seconds / deltas * 1e6 for seconds in spent)
