"""What axe-core finds wrong with a page.

axe-core comes in the wheel of axe-playwright-python, so that no Node is needed; that package's own
runner takes no pages under Trusted Types, and is not used.
"""

from __future__ import annotations

import importlib.resources
import json
from typing import Any, Final

from playwright.async_api import Page

_SCRIPT: Final = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
# WCAG 2.2 to AA, and what axe-core calls best practices.
_RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_WIDE: Final = "document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth"
_RUN: Final = """
axe.run(document, { runOnly: %s, resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.flat()}: ${failureSummary}`)))
"""


async def check(page: Page) -> None:
    """Hold *page* to the rules in light, in dark, and at 320 px, where it must not scroll sideways.

    It stays dark and narrow.
    """
    assert await violations(page) == []
    await page.emulate_media(color_scheme="dark")
    assert await violations(page) == []
    await page.set_viewport_size({"width": 320, "height": 568})
    assert not await page.evaluate(_WIDE)


async def violations(page: Page) -> list[str]:
    """Return what axe-core finds: the rule, the element and what to mend, one a line.

    It runs in a world of its own, where the page's policy does not hold and the page sees nothing.
    """
    session: Any = await page.context.new_cdp_session(page)
    try:
        tree = await session.send("Page.getFrameTree")
        world = await session.send(
            "Page.createIsolatedWorld",
            {
                "frameId": tree["frameTree"]["frame"]["id"],
                "worldName": "axe",
                "grantUniveralAccess": True,
            },
        )
        run = {
            "contextId": world["executionContextId"],
            "awaitPromise": True,
            "returnByValue": True,
        }
        await session.send("Runtime.evaluate", {**run, "expression": _SCRIPT})
        told = await session.send(
            "Runtime.evaluate", {**run, "expression": _RUN % json.dumps(_RULES)}
        )
    finally:
        await session.detach()
    if "exceptionDetails" in told:
        raise RuntimeError(json.dumps(told["exceptionDetails"]))
    return told["result"]["value"]
