"""A signed-in person finds, names, pins, exports and deletes conversations, on whichever device."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import aiohttp
import anyio
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.ports import free_port
from tests.serving import Served, serving
from tests.widget.portals import portal

pytestmark = pytest.mark.anyio
STORE: Final = "projects/colloquy/locations/global/collections/default_collection/dataStores/help"
SIGN_IN: Final = """
document.addEventListener("DOMContentLoaded", () => {
    const chat = document.createElement("colloquy-chat");
    chat.setAttribute("form", "page");
    chat.setAttribute("serving-config", "%s/servingConfigs/default_config");
    chat.tokenProvider = () => "%s";
    document.body.append(chat);
});
"""
BOOKS: Final = "How long may I keep a book?"
ROOMS: Final = "Who may book a room?"


@dataclasses.dataclass(frozen=True, slots=True)
class Portal:
    """A portal of people who sign in, whose chats a service with keys answers."""

    service: Served
    origin: str
    key: str
    browser: Browser

    async def call(self, path: str, **body: Any) -> Any:
        """Call the service as the back end of the portal."""
        async with (
            aiohttp.ClientSession(headers={"x-goog-api-key": self.key}) as client,
            client.post(f"{self.service.rest}/v1/{STORE}{path}", json=body) as reply,
        ):
            assert reply.status == 200, await reply.text()
            return await reply.json()

    async def asked(self, user: str, *queries: str) -> None:
        """Ask each of *queries* in a session of its own."""
        for text in queries:
            await self.call(
                "/servingConfigs/default_config:answer",
                query={"text": text},
                session=f"{STORE}/sessions/-",
                userPseudoId=user,
                answerGenerationSpec={"includeCitations": True},
            )

    @contextlib.asynccontextmanager
    async def device(self, user: str) -> AsyncGenerator[Page]:
        """Open the chat at another browser, where *user* is signed in."""
        token = (await self.call(":mintToken", subject=user))["token"]
        context = await self.browser.new_context(viewport={"width": 900, "height": 700})
        page = await context.new_page()
        await page.add_init_script(SIGN_IN % (STORE, token))
        await page.goto(self.origin)
        yield page
        await context.close()


@pytest.fixture(scope="module")
async def people(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> AsyncIterator[Portal]:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "loans.md").write_text(f"# Loans\n\n## {BOOKS}\n\nA book is kept four weeks.\n")
    (folder / "rooms.md").write_text(f"# Rooms\n\n## {ROOMS}\n\nMembers book rooms.\n")
    port = free_port()
    before = (
        ("import", str(folder), "--data-store", "help"),
        ("keys", "create", "--scope", "server"),
    )
    environment = {"COLLOQUY_ORIGINS": f"http://127.0.0.1:{port}"}
    async with serving(tmp_path_factory.mktemp("data"), *before, environment=environment) as one:
        module = f'<script type="module" src="{one.rest}/widget/colloquy-chat.js"></script>'
        async with portal(port, {"/": module}, one.rest) as origin:
            yield Portal(one, origin, one.said.splitlines()[-1], browser)


async def listed(page: Page) -> Locator:
    """Open the list of conversations, and return its titles."""
    await page.get_by_role("button", name="Conversations", exact=True).click()
    panel = _panel(page)
    await expect(panel.get_by_role("searchbox")).to_be_focused()
    return panel.locator(".title")


def _panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Conversations")


async def test_a_person_finds_conversations_of_another_device_and_nobody_elses(
    people: Portal,
) -> None:
    await people.asked("ann", BOOKS, ROOMS)
    await people.asked("bea", "What does bea ask?")
    async with people.device("ann") as page:
        titles = await listed(page)
        await expect(titles).to_have_text([ROOMS, BOOKS])
        await page.get_by_role("searchbox").fill("BOOK keep")
        await expect(titles).to_have_text([BOOKS])
        await page.get_by_role("searchbox").fill("bea")
        await expect(_panel(page).get_by_text("There are no conversations")).to_be_visible()
        await page.get_by_role("searchbox").fill("room")
        await titles.first.click()
        await expect(page.get_by_role("article")).to_contain_text("Members book rooms")
        await page.reload()
        await expect(page.locator(".query")).to_have_text(ROOMS)


async def test_a_name_and_a_pin_are_there_on_the_other_device(people: Portal) -> None:
    await people.asked("cem", BOOKS, ROOMS)
    async with people.device("cem") as one, people.device("cem") as other:
        titles = await listed(one)
        await one.get_by_role("button", name=f"Rename: {BOOKS}").click()
        name = one.get_by_role("textbox", name="Rename")
        await expect(name).to_be_focused()
        await name.fill("Books & <b>loans</b>")
        await name.press("Enter")
        await expect(titles).to_have_text([ROOMS, "Books & <b>loans</b>"])
        await one.get_by_role("button", name="Pin: Books").click()
        await expect(titles).to_have_text(["Books & <b>loans</b>", ROOMS])
        await expect(one.get_by_role("button", name="Unpin: Books")).to_be_focused()
        await expect(await listed(other)).to_have_text(["Books & <b>loans</b>", ROOMS])
        await one.get_by_role("button", name="Unpin: Books").click()
        await expect(one.get_by_role("button", name="Unpin: Books")).to_have_count(0)


async def test_a_conversation_is_deleted_by_the_second_press(people: Portal) -> None:
    await people.asked("dia", BOOKS, ROOMS)
    async with people.device("dia") as page:
        titles = await listed(page)
        await titles.first.click()
        await expect(page.get_by_role("article")).to_contain_text("Members book rooms")
        await listed(page)
        await page.get_by_role("button", name=f"Delete: {ROOMS}").click()
        await expect(titles).to_have_count(2)
        await page.get_by_role("button", name=f"Delete for good: {ROOMS}").click()
        await expect(titles).to_have_text([BOOKS])
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("button", name="Conversations", exact=True)).to_be_focused()
        await expect(page.get_by_role("article")).to_have_count(0)


async def test_a_conversation_is_exported_as_markdown(people: Portal) -> None:
    await people.asked("eva", BOOKS)
    async with people.device("eva") as page:
        await listed(page)
        async with page.expect_download() as waiting:
            await page.get_by_role("button", name=f"Export: {BOOKS}").click()
        download = await waiting.value
        assert download.suggested_filename == "How long may I keep a book_.md"
        text = await anyio.Path(await download.path()).read_text()
        assert text.startswith(f"# {BOOKS}\n\n## {BOOKS}\n\n")
        assert "A book is kept four weeks" in text
        assert "Sources:\n[1]" in text


async def test_a_list_that_cannot_be_read_says_so_and_without_a_person_there_is_none(
    people: Portal, page: Page
) -> None:
    async with people.device("fay") as signed_in:
        await listed(signed_in)
        await expect(_panel(signed_in).get_by_text("There are no conversations")).to_be_visible()
    await page.goto(people.origin)
    await page.evaluate("document.body.append(document.createElement('colloquy-chat'))")
    await expect(page.get_by_label("Your question")).to_be_visible()
    await expect(page.get_by_role("button", name="Conversations", exact=True)).to_be_hidden()
