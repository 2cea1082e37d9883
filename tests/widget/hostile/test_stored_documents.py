"""What stands in documents, and in addresses of their pages, is text wherever it is shown."""

from __future__ import annotations

import asyncio
import base64
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.async_api import Page, expect

from tests.clients import discovery
from tests.widget.conftest import Embedded
from tests.widget.hostile.payloads import ADDRESSES, MARKDOWN, MARKUP
from tests.widget.hostile.test_hostile_content import FOUND, NOTHING

pytestmark = pytest.mark.anyio
STORE: Final = "projects/colloquy/locations/global/collections/default_collection/dataStores/guide"
BRANCH: Final = f"{STORE}/branches/0/documents"
TITLE: Final = MARKUP[2]
WORDS: Final = "A lantern is kept for eleven weeks."
# As a text, as Markdown and as HTML: each is read in another way.
KINDS: Final = ("text/plain", "text/markdown", "text/html")

# The page of a document has these in its head, with the module that shows it.
HEAD: Final[dict[str, Any]] = {
    "tags": ["meta"] * 5 + ["link"] * 2 + ["script"],
    "links": ["/widget/icon.svg", "/widget/reader.css"],
}


async def stored(embedded: Embedded, kind: str) -> str:
    """Store a document full of payloads; return its name."""
    evil = "\n\n".join((f"# How long may I keep a lantern? {TITLE}", WORDS, *MARKUP, *MARKDOWN))
    text = evil.replace("\x00", "")
    document = {
        "structData": {"title": TITLE, "uri": ADDRESSES[0]},
        "content": {"mimeType": kind, "rawBytes": base64.b64encode(text.encode()).decode()},
    }
    name = f"evil-{kind.rpartition('/')[2]}"
    made = await called(embedded, f"{BRANCH}?documentId={name}", document)
    return str(made["name"])


async def called(embedded: Embedded, path: str, body: Any) -> Any:
    url = f"{embedded.service.rest}/v1/{path}"
    reply = await asyncio.to_thread(discovery.call, url, "POST", body)
    assert reply.status == 200, reply.body
    return reply.body


@pytest.mark.parametrize("kind", KINDS)
async def test_a_document_is_text_in_the_reader_and_in_the_chat(
    page: Page, embedded: Embedded, kind: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    name = await stored(embedded, kind)
    rest = embedded.service.rest
    token = (await called(embedded, f"{name}:mintReadToken", {}))["token"]
    for wanted in (WORDS, *MARKUP[:6], *ADDRESSES[:3]):
        await page.goto(f"{rest}/documents/{name}#{urlencode({'token': token, 'quote': wanted})}")
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert await page.evaluate(FOUND) == NOTHING | HEAD
        await page.goto("about:blank")
    await page.goto(f"{rest}/?data-store=guide")
    await page.get_by_label("Your question").fill("How long may I keep a lantern?")
    await page.keyboard.press("Enter")
    await expect(page.locator("article")).to_have_attribute("data-state", "SUCCEEDED")
    await expect(page.locator("article .cite").first).to_be_visible()
    assert await page.evaluate(FOUND) == NOTHING
    await page.locator("article .cite").first.click()
    await expect(page.get_by_role("complementary", name="Sources")).to_contain_text(TITLE)
    assert await page.evaluate(FOUND) == NOTHING
    assert {urlsplit(url).hostname for url in asked if url != "about:blank"} == {"127.0.0.1"}
