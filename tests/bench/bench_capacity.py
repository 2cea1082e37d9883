"""What a unit of load costs a replica and Redis, and how well the sum of units tells a whole load.

A service of its own answers by extracts, another by a model on this machine. Small loads tell what
a unit costs; then each carries a load that is several times as large, and what it takes is compared
with what `tests.bench.capacity_model` reckons. The last rows reckon a large portal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import uvloop

from tests.bench import capacity_model
from tests.bench.capacity_model import Costs, Load, Needs, Portal
from tests.bench.loaded_service import PACE, PIECE, PIECES, Place, Spent, place, questions
from tests.bench.measuring import Row, at_most, informs
from tests.doubles import OpenAIServer, chunks, completion

IDLE: Final = (1_000, 3_000)
"""Sockets that say nothing: of the small load, and of the large one."""
ASKED: Final = (400, 1_200)
"""Questions, one after the other on each of `LINES` sockets."""
LINES: Final = 8
STREAMS: Final = (10, 40, 120)
"""Answers of the model at once: two small loads and the large one."""
DOCUMENTS: Final = (5_000, 20_000)
"""Of two chunks each, under the small load and the large one."""
FEW: Final = 500
"""Documents of a service that tells what one costs without them: enough for an index on disk."""
PORTAL: Final = Portal(sessions_a_day=1e6, sockets=1e5, chunks=1e7)
ERROR: Final = 40.0
"""Per cent by which the sum of units may miss what a load takes."""


class Carried(NamedTuple):
    """A load, and what it took."""

    load: Load
    took: Needs
    memory: float
    """Of the service before it."""
    held: float
    """Bytes of Redis before it."""
    logged: float
    """Bytes of Redis for the logs of its answers."""


class Empty(NamedTuple):
    """Bytes of a service with `FEW` documents, of one of its sockets, and of its Redis."""

    memory: float
    socket: float
    redis: float


async def empty() -> Empty:
    """Measure them."""
    async with place(FEW) as where:
        before = where.memory()
        waiting = await where.lines(IDLE[0])
        each = (where.memory() - before) / IDLE[0]
        for line in waiting:
            line.transport.abort()
        return Empty(before, each, await where.redis_bytes())


async def taken(where: Place, spent: Spent) -> Needs:
    """Return what was taken a second, and is held now."""
    return Needs(
        cores=spent.cpu / spent.seconds,
        memory=where.memory(),
        disk=where.disk(),
        redis_cores=spent.redis_cpu / spent.seconds,
        redis_memory=await where.redis_bytes(),
        network=spent.network / spent.seconds,
    )


async def by_extracts(documents: int, idle: int, asked: int) -> Carried:
    """Return what questions over *documents* took beside idle sockets."""
    async with place(documents) as where:
        memory = where.memory()
        held, before = await where.redis_bytes(), await where.log_bytes()
        lines = await where.lines(idle + LINES)
        spent = await where.ask(lines[idle:], questions(documents, asked))
        took = await taken(where, spent)
        logged = await where.log_bytes() - before
        for line in lines:
            line.transport.abort()
    load = Load(
        sockets=len(lines),
        questions=asked / spent.seconds,
        chunks=2 * documents,
        turns=asked,
        logs=asked,
    )
    return Carried(load, took, memory, held, logged)


async def by_a_model() -> list[Carried]:
    """Return what the answers of a model took, for each of `STREAMS`."""
    said = completion(*[PIECE] * PIECES)
    carried: list[Carried] = []
    async with OpenAIServer(chunks(said, before_each=lambda _: asyncio.sleep(PACE))) as model:
        settings = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with place(FEW, **settings) as where:
            for many in STREAMS:
                memory = where.memory()
                held, before = await where.redis_bytes(), await where.log_bytes()
                lines = await where.lines(many)
                spent = await where.stream(lines)
                took = await taken(where, spent)
                logged = await where.log_bytes() - before
                pieces = spent.pieces / spent.seconds
                load = Load(sockets=many, pieces=pieces, turns=many, logs=many)
                carried.append(Carried(load, took, memory, held, logged))
                for line in lines:
                    line.transport.abort()
    return carried


async def measured() -> list[Row]:
    """Return the rows."""
    nothing = await empty()
    small = await by_extracts(DOCUMENTS[0], IDLE[0], ASKED[0])
    streams = await by_a_model()
    costs = unit_costs(nothing, small, streams)
    by_model = msgspec.structs.replace(costs, **kept_costs(streams[1]))
    large = await by_extracts(DOCUMENTS[1], IDLE[1], ASKED[1])
    rows = [
        informs("a replica without documents", costs.base_bytes / 2**20, "MB"),
        informs("a socket that says nothing", costs.socket_bytes / 2**10, "KB"),
        informs("a chunk in the embedded index", costs.chunk_bytes / 2**10, "KB of a replica"),
        informs("  on its disk", costs.chunk_disk_bytes / 2**10, "KB"),
        informs("  in Redis", costs.chunk_redis_bytes / 2**10, "KB"),
        informs("an extractive answer", costs.question_cpu * 1e3, "ms CPU"),
        informs("  of Redis", costs.question_redis_cpu * 1e3, "ms CPU"),
        informs("  kept", costs.turn_redis_bytes / 2**10, "KB of Redis"),
        informs("  its log", costs.log_redis_bytes / 2**10, "KB of Redis"),
        informs("streaming at all", costs.streaming_cpu, "cores"),
        informs("  of Redis", costs.streaming_redis_cpu, "cores"),
        informs("a piece of a model", costs.piece_cpu * 1e6, "µs CPU"),
        informs("  of Redis", costs.piece_redis_cpu * 1e6, "µs CPU"),
        informs("  to a client", costs.piece_network, "bytes"),
        informs(f"an answer of {PIECES} pieces, kept", by_model.turn_redis_bytes / 2**10, "KB"),
        informs("  its log", by_model.log_redis_bytes / 2**10, "KB of Redis"),
    ]
    rows += compared("by extracts", large, costs)
    rows += compared("by a model", streams[-1], by_model)
    rows += reckoned("by extracts", capacity_model.load_at_peak(PORTAL, model=False), costs)
    rows += reckoned("by a model", capacity_model.load_at_peak(PORTAL, model=True), by_model)
    return rows


def kept_costs(carried: Carried) -> dict[str, float]:
    """Return what a turn of *carried* takes of Redis."""
    load, took, _, held, logged = carried
    return {
        "turn_redis_bytes": (took.redis_memory - held - logged) / load.turns,
        "log_redis_bytes": logged / load.turns,
    }


def unit_costs(nothing: Empty, small: Carried, streams: Sequence[Carried]) -> Costs:
    """Return what a unit costs by the small loads alone."""
    load, took = small.load, small.took
    calm, busy = streams[:2]
    piece = (busy.took.cores - calm.took.cores) / (busy.load.pieces - calm.load.pieces)
    redis_piece = max(
        0.0,
        (busy.took.redis_cores - calm.took.redis_cores) / (busy.load.pieces - calm.load.pieces),
    )
    chunks = load.chunks - 2 * FEW
    chunk = (small.memory - nothing.memory) / chunks
    redis_chunk = (small.held - nothing.redis) / chunks
    return Costs(
        base_bytes=took.memory - load.sockets * nothing.socket - load.chunks * chunk,
        socket_bytes=nothing.socket,
        question_cpu=took.cores / load.questions,
        question_redis_cpu=took.redis_cores / load.questions,
        streaming_cpu=max(0.0, calm.took.cores - calm.load.pieces * piece),
        piece_cpu=piece,
        streaming_redis_cpu=busy.took.redis_cores - busy.load.pieces * redis_piece,
        piece_redis_cpu=redis_piece,
        piece_network=busy.took.network / busy.load.pieces,
        chunk_disk_bytes=took.disk / load.chunks,
        chunk_bytes=chunk,
        redis_bytes=small.held - load.chunks * redis_chunk,
        chunk_redis_bytes=redis_chunk,
        **kept_costs(small),
    )


def compared(subject: str, carried: Carried, costs: Costs) -> list[Row]:
    """Return how far the sum of units is from what was taken."""
    load, took = carried.load, carried.took
    needed = capacity_model.needs(load, costs)
    pairs = [("CPU of the service", needed.cores, took.cores, 1.0, "cores")]
    pairs.append(("CPU of Redis", needed.redis_cores, took.redis_cores, 1.0, "cores"))
    if load.chunks:
        pairs.append(("index on disk", needed.disk, took.disk, 2.0**20, "MB"))
        pairs.append(("memory of the service", needed.memory, took.memory, 2.0**20, "MB"))
        kept = needed.redis_memory, took.redis_memory
        pairs.append(("memory of Redis", *kept, 2.0**20, "MB"))
    what = f"{load.questions:.0f} questions/s" if load.questions else f"{load.pieces:,.0f} pieces/s"
    rows = [informs(f"{subject}, {what}, {load.sockets:,.0f} sockets", load.chunks, "chunks")]
    for name, reckoned, real, unit, kind in pairs:
        error = (reckoned / real - 1) * 100
        row = at_most(f"  {name}: {real / unit:.3g} {kind}, reckoned", abs(error), ERROR, "% off")
        rows.append(row._replace(measured=f"{reckoned / unit:.3g} ({error:+.0f} %)"))
    return rows


def reckoned(subject: str, load: Load, costs: Costs) -> list[Row]:
    """Return what *load* needs."""
    needed = capacity_model.needs(load, costs)
    replicas = capacity_model.replicas(needed, load, costs)
    in_replica = capacity_model.chunk_memory(load.chunks, costs)
    return [
        informs(f"a large portal {subject}: replicas", replicas, "of one core"),
        informs("  CPU of the service", needed.cores, "cores"),
        informs("  CPU of Redis", needed.redis_cores, "cores"),
        informs("  memory of all sockets", load.sockets * costs.socket_bytes / 2**30, "GB"),
        informs("  chunks in each replica", in_replica / 2**30, "GB"),
        informs("  or in Redis alone", capacity_model.SHARED.at(load.chunks) / 2**30, "GB"),
        informs("  files of the index of each replica", needed.disk / 2**30, "GB"),
        informs("  memory of Redis", needed.redis_memory / 2**30, "GB"),
        informs("  network to clients", needed.network * 8 / 1e6, "Mbit/s"),
    ]


def run() -> list[Row]:
    """Measure units, compare two loads with their sum, reckon a large portal."""
    return uvloop.run(measured())
