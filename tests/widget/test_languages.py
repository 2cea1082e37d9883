"""The words of the chat in the languages of the people who read them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Page, expect

from tests.widget.conftest import Embedded
from tests.widget.portals import portal

pytestmark = pytest.mark.anyio
TEXTS: Final = Path(__file__).parents[2] / "service" / "widget" / "source" / "texts"
TEXT: Final = re.compile(r'^  (\w+): "(.*)",$', re.M)


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


@pytest.mark.parametrize("code", ["ar", "de", "es", "fr", "ja", "pt", "zh"])
def test_a_language_fills_in_what_english_does(code: str) -> None:
    told = dict(TEXT.findall((TEXTS / f"{code}.ts").read_text()))
    english = dict(TEXT.findall((TEXTS / "en.ts").read_text()))
    assert told.keys() <= english.keys()
    for name, text in told.items():
        values = sorted(re.findall(r"\{\w+\}", text))
        assert values == sorted(re.findall(r"\{\w+\}", english[name])), name
