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

from tests.bench.measuring import Row, at_most, informs
from tests.clients import field_coverage, field_exceptions

_CLIENTS: Final = str(Path(field_coverage.__file__).parent)
_GROUPS: Final = 15
"""Reasons that the guide gives at most."""
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
    excused = {one.name: field_exceptions.excused(one.name, one.unread) for one in messages}
    without_reason = unread - sum(map(len, excused.values()))
    stale = field_exceptions.stale((one.name, one.read) for one in messages)
    return [
        informs("fields and enum values that clients have read", read, f"of {read + unread}"),
        Row(
            "of the rest, without a reason in the guide",
            str(without_reason),
            "0",
            not without_reason,
        ),
        at_most("groups with a reason", len(field_exceptions.EXCEPTIONS), _GROUPS, "groups"),
        Row("read, although the guide excuses it", _named(stale) or "none", "none", not stale),
        *(
            Row(f"{one.name}: {len(one.read)} of {len(one.read) + len(one.unread)}; never", named)
            for one in messages
            if (named := _told(one.unread, excused[one.name]))
        ),
    ]


def _told(unread: Sequence[str], excused: Sequence[str]) -> str:
    """Return what of a message was never read: what has no reason, then what has one."""
    bare = _named([one for one in unread if one not in excused])
    return "; ".join(filter(None, (bare, f"with a reason: {_named(excused)}" if excused else "")))


def _named(fields: Sequence[str]) -> str:
    more = f" … {len(fields) - _NAMED} more" if len(fields) > _NAMED else ""
    return ", ".join(fields[:_NAMED]) + more
