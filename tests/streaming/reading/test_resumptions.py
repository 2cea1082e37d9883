"""What became of readers that come back is counted, and of no others."""

from __future__ import annotations

import contextlib

import pytest

from sessions.errors import ServiceError
from streaming.log.positions import Position
from streaming.reading import subscription
from streaming.reading.element_reader import ElementReader
from streaming.reading.resumptions import ResumeOutcome
from tests.streaming.reading.reading_doubles import ANSWER, STARTED, SUCCEEDED, Memory, text

pytestmark = pytest.mark.anyio


def told() -> Memory:
    """Return an answer that is under way."""
    memory = Memory()
    memory.tell(STARTED, text("one"), text(" two"))
    return memory


async def outcomes(memory: Memory, after: Position | None) -> list[str]:
    """Return what was counted of a reader that came back with that position."""
    reader = ElementReader(memory.sources, ANSWER, after, resumes=True)
    with contextlib.suppress(ServiceError):
        await reader.take(0)
    reader.close()
    counts = memory.sources.resumes.by_outcome
    return [outcome for outcome, count in counts.items() for _ in range(count)]


async def test_who_goes_on_behind_what_it_knew_has_resumed() -> None:
    assert await outcomes(told(), Position(1, 1)) == [ResumeOutcome.RESUMED]


async def test_who_names_no_position_is_given_a_snapshot() -> None:
    assert await outcomes(told(), None) == [ResumeOutcome.SNAPSHOT]


async def test_who_knew_what_stands_no_more_begins_anew() -> None:
    assert await outcomes(told(), Position(1, 7)) == [ResumeOutcome.RESET]


async def test_who_knew_what_was_written_anew_behind_it_begins_anew() -> None:
    memory = told()
    memory.tell(STARTED, text("another"), epoch=2, reset=True)
    assert await outcomes(memory, Position(1, 1)) == [ResumeOutcome.RESET]


async def test_who_comes_after_the_log_is_given_the_stored_answer() -> None:
    memory = told()
    memory.tell(SUCCEEDED)
    memory.expire()
    assert await outcomes(memory, Position(1, 1)) == [ResumeOutcome.STORED]


async def test_who_asks_for_what_is_not_there_finds_it_gone() -> None:
    assert await outcomes(Memory(), Position(1, 1)) == [ResumeOutcome.GONE]


async def test_who_comes_while_redis_is_away_for_long_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscription, "PATIENCE", 0)
    memory = told()
    memory.away = True
    assert await outcomes(memory, Position(1, 1)) == [ResumeOutcome.AWAY]


async def test_who_falls_behind_and_catches_up_has_not_come_back() -> None:
    memory = told()
    reader = ElementReader(memory.sources, ANSWER, None)
    await reader.take(0)
    memory.say([], ANSWER)
    await reader.take(0)
    reader.close()
    assert not any(memory.sources.resumes.by_outcome.values())
