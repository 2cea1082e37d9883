"""What is current is so within a stage alone, and a failure is told by its reason."""

from __future__ import annotations

import asyncio

import pytest

from sessions import spans
from sessions.errors import NotFound
from sessions.spans import CURRENT, NONE, UNTRACED, Attributes, SpanKind, TraceSpan


class Noted:
    """A span that remembers what it was told."""

    is_sampled = True
    context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    def __init__(self, name: str) -> None:
        self.said = name
        self.parts: list[Noted] = []
        self.ends: list[str] = []

    def child(
        self, name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
    ) -> TraceSpan:
        self.parts.append(Noted(name))
        return self.parts[-1]

    def set(self, attributes: Attributes) -> None: ...

    def name(self, name: str) -> None: ...

    def note(self, event: str, attributes: Attributes = NONE) -> None: ...

    def link(self, context: str) -> None: ...

    def end(self, failure: str = "") -> None:
        self.ends.append(failure)


@pytest.fixture
def work() -> Noted:
    return Noted("work")


def test_a_stage_is_current_within_and_ends_behind(work: Noted) -> None:
    with spans.within(work):
        with spans.stage("first") as first, spans.stage("second"):
            assert CURRENT.get() is not first
        assert CURRENT.get() is work
        with spans.stage("third"):
            pass
    assert CURRENT.get() is UNTRACED
    assert [part.said for part in work.parts] == ["first", "third"]
    assert [part.said for part in work.parts[0].parts] == ["second"]
    assert [work.ends, *(part.ends for part in work.parts)] == [[""], [""], [""]]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (NotFound("sessions/1 is not there", reason="RESOURCE_NOT_FOUND"), "RESOURCE_NOT_FOUND"),
        (ValueError("what a caller wrote"), "ValueError"),
        (asyncio.CancelledError(), "CANCELLED"),
    ],
)
def test_a_failure_is_told_by_its_reason_and_never_by_its_message(
    work: Noted, failure: BaseException, reason: str
) -> None:
    with pytest.raises(type(failure)), spans.within(work), spans.stage("stage"), spans.part("part"):
        raise failure
    (stage,) = work.parts
    assert [span.ends for span in (work, stage, *stage.parts)] == [[reason]] * 3


def test_where_nobody_traces_nothing_is_begun() -> None:
    with spans.stage("stage") as span:
        assert span is UNTRACED
    assert UNTRACED.begin("x", "", kind=SpanKind.SERVER).child("y") is UNTRACED
    assert UNTRACED.remote("").context == ""
