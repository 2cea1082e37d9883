"""Own the folder in which the processes of one installation keep their index on this host.

::

    <data dir>/index/<installation and version>/
        claim                  shared lock of every process that uses it
        publish, build         locks of who writes a snapshot, or builds what nobody has yet
        stores/<data store>/   a snapshot each, see `snapshots`
        live/<process>/        what one process searches and writes, with its lock beside it

All locks are the kernel's (flock): they end with their process, however that ends. What is in
here can be built anew from Redis, so whatever is not understood is deleted.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import os
import re
import secrets
import shutil
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

_INSTALLATION: Final = re.compile(r"[0-9a-f]{32}(-[0-9a-f]{32})?")
_MOST: Final = 250
"""Data stores that one process has open on disk: each takes some 100 of the 65,530 mappings that
Linux gives a process, and two threads."""
_OWNER_ONLY: Final = 0o700
_ATTEMPTS: Final = 20
_PAUSE: Final = 0.05


class IndexFolder:
    """The folder of one installation, as one process uses it; everything here blocks."""

    def __init__(self, root: Path, installation: str) -> None:
        """Open the folder below *root*, or make it, and clear what dead processes left.

        Raises:
            OSError: it cannot be made, written or locked.
        """
        self._root = root / installation
        self._stores = self._root / "stores"
        self._numbers = itertools.count(1)
        self._open = 0
        self._builders = 0
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.closing(_claimed(self._root)))
            lives = self._root / "live"
            for folder in (self._stores, lives):
                folder.mkdir(mode=_OWNER_ONLY, exist_ok=True)
            self._build = stack.enter_context(contextlib.closing(_Lock(self._root / "build")))
            self._publish = stack.enter_context(contextlib.closing(_Lock(self._root / "publish")))
            self._live, alive = _begun(lives)
            stack.enter_context(contextlib.closing(alive))
            self._live.mkdir(mode=_OWNER_ONLY)
            self._held = stack.pop_all()
        _clear_dead(lives, self._live)
        _clear_foreign(root, self._root)

    def close(self) -> None:
        """Delete what only this process used, and let go of the rest."""
        shutil.rmtree(self._live, ignore_errors=True)
        with contextlib.suppress(OSError):
            _lock_of(self._live).unlink()
        self._held.close()

    def size(self) -> int:
        """Return the bytes of all that its processes keep on disk; what is linked counts once."""
        found: dict[int, int] = {}
        for folder, _, files in os.walk(self._root):
            for file in files:
                with contextlib.suppress(FileNotFoundError):  # deleted just now
                    told = os.stat(os.path.join(folder, file))  # noqa: PTH116, PTH118 - many files
                    found[told.st_ino] = told.st_size
        return sum(found.values())

    def snapshots(self) -> list[Path]:
        """Return where there may be a snapshot."""
        return sorted(path for path in self._stores.iterdir() if path.is_dir())

    def snapshot(self, data_store: str) -> Path:
        """Return where the snapshot of *data_store* belongs."""
        # A name may be longer than a folder's name can be.
        return self._stores / hashlib.blake2b(data_store.encode(), digest_size=16).hexdigest()

    @property
    def has_room(self) -> bool:
        """Tell whether one more data store may be opened."""
        return self._open < _MOST

    def new_live(self) -> Path:
        """Make a folder for what this process searches and writes of one data store."""
        made = self._live / str(next(self._numbers))
        made.mkdir(mode=_OWNER_ONLY)
        self._open += 1
        return made

    def discard_live(self, live: Path) -> None:
        """Delete what `new_live` gave; searches that are under way keep what they read."""
        self._open -= 1
        shutil.rmtree(live, ignore_errors=True)

    @contextlib.contextmanager
    def publishing(self) -> Generator[bool]:
        """Tell whether no other process writes or deletes snapshots, and keep it so meanwhile."""
        taken = self._publish.take()
        try:
            yield taken
        finally:
            if taken:
                self._publish.leave()

    def begin_building(self) -> bool:
        """Take the right to build what there is no snapshot of, unless another process has it.

        Within a process it may be taken several times; each ends with `end_building`.
        """
        if not self._builders and not self._build.take():
            return False
        self._builders += 1
        self.go_on_building()
        return True

    def go_on_building(self) -> None:
        """Show those who wait that building goes on."""
        os.utime(self._root / "build")

    def end_building(self) -> None:
        """Let the next one build."""
        self._builders -= 1
        if not self._builders:
            self._build.leave()

    def built_at(self) -> int:
        """Return a number that changes while whoever builds goes on."""
        return (self._root / "build").stat().st_mtime_ns


class _Lock:
    """A file that one process can lock, or several where they share it."""

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        self._path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX

    def take(self) -> bool:
        """Lock it, and tell whether that could be done at once."""
        try:
            fcntl.flock(self._file, self._how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def is_there(self) -> bool:
        """Tell whether the file was not deleted since it was opened."""
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(self._file), self._path.stat())
        return False

    def leave(self) -> None:
        """Unlock it."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Unlock it for good."""
        os.close(self._file)


def _lock_of(live: Path) -> Path:
    return live.with_suffix(".lock")


def _claimed(root: Path) -> _Lock:
    """Make the folder *root* and claim it, together with the others that use it."""
    for _ in range(_ATTEMPTS):
        root.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            claim = _Lock(root / "claim", shared=True)
            if claim.take() and claim.is_there():
                return claim
            claim.close()
        # A process of another installation deletes it just now, and nothing tells when it has.
        time.sleep(_PAUSE)  # in a thread of the index, as all of this module, which may block
    raise BlockingIOError(f"another process has locked {root}")


def _begun(lives: Path) -> tuple[Path, _Lock]:
    """Choose a folder of our own in *lives*, and lock it.

    Before it is made: a folder without a lock that is held is one of a process that has ended.
    """
    for _ in range(_ATTEMPTS):
        live = lives / secrets.token_hex(8)
        lock = _Lock(_lock_of(live))
        if lock.take() and lock.is_there():
            return live, lock
        lock.close()  # a process that clears the folder saw it before it was locked
    raise BlockingIOError(f"other processes keep clearing {lives}")


def _clear_dead(lives: Path, own: Path) -> None:
    """Delete the folders of processes that have ended."""
    for path in lives.iterdir():
        live = path.with_suffix("")
        if live != own:
            _delete_unlocked(live, _lock_of(live))


def _clear_foreign(root: Path, own: Path) -> None:
    """Delete the indexes of other installations, unless a process uses them."""
    for path in root.iterdir():
        if path != own and _INSTALLATION.fullmatch(path.name):
            _delete_unlocked(path, path / "claim")


def _delete_unlocked(folder: Path, lock: Path) -> None:
    """Delete *folder* and its *lock*, unless that is held; two processes may do so at once."""
    with contextlib.suppress(OSError), contextlib.closing(_Lock(lock)) as held:
        if held.take() and held.is_there():
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)
