"""Following answers that this process writes, that others write, and that change hands."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import msgspec
import pytest

from sessions import names
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import control_messages, event_log, events, publications
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import Position
from streaming.log.publications import FollowRequest
from streaming.reading.tail import Tail
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import Reader
from tests.waiting import LONG, eventually

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]

ANSWER = names.answer(names.session(doubles.PARENT, "1"), "2")
OWNER = "other"


class Author:
    """Another replica: writes entries and publishes them, or forgets to."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis = redis
        self.keys = keys

    async def write(self, *entries: LogEntry, publish: bool = True) -> None:
        key, channel = self.keys.log(ANSWER), self.keys.channel(ANSWER)
        answer = self.keys.answer(ANSWER)
        await self.redis.execute(answer, "HSET", answer, "owner", OWNER)
        for entry in entries:
            field, value = event_log.encode(entry.event, reset=entry.reset)
            await self.redis.execute(key, "XADD", key, str(entry.position), field, value)
            if publish:
                await self.redis.publish(channel, event_log.payload(entry.position, field, value))

    @contextlib.asynccontextmanager
    async def asked(self) -> AsyncGenerator[list[FollowRequest]]:
        """Own the answer, and give what is asked of its owner meanwhile."""
        requests: list[FollowRequest] = []

        def hear(message: bytes) -> None:
            requests.append(publications.decode_request(message))

        channel = self.keys.follow_requests(OWNER)
        self.redis.channels.listen(channel, hear)
        await self.redis.channels.ready(channel)
        await self.write(*texts(0))
        yield requests
        self.redis.channels.forget(channel, hear)

    async def tell(self, request: FollowRequest, *entries: LogEntry) -> None:
        """Tell *entries* to the inbox of who made that *request*."""
        rows = [publications.row(request.number, each) for each in entries]
        channel = self.keys.inbox(request.replica, ANSWER)
        await self.redis.publish(channel, publications.encode_rows(rows))


def text(seq: int, epoch: int = 1) -> LogEntry:
    return LogEntry(Position(epoch, seq), events.TextAppended(text=f"{epoch}.{seq} "))


def texts(*seqs: int) -> list[LogEntry]:
    return [text(seq) for seq in seqs]


@contextlib.asynccontextmanager
async def _tail(redis: Redis, keys: Keys, check_every: float) -> AsyncGenerator[Tail]:
    async with Tail(redis, keys, EventLog(redis, keys), check_every=check_every) as tail:
        yield tail


@pytest.fixture
async def tail(redis: Redis, keys: Keys) -> AsyncIterator[Tail]:
    """One that only compares with the log when it has a doubt."""
    async with _tail(redis, keys, 3600) as tail:
        yield tail


@pytest.fixture
def author(redis: Redis, keys: Keys) -> Author:
    return Author(redis, keys)


async def _follow(tail: Tail) -> Reader:
    reader = Reader(tail, ANSWER)
    await tail.ready(ANSWER)
    return reader


async def _heard(reader: Reader, entries: Sequence[LogEntry]) -> None:
    await eventually(lambda: len(reader.entries) >= len(entries))
    assert reader.entries == list(entries)


async def test_what_is_acknowledged_here_is_told_in_the_same_instant(tail: Tail) -> None:
    tail.own(ANSWER)
    reader = Reader(tail, ANSWER)
    tail.announce(ANSWER, texts(1, 2))
    assert reader.calls == [texts(1, 2)]


async def test_all_who_follow_hear_and_one_that_leaves_does_not(tail: Tail) -> None:
    tail.own(ANSWER)
    first, second = Reader(tail, ANSWER), Reader(tail, ANSWER)
    tail.announce(ANSWER, texts(1))
    first.unfollow()
    first.unfollow()
    tail.announce(ANSWER, texts(2))
    assert (first.entries, second.entries) == (texts(1), texts(1, 2))


async def test_one_that_fails_does_not_deafen_the_others(tail: Tail) -> None:
    def fail(told: Sequence[LogEntry]) -> None:
        raise ValueError("a bug")

    tail.own(ANSWER)
    tail.follow(ANSWER, fail)
    reader = Reader(tail, ANSWER)
    tail.announce(ANSWER, texts(1))
    assert reader.entries == texts(1)


async def test_what_others_write_is_heard_on_the_channel(tail: Tail, author: Author) -> None:
    reader = await _follow(tail)
    await author.write(*texts(0, 1, 2))
    await _heard(reader, texts(0, 1, 2))


