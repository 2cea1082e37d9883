"""``python -m tests.chaos``: break a running service, print a table, and exit 1 on a violation."""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import uvloop

from tests.bench.measuring import quantile
from tests.chaos import checking, topologies
from tests.chaos.plan import Kind
from tests.chaos.running import Report, Setup, run
from tests.whole.processes import ROOT

_SLACK = 0.5
_WIDE = 48
"""Characters of a row's name that the others are not laid out by."""


def main(arguments: list[str]) -> int:
    """Run one experiment; return the exit code."""
    options = _parser().parse_args(arguments)
    topology = topologies.Name(options.topology)
    setup = Setup(
        seed=options.seed if options.seed is not None else secrets.randbelow(1 << 31),
        counts=_counts(options, topology),
        topology=topology,
        redis_replicas=options.redis_replicas,
        before=options.before or ROOT,
        replicas=options.replicas,
        lease=options.lease,
        gap=options.gap,
        askers=options.askers,
        readers=options.readers,
        life=options.life,
        fsync=options.fsync,
        token_life=options.token_life,
    )
    folder = Path(tempfile.mkdtemp(prefix="colloquy-chaos-"))
    _say(f"seed {setup.seed}, logs of the replicas in {folder}")
    report = uvloop.run(run(setup, folder))
    _say(table(report, setup))
    if report.violations:
        return 1
    shutil.rmtree(folder)
    return 0


def _counts(options: argparse.Namespace, topology: topologies.Name) -> dict[Kind, int]:
    """Return how often what is done; what has no sense in *topology* is not."""
    counts = {
        Kind.KILL: options.kills,
        Kind.PAUSE: options.pauses,
        Kind.STOP: options.stops,
        Kind.UPGRADE: options.upgrades if options.before else 0,
        Kind.CLIENTS: options.cuts if options.resets is None else options.resets,
    }
    if topology is not topologies.Name.STANDALONE:
        deposed = options.freezes - options.freezes // 3
        return counts | {Kind.FREEZE: options.freezes - deposed, Kind.DEPOSE: deposed}
    return counts | {
        Kind.CUT: options.cuts,
        Kind.HUSH: options.cuts,
        Kind.SLOW: options.cuts,
        Kind.RESTART: options.restarts,
        Kind.CRASH: options.restarts if options.fsync == "always" else 0,
        Kind.FREEZE: options.freezes,
    }


def table(report: Report, setup: Setup) -> str:
    """Lay the report out, violations last."""
    stalls, lags = report.stalls or [0.0], report.lags or [0.0]
    bound = setup.lease + _SLACK
    late = sum(stall > bound for stall in stalls)
    lines = [(kind.value, str(report.faults[kind])) for kind in Kind if report.faults[kind]]
    lines += [
        ("client connections lost", f"{report.drops:,}"),
        ("  with their token", f"{report.expired:,}"),
        ("answers", f"{report.answers:,}"),
        *((f"  {state}", str(count)) for state, count in sorted(report.states.items())),
        ("readers", f"{report.readers:,}"),
        ("elements read", f"{report.elements:,}"),
        ("take-overs that readers saw", str(report.take_overs)),
        ("  stall, p50", f"{quantile(stalls, 0.5):.2f} s"),
        ("  stall, p95", f"{quantile(stalls, 0.95):.2f} s"),
        ("  stall, longest", f"{stalls[-1]:.2f} s"),
        (f"  over {bound:g} s (lease + {_SLACK:g} s)", f"{late} of {len(report.stalls)}"),
        ("a reader behind the first one, p50", f"{quantile(lags, 0.5) * 1000:.1f} ms"),
        ("  p99", f"{quantile(lags, 0.99) * 1000:.0f} ms"),
        ("  longest", f"{lags[-1]:.2f} s"),
        ("time", f"{report.seconds:.0f} s"),
        ("VIOLATIONS", f"{len(report.violations):,}"),
        *((f"  {kind}", f"{n:,}") for kind, n in checking.kinds(report.violations).most_common(20)),
    ]
    width = max(len(name) for name, _ in lines if len(name) < _WIDE)
    rows = [f"{name.ljust(width)}  {value}" for name, value in lines]
    late = [f"  {line}" for line in report.longest]
    return "\n".join([*rows, *report.violations[:50], "The longest stalls:", *late])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev chaos", description=__doc__)
    parser.add_argument("--seed", type=int, help="what to break when; made up if not given")
    parser.add_argument("--kills", type=int, default=120, help="SIGKILLs of replicas")
    parser.add_argument("--pauses", type=int, default=100, help="SIGSTOPs of replicas")
    parser.add_argument("--stops", type=int, default=10, help="SIGTERMs of replicas")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="CHECKOUT",
        help="of another version: replicas begin with it, and are upgraded and taken back",
    )
    parser.add_argument(
        "--upgrades", type=int, default=20, help="of replicas, and back, if --before is given"
    )
    parser.add_argument("--cuts", type=int, default=10, help="faults of each kind of network")
    parser.add_argument(
        "--resets", type=int, help="of all client connections; as many as --cuts if not given"
    )
    parser.add_argument("--restarts", type=int, default=4, help="of a single Redis, of each kind")
    parser.add_argument(
        "--freezes",
        type=int,
        default=10,
        help="SIGSTOPs of a master of Redis; two in three last until it is replaced",
    )
    parser.add_argument(
        "--topology",
        choices=[name.value for name in topologies.Name],
        default="standalone",
        help="of Redis: one server, one with a replica and three sentinels, or a cluster",
    )
    parser.add_argument(
        "--redis-replicas", type=int, default=0, help="COLLOQUY_REDIS_REPLICAS of the service"
    )
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--lease", type=float, default=1.0, help="seconds")
    parser.add_argument("--gap", type=float, default=1.0, help="seconds between two faults")
    parser.add_argument("--askers", type=int, default=12, help="who ask at the same time")
    parser.add_argument("--readers", type=int, default=2, help="beside whoever asked")
    parser.add_argument("--life", type=float, default=0.7, help="of a connection, in seconds")
    parser.add_argument(
        "--token-life",
        type=float,
        default=4.0,
        help="seconds that tokens of those who ask live at most; 0 asks nobody who they are, and "
        "then nobody has a quota",
    )
    parser.add_argument(
        "--fsync",
        choices=("always", "everysec"),
        default="always",
        help="of Redis; with everysec a killed Redis may lose a second, hence none is killed",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
