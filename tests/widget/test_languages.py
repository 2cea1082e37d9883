"""The words of the chat in the languages of the people who read them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from tests.widget.conftest import Embedded
from tests.widget.portals import portal
from tests.widget.scripted_service import ScriptedService, chat_page

pytestmark = pytest.mark.anyio
TEXTS: Final = Path(__file__).parents[2] / "service" / "widget" / "source" / "texts"
TEXT: Final = re.compile(r'^  (\w+): "(.*)",$', re.M)


# A document is interactive once it is read, and before its modules run.
SET_EARLY: Final = """
document.addEventListener("readystatechange", () => {
    window.tokensAsked = 0;
    const chat = document.querySelector("colloquy-chat");
    chat.texts = { ask: "Go" };
    chat.tokenProvider = () => { window.tokensAsked += 1; return ""; };
}, { once: true });
"""


async def test_a_person_reads_the_language_of_the_element_and_the_page_its_own_words(
    embedded: Embedded, page: Page
) -> None:
    rest = embedded.service.rest
    module = f'<script type="module" src="{rest}/widget/colloquy-chat.js"></script>'
    pages = {"/": f'{module}<colloquy-chat lang="ar"></colloquy-chat>'}
    async with portal(embedded.portal_port, pages, rest) as origin:
        await page.goto(origin)
        panel = page.locator(".panel")
        await expect(panel).to_have_attribute("dir", "rtl")
        await expect(page.get_by_role("button", name="اسأل", exact=True)).to_be_visible()
        await page.evaluate("document.querySelector('colloquy-chat').texts = { ask: 'Go' }")
        await expect(page.get_by_role("button", name="Go", exact=True)).to_be_visible()
        await page.evaluate("document.querySelector('colloquy-chat').lang = 'de-AT'")
        await expect(page.get_by_role("button", name="Neues Gespräch")).to_be_visible()
        await page.evaluate("document.querySelector('colloquy-chat').removeAttribute('lang')")
        await expect(page.get_by_role("button", name="New conversation")).to_be_visible()


async def test_the_operator_speaks_the_language_of_the_element(page: Page) -> None:
    names = {"en": "The library", "de-AT": "Die Bibliothek"}

    def config(asked: dict[str, str]) -> dict[str, Any]:
        return {"starterQuestions": [names[asked["languageCode"]]]}

    service = ScriptedService({"default_search_widget_config": config})
    await service.on(page)
    async with chat_page() as address:
        await page.goto(address)
        await expect(page.get_by_role("button", name="The library")).to_be_visible()
        await page.evaluate("document.querySelector('colloquy-chat').lang = 'de-AT'")
        await expect(page.get_by_role("button", name="Die Bibliothek")).to_be_visible()
        await page.evaluate("document.querySelector('colloquy-chat').texts = { ask: 'Los' }")
        await expect(page.get_by_role("button", name="Die Bibliothek")).to_be_visible()
    assert [frame["path"].rpartition("=")[2] for frame in service.called] == ["en", "de-AT"]


async def test_what_a_page_sets_before_the_chat_is_loaded_holds(
    embedded: Embedded, page: Page
) -> None:
    rest = embedded.service.rest
    module = f'<script type="module" src="{rest}/widget/colloquy-chat.js"></script>'
    pages = {"/": f"{module}<colloquy-chat></colloquy-chat>"}
    await page.add_init_script(SET_EARLY)
    async with portal(embedded.portal_port, pages, rest) as origin:
        await page.goto(origin)
        await expect(page.get_by_role("button", name="Go", exact=True)).to_be_visible()
        await page.wait_for_function("window.tokensAsked > 0")
        await page.evaluate("document.querySelector('colloquy-chat').texts = {}")
        await expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


@pytest.mark.parametrize("code", ["ar", "de", "es", "fr", "ja", "pt", "zh"])
def test_a_language_fills_in_what_english_does(code: str) -> None:
    told = dict(TEXT.findall((TEXTS / f"{code}.ts").read_text()))
    english = dict(TEXT.findall((TEXTS / "en.ts").read_text()))
    assert told.keys() == english.keys()
    for name, text in told.items():
        values = sorted(re.findall(r"\{\w+\}", text))
        assert values == sorted(re.findall(r"\{\w+\}", english[name])), name


@pytest.mark.parametrize(
    ("code", "unset"),
    [
        ("fr", r"(?<![\u202f])[;?!]|(?<!\u00a0):"),  # spaces that do not break stand before these
        ("de", r"(?<!\u00a0)…"),
        ("ja", r"[:()?!]"),  # of full width
        ("zh", r"[:;()?!]"),
    ],
)
def test_a_language_is_set_by_its_own_rules(code: str, unset: str) -> None:
    told = dict(TEXT.findall((TEXTS / f"{code}.ts").read_text()))
    assert {name: text for name, text in told.items() if re.search(unset, text)} == {}
