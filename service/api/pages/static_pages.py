"""The chat page, its web component, and the documentation of the interfaces, all served from here.

No page makes a request to anywhere else (``Content-Security-Policy``).
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

_TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
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


@functools.cache
def _assets() -> Mapping[str, bytes]:
    """Return the files of the widget by their names.

    Callers' names are looked up here and never become paths: what a file system makes of them,
    from ``..`` to a name that is too long for it, cannot matter.
    """
    files = importlib.resources.files("service.widget").iterdir()
    return {file.name: file.read_bytes() for file in files if Path(file.name).suffix in _TYPES}


def _serve(file: str) -> Response[bytes]:
    content = _assets().get(file)
    if content is None:
        raise NotFoundException
    return Response(
        content,
        media_type=_TYPES[Path(file).suffix],
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
