"""What a backup has of a session is of one moment, however much happens to the session."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from service.backups.backup import Backup
from service.backups.backup_file import BackupFile, BackupWriter
from service.backups.key_records import KeyRecord
from sessions.errors import FailedPrecondition
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore
from tests.backups.copying import backed_up, restored
from tests.redis_servers import Server
from tests.sessions.store_doubles import DATA_STORE, Answering
from tests.whole import house
from tests.whole.house import STORE, House

pytestmark = pytest.mark.anyio

SESSION = f"{STORE}/sessions/s-anna"


class Owned(NamedTuple):
    """A session as a backup has it."""

    session: dict[bytes, bytes]
    turns: list[str]
    answers: list[str]
    waiting: list[str]
    states: dict[str, bytes]
    logs: set[str]

    def check(self) -> None:
        """Make sure that it is of one moment."""
        active = self.session[b"active"].decode()
        unfinished = {name for name, state in self.states.items() if state == b"IN_PROGRESS"}
        assert unfinished == {*self.waiting, *([active] if active else [])}
        assert sorted(self.states) == sorted(self.answers)
        assert set(self.turns) == set(self.answers) - set(self.waiting)
        assert active in {"", *self.logs}


def owned(backup: bytes, keys: Keys, name: str) -> Owned:
    found: dict[bytes, KeyRecord] = {}
    for each in BackupFile(io.BytesIO(backup), "it").messages():
        if isinstance(each, KeyRecord):
            found[f"{keys.prefix}:".encode() + each.key] = each

    def items(key: bytes) -> list[str]:
        return [each[0].decode() for each in found[key].elements] if key in found else []

    answers = items(keys.answers(name))
    turns = [json.loads(turn) for turn in items(keys.turns(name))]
    return Owned(
        found[keys.session(name)].fields,
        [turn["answer"] for turn in turns],
        answers,
        items(keys.queue(name)),
        {each: found[keys.answer(each)].fields[b"state"] for each in answers},
        {each for each in answers if keys.log(each) in found},
    )


@pytest.fixture
async def furnished(own_server: Server, tmp_path: Path) -> AsyncIterator[House]:
    async with house.opened(own_server.url, tmp_path) as made:
        await made.furnish_stores()
        yield made


async def test_a_session_that_is_asked_all_the_while_is_whole(furnished: House) -> None:
    stores = furnished.application.container.stores
    asked = {"query": {"text": "What is the fence?"}, "session": SESSION, "userPseudoId": "anna"}
    seen: set[int] = set()

    async def ask() -> None:
        for _ in range(20):
            await furnished.made("POST", f"{STORE}/servingConfigs/default_config:answer", asked)

    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(ask()) for _ in range(3)]
        while not all(each.done() for each in asking):
            found = owned(await backed_up(stores.redis, stores.keys), stores.keys, SESSION)
            found.check()
            seen.add(len(found.answers))
    assert len(seen) > 5, "or nothing happened meanwhile"
    assert max(seen) > 40, "or it was never read page by page"


async def test_a_long_session_is_whole(redis: Redis, keys: Keys) -> None:
    store, answering = SessionStore(redis, keys), Answering(redis, keys)
    name = (await store.create(DATA_STORE, Session())).name
    ended = [await answering.begin(name) for _ in range(150)]
    for answer in ended:
        await answering.finish(answer)
    running = await answering.begin(name)
    found = owned(await backed_up(redis, keys), keys, name)
    found.check()
    assert found.answers == [*ended, running]


async def test_a_session_that_was_deleted_leaves_nothing(redis: Redis, keys: Keys) -> None:
    """Not even where its answers still wait to be unlinked."""
    store, answering = SessionStore(redis, keys), Answering(redis, keys)
    name = (await store.create(DATA_STORE, Session(display_name="secret"))).name
    await answering.begin(name, "secret")
    key = keys.trashed(name)
    await redis.execute(key, "RENAME", keys.answers(name), key)
    for left in (keys.session(name), keys.turns(name)):
        await redis.execute(left, "UNLINK", left)
    file = BackupFile(io.BytesIO(await backed_up(redis, keys)), "it")
    assert [each for each in file.messages() if isinstance(each, KeyRecord)] == []


async def test_an_empty_redis_is_nothing_to_back_up(own_server: Server, keys: Keys) -> None:
    async with connection.connect(own_server.url) as redis:
        with pytest.raises(FailedPrecondition, match="nothing to back up") as refused:
            await Backup(redis, keys, BackupWriter(io.BytesIO())).begin()
    assert refused.value.reason == "NOTHING_TO_BACK_UP"
    assert own_server.call("DBSIZE") == 0


async def test_a_backup_of_a_backup_is_the_same(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    for user in ("ada", "adam"):
        await store.create(DATA_STORE, Session(user_pseudo_id=user))
    first = await backed_up(redis, keys)
    to = Keys(prefix=keys.prefix + "2")
    counts = await restored(redis, to, first)
    assert counts.sessions == 2
    again = await backed_up(redis, to)

    def records(backup: bytes) -> list[KeyRecord]:
        messages = BackupFile(io.BytesIO(backup), "it").messages()
        return sorted(
            (each for each in messages if isinstance(each, KeyRecord)), key=lambda each: each.key
        )

    assert records(again) == records(first)
