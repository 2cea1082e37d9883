"""The chat page in a real browser: states, proof, stop, reload, lost connections, no markup."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests import doubles
from tests.waiting import eventually
from tests.whole.processes import Service, services
from tests.whole.test_main_job import Gate

pytestmark = pytest.mark.anyio
SENTENCES: Final = (
    "A book is kept four weeks [1]. ",
    "<img src=x onerror=alert(1)> is text [1]. ",
    "Café closes at nine [1].",
)
TOLD: Final = (
    "A book is kept four weeks. <img src=x onerror=alert(1)> is text. Café closes at nine."
)
STORE: Final = "projects/colloquy/locations/global/collections/default_collection/dataStores/guide"
QUESTION: Final = "How long may I keep a book?"
OTHER: Final = "How long may I keep a film?"


@pytest.fixture(scope="module")
async def model() -> AsyncIterator[doubles.OpenAIServer]:
    async with doubles.OpenAIServer() as server:
        yield server


@pytest.fixture
def gate(model: doubles.OpenAIServer) -> Gate:
    """What lets the model write its first answer piece by piece; a second comes at once."""
    made = Gate()
    first = doubles.chunks(doubles.completion(*SENTENCES), before_each=made)
    model.script(first, doubles.stream(*SENTENCES))
    return made


@pytest.fixture(scope="module")
async def service(
    tmp_path_factory: pytest.TempPathFactory, model: doubles.OpenAIServer
) -> AsyncIterator[Service]:
    """A service over one document, with a scripted model."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "loans.md").write_text(
        "# Loans\n\n## How long may I keep a book?\n\nA book is kept four weeks. "
        "`<img src=x onerror=alert(1)>` is text. Café closes at nine.\n\n"
        "## How long may I keep a film?\n\nA film is kept one week.\n"
    )
    settings = {
        "COLLOQUY_LLM_BASE_URL": model.base_url,
        "COLLOQUY_LLM_MODEL": "scripted",
        "COLLOQUY_LEASE": "0.5",
    }
    data = tmp_path_factory.mktemp("data")
    async with services(data, tuple(settings.items())) as (one,):
        await one.given("import", str(folder), "--data-store", "guide")
        await one.start()
        yield one


async def ask(page: Page, service: Service) -> Locator:
    """Open the page, ask, and return the answer's article."""
    await page.goto(service.rest)
    field = page.get_by_label("Your question")
    await field.fill(QUESTION)
    await field.press("Enter")
    return page.get_by_role("article").last


async def test_an_answer_streams_with_states_and_sources(
    page: Page, service: Service, gate: Gate
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".state")).to_have_text("Writing the answer…")
    await expect(answer.locator(".text")).to_contain_text("A book is kept four weeks")
    gate.let(10)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await expect(answer.locator(".sources li")).to_have_text(["Loans"])
    assert all(url.startswith(service.rest) for url in requests)


async def test_text_of_an_answer_is_never_markup(page: Page, service: Service, gate: Gate) -> None:
    gate.let(10)
    answer = await ask(page, service)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await expect(answer.locator(".text p")).to_have_text(TOLD + "1")
    assert await page.locator("img").count() == 0


async def test_a_citation_shows_its_source_to_the_keyboard(
    page: Page, service: Service, gate: Gate
) -> None:
    gate.let(10)
    answer = await ask(page, service)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await answer.locator(".cite").first.focus()
    card = page.get_by_role("tooltip")
    await expect(card).to_be_visible()
    await expect(card).to_contain_text("Loans")
    await expect(card.locator("mark").first).to_have_text("A book is kept four weeks.")
    await page.keyboard.press("Escape")
    await expect(card).to_be_hidden()


async def test_stop_keeps_the_text_so_far(page: Page, service: Service, gate: Gate) -> None:
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    await page.get_by_role("button", name="Stop").click()
    await expect(answer.locator(".state")).to_have_text("Stopped")
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden()


async def test_a_reload_goes_on_with_the_running_answer(
    page: Page, service: Service, gate: Gate
) -> None:
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    await page.reload()
    answer = page.get_by_role("article").last
    await expect(page.locator(".query")).to_have_text(QUESTION)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    gate.let(10)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await expect(answer.locator(".text")).to_contain_text("Café closes at nine")


async def test_a_reload_shows_a_question_that_waits(
    page: Page, service: Service, gate: Gate
) -> None:
    """It is answered in its turn, and stands there once."""
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    field = page.get_by_label("Your question")
    await field.fill(OTHER)
    await field.press("Enter")
    waiting = page.get_by_role("article").last.locator(".state")
    await expect(waiting).to_have_text("Waits for the answer above")
    await page.reload()
    await expect(page.locator(".query")).to_have_text([QUESTION, OTHER])
    await expect(waiting).to_have_text("Waits for the answer above")
    session = await page.evaluate("Object.values(localStorage)[0]")
    told = await page.request.get(f"{service.rest}/v1/{session}")
    assert [turn["query"]["text"] for turn in (await told.json())["turns"]] == [QUESTION, OTHER]
    gate.let(10)
    await expect(page.locator('article[data-state="SUCCEEDED"]')).to_have_count(2)
    await page.reload()
    await expect(page.locator(".query")).to_have_text([QUESTION, OTHER])


