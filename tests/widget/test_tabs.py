"""Several tabs of one person show one conversation; another person's tab shows nothing of it."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Final

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.waiting import eventually
from tests.widget.conftest import Embedded
from tests.widget.portals import portal
from tests.widget.scripted_service import SESSION, STORE, ScriptedService, chat_page

pytestmark = pytest.mark.anyio
QUESTION: Final = "How long may I keep a book?"
OTHER: Final = "Who may book a room?"
# What stands in the browser, in its storage and in what tabs tell each other.
LISTEN: Final = """
() => {
    window.told = [];
    const key = Object.keys(localStorage).find((each) => each.startsWith("colloquy:"));
    new BroadcastChannel(key).onmessage = ({ data }) => told.push(data);
    return localStorage;
}
"""
THUMBS: Final = ("This helped", "This did not help")
FIND_KEPT: Final = 'Object.keys(localStorage).find((each) => each.endsWith(":ratings"))'
KEPT: Final = f"(helped) => (localStorage.getItem({FIND_KEPT}) ?? '').includes(`${{helped}}]`)"
SIGN_IN: Final = """
document.addEventListener("DOMContentLoaded", () => {
    const chat = document.createElement("colloquy-chat");
    const first = document.querySelector("colloquy-chat");
    for (const { name, value } of first.attributes) chat.setAttribute(name, value);
    chat.tokenProvider = () => "%s";
    first.replaceWith(chat);
});
"""


@pytest.fixture
async def context(browser: Browser) -> AsyncIterator[BrowserContext]:
    made = await browser.new_context()
    yield made
    await made.close()


@pytest.fixture
async def tabs(context: BrowserContext, embedded: Embedded) -> AsyncIterator[tuple[Page, Page]]:
    """Two fresh tabs of one person, on a portal's page."""
    rest = embedded.service.rest
    module = f'<script type="module" src="{rest}/widget/colloquy-chat.js"></script>'
    pages = {"/": f'{module}<colloquy-chat form="page"></colloquy-chat>'}
    async with portal(embedded.portal_port, pages, rest) as origin:
        one, other = await context.new_page(), await context.new_page()
        for tab in (one, other):
            await tab.goto(origin)
            await expect(tab.locator(".connection")).to_be_hidden()
        yield one, other


async def ask(page: Page, text: str) -> None:
    field = page.get_by_label("Your question")
    await field.fill(text)
    await field.press("Enter")


async def test_tabs_of_one_person_see_each_others_turns(tabs: tuple[Page, Page]) -> None:
    one, other = tabs
    await ask(one, QUESTION)
    await expect(other.get_by_role("article")).to_contain_text("four weeks")
    await ask(other, OTHER)
    for tab in tabs:
        await expect(tab.locator(".query")).to_have_text([QUESTION, OTHER])
        await expect(tab.get_by_role("article").last).to_contain_text("Members book rooms")


async def test_a_reload_in_one_tab_shows_what_was_asked_in_the_other(
    tabs: tuple[Page, Page],
) -> None:
    one, other = tabs
    await ask(one, QUESTION)
    await expect(other.get_by_role("article")).to_contain_text("four weeks")
    await ask(other, OTHER)
    await expect(other.get_by_role("article").last).to_contain_text("Members book rooms")
    await one.reload()
    await expect(one.locator(".query")).to_have_text([QUESTION, OTHER])


async def test_a_reload_shows_which_answers_helped(tabs: tuple[Page, Page]) -> None:
    """It can be said otherwise then; what other scripts of the page left there is nothing."""
    one, _ = tabs
    await ask(one, QUESTION)
    article = one.get_by_role("article")
    up, down = (article.get_by_role("button", name=name) for name in THUMBS)
    for pressed, other in ((up, down), (down, up)):
        await pressed.click()
        await expect(pressed).to_have_attribute("aria-pressed", "true")
        await one.wait_for_function(KEPT, arg=pressed is up)
        await one.reload()
        await expect(pressed).to_have_attribute("aria-pressed", "true")
        await expect(other).to_have_attribute("aria-pressed", "false")
        await expect(article.locator(".feedback")).to_have_text("")
    assert "book" not in json.dumps(await one.evaluate("({ ...localStorage })"))
    for junk in ("{", '[["1", 1], 7]', "null"):
        await one.evaluate(f"localStorage.setItem({FIND_KEPT}, {json.dumps(junk)})")
        await one.reload()
        await expect(down).to_have_attribute("aria-pressed", "false")


