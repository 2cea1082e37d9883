"""Firefox, driven by WebDriver BiDi (w3c.github.io/webdriver-bidi).

Playwright drives only a Firefox of its own, which no package carries; Debian's speaks BiDi itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tests import programs
from tests.waiting import eventually

_LISTENS: Final = b"WebDriver BiDi listening on "
_ENTER: Final = "\ue007"
"""The key, as WebDriver writes it."""
_START: Final = 60.0
"""Seconds within which it starts, on a machine that has much else to do."""


class Firefox:
    """One window; *complaints* is what the console said that is an error or a warning."""

    def __init__(self, socket: ClientConnection) -> None:
        self.complaints: list[str] = []
        self._socket = socket
        self._ids = itertools.count(1)
        self._window = ""

    async def begin(self) -> None:
        """Take the window that is open, and listen to its console."""
        await self._call("session.new", capabilities={})
        await self._call("session.subscribe", events=["log.entryAdded"])
        tree = await self._call("browsingContext.getTree")
        self._window = tree["contexts"][0]["context"]

    async def open(self, url: str) -> None:
        """Show the page at *url*."""
        await self._call("browsingContext.navigate", context=self._window, url=url, wait="complete")

    async def reload(self) -> None:
        """Show the page anew."""
        await self._call("browsingContext.reload", context=self._window, wait="complete")

    async def run(self, script: str) -> Any:
        """Return what the expression *script* is in the page: a text, a number, a truth."""
        target = {"context": self._window}
        told = await self._call(
            "script.evaluate", expression=script, target=target, awaitPromise=True
        )
        assert told["type"] == "success", told
        return told["result"].get("value")

    async def shows(self, script: str) -> None:
        """Wait until *script* is true in the page."""

        async def is_true() -> bool:
            return bool(await self.run(script))

        await eventually(is_true)

    async def type(self, text: str) -> None:
        """Type *text* and Enter, wherever the focus is."""
        kinds = ("keyDown", "keyUp")
        keys = [{"type": kind, "value": each} for each in text + _ENTER for kind in kinds]
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        await self._call("input.performActions", context=self._window, actions=actions)

    async def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._ids)
        command = {"id": number, "method": method, "params": parameters}
        await self._socket.send(msgspec.json.encode(command), text=True)
        while True:
            told = msgspec.json.decode(await self._socket.recv())
            if told["type"] == "event":
                entry = told["params"]
                if entry["level"] in {"error", "warn"}:
                    self.complaints.append(entry["text"])
            elif told["id"] == number:
                assert told["type"] == "success", told
                return told["result"]


@contextlib.asynccontextmanager
async def firefox(profile: Path) -> AsyncGenerator[Firefox]:
    """Start it with an empty *profile*."""
    program = programs.path("firefox-esr", "firefox-esr")
    options = ("--headless", "--no-remote", "--profile", str(profile))
    process = await asyncio.create_subprocess_exec(
        program,
        *(*options, "--remote-debugging-port", "0"),
        env=os.environ | {"HOME": str(profile)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_START):
            address = await _address(process)
        async with connect(f"{address}/session", max_size=None) as socket:
            browser = Firefox(socket)
            await browser.begin()
            yield browser
    finally:
        process.kill()
        await process.communicate()


async def _address(process: asyncio.subprocess.Process) -> str:
    if process.stderr is None:
        raise AssertionError("it is piped")
    async for line in process.stderr:
        if line.startswith(_LISTENS):
            return line.removeprefix(_LISTENS).strip().decode()
    raise RuntimeError("Firefox ended before it listened")
