"""What the preloaded library does to a process."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import redis

from tests import redis_servers
from tests.chaos import preload
from tests.chaos.preload import Preload
from tests.waiting import eventually

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not preload.has_compiler(), reason="no C compiler"),
]


@pytest.fixture
def harm(tmp_path: Path) -> Preload:
    return Preload(preload.compiled(tmp_path), tmp_path)


def said(harm: Preload, program: str, *arguments: str) -> str:
    """Return what a Python *program* prints, loaded behind the library."""
    command = [sys.executable, "-c", program, *arguments]
    environment = os.environ | harm.environment
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_clock_is_stepped_and_the_one_that_only_goes_on_is_not(harm: Preload) -> None:
    told = said(harm, "import time; print(time.time(), time.monotonic())").split()
    harm.step_clock(-3600)
    later = said(harm, "import time; print(time.time(), time.monotonic())").split()
    assert float(later[0]) < float(told[0])
    assert float(later[1]) > float(told[1])


def test_a_synchronisation_takes_longer(harm: Preload, tmp_path: Path) -> None:
    program = (
        "import os, sys, time\n"
        "file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)\n"
        "for synchronise in (os.fsync, os.fdatasync):\n"
        "    began = time.monotonic()\n"
        "    synchronise(file)\n"
        "    print(time.monotonic() - began >= 0.2)\n"
    )
    harm.slow_disk(0.2)
    assert said(harm, program, str(tmp_path / "file")).split() == ["True", "True"]


def test_a_port_that_is_cut_off_cannot_be_reached(harm: Preload) -> None:
    program = (
        "import errno, socket, sys\n"
        "failed = socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1])))\n"
        "print(errno.errorcode.get(failed, failed))\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert said(harm, program, str(port)) == "0"
        harm.cut_off([port])
        assert said(harm, program, str(port)) == "ENETUNREACH"
        harm.heal()
        assert said(harm, program, str(port)) == "0"


async def test_a_replica_that_is_cut_off_catches_up_when_it_is_whole(
    redis_binary: str, tmp_path: Path
) -> None:
    """What is written meanwhile does not arrive, and arrives over a new connection."""
    harm = Preload(preload.compiled(tmp_path), tmp_path)
    with (
        redis_servers.standalone(redis_binary, tmp_path / "0", tcp=True) as master,
        redis_servers.standalone(
            redis_binary,
            tmp_path / "1",
            *("--replicaof", "127.0.0.1", str(master.port)),
            tcp=True,
            surroundings=lambda _: harm.environment,
        ) as replica,
    ):
        await eventually(lambda: b"master_link_status:up" in replica.call("INFO", "replication"))
        harm.cut_off([master.port])
        with redis.Redis(port=master.port, single_connection_client=True) as client:
            run = cast("Any", client).execute_command  # redis-py's types are partial
            run("SET", "key", "value")
            assert await asyncio.to_thread(run, "WAIT", 1, 300) == 0
        assert replica.call("GET", "key") is None
        harm.heal()
        await eventually(lambda: replica.call("GET", "key") == b"value")