async def test_what_others_write_is_heard_in_the_inbox(tail: Tail, author: Author) -> None:
    """Its owner is asked for it, and told by which number the answer is known here."""
    async with author.asked() as requests:
        reader = await _follow(tail)
        await eventually(lambda: bool(requests))
        await author.tell(requests[0], *texts(1, 2))
        await author.tell(requests[0], LogEntry(Position(1, 3), events.Succeeded(at=doubles.AT)))
    ended = LogEntry(Position(1, 3), events.Succeeded(at=doubles.AT))
    await _heard(reader, [*texts(1, 2), ended])


async def test_a_gap_in_the_inbox_is_read_from_the_log(tail: Tail, author: Author) -> None:
    async with author.asked() as requests:
        reader = await _follow(tail)
        await eventually(lambda: bool(requests))
        await author.write(*texts(1, 2, 3), publish=False)
        await author.tell(requests[0], *texts(1, 3))
    await _heard(reader, texts(1, 2, 3))


async def test_what_comes_both_ways_is_told_once(tail: Tail, author: Author) -> None:
    """A replica of before there were inboxes may follow the same answer."""
    async with author.asked() as requests:
        reader = await _follow(tail)
        await eventually(lambda: bool(requests))
        await author.write(*texts(1, 2))
        await author.tell(requests[0], *texts(1, 2, 3))
    await _heard(reader, texts(1, 2, 3))


async def test_an_inbox_may_tell_of_what_nobody_follows_any_more(
    tail: Tail, author: Author
) -> None:
    other = FollowRequest(ANSWER, "", 99)
    async with author.asked() as requests:
        reader = await _follow(tail)
        await eventually(lambda: bool(requests))
        unknown = msgspec.structs.replace(other, replica=requests[0].replica)
        await author.tell(unknown, *texts(1, 2))
        await author.tell(requests[0], *texts(1))
    await _heard(reader, texts(1))


async def test_an_owner_that_knows_no_inboxes_is_asked_as_it_understands(
    tail: Tail, author: Author
) -> None:
    heard: list[bytes] = []
    control = author.keys.control(OWNER)
    author.redis.channels.listen(control, heard.append)
    await author.redis.channels.ready(control)
    await author.write(*texts(0))
    await _follow(tail)
    await eventually(lambda: heard == [control_messages.FOLLOW + ANSWER.encode()])
    author.redis.channels.forget(control, heard.append)


async def test_nothing_written_after_ready_is_missed(tail: Tail, author: Author) -> None:
    """Whatever a log read after `ready` does not have is told."""
    await author.write(*texts(0, 1))
    reader = await _follow(tail)
    assert await EventLog(author.redis, author.keys).read(ANSWER) == texts(0, 1)
    await author.write(*texts(2, 3))
    await _heard(reader, texts(2, 3))


async def test_a_gap_is_read_from_the_log(tail: Tail, author: Author) -> None:
    await author.write(*texts(0))
    reader = await _follow(tail)
    await author.write(*texts(1, 2), publish=False)
    await author.write(*texts(3))
    await _heard(reader, texts(1, 2, 3))


async def test_what_is_said_twice_is_told_once(tail: Tail, author: Author) -> None:
    reader = await _follow(tail)
    await author.write(*texts(0, 1))
    field, value = event_log.encode(text(1).event)
    channel = author.keys.channel(ANSWER)
    await author.redis.publish(channel, event_log.payload(Position(1, 1), field, value))
    await author.write(*texts(2))
    await _heard(reader, texts(0, 1, 2))


async def test_a_new_epoch_is_told_behind_all_of_the_old_one(tail: Tail, author: Author) -> None:
    """The last entries of the old writer may have been lost with it."""
    await author.write(*texts(0))
    reader = await _follow(tail)
    await author.write(*texts(1), publish=False)
    first = LogEntry(Position(2, 0), events.Started(at=doubles.AT), reset=True)
    await author.write(first, text(1, 2))
    await _heard(reader, [*texts(1), first, text(1, 2)])


async def test_silence_is_compared_with_the_log(redis: Redis, keys: Keys, author: Author) -> None:
    async with _tail(redis, keys, 0.02) as tail:
        reader = await _follow(tail)
        await author.write(*texts(0, 1), publish=False)
        await _heard(reader, texts(0, 1))


async def test_many_doubts_do_not_keep_it_from_comparing(
    redis: Redis, keys: Keys, author: Author
) -> None:
    other = names.answer(names.session(doubles.PARENT, "1"), "3")
    far = event_log.payload(Position(1, 9), b"d", b"far")
    async with _tail(redis, keys, 0.1) as tail:
        Reader(tail, other)
        await tail.ready(other)
        reader = await _follow(tail)
        await author.write(*texts(0, 1), publish=False)

        async def doubted() -> bool:
            await redis.publish(keys.channel(other), far)
            return reader.entries == texts(0, 1)

        await eventually(doubted)