async def test_a_lost_service_is_come_back_to(page: Page, service: Service, gate: Gate) -> None:
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    await service.stop(signal.SIGKILL)
    await expect(page.get_by_role("status")).to_contain_text("The connection was lost")
    await service.start()
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await expect(answer.locator(".text")).to_contain_text("Café closes at nine")
    assert await page.get_by_role("article").count() == 1


async def test_a_frozen_service_is_noticed_by_a_page_that_wakes(
    page: Page, service: Service, gate: Gate
) -> None:
    """Its sockets stay open and say nothing, as those of a network that was left."""
    await page.clock.install()
    answer = await ask(page, service)
    gate.let(2)
    await expect(answer.locator(".text")).to_contain_text("A book is kept")
    assert service.process is not None
    service.process.send_signal(signal.SIGSTOP)
    try:
        await page.evaluate("document.dispatchEvent(new Event('resume'))")
        await page.clock.run_for(6_000)
        await expect(page.get_by_role("status")).to_be_visible()
    finally:
        service.process.send_signal(signal.SIGCONT)
    gate.let(10)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await expect(answer.locator(".text")).to_contain_text("Café closes at nine")
    assert await page.get_by_role("article").count() == 1


async def test_a_new_session_begins_empty(page: Page, service: Service, gate: Gate) -> None:
    gate.let(10)
    answer = await ask(page, service)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    await page.get_by_role("button", name="New conversation").click()
    await expect(page.get_by_role("article")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_text("Ask a question. The answer")).to_be_visible()


async def test_the_page_fits_a_phone(browser: Browser, service: Service, gate: Gate) -> None:
    gate.let(10)
    context = await browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True)
    phone = await context.new_page()
    answer = await ask(phone, service)
    await expect(answer.locator(".state")).to_contain_text("Here is what I found")
    width = await phone.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    box = await phone.get_by_role("button", name="Ask", exact=True).bounding_box()
    assert box is not None
    assert box["height"] >= 44
    await context.close()


async def test_the_docs_page_lists_the_operations(page: Page, service: Service) -> None:
    await page.goto(f"{service.rest}/docs")
    await expect(page.get_by_text(":streamAnswer").first).to_be_visible()


FOLLOW: Final = """
async ([config, session, text]) => {
    const told = window.told = { text: "", resets: 0, opened: 0, last: null };
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ query: { text }, session, asynchronousMode: true });
    const reply = await fetch(`/v1/${config}:answer`, { method: "POST", headers, body });
    const { answer } = await reply.json();
    const source = new EventSource(`/v1/${answer.name}:stream?alt=sse`);
    source.onopen = () => { told.opened += 1; };
    source.onmessage = ({ data }) => {
        const element = JSON.parse(data);
        if (element.reset) { told.text = ""; told.resets += 1; }
        if (["SUCCEEDED", "FAILED"].includes(element.answer.state)) {
            told.last = element.answer.answerText;
            source.close();
        } else {
            told.text += element.answer.answerText ?? "";
        }
    };
}
"""


class Relay:
    """A way to the service that can be cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on what comes on one connection, in both directions."""
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers |= {writer, far_writer}
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._pass(reader, far_writer))
            tasks.create_task(self._pass(far_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                writer.write(data)
        writer.transport.abort()

    def cut(self) -> None:
        """Cut all connections."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


def told_in(page: Page, claim: str) -> Callable[[], Awaitable[bool]]:
    async def is_true() -> bool:
        return bool(await page.evaluate(f"told.{claim}"))

    return is_true


async def test_a_browser_follows_an_answer_by_itself(
    page: Page, service: Service, gate: Gate
) -> None:
    """Its EventSource comes back after a cut, and loses nothing and hears nothing twice."""
    relay = Relay(service.port)
    async with await asyncio.start_server(relay, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await page.goto(f"http://127.0.0.1:{port}/docs")
        config = f"{STORE}/servingConfigs/default_config"
        await page.evaluate(FOLLOW, [config, f"{STORE}/sessions/-", QUESTION])
        gate.let(2)
        await eventually(told_in(page, "text.includes('A book is kept')"))
        relay.cut()
        gate.let(10)
        await eventually(told_in(page, "last !== null"))
        told = await page.evaluate("told")
        relay.cut()
    assert told == {"text": TOLD, "last": TOLD, "resets": 0, "opened": 2}
