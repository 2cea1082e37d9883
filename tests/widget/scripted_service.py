"""A service that says what a test wants: the module of the chat, and frames over a WebSocket."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import urllib.parse
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from playwright.async_api import Page, WebSocketRoute

from tests.widget.portals import policy

ASSET: Final = Path(__file__).parents[2] / "service" / "widget" / "colloquy-chat.js"
STORE: Final = "projects/p/locations/global/dataStores/help"
SESSION: Final = f"{STORE}/sessions/7"
PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>A portal</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><body>'
    '<script type="module" src="/colloquy-chat.js"></script>'
    f'<colloquy-chat form="page" endpoint="/v1/ws" serving-config="{STORE}/servingConfigs/default">'
    "</colloquy-chat>"
)


@contextlib.asynccontextmanager
async def chat_page() -> AsyncGenerator[str]:
    """Serve a page with the chat under the strict policy; yield its address."""

    async def page(request: web.Request) -> web.StreamResponse:
        if request.path.endswith(".js"):
            return web.FileResponse(ASSET)
        address = f"http://{request.host}"
        headers = {"Content-Security-Policy": policy(address)}
        return web.Response(text=PAGE, content_type="text/html", headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", page)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@dataclasses.dataclass
class ScriptedService:
    """Accepts every question, answers methods from `bodies`, and keeps what it was told."""

    bodies: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    """What is responded to methods, by the last part of their paths; 404 to others.

    A function is called with the parameters of the query, of which each is given once.
    """
    asked: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])
    called: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])
    sent: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])
    """All other frames, but pings."""
    connections: int = 0
    is_silent: bool = False
    """Whether nothing is said any more, as on a way that is cut without a word."""
    refusal: int | None = None
    """The close code that each new connection is ended with."""
    accepts: bool = True
    """Whether questions are accepted."""
    status: int = 200
    """Of the responses to methods that have a body."""
    _socket: WebSocketRoute | None = None

    async def on(self, page: Page) -> None:
        """Stand in for the WebSocket of `page`; call it before the page is loaded."""
        await page.route_web_socket("**/v1/ws", self._connected)

    def say(self, *, reset: bool = False, to: int = -1, error: Any = None, **answer: Any) -> None:
        """Send one element of the answer to the question that was asked last, or as `to`."""
        frame_id = self.asked[to]["id"]
        told = {"state": "STREAMING", **answer, "name": self.name_of(frame_id)}
        element = {"type": "element", "id": frame_id, "response": {"answer": told}}
        if error:
            element["error"] = error
        self._send({**element, "reset": True} if reset else element)

    def name_of(self, frame_id: str) -> str:
        """Return the name of the answer to a question; asked again, it is the same one."""
        ids = list(dict.fromkeys(frame["id"] for frame in self.asked))
        return f"{SESSION}/answers/{ids.index(frame_id) + 1}"

    async def close(self, code: int) -> None:
        """End the connection, and each new one, with a close code."""
        self.refusal = code
        await self.cut(code)

    async def cut(self, code: int) -> None:
        """End the connection."""
        assert self._socket is not None
        await self._socket.close(code=code)

    def fail(self, status: str) -> None:
        """Refuse the question that was asked last."""
        error = {"status": status, "message": "a message for programs"}
        self._send({"type": "error", "id": self.asked[-1]["id"], "error": error})

    async def _connected(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        self.connections += 1
        socket.on_message(self._received)
        if self.refusal is None:
            self._send({"type": "ready", "client": "c"})
        else:
            await socket.close(code=self.refusal)

    def _received(self, message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["type"] == "answer":
            self.asked.append(frame)
            if not self.accepts:
                return
            name = self.name_of(frame["id"])
            accepted = {"type": "accepted", "id": frame["id"], "answer": name, "session": SESSION}
            self._send(accepted)
        elif frame["type"] == "ping":
            self._send({"type": "pong"})
        elif frame["type"] == "request":
            self.called.append(frame)
            path, _, query = frame["path"].partition("?")
            body = self.bodies.get(path.rpartition("/")[2])
            if callable(body):
                body = body(dict(urllib.parse.parse_qsl(query)))
            status = 404 if body is None else self.status
            self._send({"type": "response", "id": frame["id"], "status": status, "body": body})

        else:
            self.sent.append(frame)

    def _send(self, frame: Mapping[str, Any]) -> None:
        if self.is_silent:
            return
        assert self._socket is not None
        self._socket.send(json.dumps(frame))