async def test_tabs_keep_and_tell_names_alone(tabs: tuple[Page, Page]) -> None:
    one, other = tabs
    await ask(one, QUESTION)
    await expect(one.get_by_role("article")).to_contain_text("four weeks")
    kept = await other.evaluate(LISTEN)
    await ask(one, OTHER)
    await expect(one.get_by_role("article").last).to_contain_text("Members book rooms")
    (news,) = await other.evaluate("told")
    assert news.keys() == {"session", "answer"}
    assert news["answer"].startswith(f"{news['session']}/answers/")
    assert list(kept.values()) == [news["session"]]
    assert "book" not in json.dumps([kept, news])


async def test_two_tabs_that_ask_first_at_once_begin_one_session(tabs: tuple[Page, Page]) -> None:
    one, other = tabs
    for tab, text in ((one, QUESTION), (other, OTHER)):
        await tab.evaluate("text => document.querySelector('colloquy-chat').ask(text)", text)
    for tab in tabs:
        await expect(tab.locator(".query")).to_have_count(2)
        await expect(tab.locator('article[data-state="SUCCEEDED"]')).to_have_count(2)


async def test_without_locks_two_tabs_begin_a_session_each(
    context: BrowserContext, address: str
) -> None:
    await context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    scripted = [ScriptedService(), ScriptedService()]
    tabs = [await context.new_page() for _ in scripted]
    for tab, service in zip(tabs, scripted, strict=True):
        service.accepts = False
        await service.on(tab)
        await tab.goto(address)
        await expect(tab.locator(".connection")).to_be_hidden()
    for tab, service in zip(tabs, scripted, strict=True):
        await ask(tab, QUESTION)
        await eventually(lambda service=service: len(service.asked) == 1)
        assert service.asked[0]["request"]["session"].endswith("/sessions/-")


@pytest.fixture(scope="module")
async def address() -> AsyncIterator[str]:
    async with chat_page() as made:
        yield made


def token_of(subject: str) -> str:
    claims = json.dumps({"iss": "https://portal.example", "sub": subject}).encode()
    return f"e30.{base64.urlsafe_b64encode(claims).decode().rstrip('=')}.c2lnbmVk"


async def opened(context: BrowserContext, address: str, token: str) -> tuple[Page, ScriptedService]:
    """Open a tab of who shows *token*, at the same browser."""
    scripted = ScriptedService()
    tab = await context.new_page()
    await scripted.on(tab)
    await tab.add_init_script(SIGN_IN % token)
    await tab.goto(address)
    await eventually(lambda: {"type": "auth", "token": token} in scripted.sent)
    await expect(tab.locator(".connection")).to_be_hidden()
    return tab, scripted


@pytest.mark.parametrize("second", [token_of("bea"), "opaque"], ids=["another", "unnamed"])
async def test_a_tab_of_another_person_takes_nothing_over(
    context: BrowserContext, address: str, second: str
) -> None:
    before, _ = await opened(context, address, second)
    ann, of_ann = await opened(context, address, token_of("ann"))
    await ask(ann, QUESTION)
    await expect(ann.get_by_role("article")).to_have_attribute("data-state", "IN_PROGRESS")
    of_ann.say(state="SUCCEEDED", answerText="Four weeks.")
    await expect(ann.get_by_role("article")).to_contain_text("Four weeks.")
    after, of_after = await opened(context, address, second)
    same, of_same = await opened(context, address, token_of("ann"))
    await eventually(lambda: any("/sessions/7" in each["path"] for each in of_same.called))
    await ask(after, OTHER)
    await eventually(lambda: len(of_after.asked) == 1)
    assert of_after.asked[0]["request"]["session"].endswith("/sessions/-")
    assert not any("/sessions/" in each["path"] for each in of_after.called)
    for tab in (before, after):
        assert QUESTION not in await tab.locator(".turns").inner_text()
    assert await same.locator(".query").count() == 0


async def test_what_is_no_name_of_a_session_is_not_asked_for(
    context: BrowserContext, address: str
) -> None:
    tab, scripted = await opened(context, address, token_of("ann"))
    socket = address.replace("http", "ws") + "v1/ws"
    key = f"colloquy:{socket}:{STORE}:https://portal.example/ann"
    for name in (
        "",
        "7",
        "../../v1/projects",
        "projects/p/sessions/7?x=y",
        "projects/../sessions/7",
    ):
        await tab.evaluate(
            """([key, name]) => {
                localStorage.setItem(key, name);
                new BroadcastChannel(key).postMessage({ session: name, answer: name });
            }""",
            [key, name],
        )
        again, of_again = await opened(context, address, token_of("ann"))
        await ask(again, OTHER)
        await eventually(lambda of_again=of_again: len(of_again.asked) == 1)
        assert of_again.asked[0]["request"]["session"].endswith("/sessions/-")
        assert not any("sessions" in each["path"] for each in of_again.called)
        await again.close()
    asked = [each["path"] for each in scripted.called if "sessions" in each["path"]]
    assert all(path.startswith(f"/v1/{SESSION}?") for path in asked)
