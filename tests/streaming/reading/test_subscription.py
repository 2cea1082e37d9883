"""Follow an answer from anywhere: nothing twice, nothing lost, and every loss is said."""

from __future__ import annotations

import asyncio

import pytest

from sessions.errors import NotFound, Unavailable
from sessions.resources.answers import Answer, State
from streaming.log.positions import BEGINNING, Position
from streaming.protocol import rpc_status
from streaming.reading import element_reader, entry_queue, subscription
from streaming.reading.element_reader import ElementReader
from streaming.reading.elements import PlacedElement
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    CANCELLED,
    STARTED,
    SUCCEEDED,
    Memory,
    Reader,
    step,
    story,
    text,
)

pytestmark = pytest.mark.anyio

WHOLE = story("Grüße ", "aus ", "Köln 🎡.", " Zwei.")


async def read_all(memory: Memory, after: Position | None = None) -> list[PlacedElement]:
    """Read to the end what came *after*."""
    return [element async for element in element_reader.elements(memory.sources, ANSWER, after)]


@pytest.mark.parametrize("seen", range(len(WHOLE)))
async def test_a_reader_resumes_an_ended_answer_at_every_entry(seen: int) -> None:
    """What was seen live and what is replayed hold the laws of the stream together."""
    memory = Memory()
    memory.tell(STARTED)
    first = ElementReader(memory.sources, ANSWER, None)
    reader = Reader().take(await first.take(0))
    memory.tell(*WHOLE[1 : seen + 1])
    reader.take(await first.take(0))
    first.close()
    memory.tell(*WHOLE[seen + 1 :])
    replay = [] if first.done else await read_all(memory, reader.position)
    assert len(replay) <= 2
    reader.take(replay).check_whole(memory.stored[ANSWER])
    assert reader.resets == 0


@pytest.mark.parametrize("seen", range(len(WHOLE)))
async def test_a_reader_resumes_a_running_answer_at_every_entry(seen: int) -> None:
    """Live goes on without a seam behind the replay."""
    memory = Memory()
    memory.tell(*WHOLE[:8])
    positions = [entry.position for entry in memory.logs[ANSWER]]
    reader = Reader()
    if seen < 8:
        reader.take(await _as_seen(memory, seen))
        assert reader.position == positions[seen]
    second = ElementReader(memory.sources, ANSWER, reader.position)
    reader.take(await second.take(0))
    for event in WHOLE[8:]:
        memory.tell(event)
        reader.take(await second.take(0))
    second.close()
    reader.check_whole(memory.stored[ANSWER])


async def test_an_end_between_two_looks_is_told_with_its_reason() -> None:
    """An answer that waited was cancelled just when a reader came: its log says why it ended."""
    memory = Memory()
    memory.stored[ANSWER] = Answer(name=ANSWER, state=State.IN_PROGRESS)
    memory.while_reading = lambda: memory.mend(STARTED, CANCELLED)
    (last,) = (await read_all(memory))[-1:]
    assert last.position == Position(1, 1)
    assert last.error is not None
    assert rpc_status.reason(last.error) == "CANCELLED"


async def _as_seen(memory: Memory, seen: int) -> list[PlacedElement]:
    """Return what a reader saw who was lost behind that entry."""
    past = Memory()
    past.tell(*[entry.event for entry in memory.logs[ANSWER][: seen + 1]])
    lost = ElementReader(past.sources, ANSWER, None)
    told = await lost.take(0)
    lost.close()
    return told


async def test_who_resumes_at_the_end_is_told_the_end_again() -> None:
    """Nothing else will ever come, and a reader that waits for it would wait for ever."""
    memory = Memory()
    seen = memory.tell(*WHOLE)
    (element,) = await read_all(memory, seen[-1])
    assert element.is_terminal
    assert not element.reset


async def test_without_a_position_a_snapshot_comes_first() -> None:
    memory = Memory()
    memory.tell(*WHOLE[:6])
    first = ElementReader(memory.sources, ANSWER, None)
    (snapshot,) = await first.take(0)
    reader = Reader().take([snapshot])
    assert (reader.text, reader.references != (), snapshot.reset) == ("Grüße ", True, False)
    first.close()


async def test_an_answer_that_waits_is_told_once_it_begins() -> None:
    memory = Memory()
    memory.tell(STARTED)
    memory.logs.clear()
    first = ElementReader(memory.sources, ANSWER, None)
    assert await first.take(0) == []
    memory.tell(*WHOLE)
    reader = Reader()
    while not first.done:
        reader.take(await first.take(0))
    reader.check_whole(memory.stored[ANSWER])


async def test_from_the_beginning_everything_is_told() -> None:
    memory = Memory()
    memory.tell(*WHOLE)
    Reader().take(await read_all(memory, BEGINNING)).check_whole(memory.stored[ANSWER])


