"""The chat page in a frame: shown to the origins of its data store, and to no other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest
from playwright.async_api import Browser, expect

from tests.ports import free_port
from tests.serving import Served, serving
from tests.widget.browsers import chromium

pytestmark = pytest.mark.anyio
ONLY_THE_FIRST: Final = """
[[data_stores]]
name = "help"
origins = ["{first}"]
"""


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser to which the parents, whom no server serves here, are of this machine as well."""
    async with chromium("--disable-features=LocalNetworkAccessChecks") as made:
        yield made


@pytest.fixture(scope="module")
def ports() -> tuple[int, int]:
    return free_port(), free_port()


@pytest.fixture(scope="module")
async def service(
    tmp_path_factory: pytest.TempPathFactory, ports: tuple[int, int]
) -> AsyncIterator[Served]:
    first, second = (f"http://127.0.0.1:{port}" for port in ports)
    folder = tmp_path_factory.mktemp("documents")
    (folder / "loans.md").write_text("# Loans\n\n## How long may I keep a book?\n\nFour weeks.\n")
    portal = tmp_path_factory.mktemp("portal") / "portal.toml"
    portal.write_text(ONLY_THE_FIRST.format(first=first))
    before = [("import", str(folder), "--data-store", store) for store in ("help", "guide")]
    environment = {"COLLOQUY_ORIGINS": second, "COLLOQUY_PORTAL": str(portal)}
    async with serving(tmp_path_factory.mktemp("data"), *before, environment=environment) as one:
        yield one


@pytest.mark.parametrize(
    ("parent", "store", "is_shown"),
    [(0, "help", True), (1, "help", False), (1, "guide", True), (0, "guide", False)],
)
async def test_only_the_origins_of_the_data_store_show_it_in_a_frame(
    browser: Browser,
    service: Served,
    ports: tuple[int, int],
    parent: int,
    store: str,
    is_shown: bool,
) -> None:
    page = await browser.new_page()
    address = f"http://127.0.0.1:{ports[parent]}/"
    frame = f'<iframe title="Help" src="{service.rest}/?data-store={store}" height="600"></iframe>'
    await page.route(address, lambda route: route.fulfill(body=frame, content_type="text/html"))
    if is_shown:
        await page.goto(address)
        field = page.frame_locator("iframe").get_by_label("Your question")
        await field.fill("How long may I keep a book?")
        await field.press("Enter")
        answer = page.frame_locator("iframe").get_by_role("article")
        await expect(answer).to_contain_text("Four weeks")
    else:
        async with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            await page.goto(address)
        await expect(page.frame_locator("iframe").locator("colloquy-chat")).to_have_count(0)
    await page.close()
