"""Read secrets from files, so that neither the environment nor a command line has to hold them.

Docker, Kubernetes and systemd hand secrets to a process as files; ``COLLOQUY_LLM_API_KEY_FILE``
names one in place of ``COLLOQUY_LLM_API_KEY``.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Final

_LONGEST: Final = 16_384
"""Bytes of a secret; more is another file than was meant, such as a device that never ends."""


def read(path: Path) -> str:
    """Return the secret in *path*, one line of UTF-8, without the line break that ends it.

    Raises:
        ValueError: there is none to be read; the message holds nothing of the file.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LONGEST + 1)
    except OSError as exc:
        raise ValueError(f"the file cannot be read ({exc.strerror})") from None
    if len(data) > _LONGEST:
        raise ValueError(f"the file has more than {_LONGEST} bytes")
    try:
        secret = data.decode().strip()
    except UnicodeDecodeError:
        raise ValueError("the file is not UTF-8") from None
    if not secret:
        raise ValueError("the file is empty")
    # A secret goes into headers and commands, where a line break would begin another one.
    if not secret.isprintable():
        raise ValueError("the file has to hold one line of text")
    return secret


def is_exposed(path: Path) -> bool:
    """Tell whether every user of the machine may read *path*, as far as its own mode says."""
    try:
        return bool(path.stat().st_mode & stat.S_IROTH)
    except OSError:
        return False


def stamp(*files: Path) -> tuple[tuple[int, ...], ...]:
    """Return what changes when one of *files* is written, replaced or linked to another."""
    stamps: list[tuple[int, ...]] = []
    for file in files:
        try:
            now = file.stat()
        except OSError:
            stamps.append(())
        else:
            stamps.append((now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns))
    return tuple(stamps)