async def test_what_is_told_while_the_log_is_read_is_neither_lost_nor_doubled() -> None:
    """Registered first, read then: the entries in between come by both ways."""
    memory = Memory()
    memory.tell(*WHOLE[:3])
    first = ElementReader(memory.sources, ANSWER, None)
    memory.while_reading = lambda: memory.tell(*WHOLE[3:8])
    reader = Reader().take(await first.take(0))
    memory.tell(*WHOLE[8:])
    while not first.done:
        reader.take(await first.take(0))
    reader.check_whole(memory.stored[ANSWER])


async def test_an_end_while_the_log_is_read_is_told() -> None:
    memory = Memory()
    memory.tell(*WHOLE[:3])
    memory.while_reading = lambda: memory.tell(*WHOLE[3:])
    reader = Reader().take(await read_all(memory))
    reader.check_whole(memory.stored[ANSWER])
    assert reader.elements == 2


async def test_more_than_fits_while_the_log_is_read_is_read_again() -> None:
    memory = Memory()
    memory.tell(STARTED)
    big = "x" * (entry_queue.ROOM // 2)
    memory.while_reading = lambda: memory.tell(text(big), text(big), text("y"))
    first = ElementReader(memory.sources, ANSWER, None)
    reader = Reader().take(await first.take(0))
    assert reader.text == big + big + "y"
    assert len(memory.reads) == 2
    first.close()


class TestAnew:
    """An answer that is written anew, or whose log is not what the reader saw."""

    async def test_a_live_reader_is_told_to_drop_what_it_has(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("old"))
        first = ElementReader(memory.sources, ANSWER, None)
        reader = Reader().take(await first.take(0))
        memory.tell(STARTED, text("new"), SUCCEEDED, epoch=2, reset=True)
        while not first.done:
            reader.take(await first.take(0))
        reader.check_whole(memory.stored[ANSWER])
        assert (reader.resets, reader.text) == (1, "new")

    async def test_a_position_before_it_is_told_to_drop_what_it_has(self) -> None:
        memory = Memory()
        seen = memory.tell(STARTED, text("old"), text("er"))
        memory.tell(STARTED, text("new"), epoch=2, reset=True)
        first = ElementReader(memory.sources, ANSWER, seen[1])
        (element,) = await first.take(0)
        assert element.reset
        assert Reader().take([element]).text == "new"
        first.close()

    async def test_a_position_before_a_continuation_goes_on(self) -> None:
        """A generator that continues repeats nothing, so there is nothing to drop."""
        memory = Memory()
        seen = memory.tell(STARTED, text("one"), text(" two"))
        memory.tell(STARTED, text(" three"), SUCCEEDED, epoch=2)
        told = await read_all(memory, seen[1])
        assert [element.reset for element in told] == [False, False]
        assert Reader().take(told).text == " two three"

    async def test_a_position_ahead_of_the_log_is_told_to_drop_what_it_has(self) -> None:
        """Acknowledged entries were lost with a Redis, and their writer as well."""
        memory = Memory()
        memory.tell(STARTED, text("one"))
        memory.tell(STARTED, text(" more"), epoch=2)
        first = ElementReader(memory.sources, ANSWER, Position(1, 7))
        (element,) = await first.take(0)
        assert (element.reset, Reader().take([element]).text) == (True, "one more")
        first.close()

    async def test_a_log_that_is_empty_again_is_told_to_drop_what_it_had(self) -> None:
        """It waits for its turn once more: that it began was lost with a Redis."""
        memory = Memory()
        seen = memory.tell(STARTED, text("old"))
        memory.fail_over(2)
        first = ElementReader(memory.sources, ANSWER, seen[1])
        reader = Reader().take(await first.take(0))
        memory.tell(STARTED, text("new"), SUCCEEDED)
        while not first.done:
            reader.take(await first.take(0))
        reader.check_whole(memory.stored[ANSWER])
        assert reader.text == "new"

    async def test_an_end_that_was_lost_with_a_redis_is_not_told(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("old"))
        first = ElementReader(memory.sources, ANSWER, None)
        reader = Reader().take(await first.take(0))
        memory.tell(SUCCEEDED)
        memory.fail_over(2)
        reader.take(await first.take(0))
        memory.tell(STARTED, text("new"), SUCCEEDED, epoch=2, reset=True)
        while not first.done:
            reader.take(await first.take(0))
        reader.check_whole(memory.stored[ANSWER])

    async def test_an_owner_that_goes_on_does_not_begin_again(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("one"))
        first = ElementReader(memory.sources, ANSWER, None)
        await first.take(0)
        memory.tell(STARTED, epoch=2)
        (element,) = await first.take(0)
        assert element.response.answer is not None
        assert element.response.answer.state is State.STREAMING
        first.close()


class TestAfterTheLog:
    """The stored answer outlives the log."""

    async def test_an_ended_answer_is_told_as_it_is_stored(self) -> None:
        memory = Memory()
        memory.tell(*WHOLE)
        memory.expire()
        (element,) = await read_all(memory)
        assert element.response.answer == memory.stored[ANSWER]
        assert not element.reset

    async def test_a_position_in_it_is_told_to_drop_what_it_has(self) -> None:
        memory = Memory()
        seen = memory.tell(*WHOLE)
        memory.expire()
        (element,) = await read_all(memory, seen[3])
        assert element.reset

    async def test_what_never_was_is_not_found(self) -> None:
        with pytest.raises(NotFound):
            await read_all(Memory())

    async def test_a_deleted_answer_is_gone_for_those_who_follow_it(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("a"))
        first = ElementReader(memory.sources, ANSWER, None)
        await first.take(0)
        del memory.stored[ANSWER]
        memory.expire()
        with pytest.raises(NotFound):
            await first.take(0)

    async def test_a_running_answer_whose_log_is_gone_cannot_be_followed(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("a"))
        first = ElementReader(memory.sources, ANSWER, None)
        await first.take(0)
        memory.expire()
        with pytest.raises(Unavailable):
            await first.take(0)

    async def test_an_end_that_was_missed_is_told_from_the_store(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("a"))
        first = ElementReader(memory.sources, ANSWER, None)
        reader = Reader().take(await first.take(0))
        memory.deaf = True
        memory.tell(SUCCEEDED)
        memory.expire()
        reader.take(await first.take(0))
        assert reader.final == memory.stored[ANSWER]


async def test_an_answer_without_a_writer_is_taken_over_when_a_reader_comes() -> None:
    memory = Memory()
    memory.tell(STARTED)
    first = ElementReader(memory.sources, ANSWER, None)
    await first.take(0)
    assert memory.adopted == [ANSWER]
    first.close()


async def test_a_reader_leaves_nothing_behind() -> None:
    memory = Memory()
    memory.tell(*WHOLE[:-1])
    stream = element_reader.elements(memory.sources, ANSWER)
    await anext(stream)
    assert memory.followers() == 1
    await stream.aclose()
    assert memory.followers() == 0


async def test_a_failed_answer_says_why() -> None:
    memory = Memory()
    memory.tell(STARTED, text("so far"), CANCELLED)
    end = (await read_all(memory))[-1]
    assert end.response.answer is not None
    assert (end.response.answer.state, end.response.answer.answer_text) == (State.FAILED, "so far")
    assert end.error is not None
    assert end.error.code == 1


async def test_two_readers_are_told_the_same() -> None:
    memory = Memory()
    memory.tell(STARTED)
    first, second = (ElementReader(memory.sources, ANSWER, None) for _ in range(2))
    one, two = Reader(), Reader()
    for event in WHOLE[1:]:
        one.take(await first.take(0))
        memory.tell(event)
    while not first.done:
        one.take(await first.take(0))
    while not second.done:
        two.take(await second.take(0))
    one.check_whole(memory.stored[ANSWER])
    two.check_whole(memory.stored[ANSWER])
    assert two.elements < one.elements


async def test_a_reader_that_does_not_read_keeps_no_more_than_its_room() -> None:
    """What it missed is read from the log, in one element."""
    memory = Memory()
    memory.tell(STARTED)
    first = ElementReader(memory.sources, ANSWER, None)
    reader = Reader().take(await first.take(0))
    for _ in range(40):
        memory.tell(text("x" * 10_000))
    reader.take(await first.take(0))
    assert (len(reader.text), reader.elements) == (400_000, 2)
    assert len(memory.reads) == 2
    memory.tell(SUCCEEDED)
    reader.take(await first.take(0))
    reader.check_whole(memory.stored[ANSWER])


async def test_who_waits_is_told_that_nothing_came() -> None:
    memory = Memory()
    memory.tell(STARTED)
    first = ElementReader(memory.sources, ANSWER, None)
    assert len(await first.take(0)) == 1
    assert await first.take(0.001) == []
    memory.tell(SUCCEEDED)
    assert [element.is_terminal for element in await first.take(0)] == [True]


async def test_a_redis_that_is_away_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscription, "_RETRY", 0.001)
    memory = Memory()
    memory.tell(*WHOLE)
    memory.away = True
    stream = read_all(memory)
    asyncio.get_running_loop().call_later(0.01, setattr, memory, "away", False)
    Reader().take(await stream).check_whole(memory.stored[ANSWER])


async def test_a_redis_that_stays_away_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscription, "_RETRY", 0.001)
    monkeypatch.setattr(subscription, "PATIENCE", 0.005)
    memory = Memory()
    memory.away = True
    with pytest.raises(Unavailable):
        await read_all(memory)


async def test_the_position_before_the_first_of_an_epoch_is_in_the_one_before() -> None:
    memory = Memory()
    memory.tell(STARTED, step(0, "a"))
    second = memory.tell(STARTED, text("b"), epoch=2)
    first = ElementReader(memory.sources, ANSWER, second[0])
    assert Reader().take(await first.take(0)).text == "b"
    first.close()
