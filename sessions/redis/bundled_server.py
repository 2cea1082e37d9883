"""Run a Redis of our own where nobody has given us one.

The server belongs to a data directory, not to a process: whoever comes second joins it, the last
to leave stops it, and one that a killed service left behind is joined by the next. Three lock files
(`flock`, which the kernel releases whatever kills a process) hold this together, in
``<data>/redis``:

- ``door.lock``    held while somebody comes or leaves;
- ``users.lock``   shared by every process that uses the server: who gets it alone was the last;
- ``server.lock``  inherited by the server itself: as long as it is held, the server lives.

The server listens on a unix socket in a folder that only we may enter, on no port, and keeps an
append-only file that is synced every second. It is detached from the terminal: Ctrl-C reaches the
service alone, which drains first.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import functools
import hashlib
import logging
import os
import stat
import subprocess
import tempfile
import urllib.parse
from collections.abc import AsyncGenerator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis import server_binaries

_LONGEST: Final = 100
"""Bytes of a socket's path that every system takes (Linux 107, others less)."""
_DOOR: Final = 30.0
"""Seconds for others to come or leave before us."""
_START: Final = 10.0
"""Seconds for a server to answer, or to stop."""
_LOADING: Final = 600.0
"""Seconds for a server that answers to load its data."""
_PAUSE: Final = 0.005
_LAST_WORDS: Final = 3
"""Lines of its log that tell why a server does not start."""

_THREAD: Final = ThreadPoolExecutor(1, thread_name_prefix="redis-server")
"""For what blocks while a server starts; one may have to start again under load."""

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def server(
    data_dir: Path, *, programs: Sequence[str] | None = None, within: float = _START
) -> AsyncGenerator[str]:
    """Give the URL of the server of *data_dir*, which runs at least as long as the context.

    The first of *programs* (paths; by default those of `server_binaries.find`) that reads the data
    is run, if none runs yet. A server has *within* seconds to answer, and more while it says that
    it is loading.

    Raises:
        FailedPrecondition: there is no redis-server to run, it does not start, or the directory
            cannot be used.
        Unavailable: a server is there and does not answer.
    """
    home = _home(data_dir)
    with _lock(home / "users.lock") as users:
        async with _door(home):
            fcntl.flock(users, fcntl.LOCK_SH | fcntl.LOCK_NB)
            socket = _socket(home)
            started = not await _joined(home, socket, within)
            if started:
                await _start(
                    home, socket, server_binaries.find() if programs is None else programs, within
                )
        log.info(
            "redis_started" if started else "redis_joined",
            extra={"pid": _pid(home), "socket": str(socket)},
        )
        try:
            yield "unix://" + urllib.parse.quote(str(socket))
        finally:
            await _leave(home, socket, users, within)


async def _leave(home: Path, socket: Path, users: int, within: float) -> None:
    """Go; stop the server if nobody else is there."""
    async with _door(home):
        fcntl.flock(users, fcntl.LOCK_UN)
        if not _taken(users):
            return
        await _stop(home, socket, within)
        fcntl.flock(users, fcntl.LOCK_UN)  # before the door opens to the next one


async def _stop(home: Path, socket: Path, within: float) -> None:
    """Stop the server, which may have only just begun to start."""
    asked = False
    end = _now() + within
    while (lives := _lives(home)) and _now() < end:
        if not asked:
            with contextlib.suppress(OSError):
                await _ask(socket, "SHUTDOWN")
                asked = True
        await asyncio.sleep(_PAUSE)
    if lives:
        log.warning("redis_not_stopped", extra={"pid": _pid(home)})


async def _joined(home: Path, socket: Path, within: float) -> bool:
    """Wait for a server that lives to answer; tell whether there is one."""
    begin = _now()
    allowed = within
    while _lives(home):
        with contextlib.suppress(OSError):
            reply = await _ask(socket, "PING")
            if reply == "+PONG":
                return True
            if reply.startswith("-LOADING"):
                allowed = _LOADING
        if _now() > begin + allowed:
            raise Unavailable(
                f"the Redis of {home} (process {_pid(home)}) does not answer; "
                "stop it, then start again",
                reason="REDIS_UNAVAILABLE",
            )
        await asyncio.sleep(_PAUSE)
    return False


