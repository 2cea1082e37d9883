"""``python -m tests.fuzz``: fuzz each parser for a while, print counts, exit 1 on a failure.

Documents are read as imports read them: in child processes, under their limits. The rest is
called right here, where a crash of the process names itself.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import faulthandler
import logging
import random
import secrets
import sys
import time
from typing import Final

from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.parsing.parsed_documents import Unreadable
from tests.corpus.texts import STORE
from tests.fuzz import targets
from tests.fuzz.targets import TARGETS, Found, Target

_BATCH: Final = 50


def main(arguments: list[str]) -> int:
    """Fuzz what is named, or everything; return the exit code."""
    options = _parser().parse_args(arguments)
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 31)
    faulthandler.enable()
    logging.disable(logging.CRITICAL)
    _say(f"seed {seed}, {options.seconds:g} s for each parser")
    failed = False
    for name in options.targets or TARGETS:
        rng, end = random.Random(f"{seed} {name}"), time.monotonic() + options.seconds
        target = TARGETS[name]
        if target.mime:
            found = asyncio.run(_isolated(target, rng, end))
        else:
            found = targets.fuzz(target, rng, lambda _, end=end: time.monotonic() < end)
        told = ", ".join(f"{what} {count:,}" for what, count in sorted(found.counts.items()))
        _say(f"{name:15} {found.counts.total():>9,} inputs: {told}")
        for given, error in found.failures[:3]:
            failed = True
            _say(f"  {type(error).__name__}: {error}\n  for {given!r}")
    return int(failed)


async def _isolated(target: Target, rng: random.Random, end: float) -> Found:
    """Read documents in child processes until *end*; one that is killed is refused like any."""
    counts = collections.Counter[str]()
    async with ParsingPool(size=1) as pool:
        while time.monotonic() < end:
            sources = [
                DocumentSource(id=f"d{n}", data=target.make(rng), mime=target.mime)
                for n in range(_BATCH)
            ]
            for made in await pool.read(sources, STORE, chunk_size=180):
                refused = isinstance(made, Unreadable)
                counts[f"refused: {made.reason}" if refused else "read"] += 1  # pyright: ignore[reportAttributeAccessIssue]
    return Found(counts, [])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], metavar="PARSER")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each parser")
    parser.add_argument("--seed", type=int, help="the same seed makes the same inputs")
    return parser


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a program prints


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
