"""A restore fills an empty Redis, and refuses everything else before it writes anything."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Iterator

import msgspec
import pytest

from service.backups.backup_file import BackupEnd, BackupFile, BackupHeader, BackupWriter
from service.backups.key_records import KeyRecord
from service.backups.restore import Restore
from service.corpus.storage.change_feed import ChangeFeed
from service.security.api_keys.store import ApiKeyStore
from sessions.errors import Aborted, FailedPrecondition
from sessions.listing.pagination import ListQuery
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore
from streaming.log import control_messages
from tests.backups.copying import backed_up, restored
from tests.redis_servers import Server
from tests.sessions.store_doubles import DATA_STORE, Answering
from tests.streaming import doubles
from tests.streaming.doubles import Puppet

pytestmark = pytest.mark.anyio


@pytest.fixture
def target(keys: Keys) -> Keys:
    """Build keys of an installation that is not there yet."""
    return Keys(prefix=f"{keys.prefix}r")


async def left(redis: Redis, keys: Keys) -> list[bytes]:
    return [key async for page in redis.scan(f"{keys.prefix}:*") for key in page]


@pytest.fixture
async def backup(redis: Redis, keys: Keys) -> bytes:
    store = SessionStore(redis, keys)
    for user in ("ada", "ada", "bob"):
        await store.create(DATA_STORE, Session(user_pseudo_id=user))
    return await backed_up(redis, keys)


async def test_sessions_are_listed_in_their_order_and_by_user(
    redis: Redis, keys: Keys, target: Keys, backup: bytes
) -> None:
    await restored(redis, target, backup)
    for query in (ListQuery(DATA_STORE), ListQuery(DATA_STORE, filter='userPseudoId="ada"')):
        before, _ = await SessionStore(redis, keys).list(query)
        after, _ = await SessionStore(redis, target).list(query)
        assert after == before
        assert len(after) == (2 if query.filter else 3)


async def test_a_running_answer_has_a_lease_that_is_over(
    redis: Redis, keys: Keys, target: Keys
) -> None:
    """So that the next service that starts takes it over, and it is stuck nowhere."""
    store = SessionStore(redis, keys)
    name = (await store.create(DATA_STORE, Session())).name
    answer = await Answering(redis, keys).begin(name)
    await restored(redis, target, await backed_up(redis, keys))
    leases = target.leases(target.partition(name))
    found = await redis.execute(leases, "ZRANGEBYSCORE", leases, "-inf", await redis.now_ms())
    assert found == [answer.encode()]


async def test_each_index_compares_all_documents(redis: Redis, keys: Keys, target: Keys) -> None:
    """One that it kept on disk may be ahead of what was restored."""
    ids, number = keys.corpus(DATA_STORE, "ids"), keys.corpus(DATA_STORE, "number")
    await redis.execute(ids, "ZADD", ids, 0, "d")
    for part in ("documents", "passages", "digests"):
        key = keys.corpus(DATA_STORE, part)
        await redis.execute(key, "HSET", key, "d", part)
    await redis.execute(number, "SET", number, 1_700_000_000_000_000)
    await restored(redis, target, await backed_up(redis, keys))
    feed = ChangeFeed(redis, target)
    changes = await feed.read(DATA_STORE, 1_700_000_000_000_000)
    assert changes.whole
    assert (await feed.heads()) == {DATA_STORE: changes.position}
    assert (await feed.changed(0))[0] == [DATA_STORE]


async def test_replicas_read_the_keys_anew(redis: Redis, keys: Keys, target: Keys) -> None:
    """What they know of the installation as it was must not be taken for what it is now."""
    state = keys.api_keys("state")
    await redis.execute(state, "SET", state, "seen")
    await restored(redis, target, await backed_up(redis, keys))
    assert await ApiKeyStore(redis, target).state() != b"seen"


async def test_a_redis_that_is_not_empty_is_refused(
    redis: Redis, keys: Keys, target: Keys, backup: bytes
) -> None:
    await restored(redis, target, backup)
    before = sorted(await left(redis, target))
    with pytest.raises(FailedPrecondition, match="stop all replicas, then name an empty") as told:
        await restored(redis, target, backup)
    assert told.value.reason == "REDIS_NOT_EMPTY"
    assert sorted(await left(redis, target)) == before


async def test_one_stray_key_is_not_empty(redis: Redis, target: Keys, backup: bytes) -> None:
    await redis.execute(target.audit(), "XADD", target.audit(), "*", "e", "x")
    with pytest.raises(FailedPrecondition, match="not empty"):
        await restored(redis, target, backup)


async def test_a_restore_is_refused_while_replicas_run(
    redis: Redis, target: Keys, backup: bytes
) -> None:
    """On a Redis that was emptied under them they would write between what is restored."""
    async with doubles.replica(redis, target, Puppet()):
        await redis.channels.ready(target.control(control_messages.EVERYONE))
        with pytest.raises(FailedPrecondition, match=rf"{socket.gethostname()} \(process") as told:
            await restored(redis, target, backup)
        assert told.value.reason == "REPLICAS_RUNNING"
        assert await left(redis, target) == []
    await restored(redis, target, backup)


async def test_a_damaged_file_leaves_redis_empty(redis: Redis, target: Keys, backup: bytes) -> None:
    for damaged in (backup[:-100], backup[:-1], backup[:60] + b"\0" + backup[61:]):
        with pytest.raises(FailedPrecondition, match="cut off or damaged"):
            await restored(redis, target, damaged)
    assert await left(redis, target) == []


@pytest.mark.parametrize(("field", "value"), [("schema", b"2"), ("partitions", b"128")])
async def test_what_another_version_made_is_refused(
    redis: Redis, target: Keys, backup: bytes, field: str, value: bytes
) -> None:
    file = io.BytesIO()
    writer = BackupWriter(file)
    for each in BackupFile(io.BytesIO(backup), "it").messages():
        if isinstance(each, BackupHeader):
            install = {**each.install, field: value}
            writer.add(msgspec.structs.replace(each, install=install))
        elif not isinstance(each, BackupEnd):
            writer.add(each)
    writer.finish()
    with pytest.raises(FailedPrecondition, match=f"{field} {value.decode()}, this version has"):
        await restored(redis, target, file.getvalue())
    assert await left(redis, target) == []


class Interrupted(Exception):
    """The process is gone."""


class Watched(BackupFile):
    """A file behind whose last key something happens."""

    def __init__(self, backup: bytes, happens: Callable[[], None]) -> None:
        super().__init__(io.BytesIO(backup), "it")
        self._happens = happens

    def messages(self) -> Iterator[BackupHeader | KeyRecord | BackupEnd]:
        for each in super().messages():
            if isinstance(each, BackupEnd):
                self._happens()
            yield each


async def test_no_service_starts_on_half_a_restore_and_another_one_mends_it(
    redis: Redis, keys: Keys, target: Keys, backup: bytes
) -> None:
    def die() -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        await Restore(redis, target, Watched(backup, die)).write()
    stray = f"{target.prefix}:stray".encode()
    await redis.execute(stray, "SET", stray, "what only the first one wrote")
    with pytest.raises(FailedPrecondition, match="run colloquy restore again") as refused:
        await connection.check_install(redis, target)
    assert refused.value.reason == "RESTORE_UNFINISHED"
    await restored(redis, target, backup)
    await connection.check_install(redis, target)
    assert stray not in await left(redis, target)
    assert len((await SessionStore(redis, target).list(ListQuery(DATA_STORE)))[0]) == 3
    fields = [await redis.execute(k.install, "HGETALL", k.install) for k in (keys, target)]
    assert sorted(fields[0]) == sorted(fields[1])


async def test_a_restore_stops_where_another_has_begun(
    redis: Redis, redis_server: Server, target: Keys, backup: bytes
) -> None:
    def overtake() -> None:
        redis_server.call("HSET", target.install, "restoring", "another")

    with pytest.raises(Aborted, match="another restore was begun"):
        await Restore(redis, target, Watched(backup, overtake)).write()
    with pytest.raises(FailedPrecondition, match="being restored"):
        await connection.check_install(redis, target)
