"""What the span of one answer tells of its batches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sessions.spans import UNTRACED, Attributes
from streaming.log.event_log import LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import Position
from streaming.running.writing_span import WritingSpan


class Kept:
    """A span that remembers what it was told."""

    def __init__(self, *, is_sampled: bool = True) -> None:
        self.is_sampled = is_sampled
        self.events: list[tuple[str, Attributes]] = []
        self.attributes: Attributes = {}

    def child(self, *_: Any) -> Any:
        return self

    def note(self, event: str, attributes: Attributes | None = None) -> None:
        self.events.append((event, attributes or {}))

    def set(self, attributes: Attributes) -> None:
        self.attributes = attributes

    def end(self, failure: str = "") -> None:
        pass


ASSIGNMENT: Any = SimpleNamespace(answer="a", epoch=1, attempts=0)


def written(parent: Any, batches: int) -> WritingSpan:
    """Return the span of so many batches of one entry each."""
    span = WritingSpan(parent, ASSIGNMENT)
    tell = span.watching(lambda _: None)
    for number in range(1, batches + 1):
        tell([LogEntry(Position(1, number), TextAppended("é"))])
    return span


@pytest.mark.parametrize(
    ("batches", "told"), [(1, [1]), (3, [1, 2]), (100, [1, 2, 4, 8, 16, 32, 64])]
)
def test_each_event_of_a_batch_comes_twice_as_far_on(batches: int, told: list[int]) -> None:
    """A long answer has as few as tell how it went on: each costs as much as ten batches."""
    kept = Kept()
    written(kept, batches)
    events = [about for name, about in kept.events if name == "batch acknowledged"]
    assert [about["colloquy.batches"] for about in events] == told
    assert [about["colloquy.position"] for about in events] == [f"1-{each}" for each in told]


def test_the_sums_are_those_of_all_batches() -> None:
    kept = Kept()
    written(kept, 100).end(None)
    told = ("colloquy.batches", "colloquy.entries", "colloquy.text_bytes")
    assert [kept.attributes[each] for each in told] == [100, 100, 200]


def test_what_is_not_kept_is_not_noted() -> None:
    kept = Kept(is_sampled=False)
    written(kept, 100).end(None)
    assert (kept.events, kept.attributes) == ([], {})


def test_what_nobody_traces_hears_no_batch() -> None:
    def tell(_: Any) -> None:
        pass

    assert WritingSpan(UNTRACED, ASSIGNMENT).watching(tell) is tell
