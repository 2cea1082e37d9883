"""Events as they are stored, and read back."""

from __future__ import annotations

import pytest
from hypothesis import given

from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import event_log, events
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import BEGINNING, Position
from tests.streaming import doubles
from tests.streaming.log.histories import lawful

ANSWER = names.answer(names.session(doubles.PARENT, "1"), "2")


@given(lawful())
def test_every_event_is_read_as_it_was_written(history: list[events.AnswerEvent]) -> None:
    for seq, event in enumerate(history):
        entry = LogEntry(Position(1, seq), event)
        field, value = event_log.encode(event)
        assert event_log.decode(entry.position, field, value) == entry
        assert event_log.decode_payload(event_log.payload(entry.position, field, value)) == entry


def test_a_piece_of_text_is_stored_as_nothing_but_itself() -> None:
    assert event_log.encode(events.TextAppended(text="é ")) == (b"d", "é ".encode())


def test_a_reset_drops_what_came_before() -> None:
    entries = [
        LogEntry(Position(1, 0), events.Started(at=doubles.AT)),
        LogEntry(Position(1, 1), events.TextAppended(text="old")),
        LogEntry(Position(2, 0), events.Started(at=doubles.AT), reset=True),
        LogEntry(Position(2, 1), events.TextAppended(text="new")),
    ]
    field, value = event_log.encode(entries[2].event, reset=True)
    assert event_log.decode(entries[2].position, field, value) == entries[2]
    assert event_log.fold(entries).answer.answer_text == "new"


def test_a_further_epoch_without_reset_goes_on() -> None:
    entries = [
        LogEntry(Position(1, 0), events.Started(at=doubles.AT)),
        LogEntry(Position(1, 1), events.TextAppended(text="a")),
        LogEntry(Position(2, 0), events.Started(at=doubles.AT)),
        LogEntry(Position(2, 1), events.TextAppended(text="b")),
    ]
    assert event_log.fold(entries).answer.answer_text == "ab"


@pytest.mark.anyio
@pytest.mark.parametrize("count", [0, 1, event_log.PAGE, event_log.PAGE + 1])
async def test_a_log_is_read_from_any_position(redis: Redis, keys: Keys, count: int) -> None:
    key = keys.log(ANSWER)
    for seq in range(count):
        await redis.execute(key, "XADD", key, f"1-{seq}", "d", str(seq))
    events_log = EventLog(redis, keys)
    entries = await events_log.read(ANSWER)
    assert [entry.position.seq for entry in entries] == list(range(count))
    assert await events_log.read(ANSWER, BEGINNING) == entries
    assert await events_log.read(ANSWER, Position(1, 0)) == entries[1:]
    assert await events_log.top(ANSWER) == (entries[-1].position if entries else None)


@given(lawful())
def test_joined_entries_tell_what_the_others_do(history: list[events.AnswerEvent]) -> None:
    """The first stands alone, the rest says the same and ends where it ended."""
    stored = [(b"1-%d" % seq, event_log.encode(event)) for seq, event in enumerate(history)]
    apart, joined = event_log.decode_range(stored), event_log.decode_joined_range(stored)
    assert joined[:1] == apart[:1]
    assert joined[-1].position == apart[-1].position
    rest = [entry.event for entry in joined[1:]]
    assert rest == events.joined(history[1:])
    assert {entry.position for entry in joined} <= {entry.position for entry in apart}


@pytest.mark.anyio
async def test_text_is_joined_within_the_pages_of_a_log(redis: Redis, keys: Keys) -> None:
    key, pages = keys.log(ANSWER), 2 * event_log.PAGE
    for seq in range(pages + 1):
        await redis.execute(key, "XADD", key, f"1-{seq}", "d", str(seq % 10))
    joined = await EventLog(redis, keys).read_joined(ANSWER)
    told = [entry.event.text for entry in joined if isinstance(entry.event, events.TextAppended)]
    assert "".join(told) == "0123456789" * (pages // 10) + "0"
    assert joined[0].position == Position(1, 0)
    assert joined[-1].position == Position(1, pages)
    assert len(joined) == 5


@pytest.mark.anyio
async def test_the_fold_of_a_log_is_its_answer(redis: Redis, keys: Keys) -> None:
    key = keys.log(ANSWER)
    field, value = event_log.encode(events.Started(at=doubles.AT))
    await redis.execute(key, "XADD", key, "1-0", field, value)
    await redis.execute(key, "XADD", key, "1-1", "d", "text")
    answer = (await EventLog(redis, keys).fold(ANSWER)).answer
    assert (answer.name, answer.answer_text, answer.create_time) == (ANSWER, "text", doubles.AT)
