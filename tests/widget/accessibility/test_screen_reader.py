"""What a screen reader is told: states and whole answers through one live region, never pieces."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.async_api import Browser, Page, expect

from tests.widget.gallery.chats import LOOKS, portal_pages, shown
from tests.widget.gallery.content import ANSWER, TEXT
from tests.widget.gallery.views import VIEWS

pytestmark = pytest.mark.anyio
# Keeps each thing that the live region says.
LISTEN: Final = """
() => {
    window.spoken = [];
    const root = document.querySelector("colloquy-chat").shadowRoot;
    const region = root.querySelector("[role=status]");
    new MutationObserver(() => spoken.push(region.textContent.trim())).observe(
        region, { childList: true, characterData: true, subtree: true });
}
"""
LIVE: Final = ("status", "log", "alert", "marquee", "timer")


async def _tree(page: Page) -> list[dict[str, Any]]:
    session: Any = await page.context.new_cdp_session(page)
    return (await session.send("Accessibility.getFullAXTree"))["nodes"]


def _live(nodes: list[dict[str, Any]]) -> list[str]:
    """Return the live regions of a tree by their roles."""
    roles = [node["role"]["value"] for node in nodes if "role" in node]
    return [role for role in roles if role in LIVE]


async def test_a_finished_answer_is_said_once_and_no_piece_of_it(browser: Browser) -> None:
    async with portal_pages() as origin, shown(browser, origin, LOOKS["light"]) as chat:
        await VIEWS["welcome"](chat)
        await chat.page.evaluate(LISTEN)
        await chat.ask()
        await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")
        for at in range(0, len(TEXT), 40):
            chat.service.say(answerText=TEXT[at : at + 40])
        await expect(chat.answer.locator(".text")).to_contain_text("the rules")
        chat.service.say(state="SUCCEEDED", **ANSWER)
        await expect(chat.answer).to_have_attribute("data-state", "SUCCEEDED")
        *states, last = await chat.page.evaluate("spoken")
        told = {"Sending…", "Searching the library…", "Writing the answer…"}
        assert set(states) <= told
        assert len(states) <= len(told)
        assert last.startswith("Here is what I found A book is kept four weeks, and a film")
        assert "1 to 7 1 €" in last
        assert "Copy" not in last
        assert _live(await _tree(chat.page)) == ["status"]
