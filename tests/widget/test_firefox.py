"""The chat in Firefox, on a portal of another origin with the strict policy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.whole.processes import services
from tests.widget.firefox import firefox

pytestmark = pytest.mark.anyio

_CHAT: Final = "document.querySelector('colloquy-chat').shadowRoot"
_LAST: Final = f"[...{_CHAT}.querySelectorAll('article')].at(-1)?.textContent ?? ''"
_IS_OPEN: Final = f"{_CHAT}.querySelector('textarea').checkVisibility()"
QUESTION: Final = "How long may I keep a book?"


async def test_the_chat_answers_proves_and_resumes_in_firefox(tmp_path: Path) -> None:
    """With the keyboard, over a reload and a restart of the service; the console stays empty."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "loans.md").write_text(
        f"# Loans\n\n## {QUESTION}\n\nA book may be kept for four weeks.\n", "utf-8"
    )
    (tmp_path / "profile").mkdir()
    async with services(tmp_path / "data") as (one,), firefox(tmp_path / "profile") as browser:
        await one.given("import", str(tmp_path / "documents"), "--data-store", "help")
        await one.start()
        await browser.open(f"http://localhost:{one.port}/demo?data-store=help")
        await browser.shows(_button("Open the chat"))
        await browser.run(f"{_button('Open the chat')}.click()")
        await browser.shows(_IS_OPEN)
        await browser.run(f"{_CHAT}.querySelector('textarea').focus()")
        await browser.type(QUESTION)
        await browser.shows(f"({_LAST}).includes('four weeks')")
        await browser.shows(_button("Source 1: Loans"))
        await browser.run(f"{_button('Source 1: Loans')}.click()")
        await browser.shows(f"{_CHAT}.querySelector('mark')?.textContent.includes('four weeks')")
        await browser.reload()
        await browser.shows(_button("Open the chat"))
        await browser.run(f"{_IS_OPEN} || {_button('Open the chat')}.click()")
        await browser.shows(f"({_LAST}).includes('four weeks')")
        assert browser.complaints == []
        await one.stop()
        await browser.shows(_button("Try again"))
        await one.start()
        await browser.run(f"{_CHAT}.querySelector('textarea').focus()")
        await browser.type(QUESTION)
        await browser.shows(f"{_CHAT}.querySelectorAll('article').length === 2")
        await browser.shows(f"({_LAST}).includes('four weeks')")


def _button(name: str) -> str:
    """Return what is the button of this *name* in the chat."""
    buttons = f"[...{_CHAT}.querySelectorAll('button')]"
    named = "(each.getAttribute('aria-label') || each.textContent)"
    return f"{buttons}.find((each) => {named}.includes('{name}'))"
