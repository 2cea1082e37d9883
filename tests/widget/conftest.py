"""A browser whose pages may not go wrong unnoticed, and a service that a portal embeds."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, expect

from tests.ports import free_port
from tests.serving import Served, serving
from tests.waiting import LONG
from tests.widget.browsers import chromium

expect.set_options(timeout=1_000 * LONG)


@pytest.fixture(scope="package")
async def browser() -> AsyncIterator[Browser]:
    """One for all modules, since its start takes as long as a test; what is kept is kept apart."""
    async with chromium() as made:
        yield made


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page on which nothing may go wrong unnoticed."""
    made = await browser.new_page(viewport={"width": 900, "height": 700})
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("dialog", lambda dialog: wrong.append(f"dialog {dialog.message}"))
    made.on("console", lambda said: wrong.append(said.text) if _is_wrong(said) else None)
    yield made
    await made.close()
    assert wrong == []


def _is_wrong(said: ConsoleMessage) -> bool:
    """A browser complains of each connection that is lost, too: tests cut them."""
    return said.type == "error" and not re.search(r"net::ERR_|WebSocket connection to", said.text)


@dataclasses.dataclass(frozen=True, slots=True)
class Embedded:
    """A service that answers from a few pages, and the port of the portal that it lets in."""

    service: Served
    portal_port: int


@pytest.fixture(scope="package")
async def embedded(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Embedded]:
    folder = tmp_path_factory.mktemp("documents")
    _write_help_pages(folder)
    port = free_port()
    async with serving(
        tmp_path_factory.mktemp("data"),
        ("import", str(folder), "--data-store", "guide"),
        environment={"COLLOQUY_ORIGINS": f"http://127.0.0.1:{port}"},
    ) as one:
        yield Embedded(one, port)


def _write_help_pages(folder: Path) -> None:
    (folder / "loans.md").write_text(
        "# Loans\n\n## How long may I keep a book?\n\nA book is kept four weeks.\n\n"
        "## How do I return a book?\n\nTo return a book:\n\n1. Go to the desk.\n"
        "2. Show your card.\n3. Leave the book.\n\n"
        "## What does a late book cost?\n\n| Days | Fee |\n| --- | --- |\n| 1 to 7 | 1 € |\n"
        "| 8 to 30 | 5 € |\n"
    )
    (folder / "rooms.md").write_text("# Rooms\n\n## Who may book a room?\n\nMembers book rooms.\n")
