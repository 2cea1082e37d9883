"""Files that are there whole or not at all, however the process or the machine ends."""

from __future__ import annotations

import contextlib
import os
import shutil
import zlib
from collections.abc import Iterable
from pathlib import Path


def link(source: Path, target: Path) -> bool:
    """Give the file *source* another name, or copy it where the file system has no links.

    Tells whether it did not have that name already.
    """
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if target.samefile(source):
            return False
        target.unlink()
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)  # raises what it was where there is no such file
        sync(target)
    return True


def measured(path: Path) -> tuple[int, int]:
    """Return the size of the file at *path* and a checksum of it."""
    size = checksum = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            size, checksum = size + len(block), zlib.crc32(block, checksum)
    return size, checksum


def write(path: Path, blocks: Iterable[bytes]) -> None:
    """Replace the file at *path* at once by *blocks*, on disk when this returns."""
    unfinished = path.with_name(f"{path.name}.draft")
    with unfinished.open("wb") as file:
        for block in blocks:
            file.write(block)
        # Before it takes its name: a machine that fails just then would leave it empty.
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def sync(path: Path) -> None:
    """Return when the file or folder at *path* is on disk; of a folder, which files it has."""
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
