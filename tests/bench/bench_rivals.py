"""What others pay for the same deltas: XADD or PUBLISH each, Channels, Socket.IO, Chainlit.

Every server is a process of its own and tells the same frames to the same reader; Redis is another.
Figures are the server's CPU for a delta that arrived, so that a rival that cannot keep up is not
charged for what it did not do. Socket.IO is installed by npm, Chainlit by pip, into folders that go
away again.

``python -m tests.bench.bench_rivals`` draws the comparison into ``streams.svg`` as well.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.bench.chart import bars
from tests.bench.measuring import Row, at_least, informs, quantile, rounds, table
from tests.bench.rival_reader import Found, Task
from tests.bench.service_process import fresh_redis

ROUNDS: Final = 2
SIZES: Final = (100, 400)
SPOKEN: Final = ("socketio", "chainlit")
"""Who speaks another protocol, by its name."""
FULL: Final = 1000
"""Answers that we are promised to tell at a time; no rival can."""
OURS: Final = ("memory", "log")
CALM: Final = 0.97
"""Share of the deltas that must arrive in time, without a log too, for a machine to judge by."""
BUSY: Final = "the machine was too busy to tell"
CHAINLIT: Final = "chainlit==2.12"
PACKAGES: Final = ("socket.io@4.8", "@socket.io/redis-streams-adapter@0.3", "redis@6")
SERVER: Final = Path(__file__).with_name("socketio_server.mjs")
CHAINLIT_SERVER: Final = Path(__file__).with_name("chainlit_server.py")
BOUNDS: Final = {"socketio": 5.0, "xadd": 15.0, "publish": 8.0, "chainlit": 10.0}
"""How many times our CPU for a delta each is promised to take."""
NAMES: Final = {
    "memory": "without a log",
    "log": "durable, ours",
    "xadd": "an XADD a piece",
    "publish": "a PUBLISH a piece",
    "channels": "Litestar Channels, streams",
    "socketio": "Socket.IO, redis-streams adapter",
    "chainlit": "Chainlit",
}


class Server(NamedTuple):
    """One server that runs."""

    pid: int
    port: int


def commands(
    redis: str, modules: Path | None, chainlit: Path | None = None
) -> dict[str, list[str]]:
    """Return how each server is started."""
    ours = [sys.executable, "-m", "tests.bench.websocket_server"]
    theirs = [sys.executable, "-m", "tests.bench.rival_servers"]
    started = {kind: [*ours, kind, redis] for kind in ("memory", "log")}
    started |= {kind: [*theirs, kind, redis] for kind in ("xadd", "publish", "channels")}
    if modules is not None:
        started["socketio"] = ["node", str(SERVER), redis, str(modules)]
    if chainlit is not None:
        started["chainlit"] = [str(chainlit), str(CHAINLIT_SERVER)]
    return started


@contextlib.contextmanager
def serving(command: list[str]) -> Generator[Server]:
    """Run a server."""
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, text=True, stdout=pipe, stderr=none) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            port = next(int(line) for line in process.stdout if line.strip().isdigit())
            yield Server(process.pid, port)
        finally:
            process.kill()


def read(task: Task) -> Found:
    """Read as *task* says, in a process of its own."""
    argument = msgspec.json.encode(task).decode()
    command = [sys.executable, "-m", "tests.bench.rival_reader", argument]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=120)
    return msgspec.json.decode(done.stdout, type=Found)


@contextlib.contextmanager
def chainlit() -> Generator[Path | None]:
    """Install Chainlit for as long as it is measured; yield its Python, None where that fails."""
    with tempfile.TemporaryDirectory(prefix="colloquy-pip-") as name:
        venv.create(name, with_pip=True)
        python = Path(name) / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "--quiet", CHAINLIT]
        try:
            subprocess.run(install, check=True, capture_output=True, timeout=300)
        except subprocess.SubprocessError as exc:
            print(f"Chainlit is left out: {exc}", file=sys.stderr)
            yield None
        else:
            os.environ["CHAINLIT_APP_ROOT"] = name  # it writes its settings there
            yield python


@contextlib.contextmanager
def socketio() -> Generator[Path | None]:
    """Install Socket.IO for as long as it is measured; None where that fails."""
    with tempfile.TemporaryDirectory(prefix="colloquy-npm-") as name:
        folder = Path(name)
        (folder / "package.json").write_text("{}")
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES]
        try:
            subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=120)
        except (OSError, subprocess.SubprocessError) as exc:
            print(f"Socket.IO is left out: {exc}", file=sys.stderr)
            yield None
        else:
            yield folder


def compare(
    started: Mapping[str, list[str]], size: int, redis: int, readers: int = 1
) -> dict[str, list[Found]]:
    """Let every server tell *size* answers to so many *readers* each, by turns.

    Return what was found in the rounds.
    """
    found: dict[str, list[Found]] = {kind: [] for kind in started}

    def contender(kind: str) -> Callable[[], float]:
        def once() -> float:
            with serving(started[kind]) as server:
                task = Task(
                    port=server.port,
                    pid=server.pid,
                    answers=size,
                    readers=readers,
                    kind=kind if kind in SPOKEN else "websocket",
                    redis=redis,
                )
                found[kind].append(read(task))
            return found[kind][-1].server_us

        return once

    rounds({kind: contender(kind) for kind in started}, ROUNDS)
    return {kind: all_[1:] for kind, all_ in found.items()}


def measure() -> dict[int, dict[str, list[Found]]]:
    """Compare all servers at each size."""
    with (
        socketio() if shutil.which("npm") else contextlib.nullcontext() as modules,
        chainlit() as python,
        fresh_redis() as redis,
    ):
        if redis.process is None:
            raise AssertionError("it runs")
        started = commands(redis.url, modules, python)
        pid = redis.process.pid
        found = {size: compare(started, size, pid) for size in SIZES}
        ours = {kind: started[kind] for kind in OURS}
        return found | {FULL: compare(ours, FULL, pid)}


def cost(found: Mapping[int, Mapping[str, list[Found]]], kind: str, size: int) -> float:
    """Return the CPU of a server for a delta that arrived, in microseconds."""
    return quantile([one.server_us for one in found[size][kind]], 0.5)


def arrived(found: Mapping[int, Mapping[str, list[Found]]], kind: str, size: int) -> float:
    """Return the share of the deltas that arrived when they were due."""
    return quantile([one.rate for one in found[size][kind]], 0.5)


def run() -> list[Row]:
    """Compare all servers."""
    return compared(measure())


def compared(found: Mapping[int, Mapping[str, list[Found]]]) -> list[Row]:
    """Tell what each paid, and how often as much as we."""
    rows = [
        row(f"{size} × 50/s: {NAMES[kind]}", all_)
        for size, kinds in found.items()
        for kind, all_ in kinds.items()
    ]
    # Behind, a server joins pieces, and each costs too little.
    calm = arrived(found, "memory", FULL) > CALM and arrived(found, "log", FULL) > CALM
    for kind in found[SIZES[0]]:
        if kind in OURS:
            continue
        for size in SIZES:
            ratio = cost(found, kind, size) / cost(found, "log", size)
            rows.append(informs(f"CPU of {NAMES[kind]} : ours, both at {size}", ratio, "×"))
        best = min(cost(found, kind, size) for size in SIZES) / cost(found, "log", FULL)
        rows.append(promised(kind, f"CPU of {NAMES[kind]} at its best : ours at {FULL:,}", best))
    share = arrived(found, "log", FULL) / arrived(found, "memory", FULL)
    rows.append(at_least(f"{FULL:,} × 50/s: deltas that arrive, ours : without a log", share, 0.97))
    return (
        rows
        if calm
        else [row._replace(promise=BUSY, holds=None) if row.promise else row for row in rows]
    )


def row(subject: str, found: list[Found]) -> Row:
    """Tell one server's figures, medians of its rounds."""

    def middle(get: Callable[[Found], float]) -> float:
        return quantile([get(one) for one in found], 0.5)

    return Row(
        subject,
        f"{middle(lambda one: one.server_us):.3g} + {middle(lambda one: one.redis_us):.2g} µs, "
        f"{middle(lambda one: one.p50_ms):.3g} / {middle(lambda one: one.p99_ms):.3g} ms, "
        f"{middle(lambda one: one.rate):.0%} arrive",
    )


def promised(kind: str, subject: str, ratio: float) -> Row:
    """Return the row of a ratio, with its promise where there is one."""
    return (
        at_least(subject, ratio, BOUNDS[kind]) if kind in BOUNDS else informs(subject, ratio, "×")
    )


def label(found: Mapping[int, Mapping[str, list[Found]]], kind: str, size: int) -> str:
    """Name a server, and say so where it cannot keep up."""
    share = arrived(found, kind, size)
    return NAMES[kind] if share > CALM else f"{NAMES[kind]} ({share:.0%} in time)"


def draw(found: Mapping[int, Mapping[str, list[Found]]]) -> str:
    """Draw what each paid for a delta, as multiples of what we paid."""
    groups = {
        f"{size} answers at a time": [
            (label(found, kind, size), cost(found, kind, size) / cost(found, "log", size))
            for kind in found[size]
        ]
        for size in SIZES
    }
    note = (
        "CPU of the server for a piece of text that arrived, as multiples of ours; less is better"
    )
    return bars("What a streamed piece of text costs", note, groups, ours=NAMES["log"])


if __name__ == "__main__":
    measured = measure()
    Path(__file__).with_name("streams.svg").write_text(draw(measured))
    print(table([("rivals", told) for told in compared(measured)]))
