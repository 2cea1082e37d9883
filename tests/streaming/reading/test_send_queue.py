"""Write to sockets that take everything, nothing, and nothing for a while."""

from __future__ import annotations

import asyncio

import pytest

from streaming.log.positions import Position
from streaming.reading import send_queue
from streaming.reading.send_queue import SendQueue, TooSlow
from tests.streaming.reading.reading_doubles import Wire

pytestmark = pytest.mark.anyio


class Bystander:
    """A sender that keeps what it is told."""

    def __init__(self) -> None:
        self.lost: list[Position | None] = []

    def dropped(self, before: Position | None, since: float) -> None:
        self.lost.append(before)


def build(wire: Wire, patience: float = 5.0) -> tuple[SendQueue, list[int]]:
    """Return a queue to *wire*, and a list that grows with each call for a drain."""
    calls: list[int] = []
    return SendQueue(wire.send, lambda: calls.append(1), patience=patience), calls


async def test_a_frame_is_sent_before_the_write_returns() -> None:
    """No task, no turn of the event loop."""
    wire = Wire()
    out, calls = build(wire)
    out.write("a")
    assert (wire.sent, out.clear, calls) == (["a"], True, [])


async def test_a_socket_that_takes_nothing_makes_the_rest_wait_in_order() -> None:
    wire = Wire()
    out, calls = build(wire)
    wire.clog()
    for frame in "abc":
        out.write(frame)
    assert (wire.sent, out.clear, calls) == ([], False, [1])
    wire.unclog()
    await out.drain()
    out.write("d")
    assert (wire.sent, out.clear, out.waiting) == (["a", "b", "c", "d"], True, 0)


async def test_a_socket_that_clogs_again_is_waited_for_again() -> None:
    wire = Wire()
    out, _ = build(wire)
    wire.clog()
    for frame in "abc":
        out.write(frame)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(out.drain())
        await asyncio.sleep(0)
        wire.unclog()
        wire.clog()  # the one that waits was woken, those behind it find the socket closed again
        await asyncio.sleep(0)
        assert wire.sent == ["a"]
        wire.unclog()
    assert wire.sent == ["a", "b", "c"]


async def test_a_write_while_another_waits_goes_behind_it() -> None:
    wire = Wire()
    out, _ = build(wire)
    wire.clog()
    out.write("a")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(out.drain())
        await asyncio.sleep(0)
        out.write("b")
        wire.unclog()
        out.write("c")
    assert wire.sent == ["a", "b", "c"]


async def test_too_much_drops_what_was_told_and_keeps_what_was_said_once() -> None:
    wire = Wire()
    out, _ = build(wire)
    sender = Bystander()
    wire.clog()
    out.write("parked", sender, Position(1, 0))
    out.write("said")
    big = "x" * (send_queue.ROOM // 2)
    out.write(big, sender, Position(1, 1))
    assert sender.lost == []
    out.write(big, sender, Position(1, 2))
    assert sender.lost == [Position(1, 1), Position(1, 2)]
    assert out.waiting < 1000
    wire.unclog()
    await out.drain()
    assert wire.sent == ["parked", "said"]


async def test_a_socket_that_takes_nothing_for_too_long_is_too_slow() -> None:
    wire = Wire()
    out, _ = build(wire, patience=0.01)
    wire.clog()
    out.write("a")
    with pytest.raises(TooSlow):
        await out.drain()


async def test_what_was_due_long_ago_has_less_time() -> None:
    wire = Wire()
    out, _ = build(wire, patience=30)
    wire.clog()
    out.write("late", since=asyncio.get_running_loop().time() - 31)
    with pytest.raises(TooSlow):
        await out.drain()


@pytest.mark.parametrize("clogged", [False, True])
async def test_a_lost_socket_disturbs_nobody(*, clogged: bool) -> None:
    wire = Wire()
    out, _ = build(wire)
    if clogged:
        wire.clog()
    wire.broken = True
    out.write("a")
    out.write("b")
    wire.unclog()
    await out.drain()
    assert (out.lost, out.clear, out.waiting, wire.sent) == (True, True, 0, [])
    out.write("c")
    assert out.clear


async def test_closing_gives_up_what_waits() -> None:
    """The parked coroutine is closed: nothing warns that it was never awaited."""
    wire = Wire()
    out, _ = build(wire)
    wire.clog()
    out.write("a")
    out.write("b")
    out.close()
    wire.unclog()
    await out.drain()
    assert wire.sent == []


async def test_a_wait_that_is_cancelled_cancels_the_send() -> None:
    wire = Wire()
    out, _ = build(wire)
    wire.clog()
    out.write("a")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await out.drain()
    out.close()
    wire.unclog()
    assert wire.sent == []
