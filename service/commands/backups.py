"""Keep all that Redis holds in a file, and fill an empty Redis from one."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime as dt
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Generator
from pathlib import Path
from typing import BinaryIO, Final

from redis.exceptions import ResponseError

from service import stores, terminal
from service.backups.backup import Backup
from service.backups.backup_file import BackupCounts, BackupFile, BackupWriter
from service.backups.restore import Restore
from service.commands import signals
from service.privacy.audit_log import AuditEntry, AuditLog
from service.settings import Settings
from sessions.errors import FailedPrecondition, ServiceError
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import FULL

_STREAM: Final = "-"
_STOPPED: Final = 130


async def backup(arguments: argparse.Namespace, settings: Settings) -> int:
    """Write a backup; its file has its name only once it is whole."""
    return await _until_signal(_backup(arguments.path, settings), "no backup was made")


async def restore(arguments: argparse.Namespace, settings: Settings) -> int:
    """Restore a backup into an empty Redis."""
    left = "what was restored is not all, and no service starts on it: run colloquy restore again"
    return await _until_signal(_restore(arguments.path, settings), left)


async def _backup(path: str, settings: Settings) -> int:
    with _new_file(path) as (file, name):
        writer = BackupWriter(file)
        async with stores.connected(settings) as redis:
            reading = Backup(redis, Keys(), writer)
            await reading.begin()
            await _record(redis, "backup")
            await reading.write()
        writer.finish()
    _say(f"backed up {_told(writer.counts)} to {name}, {writer.size:,} bytes")
    return 0


async def _restore(path: str, settings: Settings) -> int:
    with _old_file(path) as file:
        async with stores.connected(settings) as redis:
            counts = await Restore(redis, Keys(), BackupFile(file, _named(path))).write()
            await _record(redis, "restore")
    _say(f"restored {_told(counts)}; start Colloquy now")
    return 0


async def _until_signal(work: Awaitable[int], left: str) -> int:
    """Return the status of *work*; at a signal break it off, and say what is *left*."""
    task = asyncio.current_task()
    if task is None:
        raise AssertionError("commands run in a task")

    def leave(_: bool) -> None:
        task.cancel()

    try:
        with signals.heeded(leave):
            return await work
    except asyncio.CancelledError:
        _say(f"stopped: {left}")
        return _STOPPED
    except ResponseError as exc:
        raise FailedPrecondition(
            f"Redis refuses a command: {exc}; give the user of Colloquy the rights of "
            "docker/redis-users.acl",
            reason="REDIS_REFUSED",
        ) from exc


@contextlib.contextmanager
def _new_file(path: str) -> Generator[tuple[BinaryIO, str]]:
    """Give a file that nobody else may read, and its name; it is there only if all went well."""
    if path == _STREAM:
        try:
            yield sys.stdout.buffer, "standard output"
        except BrokenPipeError:
            raise  # whoever read has left, as with any command
        except OSError as exc:
            raise _unusable("standard output", "written", exc) from exc
        return
    target = Path(path)
    if target.is_dir():
        target /= f"colloquy-{dt.datetime.now(dt.UTC):%Y-%m-%dT%H%M%SZ}.backup"
    part = target.with_name(f"{target.name}.part")
    try:
        if target.exists():
            raise FileExistsError(0, "it is there already; name another file")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o600)  # what an earlier backup left may have another mode
                yield file, str(target)
                file.flush()
                os.fsync(descriptor)
            part.rename(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as exc:
        raise _unusable(str(target), "written", exc) from exc


@contextlib.contextmanager
def _old_file(path: str) -> Generator[BinaryIO]:
    """Give the file of a backup; what comes by standard input is kept until it is verified."""
    try:
        if path == _STREAM:
            with tempfile.TemporaryFile() as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
                yield file
        else:
            with Path(path).open("rb") as file:
                yield file
    except OSError as exc:
        raise _unusable(_named(path), "read", exc) from exc


def _named(path: str) -> str:
    return "standard input" if path == _STREAM else path


def _unusable(name: str, done: str, failure: OSError) -> FailedPrecondition:
    return FailedPrecondition(
        f"{name} cannot be {done}: {failure.strerror or failure}", reason="BACKUP_FILE_UNUSABLE"
    )


async def _record(redis: Redis, method: str) -> None:
    """Record that all there is was read or written."""
    entry = AuditEntry(
        time=dt.datetime.now(dt.UTC), principal="terminal", method=f"colloquy {method}"
    )
    try:
        await AuditLog(redis, Keys()).append(entry)
    except ServiceError as exc:
        if exc.reason != FULL:  # a Redis that is full has to be saved all the same
            raise


def _told(counts: BackupCounts) -> str:
    return (
        f"{counts.documents} documents, {counts.sessions} sessions, {counts.conversations} "
        f"conversations and {counts.answers} answers"
    )


def _say(text: str) -> None:
    """Say *text* where it is in the way of no backup."""
    terminal.say(text, to=sys.stderr)
