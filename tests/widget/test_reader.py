"""The page of a document: opened with a token, it shows the passage and hides the token."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urlencode

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.clients import discovery
from tests.waiting import LONG
from tests.widget.conftest import Embedded

pytestmark = pytest.mark.anyio
expect.set_options(timeout=1_000 * LONG)
STORE: Final = "projects/colloquy/locations/global/collections/default_collection/dataStores/guide"


async def opened(page: Page, embedded: Embedded, quote: str) -> None:
    listed = f"{embedded.service.rest}/v1/{STORE}/branches/0/documents"
    found = await asyncio.to_thread(discovery.call, listed)
    name = next(each["name"] for each in found.body["documents"] if "loans" in str(each).lower())
    minted = await asyncio.to_thread(
        discovery.call, f"{embedded.service.rest}/v1/{name}:mintReadToken", "POST", {}
    )
    fragment = urlencode({"token": minted.body["token"], "quote": quote})
    await page.goto(f"{embedded.service.rest}/documents/{name}#{fragment}")


async def test_the_passage_is_marked_and_the_token_gone(page: Page, embedded: Embedded) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await opened(page, embedded, "To return a book:\n\n1. Go to the **desk**.")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Loans")
    marks = page.locator("mark")
    await expect(marks.first).to_be_in_viewport()
    assert await marks.all_inner_texts() == ["To return a book", "1. Go to the desk"]
    assert "#" not in page.url
    assert all(url.startswith(embedded.service.rest) for url in asked)
    assert not any("token" in url.partition("#")[0] for url in asked)


async def test_the_longest_line_that_is_there_is_marked(page: Page, embedded: Embedded) -> None:
    await opened(page, embedded, "What was never said\nA BOOK is kept four weeks")
    await expect(page.locator("mark")).to_have_text("A book is kept four weeks")


async def test_what_cannot_be_shown_is_told_in_words(browser: Browser, embedded: Embedded) -> None:
    page = await browser.new_page()  # its console names each refusal

    async def refuse(route: Route) -> None:
        await route.fulfill(status=403, json={"error": {"code": 403}})

    await page.goto(f"{embedded.service.rest}/documents/{STORE}/branches/0/documents/none")
    await expect(page.get_by_role("alert")).to_contain_text("not there any more")
    await page.route("**/*:getProcessedDocument", refuse)
    await opened(page, embedded, "")
    await expect(page.get_by_role("alert")).to_contain_text("This link has ended")
    await page.close()
