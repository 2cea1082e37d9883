"""Every view of the chat in every look, by name; as a program, it draws them into a folder.

    python -m tests.widget.gallery FOLDER [WORD…]

draws the pictures whose names, such as answer-dark, have one of the words in them; all without.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from aiohttp import web
from playwright.async_api import Browser, Locator, Page, expect

from tests.widget.browsers import chromium
from tests.widget.portals import policy
from tests.widget.scripted_service import ASSET, STORE, ScriptedService

QUESTION: Final = "How long may I keep a book?"
CONFIG: Final = {
    "displayName": "the library",
    "starterQuestions": [QUESTION, "Who may book a room?", "What does a late book cost?"],
    "contact": {"text": "The desk helps from nine to five.", "uri": "mailto:desk@example.org"},
}
TEXT: Final = """\
A book is kept **four weeks**, and a film one week. Ask at the desk to keep it longer.

1. Bring the book and your `card`.
2. Say how long you need it.

| Days late | Fee |
| --- | --- |
| 1 to 7 | 1 € |
| 8 to 30 | 5 € |

```
fee = days // 7 * 1.00
```

See [the rules](https://library.example/rules).
"""
LOANS: Final = {
    "unstructuredDocumentInfo": {
        "document": f"{STORE}/branches/0/documents/loans",
        "uri": "https://library.example/loans",
        "title": "Loans",
        "chunkContents": [
            {
                "content": "How long?\n\nA book is kept **four weeks**, and a film one week. "
                "Ask at the desk to keep it longer.\n\nWho is late pays a fee.",
                "pageIdentifier": "3",
            }
        ],
    }
}
FEES: Final = {
    "chunkInfo": {
        "content": "| 1 to 7 | 1 € |\n| 8 to 30 | 5 € |",
        "documentMetadata": {"title": "Fees and fines"},
    }
}


def _cited(words: str, reference: int) -> dict[str, Any]:
    start = TEXT.index(words)
    span = [len(TEXT[:at].encode()) for at in (start, start + len(words))]
    source = {"referenceId": str(reference)}
    return {"startIndex": str(span[0]), "endIndex": str(span[1]), "sources": [source]}


ANSWER: Final[dict[str, Any]] = {
    "answerText": TEXT,
    "references": [FEES, LOANS],
    "citations": [
        _cited("A book is kept **four weeks**, and a film one week.", 1),
        _cited("Ask at the desk to keep it longer.", 1),
        _cited("| 1 to 7 | 1 € |\n| 8 to 30 | 5 € |", 0),
    ],
    "relatedQuestions": ["How do I return a book?", "May I keep a book for longer?"],
}


@dataclasses.dataclass(frozen=True, slots=True)
class Look:
    """How the browser shows a page, and the language of the chat."""

    width: int = 900
    height: int = 700
    scale: float = 1
    is_phone: bool = False
    color_scheme: Literal["light", "dark"] = "light"
    forced_colors: Literal["active", "none"] = "none"
    language: str = "en"


LOOKS: Final[Mapping[str, Look]] = {
    "light": Look(),
    "dark": Look(color_scheme="dark"),
    "rtl": Look(language="ar"),
    "phone-320": Look(width=320, height=568, scale=2, is_phone=True),
    "phone-390": Look(width=390, height=844, scale=2, is_phone=True, color_scheme="dark"),
    "forced-colors": Look(forced_colors="active"),
    # A window of 1280 by 800 at 200 % has half as many CSS pixels.
    "zoom-200": Look(width=640, height=400, scale=2),
}


@dataclasses.dataclass(frozen=True, slots=True)
class Chat:
    """A chat on a portal's page, and the service that it speaks with."""

    page: Page
    service: ScriptedService
    portal: str
    language: str
    said: list[str] = dataclasses.field(default_factory=list[str])
    """What stands in the console, refusals of the policy among it, and dialogs."""
    asked: list[str] = dataclasses.field(default_factory=list[str])
    """The addresses that the page sent a request to."""

    def listen(self) -> None:
        """Keep what is said and asked from now on."""
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))
        self.page.on("request", lambda request: self.asked.append(request.url))

    async def open(self, form: str = "page") -> None:
        await self.page.goto(f"{self.portal}/{form}/{self.language}")
        await expect(
            self.page.locator(".bubble" if form == "launcher" else ".panel")
        ).to_be_visible()

    @property
    def answer(self) -> Locator:
        return self.page.locator("article").last

    async def ask(self, query: str = QUESTION) -> None:
        asked = len(self.service.asked)
        field = self.page.locator("form textarea")
        await field.fill(query)
        await field.press("Enter")
        await expect(self.page.locator("article")).to_have_count(asked + 1)

    async def answered(self, **told: Any) -> None:
        """Ask, and have it answered."""
        await self.ask()
        await expect(self.answer).to_have_attribute("data-state", "IN_PROGRESS")
        self.service.say(state="SUCCEEDED", **(told or ANSWER))
        await expect(self.answer).to_have_attribute("data-state", "SUCCEEDED")


