"""Doubles that stand on the other side of a real connection: an OpenAI-compatible server.

Script it with replies, one a request, in order; the last one stays. Each is what a real endpoint
was seen to do: stream, dawdle, break off, refuse, say nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from aiohttp import web

Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Asked(NamedTuple):
    """A request that the server has got."""

    headers: Mapping[str, str]
    body: dict[str, Any]


def event(
    content: str | None = None, *, finish_reason: str | None = None, **delta: Any
) -> dict[str, Any]:
    """Return one chunk of a chat completion, as the documents of the API show it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "delta": delta if content is None else {"content": content, **delta},
                "finish_reason": finish_reason,
            }
        ],
    }


def data(document: object) -> bytes:
    """Return *document* as one server-sent event."""
    return b"data: " + json.dumps(document, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def completion(*texts: str, finish_reason: str = "stop") -> list[bytes]:
    """Return the events of a whole completion that says *texts*."""
    return [
        data(event("", role="assistant")),
        *(data(event(text)) for text in texts),
        data(event(finish_reason=finish_reason)),
        DONE,
    ]


def chunks(
    pieces: Sequence[bytes],
    *,
    before_each: Callable[[int], Awaitable[object]] | None = None,
    cut_off: bool = False,
    content_type: str = "text/event-stream; charset=utf-8",
) -> Reply:
    """Send *pieces* as they are, each after awaiting *before_each* of its number.

    With *cut_off* the connection is then lost in the middle of the response.
    """

    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": content_type})
        await response.prepare(request)
        for number, piece in enumerate(pieces):
            if before_each is not None:
                await before_each(number)
            await response.write(piece)
        if cut_off:
            assert request.transport is not None
            request.transport.close()
        else:
            await response.write_eof()
        return response

    return reply


def stream(*texts: str, finish_reason: str = "stop") -> Reply:
    """Answer with *texts*, one event each."""
    return chunks(completion(*texts, finish_reason=finish_reason))


def calling(*calls: tuple[str, str], text: str = "", ids: bool = True) -> Reply:
    """Call functions, by name and arguments; each call comes in pieces, as models write it.

    Without *ids* it is as with servers that give none.
    """

    def piece(index: int, **call: Any) -> bytes:
        return data(event(tool_calls=[{"index": index, **call}]))

    pieces = [data(event(text))] if text else []
    for index, (name, arguments) in enumerate(calls):
        known = {"id": f"call_{index}"} if ids else {}
        named = {"name": name, "arguments": ""}
        pieces.append(piece(index, type="function", function=named, **known))
        pieces += [
            piece(index, function={"arguments": arguments[at : at + 7]})
            for at in range(0, len(arguments), 7)
        ]
    return chunks([*pieces, data(event(finish_reason="tool_calls")), DONE])


def status(code: int, *, headers: Mapping[str, str] | None = None, error: object = None) -> Reply:
    """Refuse with *code* and an error document."""

    async def reply(_: web.Request) -> web.StreamResponse:
        return web.json_response({"error": error or {}}, status=code, headers=headers)

    return reply


def lost() -> Reply:
    """Close the connection without a word."""

    async def reply(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    return reply


def silence() -> Reply:
    """Never answer, until the client leaves."""

    async def reply(_: web.Request) -> web.StreamResponse:
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nothing sets the future")

    return reply


class OpenAIServer:
    """An endpoint for chat completions and embeddings on a real port of this machine.

    *asked* records the requests. *left* is set when a client went away before its reply ended.
    """

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies) or [stream("Hello")]
        self._runner: web.AppRunner | None = None
        self.asked: list[Asked] = []
        self.connections: set[object] = set()
        self.left = asyncio.Event()
        self.base_url = ""

    def script(self, *replies: Reply) -> None:
        """Say what the next requests get; the last reply stays."""
        self._replies = list(replies)

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/v1/embeddings", self._complete)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the port and whatever is still open."""
        assert self._runner is not None
        await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(Asked(dict(request.headers), await request.json()))
        self.connections.add(request.transport)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        try:
            return await reply(request)
        except (asyncio.CancelledError, ConnectionError):
            self.left.set()
            raise
