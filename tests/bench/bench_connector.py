"""What a streamed token costs in CPU: our connector, the openai SDK, and aiohttp with json.

The endpoint runs in a process of its own and sends every token in a packet of its own, to many
answers at once, as an endpoint under load does. All contenders run on uvloop, as the service does.
Half of what ours costs is what any reader pays to the loop and the socket, so the SDK can lose by
five times or six, and no more.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from multiprocessing.connection import Connection
from typing import Any, Final

import aiohttp
import openai
import uvicorn
import uvloop

from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_completions import ChatCompletions, client
from service.generation.chat_model.openai import OpenAIGenerator
from service.generation.generator import Prompt, Source
from tests import doubles
from tests.bench.measuring import Row, at_least, at_most, cpu_seconds, informs, rounds

ANSWERS: Final = 25
TOKENS: Final = 200
PACE: Final = 0.01
"""Seconds from token to token of one answer; faster, slow contenders would find several a read."""
ROUNDS: Final = 3
TOKEN: Final = "token "
PROMPT: Final = Prompt(query="How long?", sources=(Source(title="t", text="30 days. " * 50),) * 5)

Answer = Callable[[], Awaitable[int]]
Connector = Callable[[str], AbstractAsyncContextManager[Answer]]


async def complete(scope: Any, receive: Any, send: Any) -> None:
    """Answer any request with a completion: an ASGI application."""
    while (await receive()).get("more_body"):
        pass
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for event in doubles.completion(*[TOKEN] * TOKENS):
        await asyncio.sleep(PACE)
        await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body"})


def endpoint(address: Connection) -> None:
    """Serve completions as vLLM and its like do: uvicorn, one write a token."""

    async def serve() -> None:
        server = uvicorn.Server(uvicorn.Config(complete, log_level="error", lifespan="off"))
        listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        address.send(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        async with asyncio.TaskGroup() as group:
            group.create_task(server.serve([listener]))
            await asyncio.to_thread(address.recv)
            server.should_exit = True

    uvloop.run(serve())


def cost(connector: Connector, base_url: str) -> float:
    """Return the CPU microseconds a token of `ANSWERS` answers at once."""

    async def measured() -> float:
        async with connector(base_url) as answer:

            async def counted() -> int:
                return await answer()

            await counted()
            before = cpu_seconds()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(counted()) for _ in range(ANSWERS)]
            spent = cpu_seconds() - before
        assert {task.result() for task in tasks} == {len(TOKEN) * TOKENS}
        return spent / (ANSWERS * TOKENS) * 1e6

    return uvloop.run(measured())


@asynccontextmanager
async def ours(base_url: str) -> AsyncGenerator[Answer]:
    """Ask through our connector."""
    async with client() as http:
        generator = OpenAIGenerator(
            ChatCompletions(http, Endpoint(base_url=base_url, model="m", api_key="k"))
        )

        async def answer() -> int:
            return sum([len(piece.text) async for piece in generator.generate(PROMPT)])

        yield answer


@asynccontextmanager
async def sdk(base_url: str) -> AsyncGenerator[Answer]:
    """Ask through the openai SDK."""
    async with openai.AsyncOpenAI(base_url=base_url, api_key="k") as api:

        async def answer() -> int:
            stream = await api.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "How long?"}], stream=True
            )
            return sum([len(chunk.choices[0].delta.content or "") async for chunk in stream])

        yield answer


@asynccontextmanager
async def by_hand(base_url: str) -> AsyncGenerator[Answer]:
    """Ask with aiohttp and json, line by line, and nothing of what a connector is for."""
    async with aiohttp.ClientSession(base_url=f"{base_url}/") as http:

        async def answer() -> int:
            said = 0
            async with http.post("chat/completions", json={"stream": True}) as response:
                async for line in response.content:
                    if line.startswith(b"data: {"):
                        delta = json.loads(line[6:])["choices"][0]["delta"]
                        said += len(delta.get("content", ""))
            return said

        yield answer


def run() -> list[Row]:
    """Measure all three in turns."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=endpoint, args=(there,))
    process.start()
    base_url = here.recv()
    try:
        costs = rounds(
            {
                "ours": lambda: cost(ours, base_url),
                "sdk": lambda: cost(sdk, base_url),
                "by hand": lambda: cost(by_hand, base_url),
            },
            ROUNDS,
        )
    finally:
        here.send("stop")
        process.join()
    return [
        at_most("our connector, CPU a token", costs["ours"], 30, "µs"),
        informs("openai SDK", costs["sdk"], "µs"),
        informs("aiohttp and json, no timeouts, no checks", costs["by hand"], "µs"),
        at_least("the SDK costs more than ours", costs["sdk"] / costs["ours"], 5),
    ]
