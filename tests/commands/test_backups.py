"""What ``colloquy backup`` and ``colloquy restore`` print, leave and refuse."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import stores
from service.__main__ import parser
from service.backups.backup_file import BackupFile
from service.settings import Settings
from sessions.errors import FailedPrecondition
from sessions.names import SAMPLE_DATA_STORE
from sessions.resources.sessions import Session
from tests import redis_servers
from tests.redis_servers import Server
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture
def empty(redis_binary: str) -> Iterator[Server]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as server,
    ):
        yield server


@pytest.fixture
async def filled(own_server: Server) -> Server:
    """A Redis with a session."""
    async with stores.opened(Settings(redis_url=own_server.url)) as store:
        await store.sessions.create(SAMPLE_DATA_STORE, Session(user_pseudo_id="ada"))
    return own_server


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


async def run(server: Server, *arguments: str) -> int:
    """Run a command as its user does, but in this process."""
    called = parser().parse_args(arguments)
    return await called.command(called, Settings(redis_url=server.url))


def begun(server: Server, *arguments: str, data: bytes | None = None) -> tuple[int, bytes, str]:
    """Run a command in a process; return its status and what it wrote."""
    done = subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        env={**os.environ, "COLLOQUY_REDIS_URL": server.url},
        input=data,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.decode()


async def test_a_file_is_private_whole_and_restores(
    filled: Server, empty: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "it.backup"
    assert await run(filled, "backup", str(file)) == 0
    said = capsys.readouterr().err
    assert said.startswith("backed up 0 documents, 1 sessions, 0 conversations and 0 answers to")
    assert said.rstrip().endswith(f"{file}, {file.stat().st_size:,} bytes")
    assert file.stat().st_mode & 0o777 == 0o600
    assert files(tmp_path) == [file]
    assert await run(empty, "restore", str(file)) == 0
    assert capsys.readouterr().err.endswith("start Colloquy now\n")
    entries = empty.call("XRANGE", "c:audit", "-", "+")
    methods = [b"colloquy backup" in each[1][1] for each in entries]
    assert methods == [True, False]


async def test_a_folder_gets_a_file_named_by_the_time(filled: Server, tmp_path: Path) -> None:
    assert await run(filled, "backup", str(tmp_path)) == 0
    (file,) = files(tmp_path)
    assert file.match("colloquy-20??-??-??T??????Z.backup")
    BackupFile(io.BytesIO(file.read_bytes()), "it").verify()


async def test_a_backup_goes_through_a_pipe(filled: Server, empty: Server) -> None:
    status, data, said = begun(filled, "backup", "-")
    assert (status, "to standard output" in said) == (0, True)
    status, printed, said = begun(empty, "restore", "-", data=data)
    assert (status, printed) == (0, b"")
    assert "restored 0 documents, 1 sessions" in said
    refused = begun(empty, "restore", "-", data=data[:-1])
    assert refused[0] == 1
    assert refused[2].startswith("colloquy: standard input is cut off or damaged: ")


async def test_a_file_that_is_there_is_not_written_over(filled: Server, tmp_path: Path) -> None:
    file = tmp_path / "it.backup"
    file.write_text("precious")
    with pytest.raises(FailedPrecondition, match="it is there already; name another file"):
        await run(filled, "backup", str(file))
    assert file.read_text() == "precious"


@pytest.mark.parametrize(
    ("command", "path", "why"),
    [
        ("backup", "none/it", "none/it cannot be written: No such file or directory"),
        ("restore", "none", "none cannot be read: No such file or directory"),
        ("restore", ".", ". cannot be read: Is a directory"),
    ],
)
async def test_a_path_that_cannot_be_used_is_told_in_one_sentence(
    filled: Server, command: str, path: str, why: str
) -> None:
    status, printed, said = begun(filled, command, path)
    assert (status, printed, said) == (1, b"", f"colloquy: {why} (BACKUP_FILE_UNUSABLE)\n")


async def test_a_failed_backup_leaves_no_file(own_server: Server, tmp_path: Path) -> None:
    with pytest.raises(FailedPrecondition, match="nothing to back up"):
        await run(own_server, "backup", str(tmp_path / "it"))
    assert files(tmp_path) == []
    assert own_server.call("DBSIZE") == 0


async def test_a_full_disk_is_told_in_one_sentence(filled: Server) -> None:
    check_full_disk(filled)


def check_full_disk(filled: Server) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "service", "backup", "-"],
            env={**os.environ, "COLLOQUY_REDIS_URL": filled.url},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    why = "standard output cannot be written: No space left on device"
    assert (done.returncode, done.stderr.decode()) == (
        1,
        f"colloquy: {why} (BACKUP_FILE_UNUSABLE)\n",
    )


async def test_a_right_that_is_missing_is_told(own_server: Server, tmp_path: Path) -> None:
    """As where the rules in Redis are those of an earlier version."""
    own_server.allow_service()
    own_server.call("ACL", "SETUSER", "colloquy", "-type")
    settings = Settings(redis_url=own_server.service_url)
    async with stores.opened(settings) as store:
        await store.sessions.create(SAMPLE_DATA_STORE, Session())
    called = parser().parse_args(["backup", str(tmp_path / "it")])
    with pytest.raises(FailedPrecondition, match=r"the rights of docker/redis-users\.acl"):
        await called.command(called, settings)


@pytest.mark.parametrize(
    ("command", "number"), [("backup", signal.SIGINT), ("restore", signal.SIGTERM)]
)
async def test_a_signal_stops_cleanly(
    filled: Server, empty: Server, tmp_path: Path, command: str, number: signal.Signals
) -> None:
    file = tmp_path / "it"
    assert await run(filled, "backup", str(file)) == 0
    server = filled if command == "backup" else empty
    path = file if command == "restore" else tmp_path / "new"
    server.signal(signal.SIGSTOP)  # so that the command waits
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "service",
            command,
            str(path),
            env={**os.environ, "COLLOQUY_REDIS_URL": server.url},
            stderr=asyncio.subprocess.PIPE,
        )
        await eventually(lambda: _heeds(process.pid))
        process.send_signal(number)
        _, said = await process.communicate()
    finally:
        server.signal(signal.SIGCONT)
    assert process.returncode == 130
    assert said.decode().startswith("stopped: ")
    assert files(tmp_path) == [file]


def _heeds(pid: int) -> bool:
    """Tell whether the process has a handler for SIGHUP, which Python by itself has not."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGHUP - 1) & 1)
    return False


def test_both_commands_show_what_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    for command, told in (("backup", "standard output"), ("restore", "standard input")):
        with pytest.raises(SystemExit):
            parser().parse_args([command, "--help"])
        assert told in capsys.readouterr().out
