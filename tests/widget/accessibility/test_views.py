"""Every view of the chat in every look: axe finds nothing, and all of it fits the window."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser

from tests.widget.accessibility.axe import violations
from tests.widget.gallery.chats import LOOKS, Chat, portal_pages, shown
from tests.widget.gallery.views import VIEWS

pytestmark = pytest.mark.anyio
# Sides of what is pressed, in CSS pixels. What stands in a sentence is let off by WCAG 2.5.8.
LEAST: Final = 44
# CSS pixels from which a source stands beside the conversation.
WIDE: Final = 832
LISTS: Final = ("sessions", "rename", "no-sessions")
ONE_HEADING: Final = "page-has-heading-one:"
MEASURE: Final = """
(least) => {
    const root = document.querySelector("colloquy-chat").shadowRoot;
    const inSentence = ".cite, .text a";
    const isShown = (node) => node.checkVisibility({ contentVisibilityAuto: true });
    const small = [...root.querySelectorAll("button, a, textarea, input, summary")]
        .filter((node) => isShown(node) && !node.matches(inSentence))
        .map((node) => [node, node.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < least || height < least)
        .map(([node, { width, height }]) => `${node.outerHTML.slice(0, 80)} ${width}x${height}`);
    const boxes = root.querySelectorAll(".scroll, .source-body, header, form");
    const wide = [document.scrollingElement, ...boxes]
        .filter((node) => node.scrollWidth > node.clientWidth)
        .map((node) => `${node.tagName} ${node.className} ${node.scrollWidth}>${node.clientWidth}`);
    return [...small, ...wide];
}
"""


@pytest.fixture(scope="module")
async def origin() -> AsyncIterator[str]:
    async with portal_pages() as made:
        yield made


# What is laid out or coloured apart is looked at in every look, all else in three of them.
ALL: Final = ("light", "dark", "phone-320")
TELLING: Final = ("unread", "dialog-answer", "welcome", "answer", "source", "feedback", "sessions")
# Only the style knows of colours: a page that is light is recoloured, and need not be made again.
RECOLOURED: Final = ("dark", "forced-colors")
SHOWN: Final = [
    (view, look)
    for look in LOOKS
    for view in VIEWS
    if look not in RECOLOURED and (look in ALL or view in TELLING)
]


@pytest.mark.parametrize(("view", "look"), SHOWN)
async def test_a_view_is_for_everyone(browser: Browser, origin: str, view: str, look: str) -> None:
    async with shown(browser, origin, LOOKS[look], VIEWS[view]) as chat:
        assert await faults(chat, view, look) == []
        for other in RECOLOURED if look == "light" else ():
            if other in ALL or view in TELLING:
                colours = LOOKS[other]
                await chat.page.emulate_media(
                    color_scheme=colours.color_scheme, forced_colors=colours.forced_colors
                )
                assert await faults(chat, view, other) == [], other
        assert chat.said == []
        assert [url for url in chat.asked if urlsplit(url).hostname != "127.0.0.1"] == []


async def faults(chat: Chat, view: str, look: str) -> list[str]:
    """Return what axe finds, what is too small to be pressed, and what is wider than its box."""
    found = await violations(chat.page)
    # The heading of the page is inert behind the list of sessions, and behind a source that covers
    # a narrow window.
    if view in LISTS or (view == "source" and LOOKS[look].width < WIDE):
        found = [one for one in found if not one.startswith(ONE_HEADING)]
    return [*found, *await chat.page.evaluate(MEASURE, LEAST)]
