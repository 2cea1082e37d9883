"""Walk the drawing of `streaming.reading.subscription`: what is heard, in each state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from sessions.resources import answers
from streaming.log import events
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


@pytest.mark.parametrize("state", ["LIVE", "READING"])
async def test_attachments_are_read_and_never_heard(state: str) -> None:
    """What is heard of them is not what is told: their bytes are where the log is read from."""
    memory = Memory()
    memory.tell(STARTED)
    heard: list[Sequence[LogEntry]] = []
    followed = Subscription(memory.sources, ANSWER, heard.append)
    await followed.attach(None)
    blob = answers.BlobAttachment(data=answers.Blob(mime_type="image/png", data=b"stands for it"))
    found = events.ReferencesFound((answers.Reference(),), (blob,))
    memory.reads.clear()
    if state == "READING":
        memory.while_reading = lambda: memory.logs[ANSWER][1:] or memory.tell(found)
        told = await followed.catch_up(Position(1, 0))
        assert len(memory.reads) == 2
    else:
        memory.tell(found, text("and"), apart=False)
        assert (heard, memory.reads) == ([()], [])
        told = await followed.catch_up(Position(1, 0))
    (answer,) = [element.response.answer for element in told]
    assert answer is not None
    assert answer.blob_attachments == (blob,)
    memory.tell(text("more"))
    assert len(heard[-1]) == 1
