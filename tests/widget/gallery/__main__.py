"""Draw every view of the chat in every look into a folder.

    python -m tests.widget.gallery FOLDER [WORD…]

draws the pictures whose names, such as answer-dark, have one of the words in them; all without.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from tests.widget.browsers import chromium
from tests.widget.gallery.chats import LOOKS, portal_pages, shown
from tests.widget.gallery.views import VIEWS


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
