"""Run the programs under tests/bench, all or those named, and print one table.

Each runs in a process of its own, one after the other. The exit code is 1 where a promise is
broken.
"""

from __future__ import annotations

import importlib
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.bench.measuring import Row, table


def run(name: str) -> list[Row]:
    """Run the program ``bench_<name>``."""
    return importlib.import_module(f"tests.bench.bench_{name}").run()


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
            rows += [(name, row) for row in processes.submit(run, name).result()]
            print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
    print(table(rows))
    return int(any(row.holds is False for _, row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
