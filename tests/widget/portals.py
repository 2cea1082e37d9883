"""Portals that embed the chat: web servers of another origin than the service's."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from typing import Final

from aiohttp import web

# The strictest policy under which the chat works; `{service}` is the origin of the service.
STRICT: Final = (
    "default-src 'none'; script-src {service}; connect-src {socket}; style-src 'none'; "
    "img-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)


def policy(rest: str) -> str:
    """Return the strict policy for a service at `rest`, such as http://127.0.0.1:8080."""
    return STRICT.format(service=rest, socket=rest.replace("http", "ws", 1))


@contextlib.asynccontextmanager
async def portal(port: int, pages: Mapping[str, str], rest: str) -> AsyncGenerator[str]:
    """Serve the bodies of `pages` by their paths, under the strict policy; yield the origin."""

    async def page(request: web.Request) -> web.Response:
        body = pages.get(request.path)
        if body is None:
            raise web.HTTPNotFound
        return web.Response(
            text=f'<!doctype html><html lang="en"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>A portal</title><body><main><h1>A portal</h1></main>{body}",
            content_type="text/html",
            headers={"Content-Security-Policy": policy(rest)},
        )

    app = web.Application()
    app.router.add_get("/{path:.*}", page)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        await runner.cleanup()
