"""How many replicas, and how much Redis, a load needs: reckoned from what each unit of it costs.

Costs are added up: each socket, piece, question and chunk costs what it costs alone. That is wrong
where costs are shared (pieces that are appended together cost less each), so what is reckoned is
checked against what a service took: see `tests.bench.bench_capacity`.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec

DAY: Final = 86_400.0
LOG_SECONDS: Final = 600.0
FIRST: Final = 10_000
"""Chunks that take more memory each than later ones: what a writer and its segments hold."""


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs, as measured: CPU in seconds of one core, memory in bytes."""

    base_bytes: float
    """A replica that does nothing, with no document."""
    socket_bytes: float
    question_cpu: float
    """Of the service for a whole extractive answer, from the frame to its last element."""
    question_redis_cpu: float
    streaming_cpu: float
    """Of the service a second in which any answer streams, whatever its pieces."""
    streaming_redis_cpu: float
    piece_cpu: float
    """Of the service for a piece of a model's text, from the model to one reader."""
    piece_redis_cpu: float
    piece_network: float
    """Bytes to one reader."""
    chunk_bytes: float
    """Memory of a replica for a chunk of a document, beside its files of the embedded index: for
    each of the first `FIRST`, see `LATER`."""
    chunk_disk_bytes: float
    """Those files: what is searched of them the operating system keeps in its cache."""
    redis_bytes: float
    """Memory of Redis that holds nothing but what a replica needs."""
    chunk_redis_bytes: float
    turn_redis_bytes: float
    """Memory of Redis for a question and its answer, as they are kept."""
    log_redis_bytes: float
    """Memory of Redis for the log of an answer, until `LOG_SECONDS` after its end."""


class Growth(msgspec.Struct, frozen=True):
    """Bytes that an index takes: *fixed* ones, and so many for each *chunk*."""

    fixed: float
    chunk: float

    def at(self, chunks: float) -> float:
        """Return what so many chunks take."""
        return self.fixed + self.chunk * chunks


def growth(few: tuple[float, float], many: tuple[float, float]) -> Growth:
    """Return the growth on which two measured sizes lie, each so many chunks and their bytes."""
    chunk = (many[1] - few[1]) / (many[0] - few[0])
    return Growth(few[1] - chunk * few[0], chunk)


EMBEDDED: Final = growth((10_000, 98e6), (100_000, 230e6))
"""Memory of a replica, by what `bench_corpus` measured of the embedded index."""
SHARED: Final = growth((10_000, 68e6), (100_000, 550e6))
"""Memory of Redis, by the same of the shared index, without vectors."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a deployment at its busiest second."""

    sockets: float = 0
    questions: float = 0
    """A second, of those that no model answers."""
    pieces: float = 0
    """A second, over all answers of models."""
    chunks: float = 0
    turns: float = 0
    """That are kept."""
    logs: float = 0
    """Of answers that still stream or ended lately."""


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """What a load takes of one replica that carries all of it, and of Redis."""

    cores: float
    memory: float
    disk: float
    redis_cores: float
    redis_memory: float
    network: float
    """Bytes a second to clients."""


def needs(load: Load, costs: Costs) -> Needs:
    """Return what *load* takes."""
    cores = load.questions * costs.question_cpu + load.pieces * costs.piece_cpu
    redis_cores = load.questions * costs.question_redis_cpu + load.pieces * costs.piece_redis_cpu
    if load.pieces:
        cores += costs.streaming_cpu
        redis_cores += costs.streaming_redis_cpu
    return Needs(
        cores=cores,
        memory=costs.base_bytes
        + load.sockets * costs.socket_bytes
        + chunk_memory(load.chunks, costs),
        redis_cores=redis_cores,
        disk=load.chunks * costs.chunk_disk_bytes,
        redis_memory=costs.redis_bytes
        + load.turns * costs.turn_redis_bytes
        + load.logs * costs.log_redis_bytes
        + load.chunks * costs.chunk_redis_bytes,
        network=load.pieces * costs.piece_network,
    )


def chunk_memory(chunks: float, costs: Costs) -> float:
    """Return the memory that the embedded index of a replica takes for so many *chunks*."""
    later = max(0.0, chunks - FIRST)
    return (chunks - later) * costs.chunk_bytes + later * EMBEDDED.chunk


class Portal(msgspec.Struct, frozen=True, kw_only=True):
    """A deployment as its operator describes it."""

    sessions_a_day: float
    sockets: float
    chunks: float
    turns_a_session: float = 3
    peak: float = 3
    """How many times the mean of a day its busiest hour asks."""
    pieces_an_answer: float = 300
    days_kept: float = 30


def load_at_peak(portal: Portal, *, model: bool) -> Load:
    """Return the busiest second of *portal*, answered by a *model* or by extracts."""
    turns = portal.sessions_a_day * portal.turns_a_session
    asked = turns / DAY * portal.peak
    return Load(
        sockets=portal.sockets,
        questions=0 if model else asked,
        pieces=asked * portal.pieces_an_answer if model else 0,
        chunks=portal.chunks,
        turns=turns * portal.days_kept,
        logs=asked * LOG_SECONDS,
    )


def replicas(
    needed: Needs, load: Load, costs: Costs, *, use: float = 0.6, sockets: float = 20_000
) -> int:
    """Return how many one-core replicas carry *load*, one of them lost, at *use* of their core.

    A replica takes *sockets* at most. Memory does not count: every replica holds all chunks.
    """
    if load.pieces:  # each replica streams
        needed_cores = needed.cores - costs.streaming_cpu
        per_replica = use - costs.streaming_cpu
    else:
        needed_cores, per_replica = needed.cores, use
    by_cores = math.ceil(needed_cores / per_replica)
    return max(by_cores, math.ceil(load.sockets / sockets), 1) + 1
