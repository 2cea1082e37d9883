"""The Chromium that the pages are shown in."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import AsyncGenerator
from typing import Final

import pytest
from playwright.async_api import Browser, async_playwright

# The shell is Chromium without all that is around its pages, for a third of the processor's time.
CHROMIUM: Final = shutil.which("chromium-headless-shell") or shutil.which("chromium")
_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextlib.asynccontextmanager
async def chromium(*flags: str) -> AsyncGenerator[Browser]:
    """Start it, with `flags` beside those that each machine needs."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium; .ci/run installs it")
        pytest.skip("there is no Chromium; install Debian's chromium-headless-shell")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=[*_FLAGS, *flags])
        yield browser
        await browser.close()
