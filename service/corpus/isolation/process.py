"""One parsing process as the service sees it: started, sent commands, killed."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import Sequence
from typing import Final

import msgspec

from service.corpus.isolation import messages
from service.corpus.isolation.messages import Command, CommandHead, ReadyReply, ReplyHead
from sessions.errors import Unavailable

NOT_STARTED: Final = "PARSER_NOT_STARTED"
"""The reason where no process starts that could read a document."""
_BEGIN: Final = (
    "import sys; sys.path[:] = sys.argv[2:]\n"
    "from service.corpus.isolation import child; child.main(int(sys.argv[1]))"
)
_START: Final = 120.0
"""Seconds within which a process begins, on a machine that has much else to do."""
_CHUNK: Final = 256 * 1024
"""Bytes that are written at once, so that the loop has its turn between them."""
_HEAD: Final = 1024


class ProcessEnded(Exception):
    """The process is gone; *status* is its exit status, or a signal as a negative number."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the parsing process ended with {status}")
        self.status = status


class ParsingProcess:
    """A process that reads documents; it lives no longer than this one."""

    def __init__(self, transport: asyncio.SubprocessTransport, process: Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("started with both pipes")
        self._transport = transport
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout

    @classmethod
    async def start(cls) -> ParsingProcess:
        """Start a process and wait until it can work.

        Raises:
            Unavailable: it does not start.
        """
        try:
            # As `asyncio.create_subprocess_exec` does, which keeps the transport to itself.
            loop = asyncio.get_running_loop()
            transport, protocol = await loop.subprocess_exec(
                lambda: SubprocessStreamProtocol(limit=_CHUNK, loop=loop),
                sys.executable,
                # Nothing of the environment, the folder or the user's site says what it runs.
                *("-I", "-S", "-c", _BEGIN, str(os.getpid())),
                *map(os.path.abspath, sys.path),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={},
                cwd="/",
                start_new_session=True,  # Ctrl-C is for the service
            )
        except OSError as exc:
            raise _not_started(exc.strerror or "") from exc
        started = cls(transport, Process(transport, protocol, loop))
        try:
            async with asyncio.timeout(_START):
                await started._ready()
        except (ProcessEnded, TimeoutError) as exc:
            started.kill()
            raise _not_started(str(exc) or "it takes too long") from exc
        except BaseException:
            started.kill()
            raise
        return started

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Tell whether it was not yet seen to end."""
        return self._process.returncode is None

    async def send(self, command: Command, blobs: Sequence[bytes]) -> None:
        """Give it work, and return when it has all of it and is about to begin.

        Raises:
            ProcessEnded: it is gone, and has begun nothing of the work.
        """
        try:
            self._stdin.write(messages.pack(CommandHead(command, tuple(map(len, blobs)))))
            for blob in map(memoryview, blobs):
                for at in range(0, len(blob), _CHUNK):
                    self._stdin.write(blob[at : at + _CHUNK])
                    await self._stdin.drain()
            await self._stdin.drain()
        except (ConnectionError, RuntimeError) as exc:  # RuntimeError: the transport is closed
            raise await self._ended() from exc
        await self._ready()

    async def receive(self, most: int) -> tuple[ReplyHead, list[bytes]]:
        """Return its next reply and the blobs that follow, *most* bytes of them.

        Raises:
            ProcessEnded: it is gone, or sent too much or nonsense and was killed for it.
        """
        try:
            length = int.from_bytes(await self._stdout.readexactly(messages.LENGTH))
            head = messages.REPLY_HEAD.decode(await self._stdout.readexactly(min(length, most)))
            # It is not trusted: whoever took it over could have this process hold any amount.
            if sum(head.lengths) > most:
                self.kill()  # and what is read below ends before its length
            return head, [await self._stdout.readexactly(size) for size in head.lengths]
        except msgspec.MsgspecError as exc:
            self.kill()
            raise await self._ended() from exc
        except (asyncio.IncompleteReadError, ConnectionError) as exc:
            raise await self._ended() from exc

    async def _ready(self) -> None:
        head, _ = await self.receive(_HEAD)
        match head.message:
            case ReadyReply():
                return
            case _:
                raise AssertionError("a process is ready before it answers")

    async def _ended(self) -> ProcessEnded:
        return ProcessEnded(await self._process.wait())

    def kill(self) -> None:
        """End it at once, whatever it does; `wait_ended` tells when it is.

        What it had sent and nobody received is dropped: a pipe that is full of it would be read no
        more, so that its end was never seen, nor that of the process.
        """
        self._transport.close()

    async def wait_ended(self) -> None:
        """Return when it has ended."""
        await self._process.wait()


def _not_started(why: str) -> Unavailable:
    return Unavailable(
        f"documents cannot be read now: no process to read them in starts ({why})",
        reason=NOT_STARTED,
    )
