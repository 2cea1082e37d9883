"""Phones whose screen is rounded or has a notch: nothing that is pressed or read lies under it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.widget.gallery.chats import LOOKS, Look, portal_pages, shown

pytestmark = pytest.mark.anyio
_UPRIGHT: Final = LOOKS["phone-390"]
_LYING: Final = Look(width=844, height=390, scale=2, is_phone=True)
_INSETS: Final = {
    "upright": (_UPRIGHT, {"top": 47, "right": 0, "bottom": 34, "left": 0}),
    "lying down": (_LYING, {"top": 0, "right": 47, "bottom": 21, "left": 47}),
}


@pytest.fixture(scope="module")
async def origin() -> AsyncIterator[str]:
    async with portal_pages() as made:
        yield made


@pytest.mark.parametrize("held", _INSETS)
async def test_a_chat_keeps_clear_of_the_edges(browser: Browser, origin: str, held: str) -> None:
    look, insets = _INSETS[held]
    async with shown(browser, origin, look) as chat:
        session: Any = await chat.page.context.new_cdp_session(chat.page)
        await session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
        await chat.open("launcher")
        bubble = chat.page.locator(".bubble")
        await _check(bubble, look, insets)
        await bubble.click()
        await expect(chat.page.locator("form textarea")).to_be_visible()
        for name in ("header h2", "form textarea", "form button[type=submit]", ".bubble"):
            await _check(chat.page.locator(name), look, insets)


async def _check(part: Locator, look: Look, insets: dict[str, int]) -> None:
    await expect(part).to_be_visible()
    box = await part.bounding_box()
    assert box is not None
    assert box["x"] >= insets["left"]
    assert box["y"] >= insets["top"]
    assert box["x"] + box["width"] <= look.width - insets["right"]
    assert box["y"] + box["height"] <= look.height - insets["bottom"]
