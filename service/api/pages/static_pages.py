"""The chat page, its web component, and the documentation of the interfaces, all served from here.

No page makes a request to anywhere else (``Content-Security-Policy``).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from sessions import names

_TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; frame-ancestors 'self'"
)
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
CHAT: Final = "colloquy-chat.js"
HEADERS: Final = {
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


def asset(name: str) -> bytes:
    """Return a file of the widget that is there."""
    return _assets()[name]


@functools.cache
def chat_version() -> str:
    """Return what names the chat's module as it is now: another module, another name."""
    return hashlib.sha256(asset(CHAT)).hexdigest()[:16]


def chat_integrity() -> str:
    """Return what a page writes into ``integrity`` (Subresource Integrity)."""
    return importlib.resources.files("service.widget").joinpath("integrity.txt").read_text().strip()


def _serve(file: str, caching: str = "no-cache") -> Response[bytes]:
    content = _assets().get(file)
    if content is None:
        raise NotFoundException
    return Response(
        content,
        media_type=_TYPES[Path(file).suffix],
        headers=HEADERS | {"Cache-Control": caching, "Access-Control-Allow-Origin": "*"},
    )


@get("/", include_in_schema=False)
async def chat_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Serve the chat page, which portals show in a frame where they may ask its data store."""
    page = _serve("index.html")
    if name := asked_store(request):
        framers = await request.app.state["origins"].framers(name)
        page.headers["Content-Security-Policy"] = " ".join([POLICY, *framers])
    return page


def asked_store(request: Request[Any, Any, Any]) -> str:
    """Return the name that ``?data-store=`` gives, by default the sample guide's, "" for none.

    It is the id of a data store, or the full name of a data store or engine.
    """
    asked: str = request.query_params.get("data-store", names.SAMPLE_DATA_STORE)
    if _ID.fullmatch(asked):
        return f"{names.SAMPLE_DATA_STORE.rpartition('/')[0]}/{asked}"
    name = names.canonical(asked)
    return name if re.fullmatch(names.PARENT, name) else ""


@get("/widget/{file:str}", include_in_schema=False)
async def widget_asset(file: FromPath[str]) -> Response[bytes]:
    """Serve a file of the widget; another site may load the component from here."""
    return _serve(file)


@get("/widget/{version:str}/colloquy-chat.js", include_in_schema=False)
async def versioned_chat(version: FromPath[str]) -> Response[bytes]:
    """Serve the chat's module under a name of this version, to be kept for good."""
    if version != chat_version():
        raise NotFoundException
    return _serve(CHAT, "public, max-age=31536000, immutable")


@get("/documents/{name:path}", include_in_schema=False)
async def reader_page(name: FromPath[str]) -> Response[bytes]:
    """Serve the page that shows a document; which, its script reads from the address."""
    del name
    return _serve("reader.html")


@get("/docs", include_in_schema=False)
async def docs_page() -> Response[bytes]:
    """Serve the page that shows the OpenAPI document."""
    return _serve("docs.html")
