"""A service that says what a test wants: the module of the chat, and frames over a WebSocket."""

from __future__ import annotations

import contextlib
import dataclasses
import json
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
    """What is responded to methods, by the last part of their paths; 404 to others."""
    asked: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])
    called: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])
    _socket: WebSocketRoute | None = None

    async def on(self, page: Page) -> None:
        """Stand in for the WebSocket of `page`; call it before the page is loaded."""
        await page.route_web_socket("**/v1/ws", self._connected)

    def say(self, **answer: Any) -> None:
        """Send one element of the answer to the question that was asked last."""
        frame_id = self.asked[-1]["id"]
        name = f"{SESSION}/answers/{len(self.asked)}"
        told = {"state": "STREAMING", **answer, "name": name}
        self._send({"type": "element", "id": frame_id, "response": {"answer": told}})

    def fail(self, status: str) -> None:
        """Refuse the question that was asked last."""
        error = {"status": status, "message": "a message for programs"}
        self._send({"type": "error", "id": self.asked[-1]["id"], "error": error})

    def _connected(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._received)
        self._send({"type": "ready", "client": "c"})

    def _received(self, message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["type"] == "answer":
            self.asked.append(frame)
            name = f"{SESSION}/answers/{len(self.asked)}"
            accepted = {"type": "accepted", "id": frame["id"], "answer": name, "session": SESSION}
            self._send(accepted)
        elif frame["type"] == "request":
            self.called.append(frame)
            end = frame["path"].partition("?")[0].rpartition("/")[2]
            body = self.bodies.get(end)
            status = 404 if body is None else 200
            self._send({"type": "response", "id": frame["id"], "status": status, "body": body})

    def _send(self, frame: Mapping[str, Any]) -> None:
        assert self._socket is not None
        self._socket.send(json.dumps(frame))
