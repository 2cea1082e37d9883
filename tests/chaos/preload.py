"""Make one process meet slow disks, steps of its clock and partitions: ``preload.c`` in its way."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from tests.redis_servers import Server

_SOURCE: Final = Path(__file__).with_name("preload.c")
_HEAD: Final = struct.Struct("qqq")
_SIZE: Final = _HEAD.size + (1 << 16)


def has_compiler() -> bool:
    """Tell whether `compiled` can do its work."""
    return shutil.which("cc") is not None


def compiled(folder: Path) -> Path:
    """Compile the library into *folder*."""
    library = folder / "preload.so"
    made = ("cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl")
    subprocess.run(made, check=True)
    return library


class Preload:
    """What the processes that are started with `environment` meet, from now to `heal`."""

    def __init__(self, library: Path, folder: Path) -> None:
        """Keep the orders in a file in *folder*, which is there."""
        path = folder / "preload.orders"
        path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._orders = mmap.mmap(file.fileno(), _SIZE)
        self.environment: Mapping[str, str] = {
            "LD_PRELOAD": str(library),
            "CHAOS_PRELOAD": str(path),
        }

    def step_clock(self, seconds: float) -> None:
        """Have the time of day so many *seconds* ahead, or behind where they are negative."""
        self._set(clock=seconds)

    def slow_disk(self, seconds: float) -> None:
        """Have each synchronisation with a disk take so many *seconds* longer."""
        self._set(disk=seconds)

    def cut_off(self, ports: Collection[int]) -> None:
        """Silence what the process has connected to *ports*, and let it connect to none of them."""
        for port in ports:
            self._orders[_HEAD.size + port] = 1
        self._set(cuts=len(ports))

    def heal(self) -> None:
        """End all of it; connections that lost something break."""
        self._set()
        self._orders[_HEAD.size :] = bytes(_SIZE - _HEAD.size)

    def _set(self, clock: float = 0.0, disk: float = 0.0, cuts: int = 0) -> None:
        _HEAD.pack_into(self._orders, 0, int(clock * 1e9), int(disk * 1e9), cuts)


class Preloads:
    """The preloaded library in each server, by its folder; none where there is no library."""

    def __init__(self, library: Path | None) -> None:
        self._library = library
        self._made: dict[Path, Preload] = {}

    def surround(self, folder: Path) -> Mapping[str, str]:
        """Return the environment of the server in *folder*, which is to be started."""
        if self._library is None:
            return {}
        made = self._made[folder] = Preload(self._library, folder)
        return made.environment

    def of(self, server: Server) -> Preload:
        """Return what harms *server*."""
        return self._made[server.folder]
