"""``python -m tests.chaos``: break a running service, print a table, and exit 1 on a violation."""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import uvloop

from tests.chaos import plan, preload, reports, topologies
from tests.chaos.plan import Kind, Setup
from tests.chaos.running import run
from tests.whole.processes import ROOT


def main(arguments: list[str]) -> int:
    """Run one experiment; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.clocks and options.token_life:
        parser.error("--clocks needs --token-life 0: tokens end by a clock")
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
        writers=options.writers,
        readers=options.readers,
        life=options.life,
        fsync=options.fsync,
        token_life=options.token_life,
    )
    folder = Path(tempfile.mkdtemp(prefix="colloquy-chaos-"))
    _say(f"seed {setup.seed}, logs of the replicas in {folder}")
    report = uvloop.run(run(setup, folder))
    _say(reports.table(report, setup))
    if report.violations:
        return 1
    shutil.rmtree(folder)
    return 0


def _counts(options: argparse.Namespace, topology: topologies.Name) -> dict[Kind, int]:
    """Return how often what is done; what cannot be done in *topology*, or here, is not."""
    counts = {
        Kind.KILL: options.kills,
        Kind.PAUSE: options.pauses,
        Kind.STOP: options.stops,
        Kind.UPGRADE: options.upgrades if options.before else 0,
        Kind.CLIENTS: options.cuts if options.resets is None else options.resets,
        Kind.FULL: options.full,
        Kind.TIME: options.clocks,
        Kind.REPLICA_TIME: options.clocks,
        Kind.REPLICA_DISK: options.disks,
    }
    if topology is topologies.Name.STANDALONE:
        counts |= {
            Kind.CUT: options.cuts,
            Kind.HUSH: options.cuts,
            Kind.SLOW: options.cuts,
            Kind.RESTART: options.restarts,
            Kind.CRASH: options.restarts if options.fsync == "always" else 0,
            Kind.FREEZE: options.freezes,
            Kind.DISK: options.disks,
        }
    else:
        deposed = options.freezes - options.freezes // 3
        counts |= {
            Kind.FREEZE: options.freezes - deposed,
            Kind.DEPOSE: deposed,
            Kind.PART: options.partitions,
        }
    if not preload.has_compiler():
        _say(f"no cc, hence none of: {', '.join(sorted(kind.value for kind in plan.PRELOADED))}")
        counts = {kind: n for kind, n in counts.items() if kind not in plan.PRELOADED}
    return counts


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
    parser.add_argument("--partitions", type=int, default=0, help="of a master from its nodes")
    parser.add_argument("--full", type=int, default=0, help="times that Redis has no memory")
    parser.add_argument("--disks", type=int, default=0, help="slow ones, of Redis and of replicas")
    parser.add_argument(
        "--clocks",
        type=int,
        default=0,
        help="steps, of Redis and of replicas; takes --token-life 0, since tokens end by a clock",
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
    parser.add_argument("--writers", type=int, default=2, help="who change documents")
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
