"""Serve the same answers by Chainlit, from an environment that has it and nothing of ours.

``python chainlit_server.py`` prints its port once it serves, which it does until it is terminated;
Chainlit itself then loads this file for what it says. It writes its settings where it is started.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import time
from typing import Any

import chainlit  # pyright: ignore[reportMissingImports] - it is in an environment of its own

PACE = 0.02
"""Seconds between two pieces of one answer."""
lit: Any = chainlit


@lit.on_message
async def answer(message: Any) -> None:
    """Tell an answer for as many seconds as the message says."""
    told = lit.Message(content="")
    due = time.monotonic_ns()
    for _ in range(round(float(message.content) / PACE)):
        due += round(PACE * 1e9)
        if (wait := due - time.monotonic_ns()) > 0:
            await asyncio.sleep(wait / 1e9)
        await told.stream_token(f"{due} and a few words more ")
    await told.update()


def _tell(port: int) -> None:
    """Print *port* as soon as it is served."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)  # it tells nobody when it is up
        else:
            print(port, flush=True)
            return


if __name__ == "__main__":
    from chainlit.cli import cli  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    threading.Thread(target=_tell, args=(number,), daemon=True).start()
    sys.argv = [
        *("chainlit", "run", __file__, "--headless"),
        *("--host", "127.0.0.1", "--port", str(number)),
    ]
    cli()
