"""Run ``colloquy`` commands in this process, which has imported already what they stand on."""

from __future__ import annotations

import contextlib
import io

from service.__main__ import parser
from service.settings import Settings


async def run(given: Settings, *arguments: str) -> str:
    """Run a command that has to succeed; return what it printed."""
    called = parser().parse_args(arguments)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert await called.command(called, given) == 0, arguments
    return said.getvalue()
