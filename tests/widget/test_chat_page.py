"""The chat page asks the data store that its address names, or says in words why not."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.async_api import Browser, Page, expect

from tests.widget.conftest import Embedded
from tests.widget.test_page import STORE

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["guide", STORE])
async def test_the_chat_page_asks_the_store_of_its_address(
    page: Page, embedded: Embedded, name: str
) -> None:
    await page.goto(f"{embedded.service.rest}/?data-store={quote(name)}")
    await expect(page.locator("colloquy-chat")).to_have_attribute(
        "serving-config", f"{STORE}/servingConfigs/default_config"
    )
    field = page.get_by_label("Your question")
    await field.fill("How long may I keep a book?")
    await field.press("Enter")
    await expect(page.get_by_role("article").last).to_contain_text("four weeks")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", "There is no data store “nowhere” here."),
        ("", "names no data store"),
        ("Help Centre", "names no data store"),
        ("projects/p/locations/../dataStores/guide", "names no data store"),
        ("<img src=x onerror=alert(1)>", "“<img src=x onerror=alert(1)>” names no data store"),
        ("x" * 5000, f"“{'x' * 80}…” names no data store"),
    ],
)
async def test_a_store_that_is_not_there_is_said_in_words(
    browser: Browser, embedded: Embedded, name: str, told: str
) -> None:
    page = await browser.new_page()
    await page.goto(f"{embedded.service.rest}/?data-store={quote(name)}")
    await expect(page.get_by_role("alert")).to_contain_text(told)
    await expect(page.locator("colloquy-chat")).to_have_count(0)
    await page.close()
