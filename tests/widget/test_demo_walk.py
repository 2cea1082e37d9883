"""Everything that a person does with the chat, on a portal of another origin, in one sitting.

The mock portal has the strictest policy that the chat works under, Trusted Types among it, and the
service is a real one: whatever the policy, a lost file or a script complains of is in the console.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests import doubles
from tests.doubles import OpenAIServer
from tests.serving import Served, serving
from tests.whole.test_main_job import Gate

pytestmark = pytest.mark.anyio
STORE: Final = "projects/colloquy/locations/global/collections/default_collection/dataStores/help"
QUESTION: Final = "How long may I keep a book?"
OTHER: Final = "How long may I keep a film?"
SAID: Final = ("A book is kept four weeks [1]. ", "A film is kept one week [1].")
# Whom the portal has signed in: the element is made by its own script, so it inherits the token.
SIGN_IN: Final = """
Object.defineProperty(HTMLElement.prototype, "tokenProvider", { value: () => "%s" });
"""

# What the service has taken is remembered.
RATED: Final = "Object.keys(localStorage).some((each) => each.endsWith(':ratings'))"


@pytest.fixture
async def gate() -> Gate:
    """What lets the model write its first answer piece by piece; the others come at once."""
    return Gate()


@pytest.fixture
async def service(tmp_path: Path, gate: Gate) -> AsyncIterator[Served]:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "loans.md").write_text(
        f"# Loans\n\n## {QUESTION}\n\nA book is kept four weeks.\n\n"
        f"## {OTHER}\n\nA film is kept one week.\n"
    )
    first = doubles.chunks(doubles.completion(*SAID), before_each=gate)
    async with OpenAIServer(first, doubles.stream(*SAID)) as model:
        before = ("import", str(pages), "--data-store", "help")
        settings = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with serving(tmp_path / "data", before, environment=settings) as one:
            yield one


@pytest.fixture
async def context(browser: Browser, service: Served) -> AsyncIterator[BrowserContext]:
    """A browser in which nothing is complained of, and nobody but the service is asked anything."""
    made = await browser.new_context(viewport={"width": 900, "height": 800})
    complaints: list[str] = []
    made.on("console", lambda said: complaints.append(said.text))
    made.on("weberror", lambda wrong: complaints.append(str(wrong.error)))
    made.on(
        "request",
        lambda request: (
            complaints.append(request.url) if _is_foreign(request.url, service) else None
        ),
    )
    await made.grant_permissions(["clipboard-read", "clipboard-write"])
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{service.rest}/v1/{STORE}:mintToken", json={"subject": "ann"}) as reply,
    ):
        assert reply.status == 200, await reply.text()
        await made.add_init_script(SIGN_IN % (await reply.json())["token"])
    yield made
    await made.close()
    assert complaints == []


def _is_foreign(url: str, service: Served) -> bool:
    return not url.startswith((f"http://localhost:{service.port}/", f"{service.rest}/"))


async def asked(page: Page, text: str) -> Locator:
    """Ask, and return the answer."""
    await page.get_by_role("dialog").get_by_label("Your question").fill(text)
    await page.keyboard.press("Enter")
    return page.get_by_role("article").last


async def test_a_sitting_at_the_portal(
    context: BrowserContext, service: Served, gate: Gate
) -> None:
    portal = f"http://localhost:{service.port}/demo?data-store=help"
    page = await context.new_page()
    await page.goto(portal)
    await page.get_by_role("button", name="Open the chat").click()
    answer = await asked(page, QUESTION)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("four weeks")
    await page.get_by_role("button", name="Stop").click()
    await expect(answer.locator(".state")).to_have_text("Stopped")
    await answer.get_by_role("button", name="Ask again").click()
    await expect(page.get_by_role("article")).to_have_count(2)
    await expect(page.get_by_role("article").last).to_contain_text("Here is what I found")
    await page.get_by_role("button", name="Edit the question").last.click()
    await expect(page.get_by_role("dialog").get_by_label("Your question")).to_have_value(QUESTION)
    answer = await asked(page, OTHER)
    await expect(page.locator(".query")).to_have_text([QUESTION, QUESTION, OTHER])
    await expect(answer).to_contain_text("Here is what I found")
    await _looks_at_the_source(context, page, answer)
    await _says_what_is_wrong(answer)
    await answer.get_by_role("button", name="Copy a link to this question").click()
    link = await page.evaluate("navigator.clipboard.readText()")
    await _keeps_order(page)
    await page.goto("about:blank")
    await page.goto(link)
    await expect(page.get_by_role("dialog").get_by_label("Your question")).to_have_value(OTHER)
    await expect(page.get_by_role("article")).to_have_count(0)


async def _looks_at_the_source(context: BrowserContext, page: Page, answer: Locator) -> None:
    await answer.locator(".cite").first.hover()
    await expect(page.get_by_role("tooltip")).to_contain_text("Loans")
    await answer.locator(".cite").first.click()
    panel = page.get_by_role("complementary")
    await expect(panel.locator("mark").first).to_contain_text("four weeks")
    async with context.expect_page() as opening:
        await panel.get_by_role("button", name="Open the page").click()
    reader = await opening.value
    await expect(reader.locator("mark").first).to_contain_text("four weeks")
    await reader.close()
    await panel.get_by_role("button", name="Close the source").click()
    await expect(panel).to_be_hidden()


async def _says_what_is_wrong(answer: Locator) -> None:
    await answer.get_by_role("button", name="This did not help").click()
    await answer.get_by_role("button", name="Something is missing").click()
    await answer.get_by_placeholder("Tell us more, if you like").fill("What about maps?")
    await answer.get_by_role("button", name="Send").click()
    await expect(answer).to_contain_text("Thank you for telling us.")
    await answer.page.wait_for_function(RATED)


async def _keeps_order(page: Page) -> None:
    """Name the conversation, begin another one, find the first in the list, and delete it."""
    await page.get_by_role("button", name="Conversations", exact=True).click()
    await page.get_by_role("button", name=f"Rename: {QUESTION}").click()
    await page.get_by_role("textbox", name="Rename").fill("Books and films")
    await page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="Conversations")
    titles = panel.locator(".title")
    await expect(titles).to_have_text(["Books and films"])
    await expect(titles).to_be_focused()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="New conversation").click()
    await expect(page.get_by_role("article")).to_have_count(0)
    await page.get_by_role("button", name="Conversations", exact=True).click()
    await titles.first.click()
    await expect(page.get_by_role("article")).to_have_count(3)
    await page.get_by_role("button", name="Conversations", exact=True).click()
    await page.get_by_role("button", name="Delete: Books and films").click()
    await page.get_by_role("button", name="Delete for good: Books and films").click()
    await expect(panel).to_contain_text("There are no conversations")
