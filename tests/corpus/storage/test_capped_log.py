"""A log is bounded in number, bytes and time, and tells who follows it what was taken out."""

from __future__ import annotations

import pytest

from service.corpus.storage.capped_log import PAGE, CappedLog, LogBounds
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.texts import OTHER, STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def log(redis: Redis, keys: Keys) -> CappedLog:
    return CappedLog(redis, keys, "events", LogBounds(1_100, 10_000, 30))


async def bodies(log: CappedLog, store: str = STORE, after: str = "") -> list[bytes]:
    return [each.body async for page in log.read(store, after) for each in page]


async def ids(log: CappedLog) -> list[str]:
    return [each.id async for page in log.read(STORE) for each in page]


async def test_entries_are_read_in_the_order_in_which_they_came(log: CappedLog) -> None:
    given = [b"%d" % number for number in range(2 * PAGE + 1)]
    await log.append(STORE, given)
    assert await bodies(log) == given
    assert await bodies(log, after=(await ids(log))[-2]) == given[-1:]
    assert await bodies(log, OTHER) == []


async def test_the_oldest_go_where_there_are_too_many(log: CappedLog) -> None:
    await log.append(STORE, [b"%d" % number for number in range(1_105)])
    assert (await bodies(log))[0] == b"5"


async def test_the_oldest_go_where_there_are_too_many_bytes(log: CappedLog) -> None:
    await log.append(STORE, [b"a" * 4_000, b"b" * 4_000])
    await log.append(STORE, [b"c" * 4_000])
    assert [each[:1] for each in await bodies(log)] == [b"b", b"c"]
    first, _ = await ids(log)
    await log.drop(STORE, [first])
    await log.append(STORE, [b"d" * 4_000])
    assert [each[:1] for each in await bodies(log)] == [b"c", b"d"], (
        "what was dropped counts no more"
    )


async def test_who_follows_hears_that_entries_were_taken_out(log: CappedLog) -> None:
    assert await log.cut(STORE) == 0
    await log.append(STORE, [b"a", b"b"])
    before = await log.cut(STORE)
    assert await log.drop(STORE, ["1-1"]) == 0
    assert await log.cut(STORE) == before
    assert await log.drop(STORE, await ids(log)) == 2
    after = await log.cut(STORE)
    await log.delete_all(STORE)
    await log.append(STORE, [b"c"])
    assert len({0, before, after, await log.cut(STORE)}) == 4


async def test_a_sweep_deletes_what_is_too_old(redis: Redis, keys: Keys) -> None:
    log = CappedLog(redis, keys, "events", LogBounds(100, 10_000, 30))
    await log.append(STORE, [b"new"])
    key = keys.corpus(STORE, "events")
    await redis.execute(key, "XADD", key, "MAXLEN", 0, "*", "b", b"gone")
    await redis.execute(key, "DEL", key)
    month_ago = await redis.now_ms() - 31 * 86_400_000
    for at, body in ((month_ago, b"old"), (month_ago + 2 * 86_400_000, b"younger")):
        await redis.execute(key, "XADD", key, f"{at}-0", "b", body)
    await log.sweep()
    assert await bodies(log) == [b"younger"]


async def test_a_sweep_forgets_data_stores_without_a_log(
    redis: Redis, keys: Keys, log: CappedLog
) -> None:
    for store in (STORE, OTHER):
        await log.append(store, [b"a"])
    await log.delete_all(STORE)
    await log.sweep()
    named = keys.corpus("", "events-stores")
    assert await redis.execute(named, "SMEMBERS", named) == [OTHER.encode()]
    await log.append(STORE, [b"b"])
    assert await redis.execute(named, "SCARD", named) == 2


async def test_nothing_is_kept_for_no_time(redis: Redis, keys: Keys) -> None:
    log = CappedLog(redis, keys, "events", LogBounds(100, 10_000, 0))
    await log.append(STORE, [b"a"])
    assert await bodies(log) == []


async def test_a_data_store_may_keep_fewer_days_and_never_more(redis: Redis, keys: Keys) -> None:
    fewer = {STORE: 0.0, OTHER: 60.0}.get
    bounds = LogBounds(100, 10_000, 30, fewer)
    assert (bounds.days_of(STORE), bounds.days_of(OTHER), bounds.days_of("else")) == (0, 30, 30)
    log = CappedLog(redis, keys, "events", bounds)
    await log.append(STORE, [b"a"])
    await log.append(OTHER, [b"a"])
    assert (await bodies(log), await bodies(log, OTHER)) == ([], [b"a"])


async def test_nothing_is_left_of_what_was_taken_out_of_a_compacted_log(
    redis: Redis, keys: Keys, log: CappedLog
) -> None:
    given = [b"marker-%d" % (number % 2) for number in range(2 * PAGE + 50)]
    await log.append(STORE, given)
    gone = [each.id async for page in log.read(STORE) for each in page if each.body[-1:] == b"1"]
    await log.drop(STORE, gone)
    await log.append(STORE, [b"last"])
    key = keys.corpus(STORE, "events")
    before = await redis.execute(key, "PTTL", key)
    await log.compact(STORE)
    assert await bodies(log) == [b"marker-0"] * (PAGE + 25) + [b"last"]
    assert 0 < await redis.execute(key, "PTTL", key) <= before
    info = await redis.execute(key, "XINFO", "STREAM", key)
    assert dict(zip(info[::2], info[1::2], strict=True))[b"length"] == PAGE + 26
    assert b"marker-1" not in await redis.execute(key, "DUMP", key)
