"""The search of the guide: the words of all its sections, best first, by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from tests.widget.accessibility.axe import violations
from tests.widget.conftest import Embedded

pytestmark = pytest.mark.anyio


async def test_words_of_a_section_find_it_and_are_marked(page: Page, embedded: Embedded) -> None:
    await page.goto(f"{embedded.service.rest}/guide")
    await page.get_by_label("Find").fill("keyboard alone")
    found = page.locator("#found li")
    await expect(found.first.get_by_role("link")).to_have_text("Is the chat widget accessible?")
    await expect(found.first.locator("mark")).to_have_text(["keyboard", "alone"])
    await expect(page.get_by_role("status")).to_contain_text("found")
    assert await violations(page) == []
    await page.keyboard.press("ArrowDown")
    await expect(found.first.get_by_role("link")).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_label("Find")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.locator("#is-the-chat-widget-accessible")).to_be_in_viewport()


async def test_headings_come_before_text_and_escape_ends_it(page: Page, embedded: Embedded) -> None:
    await page.goto(f"{embedded.service.rest}/guide/limits")
    await page.get_by_label("Find").fill("HTTPS")
    await expect(page.locator("#found a").first.locator("mark")).to_have_text("HTTPS")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await expect(page.locator("#found")).to_be_hidden()
    await expect(page.get_by_label("Find")).to_be_focused()


async def test_enter_goes_to_the_first_of_what_begins_with_the_word(
    page: Page, embedded: Embedded
) -> None:
    """In no word is it looked for in the middle: a port is no support."""
    await page.goto(f"{embedded.service.rest}/guide")
    await page.get_by_label("Find").fill("port")
    await expect(page.locator("#found mark").first).to_be_visible()
    marked = await page.locator("#found li").all_inner_texts()
    assert marked
    for text in marked:
        assert re.search(r"(?<![a-z0-9])port", text, re.IGNORECASE), text
    first = await page.locator("#found a").first.get_attribute("href")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**{first}")
    assert await page.evaluate("document.querySelector('#found').hidden")


@pytest.mark.parametrize("typed", ["<img src=x onerror=alert(1)>", "zzqx", "((("])
async def test_what_is_nowhere_is_said(page: Page, embedded: Embedded, typed: str) -> None:
    await page.goto(f"{embedded.service.rest}/guide")
    await page.get_by_label("Find").fill(typed)
    await expect(page.get_by_role("status")).to_have_text("Nothing found: try other words")
