"""A chat on a portal's page, as a browser of a certain look shows it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final, Literal

from aiohttp import web
from playwright.async_api import Browser, Locator, Page, expect

from tests.widget.gallery.content import ANSWER, CONFIG, QUESTION
from tests.widget.portals import policy
from tests.widget.scripted_service import ASSET, STORE, ScriptedService

# Before the module runs, which a portal's own script may do, too.
SIGN_IN: Final = """
document.addEventListener("readystatechange", () => {
    document.querySelector("colloquy-chat").tokenProvider = () => "a token";
}, { once: true });
"""


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

    async def sign_in(self, sessions: list[dict[str, Any]]) -> None:
        """Open the chat of a person who has had these sessions, and their list."""
        self.service.bodies = {**self.service.bodies, "sessions": {"sessions": sessions}}
        await self.page.add_init_script(SIGN_IN)
        await self.open()
        await self.page.locator("header .icon").click()

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


View = Callable[[Chat], Awaitable[None]]


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