async def _bubble(chat: Chat) -> None:
    await chat.open("launcher")


async def _unread(chat: Chat) -> None:
    await chat.open("launcher")
    await chat.page.evaluate("document.querySelector('colloquy-chat').ask('?')")
    await chat.page.keyboard.press("Escape")
    await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")
    chat.service.say(state="SUCCEEDED", **ANSWER)
    await expect(chat.page.locator(".unread")).to_be_visible()


async def _dialog(chat: Chat) -> None:
    await chat.open("launcher")
    await chat.page.locator(".bubble").click()
    await expect(chat.page.locator(".welcome button")).to_have_count(3)


async def _dialog_answer(chat: Chat) -> None:
    await _dialog(chat)
    await chat.answered()


async def _welcome(chat: Chat) -> None:
    await chat.open()
    await expect(chat.page.locator(".welcome button")).to_have_count(3)


async def _searching(chat: Chat) -> None:
    await chat.open()
    await chat.ask()
    await expect(chat.answer).to_have_attribute("data-state", "IN_PROGRESS")


async def _streaming(chat: Chat) -> None:
    await _searching(chat)
    chat.service.say(answerText=TEXT[:170], references=[FEES, LOANS])
    await expect(chat.answer.locator(".text")).not_to_be_empty()


async def _rewriting(chat: Chat) -> None:
    await _streaming(chat)
    chat.service.say(reset=True, answerText="A book")
    await expect(chat.answer.locator(".before")).to_be_visible()


async def _answer(chat: Chat) -> None:
    await chat.open()
    await chat.answered()


async def _popover(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".cite").first.focus()
    await expect(chat.page.locator(".popover")).to_be_visible()


async def _source(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".cite").first.click()
    await expect(chat.page.locator("aside.source mark").first).to_be_visible()
    await chat.page.mouse.move(1, 1)
    await expect(chat.page.locator(".popover")).to_be_hidden()


async def _refusal(chat: Chat) -> None:
    await chat.open()
    reasons = ["NO_RELEVANT_CONTENT"]
    await chat.answered(answerSkippedReasons=reasons, references=[LOANS, FEES])


async def _failed(chat: Chat) -> None:
    await _searching(chat)
    chat.service.fail("RESOURCE_EXHAUSTED")
    await expect(chat.answer).to_have_attribute("data-state", "FAILED")


async def _refused_origin(chat: Chat) -> None:
    chat.service.refusal = 4403
    await chat.open()
    await expect(chat.page.locator(".connection button")).to_be_visible()


async def _offline(chat: Chat) -> None:
    await _answer(chat)
    await chat.page.context.set_offline(True)
    await expect(chat.page.locator(".connection")).to_have_attribute("data-state", "offline")


async def _queued(chat: Chat) -> None:
    await _streaming(chat)
    await chat.ask("Who may book a room?")
    await expect(chat.answer.locator(".help button")).to_be_visible()


