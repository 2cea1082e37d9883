"""What answers and probes notice of imports: files built to harm, and good ones of 20 MB.

The service runs as a process of its own. While it imports a file, again and again for some seconds,
questions are asked on several sockets and `/livez` is read; both were measured before without any
import. What an import that a limit ends was told is shown beside it.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple

import aiohttp
import msgspec
import uvloop
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from streaming.protocol import frames
from tests.bench import bench_stream
from tests.bench.measuring import Row, at_most, informs, quantile
from tests.bench.service_process import fresh_redis, service
from tests.corpus import hostile, texts
from tests.redis_servers import folder as temporary

IDLE: Final = 20.0
BUSY: Final = 8.0
"""Seconds for which each file is imported, at least once."""
ASKERS: Final = 3
GOOD: Final = 20 * 1024 * 1024
BOUND: Final = 2.0
_COLLECTION: Final = "projects/colloquy/locations/global/collections/default_collection"
_MIMES: Final = {
    "md": "text/markdown",
    "html": "text/html",
    "txt": "text/plain",
    "pdf": "application/pdf",
    "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_PARAGRAPH: Final = (
    "Visitors *park* in hall B, which opens at seven. A day costs [four euros](fees), and a week "
    "costs twenty; who stays longer asks at the counter.\n\n"
)


class Times(NamedTuple):
    """Milliseconds of what was asked meanwhile."""

    element: list[float]
    end: list[float]
    probe: list[float]

    def p99(self) -> tuple[float, ...]:
        """Return the 99th percentile of each."""
        return tuple(quantile(column, 0.99) for column in self)


def good_files() -> dict[str, Callable[[], bytes]]:
    """Return files of 20 MB that nobody built to harm."""
    section = "## Parking of the year {}\n\n" + _PARAGRAPH * 8
    markdown = "".join(
        section.format(number) for number in range(GOOD // len(section.encode()))
    ).encode()
    pages = [
        [(18, f"Chapter {page}"), *((10, "Visitors park in hall B until seven. " * 3),) * 40]
        for page in range(GOOD // 6_400)
    ]
    return {
        "good.md": lambda: markdown,
        "good.txt": lambda: markdown.replace(b"#", b"").replace(b"*", b""),
        "good.html": lambda: b"<p>" + markdown.replace(b"\n\n", b"</p><p>"),
        "good.pdf": lambda: texts.pdf_file(*pages),
    }


async def watch(port: int, work: Coroutine[Any, Any, str]) -> tuple[Times, str]:
    """Ask and probe until *work* is done; return what that took, and what *work* told."""
    times = Times([], [], [])
    doing = asyncio.ensure_future(work)
    url = f"ws://127.0.0.1:{port}/v1/ws"
    about = itertools.cycle(bench_stream.things())

    async def ask() -> None:
        protocols = [Subprotocol(frames.SUBPROTOCOL)]
        async with connect(url, subprotocols=protocols, compression=None) as line:
            await line.recv()
            for number in itertools.count():
                if doing.done():
                    return
                kind, thing, place = next(about)
                question = f"How do I return a {kind} {thing} to the {place}?"
                took = await bench_stream.ask(line, number, question)
                times.element.append(took.element)
                times.end.append(took.end)
                await asyncio.sleep(bench_stream.PAUSE)

    async def probe(client: aiohttp.ClientSession) -> None:
        while not doing.done():
            began = time.perf_counter()
            async with client.get(f"http://127.0.0.1:{port}/livez") as reply:
                await reply.read()
            times.probe.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.01)  # the pace: a hundred probes a second at most

    async with aiohttp.ClientSession() as client, asyncio.TaskGroup() as tasks:
        tasks.create_task(probe(client))
        for _ in range(ASKERS):
            tasks.create_task(ask())
    return times, await doing


async def idle() -> str:
    """Let the service be."""
    await asyncio.sleep(IDLE)
    return ""


async def imports(address: str, name: str, data: bytes) -> str:
    """Import a file until the time is up; return what was told of it the last time."""
    content = {
        "mimeType": _MIMES[name.rpartition(".")[2]],
        "rawBytes": base64.b64encode(data).decode(),
    }
    told, end = "", time.monotonic() + BUSY
    async with aiohttp.ClientSession() as client:
        for number in itertools.count():
            # The number makes it another document: what did not change is not read again.
            document = {"id": "one", "schemaId": f"s{number}", "content": content}
            body = msgspec.json.encode({"inlineSource": {"documents": [document]}})
            url = f"{address}/{_COLLECTION}/dataStores/hostile/branches/0/documents:import"
            headers = {"Content-Type": "application/json"}
            async with client.post(url, data=body, headers=headers) as reply:
                work = await reply.json()
            while not work.get("done"):
                await asyncio.sleep(0.1)  # an operation is polled, as clients do
                async with client.get(f"{address}/{work['name']}") as reply:
                    work = await reply.json()
            samples = work.get("response", {}).get("errorSamples", [{"message": "imported"}])
            told = samples[0]["message"].rpartition("(")[2].rstrip(")")
            if time.monotonic() > end:
                return told
    raise AssertionError("it counts for ever")


async def measure(port: int) -> list[Row]:
    """Import every file and compare what was noticed of it with nothing."""
    address = f"http://127.0.0.1:{port}/v1"
    async with aiohttp.ClientSession() as client:
        url = f"{address}/{_COLLECTION}/dataStores?dataStoreId=hostile"
        async with client.post(url, json={"displayName": "Hostile"}) as reply:
            reply.raise_for_status()
    before, _ = await watch(port, idle())
    floor = before.p99()
    named = ("first element", "whole answer", "/livez")
    rows = [
        informs(f"idle: {name}, p99", p99, "ms") for name, p99 in zip(named, floor, strict=True)
    ]
    for name, make in {**hostile.HOSTILE, **good_files()}.items():
        data = make()
        times, told = await watch(port, imports(address, name, data))
        ratios = [now / then for now, then in zip(times.p99(), floor, strict=True)]
        shown = ", ".join(f"{ratio:.2g}" for ratio in ratios)
        subject = f"{name}, {len(data) >> 10:,} KiB, {told}: p99 × {shown}"
        rows.append(at_most(subject, max(ratios), BOUND))
    return rows


def run() -> list[Row]:
    """Serve, ask, import."""
    with fresh_redis() as redis, temporary() as folder:
        uvloop.run(bench_stream.prepare(redis.url, folder))
        with service(redis.url, {"COLLOQUY_DATA_DIR": str(folder)}) as running:
            return uvloop.run(measure(running.port))
