"""What the tests of the stores share: answers without a runner, a process that is killed."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, cast

from sessions import names
from sessions.codec import json_codec
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys, owner_of
from sessions.resources.answers import Answer, State
from sessions.resources.sessions import Query, Turn

DATA_STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"


class Answering:
    """Accept and end answers as the scripts of a running answer do, command by command."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def begin(self, session: str, text: str = "how?", item: bytes = b"") -> str:
        """Start an answer in *session* and return its name; *item* is what the turns get."""
        answer = names.answer(session, names.new_id())
        turn = item or json_codec.dump(Turn(query=Query(text=text), answer=answer))
        json = json_codec.dump(Answer(name=answer, state=State.IN_PROGRESS))
        key, at = self._keys.session(session), await self._micros()
        await self._do(key, "HSETNX", "title", text)
        await self._do(self._keys.answers(session), "RPUSH", answer)
        await self._do(self._keys.answer(answer), "HSET", "state", "IN_PROGRESS", "json", json)
        await self._do(self._keys.turns(session), "RPUSH", turn)
        await self._do(key, "HSET", "active", answer, "ended", at, "updated", at)
        await self._do(self._keys.log(answer), "XADD", "1-0", "e", "{}")
        await self._do(self._keys.leases(self._keys.partition(session)), "ZADD", at, answer)
        return answer

    async def finish(self, answer: str, text: str = "so.") -> int:
        """End *answer* with *text*; return the time of the update in µs."""
        session, at = owner_of(answer), await self._micros()
        json = json_codec.dump(Answer(name=answer, state=State.SUCCEEDED, answer_text=text))
        await self._do(self._keys.answer(answer), "HSET", "state", "SUCCEEDED", "json", json)
        key = self._keys.session(session)
        await self._do(key, "HSET", "active", "", "ended", at, "updated", at)
        await self._do(self._keys.leases(self._keys.partition(session)), "ZREM", answer)
        return at

    async def _micros(self) -> int:
        seconds, micros = await self._redis.execute(b"", "TIME")
        return int(seconds) * 1_000_000 + int(micros)

    async def _do(self, key: bytes, command: str, *args: bytes | str | int) -> Any:
        return await self._redis.execute(key, command, key, *args)


class Killed(Exception):
    """The process is gone."""


class Life:
    """The life of a process that is killed after it has sent some commands.

    Inside the context its Redis answers until then; what the death interrupts ends there.
    """

    awaits_replicas = False

    def __init__(self, redis: Redis, commands: int) -> None:
        self.commands = commands
        self.survived = False
        self._redis = redis
        self._left = commands

    def __enter__(self) -> Redis:
        return cast("Redis", self)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.survived = kind is None
        return kind is Killed

    def _send(self) -> None:
        if not self._left:
            raise Killed
        self._left -= 1

    async def execute(self, key: bytes, *command: bytes | str | int | float) -> Any:
        self._send()
        return await self._redis.execute(key, *command)

    async def batch(self, commands: Sequence[tuple[bytes, bytes]]) -> list[Any]:
        replies: list[Any] = []
        for command in commands:
            self._send()
            replies += await self._redis.batch([command])
        return replies

    async def run(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes | str | int | float] = ()
    ) -> Any:
        self._send()
        return await self._redis.run(script, keys, args)

    async def replicated(self, key: bytes) -> None:
        await self._redis.replicated(key)


class Meddled:
    """A `Redis` on which, *times* from a command on, something else happens before each."""

    awaits_replicas = False

    def __init__(
        self,
        redis: Redis,
        meddle: Callable[[], Awaitable[object]],
        times: int = 1,
        *,
        before: int = 0,
    ) -> None:
        self._redis = redis
        self._meddle = meddle
        self._left = range(before, before + times)
        self._sent = 0

    def handle(self) -> Redis:
        return cast("Redis", self)

    async def _wait(self) -> None:
        self._sent += 1
        if self._sent - 1 in self._left:
            await self._meddle()

    async def execute(self, key: bytes, *command: bytes | str | int | float) -> Any:
        await self._wait()
        return await self._redis.execute(key, *command)

    async def batch(self, commands: Sequence[tuple[bytes, bytes]]) -> list[Any]:
        replies: list[Any] = []
        for command in commands:
            await self._wait()
            replies += await self._redis.batch([command])
        return replies

    async def run(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes | str | int | float] = ()
    ) -> Any:
        await self._wait()
        return await self._redis.run(script, keys, args)

    async def replicated(self, key: bytes) -> None:
        await self._redis.replicated(key)


def lives(redis: Redis) -> Iterator[Life]:
    """Yield lives of no command, one, two, … up to the first that survives what it does."""
    for commands in itertools.count():
        life = Life(redis, commands)
        yield life
        if life.survived:
            return
