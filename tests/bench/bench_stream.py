"""How soon a question is answered among 10,000 chunks: accepted, first element, first text, end.

The service runs as a process of its own and answers from the documents. Questions are asked one
after the other on one socket; a ping on the same socket is the floor.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.documents import document_import
from service.corpus.isolation.pool import ParsingPool
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.stores.store_set import ConversationStore, SessionStore
from streaming.protocol import frames
from tests import redis_servers
from tests.bench.measuring import Row, at_most, informs, quantile
from tests.bench.service_process import service

DOCUMENTS: Final = 5_000
QUESTIONS: Final = 120
FIRST: Final = 20
"""Questions that are not counted."""
STORE: Final = names.SAMPLE_DATA_STORE
CONFIG: Final = f"{STORE}/servingConfigs/default_config"
PAUSE: Final = 0.06  # there is a limit on frames
_KINDS: Final = "red blue green old new small large round long short wide narrow".split()
_THINGS: Final = (
    "lamp chair table book ticket card bottle ladder carpet mirror basket blanket kettle pillow "
    "drawer hammer bucket candle jacket wallet guitar violin camera bicycle tent"
).split()
_PLACES: Final = "counter desk office archive workshop library station museum".split()


class Times(NamedTuple):
    """Milliseconds from the question on."""

    accepted: float
    element: float
    text: float
    end: float


def things(many: int = DOCUMENTS) -> list[tuple[str, str, str]]:
    """Return what so many documents are about, each different."""
    kinds = [" ".join(pair) for pair in itertools.permutations(_KINDS, 2)]
    whole = [(k, t, p) for k in kinds for t in _THINGS for p in _PLACES]
    return random.Random(7).sample(whole, many)


def documents(many: int = DOCUMENTS) -> Iterator[dict[str, str]]:
    """Yield documents of two sections, which become two chunks."""
    chance = random.Random(8)
    for number, (kind, thing, place) in enumerate(things(many)):
        days = chance.randint(2, 90)
        filler = "Ask the staff where you are not sure what applies to you. " * 8
        text = (
            f"# The {kind} {thing}\n\n## How do I return a {kind} {thing} to the {place}?\n\n"
            f"A {kind} {thing} can be returned at the {place} within {days} days. {filler}\n\n"
            f"## What does a {kind} {thing} cost at the {place}?\n\n"
            f"A {kind} {thing} costs {days} euros at the {place}. {filler}\n"
        )
        yield {"id": f"d{number}", "mime": "text/markdown", "text": text}


async def prepare(url: str, folder: Path, many: int = DOCUMENTS) -> None:
    """Import so many documents."""
    path = folder / "all.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in documents(many)))
    async with connection.connect(url) as redis, ParsingPool() as parsers:
        keys = Keys()
        store = DocumentStore(redis, keys)
        kept = (SessionStore(redis, keys), ConversationStore(redis, keys))
        await Catalogue(redis, keys, store, kept).ensure_data_store(STORE)
        await document_import.import_path(store, parsers, None, path, STORE)


async def ask(line: ClientConnection, number: int, text: str) -> Times:
    """Ask, and note when what comes."""
    request = {"query": {"text": text}, "session": f"{STORE}/sessions/-"}
    frame: dict[str, Any] = {"type": "answer", "id": f"q{number}", "servingConfig": CONFIG}
    began = time.perf_counter()
    await line.send(msgspec.json.encode(frame | {"request": request}).decode())
    seen: dict[str, float] = {}
    while "end" not in seen:
        told: dict[str, Any] = msgspec.json.decode(await line.recv())
        now = (time.perf_counter() - began) * 1000
        seen.setdefault("accepted" if told["type"] == "accepted" else "element", now)
        answer = told.get("response", {}).get("answer", {})
        if answer.get("answerText"):
            seen.setdefault("text", now)
        if answer.get("state") in ("SUCCEEDED", "FAILED"):
            seen["end"] = now
            if answer.get("answerSkippedReasons") or answer["state"] == "FAILED":
                raise AssertionError(answer)
    return Times(seen["accepted"], seen["element"], seen["text"], seen["end"])


async def ping(line: ClientConnection) -> float:
    """Return the milliseconds of a frame there and back."""
    began = time.perf_counter()
    await line.send('{"type":"ping"}')
    await line.recv()
    return (time.perf_counter() - began) * 1000


async def measure(port: int) -> tuple[list[Times], list[float]]:
    """Ask all questions, with a ping before each."""
    about = random.Random(9).sample(things(), QUESTIONS + FIRST)
    url = f"ws://127.0.0.1:{port}/v1/ws"
    times: list[Times] = []
    pings: list[float] = []
    protocols = [Subprotocol(frames.SUBPROTOCOL)]
    async with connect(url, subprotocols=protocols, compression=None) as line:
        await line.recv()
        for number, (kind, thing, place) in enumerate(about):
            pings.append(await ping(line))
            question = f"How do I return a {kind} {thing} to the {place}?"
            times.append(await ask(line, number, question))
            await asyncio.sleep(2 * PAUSE)  # two frames, of which there is a limit
    return times[FIRST:], pings[FIRST:]


def run() -> list[Row]:
    """Import, serve, ask."""
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server")
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(program, folder) as redis,
    ):
        uvloop.run(prepare(redis.url, folder))
        with service(redis.url) as running:
            times, pings = uvloop.run(measure(running.port))
    columns = {field: [getattr(one, field) for one in times] for field in Times._fields}
    p50 = {field: quantile(column, 0.5) for field, column in columns.items()}
    p99 = {field: quantile(column, 0.99) for field, column in columns.items()}
    after = quantile([one.element - one.accepted for one in times], 0.5)
    subject = f"{2 * DOCUMENTS:,} chunks"
    return [
        informs(f"{subject}: a ping and its pong, p50", quantile(pings, 0.5), "ms"),
        informs(f"{subject}: accepted, p50", p50["accepted"], f"ms, p99 {p99['accepted']:.3g} ms"),
        at_most(f"{subject}: from there to the first element, p50", after, 15, "ms"),
        informs(f"{subject}: first text, p50", p50["text"], f"ms, p99 {p99['text']:.3g} ms"),
        at_most(f"{subject}: end, p50", p50["end"], 60, "ms"),
        informs(f"{subject}: first text : ping", p50["text"] / quantile(pings, 0.5), "×"),
    ]
