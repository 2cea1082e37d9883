"""Which documented output fields the official clients have read, and which they never have.

Runs the tests of the clients, and names per message the fields and enum values without a value.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.bench.measuring import Row, informs
from tests.clients import field_coverage

_CLIENTS: Final = str(Path(field_coverage.__file__).parent)
_NAMED: Final = 12
"""Fields that a line names at most."""


def run() -> list[Row]:
    """Run the tests of the clients in this process, and count."""
    with contextlib.redirect_stdout(sys.stderr):
        if code := pytest.main([_CLIENTS, "-q", "-p", "no:cacheprovider"]):
            raise RuntimeError(f"the tests of the clients failed with {code}")
    messages = field_coverage.report()
    read = sum(len(one.read) for one in messages)
    unread = sum(len(one.unread) for one in messages)
    return [
        informs("fields and enum values that clients have read", read, f"of {read + unread}"),
        *(
            Row(f"{one.name}: {len(one.read)} of {len(one.read) + len(one.unread)}; never", named)
            for one in messages
            if (named := _named(one.unread))
        ),
    ]


def _named(fields: Sequence[str]) -> str:
    more = f" … {len(fields) - _NAMED} more" if len(fields) > _NAMED else ""
    return ", ".join(fields[:_NAMED]) + more
