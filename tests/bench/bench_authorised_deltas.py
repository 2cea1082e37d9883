"""What it costs a delta that its reader had to say who it is: CPU of the service, a piece of text.

A model on this machine says pieces at a pace; one socket asks it many questions at once. One
service asks nobody who it is, the other has keys; the cases take turns, and a ratio is that of CPU
within a round. What comes before the first delta of a question is spread over its pieces.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
from collections.abc import AsyncGenerator
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import aiohttp
import uvloop

from streaming.client.client import Client
from tests.bench.bench_rate_limits import api_key
from tests.bench.measuring import Row, cpu_seconds, informs
from tests.bench.service_process import Running, fresh_redis, service
from tests.doubles import OpenAIServer, chunks, completion

QUESTIONS: Final = 8
PIECES: Final = 1000
PIECE: Final = "the fence is red, "
PACE: Final = 0.004
"""Seconds between two pieces of one answer."""
ROUNDS: Final = 5
COLLECTION: Final = "projects/colloquy/locations/global/collections/default_collection"
STORE: Final = f"{COLLECTION}/dataStores/fences"
_CONFIG: Final = f"{STORE}/servingConfigs/default_config"
NAMED: Final = {"displayName": "Fences"}
_FENCE: Final = {"jsonData": json.dumps({"title": "The fence", "text": "The fence is red."})}
NO_LIMITS: Final = "visitor=0,user=0,address=0,key=0,project=0"


class Case(NamedTuple):
    """Who asks which service."""

    name: str
    service: Running
    token: str | None = None


def run() -> list[Row]:
    """Return the rows."""
    return uvloop.run(_measured())


async def _measured() -> list[Row]:
    async with _cases() as cases:
        rounds = [{case.name: await _cost(case) for case in cases} for _ in range(ROUNDS + 1)][1:]
    plain, *others = (case.name for case in cases)
    rows = [informs(plain, statistics.median(each[plain] for each in rounds), "µs CPU a piece")]
    for name in others:
        ratio = statistics.median(each[name] / each[plain] for each in rounds)
        rows.append(informs(f"{name}, to that", ratio, "×"))
    return rows


@contextlib.asynccontextmanager
async def _cases() -> AsyncGenerator[list[Case]]:
    """Give an open service and one with keys, each with its document, and the same model."""
    said = completion(*[PIECE] * PIECES)
    async with OpenAIServer(chunks(said, before_each=lambda _: asyncio.sleep(PACE))) as model:
        with contextlib.ExitStack() as stack:
            services = [_service(stack, model.base_url, with_key=each) for each in (False, True)]
            (unlocked, _), (locked, key) = services
            for running, credential in services:
                await post(
                    running, f"{COLLECTION}/dataStores?dataStoreId=fences", NAMED, credential
                )
                document = f"{STORE}/branches/0/documents?documentId=d"
                await post(running, document, _FENCE, credential)
            minted = await post(locked, f"{STORE}:mintToken", {"subject": "anna"}, key)
            yield [
                Case("without authentication", unlocked),
                Case("with a key", locked, key),
                Case("with a user's token", locked, minted["token"]),
            ]


def _service(stack: contextlib.ExitStack, model: str, *, with_key: bool) -> tuple[Running, str]:
    """Serve, and return its key, "" where it asks for none."""
    redis = stack.enter_context(fresh_redis())
    settings = {
        "COLLOQUY_DATA_DIR": stack.enter_context(TemporaryDirectory()),
        "COLLOQUY_LLM_BASE_URL": model,
        "COLLOQUY_LLM_MODEL": "scripted",
        "COLLOQUY_RATE_LIMITS": NO_LIMITS,
    }
    key = api_key(redis.url, "admin") if with_key else ""
    return stack.enter_context(service(redis.url, settings)), key


async def post(running: Running, path: str, body: object, key: str) -> Any:
    headers = {"x-goog-api-key": key} if key else {}
    url = f"http://127.0.0.1:{running.port}/v1/{path}"
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.post(url, json=body) as response,
    ):
        if response.status != 200:
            raise RuntimeError(await response.text())
        return await response.json()


async def _cost(case: Case) -> float:
    """Return the microseconds of CPU that the service of *case* spends on a piece of text.

    How many pieces are told together is for the load of the machine to say, not for the case.
    """
    async with Client(f"ws://127.0.0.1:{case.service.port}/v1/ws", case.token) as client:
        before = cpu_seconds(case.service.pid)
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(_answer(client)) for _ in range(QUESTIONS)]
        spent = cpu_seconds(case.service.pid) - before
    if any(each.result().count(PIECE.strip()) != PIECES for each in asked):
        raise RuntimeError("an answer is not what the model said")
    return spent / (QUESTIONS * PIECES) * 1e6


async def _answer(client: Client) -> str:
    """Ask a question, and return the text of the answer."""
    text = ""
    async for element in client.ask("What is the fence?", serving_config=_CONFIG):
        text = element.response.answer.answer_text if element.response.answer else ""
    return text
