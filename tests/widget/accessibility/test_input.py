"""Ways to write and to go: keyboard alone, input methods, voice, keyboards on screens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from tests.waiting import eventually
from tests.widget.gallery.chats import LOOKS, Chat, portal_pages, shown
from tests.widget.gallery.content import CONFIG, QUESTION
from tests.widget.gallery.views import VIEWS

pytestmark = pytest.mark.anyio
FOCUSED: Final = """
() => {
    const node = document.querySelector("colloquy-chat").shadowRoot.activeElement;
    if (!node) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(node);
    const name = node.getAttribute("aria-label") || node.textContent || node.localName;
    return [name.trim(), outlineStyle !== "none" && parseFloat(outlineWidth) >= 2];
}
"""
# A browser's speech recognition: what it hears, a test says.
SPEECH: Final = """
window.SpeechRecognition = class {
    start() { window.hearing = this; }
    stop() { this.onend(); }
};
"""
HEAR: Final = """
(words) => hearing.onresult({ results: [[{ transcript: words }]] })
"""


@pytest.fixture(scope="module")
async def origin() -> AsyncIterator[str]:
    async with portal_pages() as made:
        yield made


async def _stops(chat: Chat, most: int = 40) -> list[str]:
    """Go on by Tab from the top to the field; return what had the focus, all of it visibly."""
    await chat.page.evaluate("document.activeElement.blur()")
    await chat.page.mouse.click(1, 1)
    names: list[str] = []
    for _ in range(most):
        await chat.page.keyboard.press("Tab")
        found = await chat.page.evaluate(FOCUSED)
        if found is None:
            continue
        name, is_visible = found
        assert is_visible, name
        names.append(name)
        if name == "Ask":
            break
    return names


async def test_tab_reaches_everything_in_the_order_of_reading(
    browser: Browser, origin: str
) -> None:
    async with shown(browser, origin, LOOKS["light"], VIEWS["answer"]) as chat:
        stops = await _stops(chat)
        expected = [
            "New conversation",
            "Edit the question",
            "Source 1: Loans",
            "Source 2: Fees and fines",
            "Copy the answer",
            "Ask again",
            "This did not help",
            "How do I return a book?",
            "Your question",
            "Ask",
        ]
        assert [name for name in stops if name in expected] == expected


async def test_the_focus_goes_to_the_field_when_its_control_goes_away(
    browser: Browser, origin: str
) -> None:
    async with shown(browser, origin, LOOKS["light"], VIEWS["streaming"]) as chat:
        stop = chat.page.get_by_role("button", name="Stop", exact=True)
        await stop.focus()
        chat.service.say(state="SUCCEEDED", answerText="Four weeks.")
        await expect(chat.page.get_by_label("Your question")).to_be_focused()


async def test_enter_that_ends_a_composition_sends_nothing(browser: Browser, origin: str) -> None:
    async with shown(browser, origin, LOOKS["light"], VIEWS["welcome"]) as chat:
        field = chat.page.get_by_label("Your question")
        await field.fill("日本")
        await field.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
        assert chat.service.asked == []
        await expect(field).to_have_value("日本")
        await field.press("Enter")
        await eventually(lambda: len(chat.service.asked) == 1)


async def test_what_is_spoken_is_written_and_not_sent(browser: Browser, origin: str) -> None:
    async with shown(browser, origin, LOOKS["light"]) as chat:
        await chat.page.add_init_script(SPEECH)
        await chat.open()
        field = chat.page.get_by_label("Your question")
        await field.fill("Please:")
        dictate = chat.page.get_by_role("button", name="Dictate")
        await dictate.click()
        await expect(dictate).to_have_attribute("aria-pressed", "true")
        await chat.page.evaluate(HEAR, "how long")
        await chat.page.evaluate(HEAR, "how long may I keep a book")
        await expect(field).to_have_value("Please: how long may I keep a book")
        await dictate.click()
        await expect(dictate).to_have_attribute("aria-pressed", "false")
        await expect(field).to_be_focused()
        assert chat.service.asked == []


async def test_without_speech_recognition_there_is_no_button(browser: Browser, origin: str) -> None:
    async with shown(browser, origin, LOOKS["light"]) as chat:
        await chat.page.add_init_script(
            "delete window.SpeechRecognition; delete window.webkitSpeechRecognition"
        )
        await chat.open()
        await expect(chat.page.get_by_label("Your question")).to_be_visible()
        assert await chat.page.get_by_role("button", name="Dictate").count() == 0


async def test_a_keyboard_on_the_screen_covers_no_field(browser: Browser, origin: str) -> None:
    async with shown(browser, origin, LOOKS["phone-390"], VIEWS["dialog"]) as chat:
        await chat.page.evaluate(
            """() => {
                Object.defineProperty(visualViewport, "height", { get: () => 500 });
                visualViewport.dispatchEvent(new Event("resize"));
            }"""
        )
        box = await chat.page.locator("form textarea").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 500


async def test_each_message_has_the_direction_of_its_own_words(
    browser: Browser, origin: str
) -> None:
    async with shown(browser, origin, LOOKS["light"]) as chat:
        chat.service.bodies = {"default_search_widget_config": {**CONFIG, "languageCodes": ["ar"]}}
        await chat.open()
        await expect(chat.page.locator(".welcome button")).to_have_count(3)
        await chat.ask(QUESTION)
        await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")
        chat.service.say(state="SUCCEEDED", answerText="أربعة أسابيع.")
        text = chat.answer.locator(".text")
        await expect(text).to_have_css("direction", "rtl")
        await expect(text).to_have_attribute("lang", "ar")
        await expect(chat.page.locator(".query")).to_have_css("direction", "ltr")
