"""A service in a thread of this process, for tests that need no process to start, stop or kill.

It takes a fifth of what a process takes, which has to import everything first.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import NamedTuple

from service import settings
from service.settings import Settings
from tests import local_commands
from tests.clients.conftest import running_service
from tests.ports import free_port


class Served(NamedTuple):
    """Where a service is."""

    port: int
    said: str
    """What the commands printed that ran before."""

    @property
    def rest(self) -> str:
        """The address of REST."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def websocket(self) -> str:
        """The address of the WebSocket."""
        return f"ws://127.0.0.1:{self.port}/v1/ws"


def settings_of(data_dir: Path, environment: Mapping[str, str], port: int) -> Settings:
    """Read the settings of a service with these variables in its environment."""
    given = {"COLLOQUY_DATA_DIR": str(data_dir), "COLLOQUY_SAMPLE": "off", **environment}
    return settings.read(given | {"COLLOQUY_PORT": str(port)})


@contextlib.asynccontextmanager
async def serving(
    data_dir: Path, *before: tuple[str, ...], environment: Mapping[str, str] | None = None
) -> AsyncGenerator[Served]:
    """Serve what is in *data_dir*, once the commands *before* have run on it."""
    given = settings_of(data_dir, environment or {}, free_port())
    said = [await local_commands.run(given, *arguments) for arguments in before]
    with running_service(given):
        yield Served(given.port, "".join(said))
