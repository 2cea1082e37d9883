"""Walk the drawing of `streaming.reading.subscription`: what is heard, in each state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading import entry_queue, subscription
from streaming.reading.subscription import Subscription, SubscriptionState
from tests import drawings
from tests.streaming.reading.reading_doubles import ANSWER, STARTED, Memory, text

pytestmark = pytest.mark.anyio

DRAWN: Final = drawings.table(subscription, "event")
WALKS: Final = [
    (state, event) for event, row in DRAWN.items() for state in row if row[state] != "–"
]
SEEN: Final = Position(1, 1)


class Walk:
    """A subscription to an answer of two entries, and what it passed on."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.memory.tell(STARTED, text("seen"))
        self.heard: list[Sequence[LogEntry]] = []
        self.subscription = Subscription(self.memory.sources, ANSWER, self.heard.append)

    def happen(self, event: str) -> None:
        memory = self.memory
        match event:
            case "next":
                memory.tell(text("next"))
            case "again":
                memory.say(memory.logs[ANSWER][1:2])
            case "anew":
                memory.tell(STARTED, epoch=2, reset=True)
            case "gap":
                memory.mend(text("missed"))
                memory.tell(text("heard"))
            case "nothing":
                memory.say(())
            case "too much":
                memory.tell(text("x" * entry_queue.ROOM))
            case "fall":
                self.subscription.fall_behind()
            case _:
                raise AssertionError(event)

    def outcome(self) -> str:
        state = self.subscription.state.name
        if () in self.heard:
            return f"{state}, told"
        return f"{state}, passed on" if self.heard else state


def test_the_drawing_has_every_state() -> None:
    assert all(set(row) == {state.name for state in SubscriptionState} for row in DRAWN.values())
    assert len(WALKS) == 23


@pytest.mark.parametrize(("state", "event"), WALKS)
async def test_each_event_does_what_is_drawn(state: str, event: str) -> None:
    walk = Walk()
    await walk.subscription.attach(None)
    memory = walk.memory
    memory.reads.clear()
    if state == "READING":
        memory.while_reading = lambda: walk.happen(event)
        told = await walk.subscription.catch_up(SEEN)
        outcome = walk.outcome()
        if event == "next":
            assert [element.position for element in told] == [Position(1, 2)]
            outcome += ", with it"
        outcome += ", after two reads" if len(memory.reads) == 2 else ""
    else:
        if state == "BEHIND":
            walk.subscription.fall_behind()
        if event == "read":
            await walk.subscription.catch_up(SEEN)
        else:
            walk.happen(event)
        outcome = walk.outcome()
    assert outcome == DRAWN[event][state]


async def test_who_falls_behind_while_the_log_is_read_misses_nothing() -> None:
    walk = Walk()
    await walk.subscription.attach(None)

    def fall() -> None:
        walk.happen("fall")
        walk.happen("next")

    walk.memory.while_reading = fall
    told = await walk.subscription.catch_up(SEEN)
    assert [element.position for element in told] == [Position(1, 2)]
    assert walk.outcome() == "LIVE"
