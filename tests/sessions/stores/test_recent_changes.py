"""What is new, by the clock of the node that has it; `test_replicated_stores` waits for it."""

from __future__ import annotations

import pytest

from sessions.stores.recent_changes import SETTLED, DatedChange

NOW = (b"1700000000", b"500000")
MICROS = 1_700_000_000_500_000
LIMIT = int(SETTLED * 1_000_000)


@pytest.mark.parametrize(
    ("updated", "new"),
    [
        pytest.param(b"%d" % MICROS, True, id="just now"),
        pytest.param(b"%d" % (MICROS - LIMIT + 1), True, id="a moment before it is old"),
        pytest.param(b"%d" % (MICROS - LIMIT), False, id="old"),
        pytest.param(b"%d" % (MICROS + 20_000_000), True, id="before the clock was set back"),
        pytest.param(None, False, id="not there"),
        pytest.param(b"?", False, id="damaged"),
    ],
)
def test_what_changed_lately_is_new(updated: bytes | None, new: bool) -> None:
    assert DatedChange(b"k", updated, NOW).is_new is new
