"""Read the times that an operator types."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Final

_UNITS: Final[Mapping[str, int]] = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION: Final = re.compile(r"([0-9]{1,9})([smhd])")
_LONGEST: Final = 3_650 * 86_400
"""Seconds of ten years: what is to last longer is to last without an end, and should say so."""


def seconds(text: str) -> int:
    """Read a duration such as ``90d``.

    Raises:
        ArgumentTypeError: it is none.
    """
    if (match := _DURATION.fullmatch(text)) is None:
        raise argparse.ArgumentTypeError(f"give a duration such as 90d, 12h or 30m, not '{text}'")
    given = int(match[1]) * _UNITS[match[2]]
    if given > _LONGEST:
        raise argparse.ArgumentTypeError(f"give 3650d at most, not '{text}'")
    return given
