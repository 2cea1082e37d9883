"""Ask which replicas run over a Redis.

Nothing of that is kept: each hears the channel of everyone for as long as it runs, so that a Redis
which was emptied knows them as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
from typing import Final, NamedTuple

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import control_messages

_SECONDS: Final = 1.0
"""How long they have to say who they are; one that is frozen, or of a version before, does not."""


class RunningReplicas(NamedTuple):
    """The *names* of those who said who they are, and how many are *silent*."""

    names: tuple[str, ...]
    silent: int

    def __str__(self) -> str:
        more = [f"{self.silent} without an answer"] if self.silent else []
        return ", ".join([*self.names, *more])

    def __bool__(self) -> bool:
        return bool(self.names or self.silent)


def introduction(redis: Redis) -> bytes:
    """Return what this process says of itself to who asks."""
    # Channels are those of all databases of a Redis, and a replica serves one of them.
    return f"{redis.database} {socket.gethostname()} (process {os.getpid()})".encode()


async def find(redis: Redis, keys: Keys) -> RunningReplicas:
    """Return the replicas that run over *redis*.

    Raises:
        Unavailable: Redis is away.
    """
    asker = secrets.token_hex(6)
    channel = keys.control(asker)
    said: list[bytes] = []
    news = asyncio.Event()

    def hear(message: bytes) -> None:
        said.append(message)
        news.set()

    redis.channels.listen(channel, hear)
    try:
        await redis.channels.ready(channel)
        question = control_messages.WHO + asker.encode()
        listening = await redis.publish(keys.control(control_messages.EVERYONE), question)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS):
                while len(said) < listening:
                    news.clear()
                    await news.wait()
    finally:
        redis.channels.forget(channel, hear)
    ours = f"{redis.database} ".encode()
    names = sorted(one.removeprefix(ours).decode() for one in said if one.startswith(ours))
    return RunningReplicas(tuple(names), listening - len(said))
