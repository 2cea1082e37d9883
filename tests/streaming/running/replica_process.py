"""A replica in a process of its own: says what comes in by standard input.

Arguments: the URL of Redis, the prefix of the keys. It prints the name of the answer that it
accepts, and ``closed`` when its generator is closed. With a third argument, ``taking``, it accepts
none but takes over what it finds; with ``poisoned`` it accepts one. Either of them is killed by
whatever it generates.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from sessions.redis import connection
from sessions.redis.keys import Keys
from streaming.running.answer_author import Assignment
from tests.streaming import doubles
from tests.streaming.doubles import Puppet


class Loud(Puppet):
    """A puppet that says so when it is closed."""

    async def generate(self, assignment: Assignment):
        try:
            async for event in super().generate(assignment):
                yield event
        finally:
            _print("closed")


class Poisoned(Puppet):
    """A puppet whose process does not outlive what it generates."""

    async def generate(self, assignment: Assignment):
        os.kill(os.getpid(), signal.SIGKILL)
        async for event in super().generate(assignment):
            yield event


async def main(url: str, prefix: str, mode: str = "") -> None:
    keys, puppet = Keys(prefix), Poisoned() if mode else Loud()
    async with (
        connection.connect(url) as redis,
        doubles.replica(redis, keys, puppet) as replica,
    ):
        accepted = doubles.submission()
        if mode != "taking":
            _print(accepted.answer)
            await replica.runner.submit(accepted)
        lines = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(lines)
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
        while line := await lines.readline():
            puppet.say(accepted.answer, line.decode().rstrip("\n"))


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
