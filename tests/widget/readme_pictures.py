"""Draw the two pictures of the README: the mock portal with an answer, and a phone in the dark.

``python -m tests.widget.readme_pictures`` writes them beside this file.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, expect

from tests.whole.processes import Service, services
from tests.widget.browsers import chromium

FOLDER: Final = Path(__file__).parent
_QUESTION: Final = "How are citations counted?"


async def draw(folder: Path) -> None:
    """Draw both into *folder* from a service that has the sample guide."""
    with tempfile.TemporaryDirectory() as data:
        sample = (("COLLOQUY_SAMPLE", "on"),)
        async with services(Path(data), sample) as (one,), chromium() as browser:
            await one.start()
            await _portal(browser, one, folder / "portal.png")
            await _phone(browser, one, folder / "phone.png")


async def _portal(browser: Browser, service: Service, file: Path) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 760})
    await page.goto(f"http://localhost:{service.port}/demo")
    await page.get_by_role("textbox", name="Your question").fill(_QUESTION)
    await page.get_by_role("main").get_by_role("button", name="Ask", exact=True).click()
    answer = page.get_by_role("dialog").get_by_role("article")
    await expect(answer.locator(".cite").first).to_be_visible()
    await page.screenshot(path=file)
    await page.close()


async def _phone(browser: Browser, service: Service, file: Path) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 720}, color_scheme="dark")
    await page.goto(f"{service.rest}/")
    await page.get_by_label("Your question").fill(_QUESTION)
    await page.get_by_label("Your question").press("Enter")
    await page.get_by_role("article").locator(".cite").first.click()
    await expect(page.locator("mark").first).to_be_visible()
    await page.screenshot(path=file)
    await page.close()


if __name__ == "__main__":
    asyncio.run(draw(FOLDER))
