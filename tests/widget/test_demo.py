"""The mock portal in a browser: the chat of another origin answers, and wears what is chosen."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.serving import Served, serving
from tests.widget.accessibility.axe import check, violations

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """A service as it comes: no origin is configured."""
    folder: Path = tmp_path_factory.mktemp("documents")
    (folder / "loans.md").write_text("# Loans\n\n## How long may I keep a book?\n\nFour weeks.\n")
    before = ("import", str(folder), "--data-store", "help")
    async with serving(tmp_path_factory.mktemp("data"), before) as one:
        yield one


async def test_the_portal_is_for_everyone(page: Page, service: Served) -> None:
    """So is the chat in it, once it is open."""
    await page.goto(f"http://localhost:{service.port}/demo?data-store=help")
    await expect(page.get_by_role("button", name="Open the chat")).to_be_visible()
    await check(page)
    await page.get_by_role("button", name="Open the chat").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await violations(page) == []


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
async def test_the_search_of_the_portal_asks_the_chat(
    page: Page, service: Served, name: str
) -> None:
    await page.goto(f"http://{name}:{service.port}/demo?data-store=help")
    await expect(page.get_by_role("button", name="Loans")).to_be_visible()
    await page.get_by_role("textbox", name="Your question").fill("How long may I keep a book?")
    await page.get_by_role("main").get_by_role("button", name="Ask", exact=True).click()
    await expect(page.get_by_role("dialog").get_by_role("article")).to_contain_text("Four weeks")


async def test_what_is_chosen_is_worn_and_written_down(page: Page, service: Served) -> None:
    await page.goto(f"http://localhost:{service.port}/demo?data-store=help")
    bubble = page.get_by_role("button", name="Open the chat")
    snippet = page.locator("#snippet")
    await expect(snippet).to_contain_text(re.compile(r'integrity="sha384-[^"]+"\s+crossorigin'))
    await expect(snippet).not_to_contain_text("<style>")
    await page.get_by_label("Accent colour").fill("#ffcc00")
    await expect(bubble).to_have_css("background-color", "rgb(255, 204, 0)")
    await expect(snippet).to_contain_text("--colloquy-accent-ink: #000000;")
    await page.get_by_label("Language").select_option("de")
    await expect(page.locator("colloquy-chat")).to_have_attribute("lang", "de")
    await page.get_by_label("Corner of the page").select_option("start")
    await expect(snippet).to_contain_text('data-position="start"')
    await page.get_by_role("button", name="Begin anew").click()
    await expect(snippet).not_to_contain_text("<style>")
    await expect(bubble).not_to_have_css("background-color", "rgb(255, 204, 0)")
