"""A replica in a process of its own: says what comes in by standard input.

Arguments: the URL of Redis, the prefix of the keys. It prints the name of the answer that it
accepted, and ``closed`` when its generator is closed.
"""

from __future__ import annotations

import asyncio
import sys

from sessions import connection
from sessions.keys import Keys
from tests.streaming import doubles
from tests.streaming.doubles import Puppet


class Loud(Puppet):
    """A puppet that says so when it is closed."""

    async def generate(self, claim: doubles.Claim):
        try:
            async for event in super().generate(claim):
                yield event
        finally:
            _print("closed")


async def main(url: str, prefix: str) -> None:
    keys, puppet = Keys(prefix), Loud()
    async with (
        connection.connect(url) as redis,
        doubles.replica(redis, keys, puppet) as replica,
    ):
        accepted = await replica.submit()
        _print(accepted.answer)
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
