"""Titles, addresses, passages, answers, questions and the operator's words: none of them runs."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote, urlsplit

import pytest
from playwright.async_api import Browser, Page, expect

from tests.widget.conftest import Embedded
from tests.widget.gallery.chats import LOOKS, Chat, portal_pages, shown
from tests.widget.hostile.payloads import ADDRESSES, MARKDOWN, MARKUP
from tests.widget.scripted_service import STORE

pytestmark = pytest.mark.anyio
FOUND: Final = """
() => {
    const root = document.querySelector("colloquy-chat")?.shadowRoot ?? document;
    const safe = /^(https?|mailto|tel):/;
    const nodes = [...root.querySelectorAll("*")];
    const foreign = /^(img|script|iframe|style|link|base|meta|object|template|math|animate)$/;
    const attributes = nodes.flatMap((node) => node.getAttributeNames());
    const links = nodes.map((node) => node.getAttribute("href"));
    return {
        ran: window.__xss ?? null,
        tags: nodes.map((node) => node.localName).filter((name) => foreign.test(name)),
        handlers: attributes.filter((name) => name.startsWith("on")),
        links: links.filter((href) => href && !safe.test(href)),
        clobbered: !(document.body instanceof HTMLElement) || typeof document.cookie !== "string",
    };
}
"""
# The address of a page with words to mark: nothing of them stands there as it was written.
ENCODED: Final = re.compile(r"^https://library\.example/#:~:text=[\w.~!*'()%,-]+$")
NOTHING: Final[dict[str, Any]] = {
    "ran": None,
    "tags": [],
    "handlers": [],
    "links": [],
    "clobbered": False,
}


def _evil_answer() -> dict[str, Any]:
    text = "\n\n".join((*MARKDOWN, *MARKUP))
    pairs = [
        (title, ADDRESSES[place % len(ADDRESSES)] if place else "https://library.example/")
        for place, title in enumerate((*MARKUP, *MARKDOWN))
    ]
    references = [
        {
            "unstructuredDocumentInfo": {
                "document": title,
                "title": title,
                "uri": uri,
                "chunkContents": [{"content": f"{title}\n\n{text}", "pageIdentifier": title}],
            }
        }
        for title, uri in pairs
    ]
    sources = [{"referenceId": str(each)} for each in range(len(references))]
    return {
        "answerText": text,
        "references": references,
        "citations": [{"endIndex": str(len(text.encode())), "sources": sources}],
        "relatedQuestions": list(MARKUP[:3]),
    }


async def _checked(chat: Chat) -> None:
    assert await chat.page.evaluate(FOUND) == NOTHING
    assert chat.said == []
    assert {urlsplit(url).hostname for url in chat.asked} == {"127.0.0.1"}


async def test_nothing_that_the_chat_shows_runs(browser: Browser) -> None:
    async with portal_pages() as origin, shown(browser, origin, LOOKS["light"]) as chat:
        chat.service.bodies = {
            "default_search_widget_config": {
                "displayName": MARKUP[2],
                "starterQuestions": list(MARKUP),
                "contact": {"text": MARKUP[0], "uri": ADDRESSES[0]},
                "languageCodes": [MARKUP[2]],
            }
        }
        await chat.open()
        await expect(chat.page.locator(".welcome button")).to_have_count(len(MARKUP))
        await _checked(chat)
        await chat.answered(**_evil_answer())
        await chat.answer.locator(".cite").first.click()
        await expect(chat.page.locator("aside.source .passage")).to_contain_text("<script>")
        opened = chat.page.locator("aside.source a")
        await expect(opened).to_have_attribute("href", ENCODED)
        await _checked(chat)
        await chat.page.keyboard.press("Escape")
        for query in MARKUP[:4]:
            await chat.ask(query)
            await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")
            chat.service.say(state="SUCCEEDED", answerSkippedReasons=[query], references=[])
            await expect(chat.answer).to_have_attribute("data-state", "SUCCEEDED")
        await _checked(chat)


async def test_a_linked_question_and_the_texts_of_a_page_are_text(browser: Browser) -> None:
    async with portal_pages() as origin, shown(browser, origin, LOOKS["light"]) as chat:
        await chat.open()
        for evil in MARKUP[:12]:
            link = f"#colloquy-ask={quote(evil)}"
            await chat.page.evaluate("(link) => { location.hash = link; }", link)
            await chat.page.evaluate(
                """(evil) => {
                    const chat = document.querySelector("colloquy-chat");
                    chat.setAttribute("heading", evil);
                    chat.texts = { ask: evil, welcome: evil, stop: evil };
                }""",
                evil,
            )
            await expect(chat.page.locator("header h1")).to_have_text(evil)
            await _checked(chat)


async def test_the_names_of_sessions_are_text(browser: Browser) -> None:
    sessions = [
        {"name": f"{STORE}/sessions/{place}", **told}
        for place, evil in enumerate(MARKUP)
        for told in ({"displayName": evil}, {"turns": [{"query": {"text": evil}}]})
    ]
    async with portal_pages() as origin, shown(browser, origin, LOOKS["light"]) as chat:
        await chat.sign_in(sessions)
        rows = chat.page.locator(".sessions li")
        await expect(rows).to_have_count(len(sessions))
        await expect(rows.nth(4).locator(".title")).to_have_text(MARKUP[2])
        await _checked(chat)
        await chat.page.get_by_role("searchbox").fill(MARKUP[2])
        await expect(rows.first.locator(".title")).to_have_text(MARKUP[2])
        buttons = rows.first.locator(".buttons button")
        await buttons.last.click()
        await expect(buttons.last).to_have_accessible_name(f"Delete for good: {MARKUP[2]}")
        await buttons.nth(1).click()
        await expect(chat.page.locator(".sessions input")).to_have_value(MARKUP[2])
        await _checked(chat)


@pytest.mark.parametrize("path", ["/?data-store={}", "/guide?q={}", "/guide#{}", "/docs?q={}#{}"])
async def test_what_stands_in_an_address_is_text(page: Page, embedded: Embedded, path: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for evil in (MARKUP[0], MARKUP[2], ADDRESSES[0]):
        await page.goto(embedded.service.rest + path.replace("{}", quote(evil)))
        find = page.locator("#find")
        if await find.count():
            await find.fill(evil)
        assert await page.evaluate("window.__xss ?? null") is None
        assert await page.locator("img, iframe, base, svg[onload]").count() == 0
    assert {urlsplit(url).hostname for url in asked} == {"127.0.0.1"}
