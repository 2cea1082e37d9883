"""Read which packages a lock file pins, and on whose behalf."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
SERVED: Final = ROOT / "requirements.txt"
"""What runs in production; the other locks have it in the same versions."""
TRACING: Final = ROOT / "docker" / "requirements-tracing.txt"
"""What runs where traces are sent: that, and the extra ``tracing``."""
LOCKS: Final = (
    SERVED,
    ROOT / "requirements-dev.txt",
    ROOT / "docker" / "requirements-build.txt",
    TRACING,
)

_PIN: Final = re.compile(r"^(?P<name>[a-z0-9.-]+)(?:\[[^]]*\])?==(?P<version>[^ ;\\]+)")
_HASH: Final = re.compile(r"^    --hash=sha256:[0-9a-f]{64}")
_VIA: Final = re.compile(r"^    #(?: via |   )(?P<name>[a-zA-Z0-9][a-zA-Z0-9._-]*)")


class Package(NamedTuple):
    """A package as it is pinned."""

    name: str
    version: str
    wanted_by: tuple[str, ...]
    """The packages that need it, ``colloquy`` among them; in the order of their names."""


def read(lock: Path) -> list[Package]:
    """Return the packages of *lock*, in the order of their names.

    Raises:
        ValueError: a line is none of those that uv writes, or a package has no hash.
    """
    packages: list[Package] = []
    wanted_by: list[str] = []
    hashed = True
    for line in lock.read_text("utf-8").splitlines():
        if pin := _PIN.match(line):
            if not hashed:
                raise ValueError(f"{lock.name}: {packages[-1].name} has no hash")
            wanted_by, hashed = [], False
            packages.append(Package(pin["name"], pin["version"], ()))
        elif _HASH.match(line):
            hashed = True
        elif line.startswith("    #"):
            if via := _VIA.match(line):
                wanted_by.append(via["name"])
                packages[-1] = packages[-1]._replace(wanted_by=tuple(sorted(set(wanted_by))))
        elif line and not line.startswith("#"):
            raise ValueError(f"{lock.name}: this is no pinned package: {line}")
    return packages
