"""How long whoever stops a replica has to wait, as the guide says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from service import settings

_PAGE = Path(__file__).parents[2] / "service" / "guide" / "deployment.md"


def seconds(environment: Mapping[str, str]) -> float:
    """Return what a replica with that *environment* may take from SIGTERM to its end."""
    rule = r"a stop timeout that is (\d+) seconds longer than `COLLOQUY_GRACE`"
    (more,) = re.findall(rule, _PAGE.read_text("utf-8"))
    grace = settings.read({"COLLOQUY_GRACE": environment.get("COLLOQUY_GRACE", "")}).grace
    return grace + int(more)
