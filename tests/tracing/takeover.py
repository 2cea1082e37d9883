"""An answer whose writer is killed: asked on one replica, taken over and read on another."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from tests import doubles
from tests.doubles import OpenAIServer
from tests.tracing.collector import Collector
from tests.whole.asking import ANSWER, CONFIG, PAGES, SAID
from tests.whole.processes import services

ASKED: Final = "0af7651916cd43dd8448eb211c80319c"
"""The trace of the client that asks."""
RESUMED: Final = "4bf92f3577b34da6a3ce929d0e0e4736"
"""The trace of the client that reads on, elsewhere."""
CALLER: Final = "b7ad6b7169203331"


class TakenOver(NamedTuple):
    """What became of it: its name, its text, and what the logs of both replicas say."""

    answer: str
    text: str
    logs: list[list[dict[str, Any]]]


async def run(folder: Path, redis_url: str, collector: Collector) -> TakenOver:
    """Ask one replica, kill it in the middle of the text, and read the answer from another."""
    writing, go = asyncio.Event(), asyncio.Event()

    async def before(number: int) -> None:
        if number == len(SAID) - 1 and not writing.is_set():
            writing.set()
            await go.wait()

    async with OpenAIServer(doubles.chunks(doubles.completion(*SAID), before_each=before)) as model:
        settings = {
            "COLLOQUY_REDIS_URL": redis_url,
            "COLLOQUY_LLM_BASE_URL": model.base_url,
            "COLLOQUY_LLM_MODEL": "scripted",
            "COLLOQUY_LEASE": "1",
            **collector.environment(),
        }
        (folder / "pages").mkdir()
        for name, text in PAGES.items():
            (folder / "pages" / name).write_text(text)
        async with services(folder / "data", tuple(settings.items()), count=2) as (first, second):
            await first.given("import", str(folder / "pages"), "--data-store", "library")
            await asyncio.gather(first.start(), second.start())
            async with connect(first.websocket) as socket:
                await socket.recv()
                await _say(socket, "answer", ASKED, servingConfig=CONFIG, request=ANSWER)
                accepted = await _until(socket, lambda frame: frame["type"] == "accepted")
                await writing.wait()
                await _until(socket, _has_text)
                # What has ended by now is sent; what is open dies with its process.
                await collector.one("retrieving")
                await collector.one("accept answer")
                await collector.one("websocket answer")
                await first.stop(signal.SIGKILL)
            async with connect(second.websocket) as socket:
                await socket.recv()
                await _say(socket, "resume", RESUMED, answer=accepted["answer"])
                last = await _until(socket, _is_last)
            go.set()
            await second.stop()
            logs = [_log(service.record) for service in (first, second)]
            text = last["response"]["answer"]["answerText"]
            return TakenOver(accepted["answer"], text, logs)


async def _say(socket: ClientConnection, kind: str, trace: str, **fields: Any) -> None:
    traceparent = f"00-{trace}-{CALLER}-01"
    frame = {"type": kind, "id": "q-1", "traceparent": traceparent, **fields}
    await socket.send(json.dumps(frame))


async def _until(
    socket: ClientConnection, wanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while not wanted(frame := json.loads(await socket.recv())):
            assert frame["type"] != "error", frame
    return frame


def _has_text(frame: dict[str, Any]) -> bool:
    return bool(frame.get("response", {}).get("answer", {}).get("answerText"))


def _is_last(frame: dict[str, Any]) -> bool:
    answer = frame.get("response", {}).get("answer", {})
    return answer.get("state") in ("SUCCEEDED", "FAILED")


def _log(record: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.read_text().splitlines() if line.startswith("{")]
