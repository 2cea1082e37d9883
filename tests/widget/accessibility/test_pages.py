"""The pages around the chat: axe finds nothing on them, in light, dark and on a phone."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import Page, expect

from tests.widget.accessibility.axe import check
from tests.widget.conftest import Embedded
from tests.widget.test_reader import opened

pytestmark = pytest.mark.anyio
PAGES: Final = ("/", "/guide", "/guide/widget", "/docs")


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_for_everyone(page: Page, embedded: Embedded, path: str) -> None:
    await page.goto(embedded.service.rest + path)
    await expect(page.locator("h1").first).to_be_attached()
    await expect(page.get_by_text("Loading…")).to_have_count(0)
    await check(page)


async def test_the_page_of_a_document_is_for_everyone(page: Page, embedded: Embedded) -> None:
    await opened(page, embedded, "To return a book")
    await expect(page.locator("mark").first).to_be_visible()
    await check(page)
