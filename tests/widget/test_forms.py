"""The forms of the chat on a portal's page of another origin, under the strictest policy."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest
from playwright.async_api import Page, expect

from service.api.pages.static_pages import chat_integrity, chat_version
from tests.widget.conftest import Embedded
from tests.widget.portals import portal

pytestmark = pytest.mark.anyio
QUESTION: Final = "How long may I keep a book?"
TAG: Final = (
    '<script type="module" src="{rest}/widget/{version}/colloquy-chat.js"'
    ' integrity="{integrity}" crossorigin data-form="launcher" data-heading="Library"></script>'
)
MODULE: Final = '<script type="module" src="{rest}/widget/colloquy-chat.js"></script>'


@pytest.fixture(scope="module")
async def origin(embedded: Embedded) -> AsyncIterator[str]:
    rest = embedded.service.rest
    tag = TAG.format(rest=rest, version=chat_version(), integrity=chat_integrity())
    module = MODULE.format(rest=rest)
    pages = {
        "/launcher": f'<button id="other">Other</button>{tag}',
        "/inline": f'{module}<div id="one"><colloquy-chat></colloquy-chat></div>'
        '<div id="two"></div>',
        "/page": f'{module}<colloquy-chat form="page"></colloquy-chat>',
    }
    async with portal(embedded.portal_port, pages, rest) as made:
        yield made


async def ask(page: Page) -> None:
    field = page.get_by_label("Your question")
    await field.fill(QUESTION)
    await field.press("Enter")


async def test_one_script_tag_opens_a_dialog_that_gives_the_focus_back(
    page: Page, origin: str
) -> None:
    await page.goto(f"{origin}/launcher")
    bubble = page.get_by_role("button", name="Open the chat")
    await bubble.click()
    dialog = page.get_by_role("dialog", name="Library")
    await expect(page.get_by_label("Your question")).to_be_focused()
    await ask(page)
    await expect(dialog.get_by_role("article")).to_contain_text("four weeks")
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(bubble).to_be_focused()


async def test_an_answer_behind_the_bubble_is_marked_unread(page: Page, origin: str) -> None:
    await page.goto(f"{origin}/launcher")
    await page.evaluate("document.querySelector('colloquy-chat').ask('Who may book a room?')")
    await page.keyboard.press("Escape")
    unread = page.get_by_role("button", name="Open the chat: there is a new answer")
    await unread.click()
    await expect(page.get_by_role("article")).to_contain_text("Members book rooms")


async def test_moving_the_element_keeps_everything(page: Page, origin: str) -> None:
    await page.goto(f"{origin}/inline")
    await ask(page)
    await expect(page.get_by_role("article")).to_contain_text("four weeks")
    await page.get_by_label("Your question").fill("half a ques")
    await page.evaluate(
        "document.querySelector('#two').append(document.querySelector('colloquy-chat'))"
    )
    await page.evaluate("document.querySelector('colloquy-chat').setAttribute('heading', 'New')")
    await expect(page.get_by_role("heading", name="New")).to_be_visible()
    await expect(page.get_by_role("article")).to_contain_text("four weeks")
    await expect(page.get_by_label("Your question")).to_have_value("half a ques")


async def test_who_writes_goes_on_when_the_page_changes_the_element(
    page: Page, origin: str
) -> None:
    await page.goto(f"{origin}/inline")
    await page.get_by_label("Your question").fill("half")
    for name in ("heading", "serving-config"):
        await page.evaluate(
            "(name) => { const chat = document.querySelector('colloquy-chat');"
            " chat.setAttribute(name, `${chat.getAttribute(name)}s`); }",
            name,
        )
        await page.keyboard.type(" more")
    await expect(page.get_by_label("Your question")).to_have_value("half more more")


async def test_a_source_without_an_address_opens_where_it_says_so(page: Page, origin: str) -> None:
    """The document was imported from a file: the service shows it, by a token for it alone."""
    await page.goto(f"{origin}/page")
    await ask(page)
    await page.get_by_role("article").locator(".cite").first.click()
    async with page.expect_popup() as opening:
        await page.get_by_role("button", name="Open the page").click()
    reader = await opening.value
    await expect(reader.locator("mark").first).to_contain_text("four weeks")
    assert "#" not in reader.url
    await reader.close()


async def test_the_page_hears_what_happens(page: Page, origin: str) -> None:
    await page.goto(f"{origin}/page")
    told = await page.evaluate(
        """async (query) => {
            const chat = document.querySelector("colloquy-chat");
            const told = [];
            for (const name of ["question", "answer"]) {
                chat.addEventListener(name, ({ detail }) => told.push([name, detail]));
            }
            const ended = new Promise((done) => chat.addEventListener("answer", done));
            chat.ask(query);
            await ended;
            return told;
        }""",
        QUESTION,
    )
    (first, question), (second, answer) = told
    assert (first, question) == ("question", {"query": QUESTION})
    assert second == "answer"
    assert (answer["state"], answer["refused"]) == ("SUCCEEDED", False)
    assert "four weeks" in answer["text"]


async def test_other_versions_of_the_module_are_not_there(embedded: Embedded, page: Page) -> None:
    reply = await page.request.get(
        f"{embedded.service.rest}/widget/0123456789abcdef/colloquy-chat.js"
    )
    assert reply.status == 404
    version = chat_version()
    reply = await page.request.get(f"{embedded.service.rest}/widget/{version}/colloquy-chat.js")
    assert "immutable" in reply.headers["cache-control"]
