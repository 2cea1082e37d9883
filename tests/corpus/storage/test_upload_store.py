"""Resumable uploads: how many there may be, and how much of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.corpus.storage import upload_store
from service.corpus.storage.upload_store import UploadLimits, UploadStart, UploadStore
from sessions.errors import NotFound, OutOfRange, ResourceExhausted
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

ONE = "projects/p/locations/l/ragCorpora/1"
TWO = "projects/p/locations/l/ragCorpora/2"
SAID = UploadStart(message=b"{}")
ROOM = UploadLimits(uploads=3, uploads_of_corpus=2, bytes=100, bytes_of_corpus=60)


@pytest.fixture
def kept(redis: Redis, keys: Keys) -> UploadStore:
    return UploadStore(redis, keys, ROOM)


async def coming(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def test_what_comes_is_read_as_it_came(kept: UploadStore) -> None:
    upload = await kept.begin(ONE, SAID)
    await kept.append(ONE, upload, 0, coming(b"one ", b"two"))
    await kept.append(ONE, upload, 4, coming(b"two three"))
    assert await kept.received(ONE, upload) == 13
    assert await kept.read(ONE, upload) == (SAID, b"one two three")


async def test_an_upload_is_there_for_who_began_it(kept: UploadStore) -> None:
    upload = await kept.begin(ONE, SAID, "key:1")
    assert await kept.received(ONE, upload_store.of_caller(upload, "key:1")) == 0
    for caller in ("key:2", ""):
        with pytest.raises(NotFound):
            await kept.received(ONE, upload_store.of_caller(upload, caller))


async def test_large_files_come_through_in_slices(redis: Redis, keys: Keys) -> None:
    kept, data = UploadStore(redis, keys), bytes(range(256)) * 10_000
    upload = await kept.begin(ONE, SAID)
    await kept.append(
        ONE, upload, 0, coming(*(data[at : at + 999] for at in range(0, len(data), 999)))
    )
    assert (await kept.read(ONE, upload))[1] == data


async def test_there_are_so_many_of_a_corpus_and_of_all(kept: UploadStore) -> None:
    first = await kept.begin(ONE, SAID)
    await kept.begin(ONE, SAID)
    with pytest.raises(ResourceExhausted):
        await kept.begin(ONE, SAID)
    await kept.begin(TWO, SAID)
    with pytest.raises(ResourceExhausted):
        await kept.begin(TWO, SAID)
    await kept.forget(first)
    await kept.begin(TWO, SAID)


async def test_those_who_come_at_once_do_not_pass_the_bound(kept: UploadStore) -> None:
    async def begin() -> bool:
        try:
            await kept.begin(ONE, SAID)
        except ResourceExhausted:
            return False
        return True

    async with asyncio.TaskGroup() as tasks:
        begun = [tasks.create_task(begin()) for _ in range(20)]
    assert sum(task.result() for task in begun) == ROOM.uploads_of_corpus


async def test_there_are_so_many_bytes_of_a_corpus_and_of_all(kept: UploadStore) -> None:
    """What comes again takes no more; what does not fit leaves what is there as it is."""
    one, two = await kept.begin(ONE, SAID), await kept.begin(TWO, SAID)
    await kept.append(ONE, one, 0, coming(bytes(60)))
    await kept.append(ONE, one, 0, coming(bytes(60)))
    with pytest.raises(ResourceExhausted) as refused:
        await kept.append(ONE, one, 60, coming(b"x"))
    assert 1 <= refused.value.retry_after <= 60
    await kept.append(TWO, two, 0, coming(bytes(40)))
    with pytest.raises(ResourceExhausted):
        await kept.append(TWO, two, 40, coming(b"x"))
    assert await kept.received(ONE, one) == 60
    await kept.forget(one)
    await kept.append(TWO, two, 40, coming(b"x"))


async def test_what_is_announced_must_fit(kept: UploadStore) -> None:
    with pytest.raises(ResourceExhausted):
        await kept.begin(ONE, UploadStart(message=b"{}", size=61))


async def test_what_nobody_goes_on_with_makes_room(
    kept: UploadStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_store, "LIFE", 30)
    gone = await kept.begin(ONE, SAID)
    await kept.append(ONE, gone, 0, coming(bytes(60)))
    monkeypatch.setattr(upload_store, "LIFE", 60_000)

    async def is_there_room() -> bool:
        try:
            await kept.begin(ONE, UploadStart(message=b"{}", size=60))
        except ResourceExhausted:
            return False
        return True

    await eventually(is_there_room)
    with pytest.raises(NotFound):
        await kept.received(ONE, gone)


async def test_what_a_deleted_corpus_held_is_free(kept: UploadStore) -> None:
    one, two = await kept.begin(ONE, SAID), await kept.begin(TWO, SAID)
    await kept.append(ONE, one, 0, coming(bytes(60)))
    await kept.forget_all(ONE)
    with pytest.raises(NotFound):
        await kept.received(ONE, one)
    assert await kept.received(TWO, two) == 0


async def test_an_upload_is_one_of_its_corpus(kept: UploadStore) -> None:
    one = await kept.begin(ONE, SAID)
    with pytest.raises(NotFound):
        await kept.append(TWO, one, 0, coming(b"x"))


async def test_nothing_is_left_out(kept: UploadStore) -> None:
    one = await kept.begin(ONE, SAID)
    with pytest.raises(OutOfRange):
        await kept.expect(ONE, one, 1)
