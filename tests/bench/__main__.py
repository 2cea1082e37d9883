"""Run the programs under tests/bench, all or those named, and print one table.

Each runs in a process of its own, one after the other. The exit code is 1 where a promise is
broken.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.bench.measuring import Row, run_program, table


def main(wanted: list[str]) -> int:
    """Run the *wanted* programs, or all; return the exit code."""
    known = sorted(path.stem[6:] for path in Path(__file__).parent.glob("bench_*.py"))
    if unknown := set(wanted) - set(known):
        print(f"no such program: {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
        return 2
    rows: list[tuple[str, Row]] = []
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as processes:
        for name in wanted or known:
            started = time.monotonic()
            print(f"{name} …", end=" ", file=sys.stderr, flush=True)
            try:
                rows += [(name, row) for row in processes.submit(run_program, name).result()]
            except Exception:  # noqa: BLE001 (the other programs still have something to say)
                traceback.print_exc()
                rows.append((name, Row("the program failed, see above", "", "", holds=False)))
            print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    print(table(rows))
    return int(any(row.holds is False for _, row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