async def _feedback(chat: Chat) -> None:
    await _answer(chat)
    await chat.answer.locator(".buttons [aria-pressed]").last.click()
    await chat.answer.locator(".chips button").first.click()


async def _edit(chat: Chat) -> None:
    await _answer(chat)
    await chat.page.locator(".asked button").click()
    await expect(chat.page.locator("form textarea")).to_have_value(QUESTION)


View = Callable[[Chat], Awaitable[None]]
VIEWS: Final[Mapping[str, View]] = {
    "bubble": _bubble,
    "unread": _unread,
    "dialog": _dialog,
    "dialog-answer": _dialog_answer,
    "welcome": _welcome,
    "searching": _searching,
    "streaming": _streaming,
    "rewriting": _rewriting,
    "answer": _answer,
    "popover": _popover,
    "source": _source,
    "refusal": _refusal,
    "failed": _failed,
    "refused-origin": _refused_origin,
    "offline": _offline,
    "queued": _queued,
    "feedback": _feedback,
    "edit": _edit,
}


@contextlib.asynccontextmanager
async def portal_pages() -> AsyncGenerator[str]:
    """Serve pages of a portal with the chat of another origin, /{form}/{language}; yield it."""

    async def module(_: web.Request) -> web.StreamResponse:
        return web.FileResponse(ASSET, headers={"Access-Control-Allow-Origin": "*"})

    async def page(request: web.Request) -> web.Response:
        text = _page(service, request.match_info["form"], request.match_info["language"])
        headers = {"Content-Security-Policy": policy(service)}
        return web.Response(text=text, content_type="text/html", headers=headers)

    async with (
        _serving(web.get("/colloquy-chat.js", module)) as service,
        _serving(web.get("/{form}/{language}", page)) as portal,
    ):
        yield portal


@contextlib.asynccontextmanager
async def _serving(route: web.RouteDef) -> AsyncGenerator[str]:
    app = web.Application()
    app.add_routes([route])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _page(rest: str, form: str, language: str) -> str:
    return (
        f'<!doctype html><html lang="{language}"><title>A portal</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{'' if form == 'page' else '<main><h1>A portal</h1></main>'}"
        f'<script type="module" src="{rest}/colloquy-chat.js"></script>'
        f'<colloquy-chat form="{form}" lang="{language}"'
        f' serving-config="{STORE}/servingConfigs/default"></colloquy-chat>'
    )


@contextlib.asynccontextmanager
async def shown(
    browser: Browser, origin: str, look: Look, view: View | None = None
) -> AsyncGenerator[Chat]:
    """Show a view in a look: the portal's pages are at `origin`."""
    context = await browser.new_context(
        viewport={"width": look.width, "height": look.height},
        device_scale_factor=look.scale,
        has_touch=look.is_phone,
        is_mobile=look.is_phone,
        color_scheme=look.color_scheme,
        forced_colors=look.forced_colors,
        reduced_motion="reduce",
    )
    page = await context.new_page()
    service = ScriptedService({"default_search_widget_config": CONFIG, "userEvents:write": {}})
    await service.on(page)
    chat = Chat(page, service, origin, look.language)
    chat.listen()
    try:
        if view:
            await view(chat)
        yield chat
    finally:
        await context.close()


async def draw(folder: Path, words: list[str]) -> None:
    """Draw the pictures whose names have one of `words` in them."""
    names = [(view, look) for view in VIEWS for look in LOOKS]
    wanted = [each for each in names if not words or any(word in "-".join(each) for word in words)]
    at_once = asyncio.Semaphore(4)

    async with chromium() as browser, portal_pages() as origin:

        async def one(view: str, look: str) -> None:
            async with at_once, shown(browser, origin, LOOKS[look], VIEWS[view]) as chat:
                await chat.page.screenshot(
                    path=folder / f"{view}-{look}.png", animations="disabled"
                )

        async with asyncio.TaskGroup() as tasks:
            for each in wanted:
                tasks.create_task(one(*each))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(draw(arguments.folder, arguments.words))


if __name__ == "__main__":
    main()
