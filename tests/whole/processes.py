"""Start the service as its user does: a process, its environment, its port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Final

import aiohttp

from service import settings
from tests import fork_server, local_commands
from tests.clients.conftest import running_service
from tests.fork_server import ForkedProcess
from tests.ports import free_port
from tests.waiting import eventually

ROOT: Final = Path(__file__).parents[2]
_START: Final = 120.0
"""Seconds within which a service starts, on a machine that has much else to do."""


class Service:
    """One process of the service."""

    def __init__(self, port: int, environment: dict[str, str]) -> None:
        self.port = port
        self._environment = environment
        self.process: asyncio.subprocess.Process | ForkedProcess | None = None
        self.data_dir = environment["COLLOQUY_DATA_DIR"]
        self.record = Path(f"{self.data_dir}-{port}.log")
        """What the service, in all its runs, says on standard error."""
        self.printed = Path(f"{self.data_dir}-{port}.out")
        """What it says on standard output."""

    @property
    def rest(self) -> str:
        """The address of REST."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def websocket(self) -> str:
        """The address of the WebSocket."""
        return f"ws://127.0.0.1:{self.port}/v1/ws"

    async def start(self, *options: str) -> None:
        """Start ``serve`` with *options*, and wait until it answers; see `launch`."""
        await self.launch(*options)
        await eventually(self.is_ready, within=_START)

    @contextlib.asynccontextmanager
    async def in_a_thread(self) -> AsyncGenerator[None]:
        """Serve in a thread of this process, where a test is of a client or of a command alone."""
        given = settings.read(self._environment | {"COLLOQUY_PORT": str(self.port)})
        with running_service(given):
            yield

    async def launch(self, *options: str) -> None:
        """Start ``serve``, and wait until its port is open; it answers later.

        With *options* it is started as its user does. Without, it is forked from what has imported
        it, and has yet to do all else.
        """
        environment = os.environ | self._environment | {"COLLOQUY_PORT": str(self.port)}
        if options:
            await self._execute(environment, *options)
        else:
            self.process = fork_server.start(("serve",), environment, self.printed, self.record)
        await eventually(self.is_listening, within=_START)

    async def _execute(self, environment: dict[str, str], *options: str) -> None:
        with self.record.open("ab") as record, self.printed.open("ab") as printed:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "service", "serve", *options),
                cwd=ROOT,
                env=environment,
                stdout=printed,
                stderr=record,
            )

    def is_listening(self) -> bool:
        """Tell whether somebody holds the port."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    async def is_ready(self) -> bool:
        """Tell whether ``/readyz`` says so."""
        with contextlib.suppress(aiohttp.ClientError):
            async with (
                aiohttp.ClientSession() as client,
                client.get(f"{self.rest}/readyz") as reply,
            ):
                return reply.status == 200
        return False

    def workers(self) -> list[int]:
        """Return the process ids of the workers, where there are several."""
        if self.process is None:
            raise AssertionError("look at what was started")
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children]

    def redis_pid(self) -> int:
        """Return the process id of the bundled Redis, 0 where none runs."""
        for process in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                line = (process / "cmdline").read_bytes().decode(errors="replace")
                if "unixsocket:" in line and self.data_dir in line:
                    return int(process.name)
        return 0

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process by a signal and return its exit status."""
        if self.process is None:
            raise AssertionError("stop what was started")
        if self.process.returncode is None:
            self.process.send_signal(how)
        return await self.process.wait()

    async def begin(
        self, *arguments: str, stdin: int, stdout: int, stderr: int
    ) -> asyncio.subprocess.Process:
        """Start a ``colloquy`` command beside the service, with these streams."""
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "service",
            *arguments,
            cwd=ROOT,
            env=os.environ | self._environment | {"COLLOQUY_PORT": str(self.port)},
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )

    async def given(self, *arguments: str) -> str:
        """Run a ``colloquy`` command that has to succeed on the data of the service.

        In this process, for what the test is to find: where the command itself is tested, `command`
        starts it as its user does.
        """
        return await local_commands.run(settings.read(self._environment), *arguments)

    async def command(self, *arguments: str, stdin: str = "") -> tuple[int, str]:
        """Run a ``colloquy`` command beside the service; return its status and all it printed.

        Its process is forked, as that of a service without options; `begin` is for all others.
        """
        environment = os.environ | self._environment | {"COLLOQUY_PORT": str(self.port)}
        with tempfile.NamedTemporaryFile() as typed, tempfile.NamedTemporaryFile() as said:
            typed.write(stdin.encode())
            typed.flush()
            output = Path(said.name)
            running = fork_server.start(arguments, environment, output, output, Path(typed.name))
            return await running.wait(), said.read().decode()


@contextlib.asynccontextmanager
async def services(
    data_dir: Path, *extra: Sequence[tuple[str, str]], count: int = 1
) -> AsyncGenerator[list[Service]]:
    """Give *count* services that share *data_dir*, not started yet; all are ended afterwards."""
    environment = {"COLLOQUY_DATA_DIR": str(data_dir), "COLLOQUY_SAMPLE": "off"}
    environment |= dict(pair for pairs in extra for pair in pairs)
    made = [Service(free_port(), environment) for _ in range(count)]
    try:
        yield made
    finally:
        for service in made:
            if service.process is not None and service.process.returncode is None:
                await service.stop()
            if service.record.exists():
                sys.stderr.write(service.record.read_text())
