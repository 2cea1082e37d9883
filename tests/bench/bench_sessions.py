"""What a session costs when it is long, and a list when it is: turns, pages, bytes, users.

Sessions that a measured page shows are real; the rest of a list of a million stands in the index
only, which is all of it that a page passes.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from statistics import median
from typing import Final

import uvloop

from sessions import names
from sessions.codec import json_codec
from sessions.listing.list_index import member
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from sessions.resources.answers import Answer, State
from sessions.resources.sessions import Query as Asked
from sessions.resources.sessions import Session, Turn
from sessions.stores.store_set import SessionStore
from streaming.log.events import Started, Succeeded
from streaming.log.positions import Position
from streaming.log.submissions import Submission
from streaming.log.transitions import Transitions
from tests import redis_servers
from tests.bench.measuring import Row, at_least, at_most, informs

ROUNDS: Final = 300
SHORT, LONG = 10, 10_000
FEW, MANY = 1_000, 1_000_000
SHOWN: Final = 120
"""Real sessions at the top of a list, two pages and some."""
SCANNED: Final = 20_000
"""Real sessions of the list in which one user is looked for with and without an index."""
EACH: Final = 20
"""How many sessions a user has."""
PARENT: Final = "projects/p/locations/global/collections/default_collection/dataStores/bench"
ANSWER: Final = "Opening hours are 9 to 5, Monday to Friday, except on public holidays. " * 15

Work = Callable[[], Awaitable[object]]


async def milliseconds(contenders: Mapping[str, Work], count: int) -> dict[str, float]:
    """Do each of *contenders* *count* times, by turns; return the median of each."""
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for at in range(count + count // 10):
        for name, work in contenders.items():
            started = time.perf_counter()
            await work()
            if at >= count // 10:
                samples[name].append((time.perf_counter() - started) * 1000)
    return {name: median(values) for name, values in samples.items()}


class Bench:
    """One Redis with what the measurements need."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.keys = Keys()
        self.store = SessionStore(redis, self.keys)
        self.transitions = Transitions(redis, self.keys, "bench", ttl=5, limit=60)
        self.chance = random.Random(7)

    async def memory(self) -> int:
        """Return the bytes that Redis uses."""
        found: bytes = await self.redis.execute(b"", "INFO", "memory")
        return int(found.partition(b"used_memory:")[2].split()[0])

    async def turn(self, session: str) -> None:
        """Append one turn: accept an answer, end it, show the session in its list."""
        answer = names.answer(session, names.new_id())
        at = dt.datetime.now(dt.UTC)
        submission = Submission(
            answer=answer,
            session=session,
            kind="answer",
            request=b"{}",
            opening=json_codec.dump(Turn(query=Asked(text="when do you open?"), answer=answer)),
            answer_json=json_codec.dump(Answer(name=answer, state=State.IN_PROGRESS)),
        )
        await self.transitions.begin(submission, Started(at=at))
        ended = Answer(name=answer, state=State.SUCCEEDED, answer_text=ANSWER)
        done = await self.transitions.finish(answer, ended, Position(1, 0), Succeeded(at=at), None)
        if done is None:
            raise AssertionError("nobody else finishes it")
        await self.store.index.touch(session, done.updated)

    async def long(self, turns: int) -> str:
        """Create a session with so many turns."""
        given = tuple(Turn(query=Asked(text="and on Sundays?"), answer="x") for _ in range(turns))
        return (await self.store.create(f"{PARENT}-turns", Session(turns=given))).name

    async def listed(self, parent: str, count: int, users: bool) -> None:
        """List *count* sessions of *parent* that are older than all that come."""
        index = self.keys.list_index(parent, "sessions")
        for start in range(0, count, 1000):
            places: list[int | bytes] = []
            buckets: list[tuple[bytes, bytes]] = []
            for place in range(start, start + 1000):
                session = str(self.chance.randrange(2**62, 2**63))
                places += [1_600_000_000_000_000 + place * 1_000_003, member(session)]
                if users:
                    user = self.keys.user_bucket(parent, "sessions", f"user-{place // EACH}")
                    buckets.append((user, pack("SADD", user, session)))
            await self.redis.batch([(index, pack("ZADD", index, *places)), *buckets])

    async def shown(self, parent: str, count: int, users: int = 1) -> None:
        """Create *count* real sessions of *parent*, of two turns each, on top of its list."""
        turns = tuple(Turn(query=Asked(text=f"question {at}?"), answer="x") for at in range(2))
        for at in range(count):
            given = Session(turns=turns, user_pseudo_id=f"user-{at % users}")
            await self.store.create(parent, given)

    async def appending(self) -> list[Row]:
        """A turn costs in a long session what it costs in a short one."""
        short, long = await self.long(SHORT), await self.long(LONG)
        costs = await milliseconds(
            {"short": lambda: self.turn(short), "long": lambda: self.turn(long)}, ROUNDS
        )
        return [
            informs(f"a turn, accepted and ended, at {SHORT}", costs["short"], "ms"),
            informs(f"the same at {LONG}", costs["long"], "ms"),
            at_most("append of a turn, long to short", costs["long"] / costs["short"], 1.2),
        ]

    async def listing(self) -> list[Row]:
        """A page costs in a long list what it costs in a short one, and the index little."""
        few, many = f"{PARENT}-few", f"{PARENT}-many"
        await self.listed(few, FEW, users=False)
        before = await self.memory()
        await self.listed(many, MANY, users=False)
        index = (await self.memory() - before) / MANY
        before = await self.memory()
        await self.listed(f"{PARENT}-users", MANY, users=True)
        both = (await self.memory() - before) / MANY
        for parent in (few, many):
            await self.shown(parent, SHOWN)
        second = {parent: (await self.store.list(ListQuery(parent)))[1] for parent in (few, many)}
        costs = await milliseconds(
            {
                "few": lambda: self.store.list(ListQuery(few)),
                "many": lambda: self.store.list(ListQuery(many)),
                "few, second": lambda: self.store.list(ListQuery(few, page_token=second[few])),
                "many, second": lambda: self.store.list(ListQuery(many, page_token=second[many])),
            },
            ROUNDS,
        )
        later = costs["many, second"] / costs["few, second"]
        return [
            informs(f"a page of 50 sessions among {FEW}", costs["few"], "ms"),
            informs(f"the same among {MANY}", costs["many"], "ms"),
            at_most("a first page, long to short", costs["many"] / costs["few"], 1.3),
            at_most("a second page, long to short", later, 1.3),
            informs("index of a session without users", index, "bytes"),
            at_most("index of a session, with that by user", both, 130, "bytes"),
        ]

    async def by_user(self) -> list[Row]:
        """Whether the index by user earns its bytes."""
        parent, user = f"{PARENT}-user", "user-7"
        await self.shown(parent, SCANNED, SCANNED // EACH)
        known = ListQuery(parent, filter=f"user_pseudo_id = {user}")
        # The same sessions, asked for in a way that no index knows.
        unknown = ListQuery(parent, filter=f"NOT user_pseudo_id != {user}")

        async def scan() -> int:
            found, token = await self.store.list(unknown)
            while token:
                page, token = await self.store.list(unknown._replace(page_token=token))
                found += page
            return len(found)

        if await scan() != len((await self.store.list(known))[0]):
            raise AssertionError("both find the same sessions")
        costs = await milliseconds({"index": lambda: self.store.list(known)}, ROUNDS)
        costs |= await milliseconds({"scan": scan}, 5)
        return [
            informs(f"one user's {EACH} sessions among {SCANNED}, by index", costs["index"], "ms"),
            informs("the same by reading all", costs["scan"], "ms"),
            at_least("reading all to the index", costs["scan"] / costs["index"], 20),
        ]

    async def reading(self) -> list[Row]:
        """What a session of 20 turns costs to read."""
        name = await self.long(20)
        costs = await milliseconds({"get": lambda: self.store.get(name)}, ROUNDS)
        return [informs("a session of 20 turns, read", costs["get"], "ms")]


def run() -> list[Row]:
    """Measure turns, pages, bytes and users on a Redis of our own."""
    program = redis_servers.binary()
    if program is None:
        raise OSError("no redis-server to measure with")

    async def measured(url: str) -> list[Row]:
        async with connect(url) as redis:
            bench = Bench(redis)
            rows = await bench.appending()
            rows += await bench.reading()
            rows += await bench.by_user()
            return rows + await bench.listing()

    with redis_servers.folder() as folder, redis_servers.standalone(program, folder) as server:
        return uvloop.run(measured(server.url))
