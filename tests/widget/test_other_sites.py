"""What a page of another site, or one behind a rebound name, does to a service: nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import aiohttp
import pytest
from aiohttp import web
from playwright.async_api import Browser, Page, Request

from tests.ports import free_port
from tests.serving import Served, serving
from tests.waiting import eventually
from tests.widget.browsers import chromium
from tests.widget.test_page import STORE

pytestmark = pytest.mark.anyio
DOCUMENTS: Final = f"/v1/{STORE}/branches/0/documents"
ATTACKS: Final = """
async ([service, documents, store]) => {
    const create = `${service}${documents}?documentId=bad`;
    const purge = `${service}${documents}:purge`;
    const sessions = `${service}/v1/${store}/sessions`;
    const collect = `${service}/v1/${store}/userEvents:collect?userEvent=%7B%7D`;
    const made = '{"structData": {"title": "bad"}}';
    const all = '{"filter": "*", "force": true}';
    const simple = { method: "POST", mode: "no-cors" };
    const json = { method: "POST", headers: { "Content-Type": "application/json" } };
    navigator.sendBeacon(create + "1", made);
    navigator.sendBeacon(create + "2", new Blob([made], { type: "text/plain" }));
    new Image().src = collect;
    const attempts = [
        fetch(create + "3", { ...simple, body: made }),
        fetch(create + "4", { ...simple, body: new URLSearchParams({ a: "b" }) }),
        fetch(purge, { ...simple, body: all }),
        fetch(purge, { ...simple, body: all, referrerPolicy: "no-referrer" }),
        fetch(sessions, simple),
        fetch(collect, { mode: "no-cors" }),
        fetch(create + "5", { ...json, body: made }),
        fetch(`${service}/v1/${store}`, { method: "DELETE" }),
        fetch(sessions),
    ];
    const form = document.createElement("form");
    Object.assign(form, { action: create + "6", method: "POST", enctype: "text/plain" });
    form.target = "sink";
    const field = document.createElement("input");
    Object.assign(field, { name: '{"structData": {"x": "', value: '"}}' });
    form.append(field);
    const sink = document.createElement("iframe");
    sink.name = "sink";
    document.body.append(form, sink);
    form.submit();
    const socket = new WebSocket(`${service.replace("http", "ws")}/v1/ws`, "colloquy.v1");
    const closed = await new Promise((done) => { socket.onclose = done; });
    const ended = await Promise.allSettled(attempts);
    const readable = ended.filter((each) => each.value && each.value.type !== "opaque");
    return { code: closed.code, readable: readable.length };
}
"""
TRY: Final = """
async (path) => {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch(path, { method: "POST", body: "{}", headers });
    return [reply.status, (await reply.json()).error?.details[0].reason];
}
"""


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser to which every name under .example is this machine, as one rebound would be."""
    async with chromium("--host-resolver-rules=MAP *.example 127.0.0.1") as made:
        yield made


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    made = await browser.new_page()
    yield made
    await made.close()


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "loans.md").write_text("# Loans\n\nA book is kept four weeks.\n")
    before = ("import", str(folder), "--data-store", "guide")
    async with serving(tmp_path_factory.mktemp("data"), before) as one:
        yield one


@pytest.fixture(scope="module")
async def site() -> AsyncIterator[int]:
    """The port of another web server, whose pages are blank."""

    async def blank(_: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>.</title><body>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/", blank)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield port
    await runner.cleanup()


async def state(service: Served) -> list[Any]:
    found: list[Any] = []
    async with aiohttp.ClientSession() as client:
        for path in (DOCUMENTS, f"/v1/{STORE}/sessions", f"/v1/{STORE}"):
            async with client.get(service.rest + path) as reply:
                found.append(await reply.json())
    return found


@pytest.mark.parametrize("host", ["evil.example", "localhost"], ids=["cross-site", "same-site"])
async def test_a_page_of_another_site_changes_and_reads_nothing(
    page: Page, service: Served, site: int, host: str
) -> None:
    """`localhost` to localhost with another port is the same site, and another origin."""
    target = service.rest if host != "localhost" else service.rest.replace("127.0.0.1", host)
    before = await state(service)
    writes: list[Request] = []
    statuses: list[int] = []
    page.on("request", lambda request: writes.append(request) if _writes(request) else None)
    page.on(
        "response", lambda reply: statuses.append(reply.status) if _writes(reply.request) else None
    )
    await page.goto(f"http://{host}:{site}/")
    outcome = await page.evaluate(ATTACKS, [target, DOCUMENTS, STORE])
    assert outcome == {"code": 4403, "readable": 0}
    await eventually(lambda: len(statuses) >= 9)
    assert set(statuses) == {403}
    assert len(writes) >= len(statuses)
    assert await state(service) == before


def _writes(request: Request) -> bool:
    return "/v1/" in request.url and (request.method == "POST" or "collect" in request.url)


async def test_a_page_behind_a_rebound_name_is_shown_nothing(page: Page, service: Served) -> None:
    for path in ("/", f"/v1/{STORE}/sessions"):
        reply = await page.goto(f"http://rebound.example:{service.port}{path}")
        assert reply is not None
        assert reply.status == 421
    sessions = f"/v1/{STORE}/sessions"
    assert await page.evaluate(TRY, sessions) == [421, "HOST_NOT_ALLOWED"]


async def test_a_page_of_our_own_may_write(page: Page, service: Served) -> None:
    await page.goto(service.rest)
    assert (await page.evaluate(TRY, f"/v1/{STORE}/sessions"))[0] == 200
