"""What it costs a GET over HTTP to know who asks: CPU of the service, with and without keys.

Two services stand side by side, one that asks nobody and one that does, each with the same session.
Eight connections read it again and again; the callers take turns, and a ratio is the median of
those within a round.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import statistics
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.bench.bench_authorised_deltas import COLLECTION, NAMED, NO_LIMITS, STORE, post
from tests.bench.bench_rate_limits import api_key
from tests.bench.measuring import Row, cpu_seconds
from tests.bench.service_process import Running, fresh_redis, service

_ROUNDS: Final = 15
_CONNECTIONS: Final = 8
_READS: Final = 375
"""Of each connection in a round."""
_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_NOBODY: Final = "GET a session over HTTP"


class Caller(NamedTuple):
    """Who reads, where, and by which header."""

    name: str
    server: Running
    header: str


def run() -> list[Row]:
    """Return the rows."""
    return asyncio.run(_measured())


async def _measured() -> list[Row]:
    with contextlib.ExitStack() as stack:
        callers = await _callers(stack)
        told = [{each.name: await _cost(each) for each in callers} for _ in range(_ROUNDS + 1)]
    return [_row(each.name, told[1:]) for each in callers]  # the first round warms them up


async def _callers(stack: contextlib.ExitStack) -> list[Caller]:
    open_, _ = await _served(stack, locked=False)
    locked, headers = await _served(stack, locked=True)
    known = [Caller(f"{_NOBODY}, {each}", locked, header) for each, header in headers.items()]
    return [Caller(_NOBODY, open_, ""), *known]


async def _served(stack: contextlib.ExitStack, *, locked: bool) -> tuple[Running, dict[str, str]]:
    """Serve a session of anna's; return the headers of those who may read it, too."""
    redis = stack.enter_context(fresh_redis())
    operator = api_key(redis.url, "admin") if locked else ""
    back_end = api_key(redis.url) if locked else ""
    data = stack.enter_context(TemporaryDirectory())
    settings = {"COLLOQUY_DATA_DIR": data, "COLLOQUY_RATE_LIMITS": NO_LIMITS}
    server = stack.enter_context(service(redis.url, settings))
    await post(server, f"{COLLECTION}/dataStores?dataStoreId=fences", NAMED, operator)
    await post(server, f"{STORE}/sessions?sessionId=s", {"userPseudoId": "anna"}, operator)
    if not locked:
        return server, {}
    token = (await post(server, f"{STORE}:mintToken", {"subject": "anna"}, operator))["token"]
    return server, {
        "key": f"x-goog-api-key: {back_end}\r\n",
        "user's token": f"Authorization: Bearer {token}\r\n",
    }


async def _cost(caller: Caller) -> float:
    """Return the seconds of CPU that the service takes for one read."""
    before = cpu_seconds(caller.server.pid)
    await asyncio.gather(*[_read(caller) for _ in range(_CONNECTIONS)])
    return (cpu_seconds(caller.server.pid) - before) / (_CONNECTIONS * _READS)


async def _read(caller: Caller) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", caller.server.port)
    lines = f"GET /v1/{STORE}/sessions/s HTTP/1.1", "Host: 127.0.0.1", f"{caller.header}\r\n"
    request = "\r\n".join(lines).encode()
    with contextlib.closing(writer):
        for _ in range(_READS):
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            if length is None or not head.startswith(b"HTTP/1.1 200 "):
                raise RuntimeError(f"not read: {head!r}")
            await reader.readexactly(int(length[1]))


def _row(name: str, rounds: list[dict[str, float]]) -> Row:
    told = f"{statistics.median(each[name] for each in rounds) * 1e6:6.0f} µs CPU"
    if name != _NOBODY:
        ratio = statistics.median(each[name] / each[_NOBODY] for each in rounds)
        told += f", CPU × {ratio:.3f}"
    return Row(name, told)
