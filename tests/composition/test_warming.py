"""The first query of a process finds everything read and compiled."""

from __future__ import annotations

import subprocess
import sys

_MEASURED = """
import time
from service.composition import warming
times = []
for _ in range(2):
    began = time.process_time()
    warming.warm_up()
    times.append(time.process_time() - began)
print(*times)
"""


def test_what_was_warmed_up_stays_warm() -> None:
    """In a process of its own: in this one other tests have read the tables."""
    told = subprocess.run(
        [sys.executable, "-c", _MEASURED], capture_output=True, text=True, check=True
    )
    first, second = map(float, told.stdout.split())
    assert second < first / 2