async def test_a_log_that_lost_what_was_told_is_to_be_read(
    redis: Redis, keys: Keys, author: Author
) -> None:
    """And its owner, with what was lost: nobody appends it again."""
    async with _tail(redis, keys, 0.05) as tail:
        reader = await _follow(tail)
        await author.write(*texts(0, 1, 2))
        await _heard(reader, texts(0, 1, 2))
        await redis.execute(keys.log(ANSWER), "UNLINK", keys.log(ANSWER))
        await author.write(*texts(0, 1), publish=False)
        await eventually(lambda: () in reader.calls)
        await author.write(text(0, 2))
        await eventually(lambda: list(reader.calls[-1]) == [text(0, 2)])


async def test_an_end_that_was_lost_is_heard_when_it_is_stored_again(
    redis: Redis, keys: Keys, author: Author
) -> None:
    """Nobody publishes it: it was told before."""
    end = LogEntry(Position(1, 2), events.Succeeded(at=doubles.AT))
    async with _tail(redis, keys, 0.05) as tail:
        tail.own(ANSWER)
        readers = [Reader(tail, ANSWER), Reader(tail, ANSWER)]
        tail.announce(ANSWER, [*texts(0, 1), end])
        tail.end(ANSWER)
        await author.write(*texts(0, 1), publish=False)
        await tail.reopen(ANSWER)
        await author.write(end, publish=False)
        for reader in readers:
            await eventually(
                lambda told=reader: [list(call) for call in told.calls[1:]] == [[], [end]]
            )


async def test_a_broken_channel_is_made_good(
    redis_server: Server, keys: Keys, author: Author
) -> None:
    async with connection.connect(redis_server.url) as own, _tail(own, keys, 3600) as tail:
        reader = await _follow(tail)
        await author.write(*texts(0))
        await _heard(reader, texts(0))
        await author.redis.execute(b"", "CLIENT", "KILL", "TYPE", "pubsub")
        await author.write(*texts(1), publish=False)
        await _heard(reader, texts(0, 1))


async def test_an_answer_taken_over_here_goes_on_without_a_gap(tail: Tail, author: Author) -> None:
    await author.write(*texts(0, 1))
    reader = await _follow(tail)
    await author.write(*texts(2), publish=False)
    tail.own(ANSWER)
    tail.announce(ANSWER, [*texts(0, 1, 2), text(0, 2)])
    tail.announce(ANSWER, [text(1, 2)])
    assert reader.entries == [*texts(2), text(0, 2), text(1, 2)]


async def test_an_answer_that_goes_elsewhere_goes_on_without_a_gap(
    tail: Tail, author: Author
) -> None:
    await author.write(*texts(0, 1), publish=False)
    tail.own(ANSWER)
    reader = Reader(tail, ANSWER)
    tail.announce(ANSWER, texts(1))
    await author.write(text(0, 2), publish=False)
    tail.disown(ANSWER)
    await author.write(text(1, 2))
    await _heard(reader, [*texts(1), text(0, 2), text(1, 2)])


async def test_a_log_that_goes_is_told_as_an_empty_call(
    redis: Redis, keys: Keys, author: Author
) -> None:
    async with _tail(redis, keys, 0.02) as tail:
        await author.write(*texts(0))
        reader = await _follow(tail)
        await redis.execute(keys.log(ANSWER), "UNLINK", keys.log(ANSWER), keys.answer(ANSWER))
        await eventually(lambda: reader.calls == [()])


async def test_an_answer_that_waits_is_not_taken_for_gone(
    redis: Redis, keys: Keys, author: Author
) -> None:
    """It has no log yet, but it is there."""
    await author.write()
    async with _tail(redis, keys, 0.01) as tail:
        reader = await _follow(tail)
        await author.write(*texts(0), publish=False)
        await _heard(reader, texts(0))


async def test_nothing_is_listened_to_without_readers(tail: Tail, redis: Redis, keys: Keys) -> None:
    reader = await _follow(tail)
    assert tail.following == 1
    reader.unfollow()
    assert tail.following == 0
    channel = keys.channel(ANSWER)

    async def is_left() -> bool:
        return await redis.execute(channel, "PUBSUB", "NUMSUB", channel) == [channel, 0]

    await eventually(is_left)


async def test_whoever_gets_ready_does_not_wait_for_a_channel_that_is_left(
    tail: Tail, keys: Keys
) -> None:
    """The answer is taken over here while its channel is being confirmed."""
    async with asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
        Reader(tail, ANSWER)
        tasks.create_task(tail.ready(ANSWER))
        await asyncio.sleep(0)
        tail.own(ANSWER)


async def test_being_ready_where_nobody_follows_is_no_wait(tail: Tail) -> None:
    await tail.ready(ANSWER)
