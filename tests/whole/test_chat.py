"""What ``colloquy chat`` shows in a real terminal, and what Ctrl-C does there."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import termios
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests import doubles
from tests.doubles import OpenAIServer
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

COLUMNS: Final = 30
QUESTION: Final = "How long may I keep a book?"
SAID: Final = ("A book may be kept four wee", "ks [1]. It may b", "e kept no longer [1].")
SHOWN: Final = "A book may be kept four weeks.\r\n[1] It may be kept no longer. \r\n[1]\r\n"


class Terminal:
    """A terminal with the command in it; *told* is all that it was sent."""

    def __init__(self, process: asyncio.subprocess.Process, keyboard: int) -> None:
        self.process = process
        self.told = ""
        self._keyboard = keyboard
        os.set_blocking(keyboard, False)

    def type(self, line: str) -> None:
        """Type *line*, as a person does."""
        os.write(self._keyboard, f"{line}\n".encode())

    async def shows(self, text: str, *, times: int = 1) -> None:
        """Wait until *text* stands there so many *times*."""
        await eventually(lambda: self._read().count(text) >= times)

    async def stopped(self, text: str) -> None:
        """Press Ctrl-C until *text* stands there, no faster than a person: one more ends it."""
        loop, due = asyncio.get_running_loop(), 0.0

        def pressed() -> bool:
            nonlocal due
            if text in self._read():
                return True
            if loop.time() > due:
                due = loop.time() + 0.5
                self.process.send_signal(signal.SIGINT)
            return False

        await eventually(pressed)

    async def left(self) -> int:
        """Press Ctrl-C, and return the status with which the command ends."""
        self.process.send_signal(signal.SIGINT)
        return await self.process.wait()

    def _read(self) -> str:
        with contextlib.suppress(BlockingIOError):
            self.told += os.read(self._keyboard, 65_536).decode()
        return self.told


@contextlib.asynccontextmanager
async def frozen(service: Service) -> AsyncGenerator[Callable[[], None]]:
    """Give what freezes *service*, which goes on at the end."""
    process = service.process
    assert process is not None
    try:
        yield lambda: process.send_signal(signal.SIGSTOP)
    finally:
        process.send_signal(signal.SIGCONT)


@contextlib.asynccontextmanager
async def chat(service: Service, *options: str) -> AsyncGenerator[Terminal]:
    """Run ``colloquy chat`` in a terminal of `COLUMNS`, up to its first prompt."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    arguments = ("chat", "--data-store", "library", *options)
    process = await service.begin(*arguments, stdin=its, stdout=its, stderr=its)
    terminal = Terminal(process, ours)
    try:
        await terminal.shows("\n> ")
        yield terminal
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        os.close(its)
        os.close(ours)


async def test_a_chat_in_a_narrow_terminal(tmp_path: Path) -> None:
    (tmp_path / "loans.md").write_text(
        "# Loans\n\nA book may be kept four weeks. It may be kept no longer.\n", "utf-8"
    )
    async with OpenAIServer() as model:
        configured = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with (
            services(tmp_path / "data", tuple(configured.items())) as (service,),
            service.in_a_thread(),
        ):
            await service.given("import", str(tmp_path / "loans.md"), "--data-store", "library")
            whole = [doubles.data(doubles.event(piece)) for piece in SAID]
            async with chat(service, "--quiet") as terminal:
                # Words are whole at the margin, and each sentence has its citation behind it.
                model.script(doubles.chunks([*whole, doubles.DONE]))
                terminal.type(QUESTION)
                await terminal.shows(SHOWN)
                await terminal.shows("\n> ", times=2)
                # Ctrl-C at the prompt ends the command.
                assert await terminal.left() == 130
                assert "Traceback" not in terminal.told


class Waiting(NamedTuple):
    """A service as a process, and its model, which says nothing."""

    service: Service
    model: OpenAIServer


@pytest.fixture(scope="module")
async def waiting(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Waiting]:
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "loans.md").write_text("# Loans\n\nA book may be kept four weeks.\n", "utf-8")
    async with OpenAIServer(doubles.silence()) as model:
        configured = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
        async with services(folder / "data", tuple(configured.items())) as (service,):
            await service.start()
            await service.given("import", str(folder / "loans.md"), "--data-store", "library")
            yield Waiting(service, model)


async def test_ctrl_c_stops_an_answer_whose_model_says_nothing(waiting: Waiting) -> None:
    """It is stopped at the service, too; while that is frozen, another Ctrl-C does not wait."""
    service, model = waiting
    async with chat(service, "--quiet") as terminal:
        terminal.type(QUESTION)
        await eventually(lambda: bool(model.asked))
        terminal.process.send_signal(signal.SIGINT)
        await terminal.shows("\n> ", times=2)
        await asyncio.wait_for(model.left.wait(), 30)
        assert await terminal.left() == 130
        assert "Traceback" not in terminal.told
    async with chat(service) as terminal, frozen(service) as freeze:
        terminal.type(QUESTION)
        await terminal.shows("STREAMING")
        freeze()
        await terminal.stopped("not waited for")
        assert "Traceback" not in terminal.told


async def test_a_service_that_is_frozen_is_said(waiting: Waiting) -> None:
    service = waiting.service
    async with frozen(service) as freeze:
        freeze()
        status, said = await service.command("chat", QUESTION, "--data-store", "library")
    assert status == 1
    assert "does not answer within 2 seconds" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", QUESTION, "--data-store", "library"),
        ("import", "loans.md", "--data-store", "library"),
        ("evaluate", "--questions", "questions.csv", "--data-store", "library"),
        ("user", "export", "somebody"),
        ("doctor",),
        ("stores", "list"),
    ],
    ids=lambda arguments: arguments[0],
)
async def test_a_command_whose_reader_has_enough_ends_quietly(
    running: Service, arguments: tuple[str, ...]
) -> None:
    folder = Path(running.data_dir).parent
    given = [str(folder / one) if "." in one else one for one in arguments]
    reader, writer = os.pipe()
    os.close(reader)
    with (folder / "said").open("w+b") as said:
        process = await running.begin(
            *given, stdin=asyncio.subprocess.DEVNULL, stdout=writer, stderr=said.fileno()
        )
        os.close(writer)
        assert await process.wait() in {0, 1}
        assert (folder / "said").read_bytes() == b""


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Service]:
    """A service without a model, with one page and a list of questions beside its data."""
    folder = tmp_path_factory.mktemp("pipes")
    (folder / "loans.md").write_text("# Loans\n\nA book may be kept four weeks.\n", "utf-8")
    (folder / "questions.csv").write_text(f"question\n{QUESTION}\n", "utf-8")
    async with services(folder / "data") as (service,), service.in_a_thread():
        await service.given("import", str(folder / "loans.md"), "--data-store", "library")
        yield service
