"""The chat page, its web component, and the documentation of the interfaces, all served from here.

No page makes a request to anywhere else (``Content-Security-Policy``).
"""

from __future__ import annotations

import functools
import importlib.resources
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@functools.lru_cache(maxsize=32)  # callers choose the names
def _asset(file: str) -> bytes | None:
    """Return a file of the widget; *file* has no folders."""
    found = importlib.resources.files("service.widget").joinpath(file)
    return found.read_bytes() if "/" not in file and found.is_file() else None


def _serve(file: str) -> Response[bytes]:
    content, kind = _asset(file), _TYPES.get(file.rpartition(".")[2])
    if content is None or kind is None:
        raise NotFoundException
    return Response(
        content,
        media_type=kind,
        headers=_HEADERS | {"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"},
    )


@get("/", include_in_schema=False)
async def chat_page() -> Response[bytes]:
    """Serve the chat page."""
    return _serve("index.html")


@get("/widget/{file:str}", include_in_schema=False)
async def widget_asset(file: FromPath[str]) -> Response[bytes]:
    """Serve a file of the widget; another site may load the component from here."""
    return _serve(file)


@get("/docs", include_in_schema=False)
async def docs_page() -> Response[bytes]:
    """Serve the page that shows the OpenAPI document."""
    return _serve("docs.html")