async def _start(home: Path, socket: Path, paths: Sequence[str], within: float) -> None:
    """Start the first server that can serve the data, and wait until it answers.

    It outlives us if we are killed; where the caller is cancelled, it is stopped again.
    """
    loop = asyncio.get_running_loop()
    programs = await loop.run_in_executor(_THREAD, server_binaries.choose, paths, home)
    record = home / "redis.log"
    if record.exists():
        record.replace(home / "redis.log.1")
    failures: list[str] = []
    for program in programs:
        # A failed start may have taken the data over into a form that the next does not see.
        if failures and not server_binaries.reads(program, home):
            continue
        if (failure := await _failure(program.path, home, socket, within)) is None:
            return
        failures.append(f"{program.path} does not start: {failure}")
    raise FailedPrecondition("; ".join(failures), reason="REDIS_NOT_STARTED")


async def _failure(program: str, home: Path, socket: Path, within: float) -> str | None:
    """Start *program*; return its last words where it ended before it answered."""
    try:
        done = await _run([program, *_options(home, socket)], home)
        if not done.returncode and await _joined(home, socket, within):
            return None
    except asyncio.CancelledError:
        await _stop(home, socket, within)
        raise
    record = home / "redis.log"
    text = record.read_text(errors="replace") if record.exists() else ""
    lines = (text or done.stdout.decode(errors="replace")).strip().splitlines()
    return "\n".join(lines[-_LAST_WORDS:])[-500:]


async def _run(command: Sequence[str], home: Path) -> subprocess.CompletedProcess[bytes]:
    """Run *command*, which becomes the server, to its end; a cancelled caller waits for it."""
    with _lock(home / "server.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        run = functools.partial(
            subprocess.run,
            command,
            pass_fds=[held],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        running = asyncio.get_running_loop().run_in_executor(_THREAD, run)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise


def _options(home: Path, socket: Path) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(home),
        "pidfile": str(home / "redis.pid"),
        "logfile": str(home / "redis.log"),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "yes",
    }
    return [part for name, value in options.items() for part in (f"--{name}", value)]


def _home(data_dir: Path) -> Path:
    return _private(data_dir.absolute() / "redis")


def _socket(home: Path) -> Path:
    """Return where the server listens: in *home*, or in the system's folder if that is too long.

    A folder elsewhere is remembered, since another process may have another idea of where
    temporary files go. The door must be held.
    """
    if len(os.fsencode(home / "redis.sock")) <= _LONGEST:
        return home / "redis.sock"
    note = home / "socket"
    if note.exists():
        folder = Path(note.read_text())
    else:
        name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"colloquy-{os.getuid()}-{name}"
        note.write_text(str(folder))
    return _private(folder) / "redis.sock"


def _private(folder: Path) -> Path:
    """Return *folder*, which nobody but we may enter, and make it if need be.

    Raises:
        FailedPrecondition: it is somebody else's, or cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise PermissionError("it is somebody else's")
        folder.chmod(0o700)
    except OSError as exc:
        raise FailedPrecondition(
            f"the folder {folder} cannot be used for Redis: {exc}", reason="DATA_DIR_UNUSABLE"
        ) from exc
    return folder


@contextlib.asynccontextmanager
async def _door(home: Path) -> AsyncGenerator[None]:
    """Keep others from coming or leaving meanwhile."""
    end = _now() + _DOOR
    with _lock(home / "door.lock") as door:
        while not _taken(door):
            if _now() > end:
                raise Unavailable(
                    f"another process has been starting or stopping the Redis of {home} for "
                    f"{_DOOR:.0f} s; look at it, then start again",
                    reason="REDIS_UNAVAILABLE",
                )
            await asyncio.sleep(_PAUSE)
        yield


@contextlib.contextmanager
def _lock(path: Path) -> Generator[int]:
    """Open a lock file; what is locked is released when it is closed."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _taken(file: int) -> bool:
    """Take the lock of *file* alone, if nobody else has any part in it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lives(home: Path) -> bool:
    """Tell whether there is a server, whatever its state."""
    with _lock(home / "server.lock") as file:
        return not _taken(file)


def _pid(home: Path) -> str:
    try:
        return (home / "redis.pid").read_text().strip()
    except OSError:
        return "?"


async def _ask(socket: Path, command: str) -> str:
    """Send one inline command; return the first line of the reply, "" where it hangs up."""
    async with asyncio.timeout(1):
        reader, writer = await asyncio.open_unix_connection(str(socket))
        try:
            writer.write(command.encode() + b"\r\n")
            return (await reader.readline()).decode(errors="replace").rstrip()
        finally:
            writer.close()


def _now() -> float:
    return asyncio.get_running_loop().time()
