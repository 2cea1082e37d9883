"""Serve the guide as pages with navigation and a search over the sections of them all."""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from service.api.pages.guide_content import PREFIX, GuidePage
from service.api.pages.static_pages import HEADERS

_INDEX: Final = "index"
_PAGE: Final = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{title} – Colloquy guide</title>
    <link rel="icon" href="/widget/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/widget/guide.css">
    <script type="module" src="/widget/guide.js"></script>
  </head>
  <body>
    <a class="skip" href="#text">Skip to the text</a>
    <header>
      <a href="/guide">Colloquy guide</a>
      <search hidden><label>Find <input id="find" type="search" autocomplete="off"></label></search>
      <span><a href="/">Chat</a> · <a href="/docs">API</a></span>
    </header>
    <section id="found" aria-label="Found" hidden>
      <p id="count" role="status"></p>
      <ul></ul>
    </section>
    <div id="page">
      <nav aria-label="Pages of the guide">
        <details open><summary>Pages</summary>{navigation}</details>
      </nav>
      <main id="text" tabindex="-1">{html}</main>
    </div>
  </body>
</html>
"""
_ENTRY: Final = re.compile(r"^- \[([^]]+)\]\(([a-z-]+)\.md\)", re.M)
"""A page in the list of all pages, which stands on the first page."""


@get("/guide", include_in_schema=False)
async def guide_index() -> Response[bytes]:
    """Serve the first page of the guide."""
    return _reply(_INDEX)


@get("/guide/{page:str}", include_in_schema=False)
async def guide_page(page: FromPath[str]) -> Response[bytes]:
    """Serve a page of the guide."""
    return _reply(page)


@get("/guide/sections.json", include_in_schema=False)
async def guide_sections() -> Response[bytes]:
    """Serve what the search of the guide looks through."""
    told = HEADERS | {"Cache-Control": "no-cache"}
    return Response(_sections(), media_type="application/json", headers=told)


def _reply(name: str) -> Response[bytes]:
    if name not in _pages():
        raise NotFoundException
    told = HEADERS | {"Cache-Control": "no-cache"}
    return Response(_encoded(name), media_type="text/html", headers=told)


@functools.cache
def _pages() -> Mapping[str, GuidePage]:
    """Return the pages by their names, in the order of the list on the first one.

    Callers' names are looked up here and never become paths.
    """
    # What it stands on is loaded with the first page that somebody reads.
    from service.api.pages import guide_markdown  # noqa: PLC0415

    files = {
        Path(file.name).stem: file.read_text("utf-8")
        for file in importlib.resources.files("service.guide").iterdir()
        if file.name.endswith(".md")
    }
    listed = [_INDEX, *(name for _, name in _ENTRY.findall(files[_INDEX]) if name in files)]
    order = dict.fromkeys([*listed, *sorted(files)])
    return {name: guide_markdown.rendered(files[name]) for name in order}


@functools.cache
def _encoded(name: str) -> bytes:
    page = _pages()[name]
    filled = _PAGE.format(
        title=escape(page.title),
        navigation=_navigation(name),
        html=page.html,
    )
    return filled.encode()


def _navigation(current: str) -> str:
    items = "".join(
        f'<li><a href="{_address(name)}"{_current(name, current)}>{escape(page.title)}</a></li>'
        for name, page in _pages().items()
    )
    return f"<ul>{items}</ul>"


def _current(name: str, current: str) -> str:
    return ' aria-current="page"' if name == current else ""


@functools.cache
def _sections() -> bytes:
    """Return all sections of all pages: address, page, heading, and the words below it."""
    return msgspec.json.encode(
        [
            (f"{_address(name)}#{each.anchor}", page.title, each.heading, each.text)
            for name, page in _pages().items()
            for each in page.sections
        ]
    )


def _address(name: str) -> str:
    return "/guide" if name == _INDEX else f"{PREFIX}{name}"
