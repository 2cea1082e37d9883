"""Tell a connection several answers at once, however fast it takes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sessions.errors import NotFound
from sessions.resources import answers, conversations
from streaming.log.positions import Position
from streaming.protocol.connection_machine import ConnectionMachine
from streaming.protocol.frames import Limits
from streaming.reading import send_queue
from streaming.reading.multiplexer import PATIENCE, Multiplexer
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    CANCELLED,
    SESSION,
    STARTED,
    STORE,
    SUCCEEDED,
    Memory,
    Wire,
    story,
    text,
    texts,
)

pytestmark = pytest.mark.anyio

OTHER = f"{SESSION}/answers/3"
WHOLE = story("Grüße ", "aus Köln.")


class Line:
    """A connection with its telling, to a wire."""

    def __init__(self, memory: Memory, tasks: asyncio.TaskGroup, patience: float) -> None:
        self.wire = Wire()
        self.slow = asyncio.Event()
        self.connection = ConnectionMachine(
            Limits(), version="1", authenticate=False, now=0.0, client="c1"
        )
        self.ended = 0
        self.multiplexer = Multiplexer(
            memory.sources,
            self.view,
            self.connection,
            tasks=tasks,
            send=self.wire.send,
            slow=self.slow.set,
            ended=self._count,
            patience=patience,
        )
        self.multiplexer.flush()
        self.wire.frames()

    async def view(
        self, name: str, answer: answers.Answer
    ) -> conversations.ConverseConversationResponse:
        if answer.answer_text == "unforeseen":
            raise ZeroDivisionError
        return conversations.ConverseConversationResponse(
            conversation=conversations.Conversation(name=name)
        )

    def ask(self, id: str = "1", answer: str = ANSWER) -> None:
        """Accept an answer and follow it from its first event on."""
        self.connection.receive('{"type":"resume","id":"%s","answer":"%s"}' % (id, answer), 0.0)  # noqa: UP031 - braces
        self.multiplexer.accept(id, answer)
        self.multiplexer.follow(id, answer, None)

    def resume(self, after: Position | None, id: str = "1", answer: str = ANSWER) -> None:
        """Follow an answer that was accepted on an earlier connection."""
        self.connection.receive('{"type":"resume","id":"%s","answer":"%s"}' % (id, answer), 0.0)  # noqa: UP031 - braces
        self.multiplexer.follow(id, answer, after)

    def _count(self) -> None:
        self.ended += 1


@asynccontextmanager
async def lines(
    memory: Memory, number: int = 1, *, patience: float = PATIENCE
) -> AsyncGenerator[Any]:
    """Run lines to what *memory* tells; one is given by itself."""
    async with asyncio.TaskGroup() as tasks:
        built = [Line(memory, tasks, patience) for _ in range(number)]
        yield built[0] if number == 1 else built
        for line in built:
            line.multiplexer.close()


async def settle() -> None:
    """Let everything go on that can."""
    for _ in range(30):
        await asyncio.sleep(0)


def kinds(frames: list[dict[str, Any]]) -> list[str]:
    """Return the types of frames; of an element its state."""
    return [
        frame["response"]["answer"]["state"] if frame["type"] == "element" else frame["type"]
        for frame in frames
    ]


async def test_text_goes_out_from_within_the_acknowledgement() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask()
        await settle()
        assert kinds(line.wire.frames()) == ["accepted", "IN_PROGRESS"]
        memory.tell(text("a"))
        (frame,) = line.wire.frames()
        assert (frame["id"], frame["position"], texts([frame])) == ("1", "1-1", "a")


async def test_a_whole_answer_is_told_to_its_end() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask()
        await settle()
        memory.tell(*WHOLE[1:])
        await settle()
        told = line.wire.frames()
        assert texts(told) == memory.stored[ANSWER].answer_text
        assert (kinds(told)[-1], line.connection.open_ids, line.ended) == ("SUCCEEDED", 0, 1)
        assert memory.followers() == 0


async def test_a_resume_is_accepted_and_then_replayed_in_one_frame() -> None:
    memory = Memory()
    seen = memory.tell(*WHOLE[:-4])
    async with lines(memory) as line:
        line.resume(seen[4])
        await settle()
        memory.tell(text("!"))
        told = line.wire.frames()
        assert kinds(told) == ["accepted", "STREAMING", "STREAMING"]
        assert texts(told) == "aus Köln.!"


async def test_a_resume_of_what_ended_is_two_frames_at_most() -> None:
    memory = Memory()
    seen = memory.tell(*WHOLE)
    async with lines(memory) as line:
        line.resume(seen[4])
        await settle()
        assert kinds(line.wire.frames()) == ["accepted", "STREAMING", "SUCCEEDED"]


async def test_a_resume_of_what_never_was_is_refused() -> None:
    async with lines(Memory()) as line:
        line.resume(None)
        await settle()
        (frame,) = line.wire.frames()
        assert (frame["type"], frame["error"]["code"]) == ("error", NotFound.code)
        assert line.connection.open_ids == 0


async def test_a_second_id_takes_an_answer_over() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask("1")
        line.resume(None, id="2")
        await settle()
        memory.tell(text("a"))
        told = line.wire.frames()
        assert [frame["id"] for frame in told if frame["type"] == "error"] == ["1"]
        assert [frame["id"] for frame in told if texts([frame])] == ["2"]
        assert memory.followers() == 1


async def test_an_answer_that_is_taken_over_while_it_is_read_stays_so() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask("1")
        memory.while_reading = lambda: line.ask("2")
        await settle()
        memory.tell(text("a"))
        told = line.wire.frames()
        assert [frame["id"] for frame in told if texts([frame])] == ["2"]
        assert line.connection.is_accepted("2")
        assert memory.followers() == 1


async def test_several_answers_are_told_at_once() -> None:
    memory = Memory()
    async with lines(memory) as line:
        for id, answer in (("1", ANSWER), ("2", OTHER)):  # noqa: A001
            memory.tell(STARTED, answer=answer)
            line.ask(id, answer)
        await settle()
        memory.tell(text("a"), answer=ANSWER)
        memory.tell(text("b"), answer=OTHER)
        memory.tell(SUCCEEDED, answer=ANSWER)
        memory.tell(text("c"), answer=OTHER)
        await settle()
        told = line.wire.frames()
        assert texts([frame for frame in told if frame["id"] == "1"]) == "a"
        assert texts([frame for frame in told if frame["id"] == "2"]) == "bc"
        assert line.connection.open_ids == 1


async def test_a_failed_answer_says_why() -> None:
    memory = Memory()
    memory.tell(STARTED, text("a"), CANCELLED)
    async with lines(memory) as line:
        line.ask()
        await settle()
        end = line.wire.frames()[-1]
        assert end["response"]["answer"]["state"] == "FAILED"
        assert end["error"]["details"][0]["reason"] == "CANCELLED"


async def test_an_answer_written_anew_says_so() -> None:
    memory = Memory()
    memory.tell(STARTED, text("old"))
    async with lines(memory) as line:
        line.ask()
        await settle()
        line.wire.frames()
        memory.tell(STARTED, text("new"), epoch=2, reset=True)
        first, second = line.wire.frames()
        assert (first["reset"], first["position"], "reset" in second) == (True, "2-0", False)


class TestConversations:
    """The last frame of what was said in a conversation has the whole response."""

    CONVERSATION = f"{STORE}/conversations/7"
    ANSWER = f"{CONVERSATION}/answers/8"

    async def test_the_end_has_the_response(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("a"), SUCCEEDED, answer=self.ANSWER)
        async with lines(memory) as line:
            line.ask(answer=self.ANSWER)
            await settle()
            accepted, streaming, end = line.wire.frames()
            assert accepted["session"] == self.CONVERSATION
            assert "converse" not in streaming
            assert "session" not in end["response"]
            assert end["converse"] == {"conversation": {"name": self.CONVERSATION}}

    async def test_a_failed_one_has_none(self) -> None:
        memory = Memory()
        memory.tell(STARTED, CANCELLED, answer=self.ANSWER)
        async with lines(memory) as line:
            line.ask(answer=self.ANSWER)
            await settle()
            assert "converse" not in line.wire.frames()[-1]

    async def test_what_nobody_foresaw_is_told_and_the_connection_goes_on(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        memory = Memory()
        memory.tell(STARTED, text("unforeseen"), SUCCEEDED, answer=self.ANSWER)
        memory.tell(STARTED)
        async with lines(memory) as line:
            line.ask("1", self.ANSWER)
            line.ask("2")
            await settle()
            memory.tell(text("a"))
            told = line.wire.frames()
            assert [frame["id"] for frame in told if frame["type"] == "error"] == ["1"]
            assert texts([frame for frame in told if frame.get("id") == "2"]) == "a"
        assert caplog.messages == ["telling_failed"]


class TestSlow:
    """A client that cannot follow is told less often, and loses nothing."""

    async def test_what_waited_too_long_is_merged(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with lines(memory) as line:
            line.ask()
            await settle()
            line.wire.clog()
            pieces = [f"{n} " * 500 for n in range(300)]
            memory.tell(*map(text, pieces))
            await settle()
            assert line.multiplexer.queue.waiting <= send_queue.ROOM
            line.wire.unclog()
            await settle()
            memory.tell(text("live again"))
            told = line.wire.frames()
            assert texts(told) == "".join(pieces) + "live again"
            assert len(told) < 10
            positions = [frame["position"] for frame in told if frame["type"] == "element"]
            assert len(set(positions)) == len(positions)

    async def test_an_end_that_is_behind_is_told_once_there_is_room(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with lines(memory) as line:
            line.ask()
            await settle()
            line.wire.clog()
            memory.tell(*[text("x" * 1000) for _ in range(300)], SUCCEEDED)
            await settle()
            line.wire.unclog()
            await settle()
            told = line.wire.frames()
            assert texts(told) == "x" * 300_000
            assert kinds(told)[-1] == "SUCCEEDED"
            assert kinds(told).count("SUCCEEDED") == 1

    async def test_an_end_while_the_socket_is_clogged_is_not_dropped(self) -> None:
        """Other answers on the same socket overflow its room after the first has ended."""
        memory = Memory()
        async with lines(memory) as line:
            for id, answer in (("1", ANSWER), ("2", OTHER)):  # noqa: A001
                memory.tell(STARTED, answer=answer)
                line.ask(id, answer)
            await settle()
            line.wire.clog()
            memory.tell(text("a"), SUCCEEDED, answer=ANSWER)
            await settle()
            memory.tell(*[text("x" * 1000) for _ in range(300)], answer=OTHER)
            await settle()
            line.wire.unclog()
            await settle()
            told = line.wire.frames()
            assert texts([frame for frame in told if frame.get("id") == "1"]) == "a"
            assert kinds([frame for frame in told if frame.get("id") == "1"])[-1] == "SUCCEEDED"
            assert len(texts([frame for frame in told if frame.get("id") == "2"])) == 300_000

    async def test_one_that_takes_nothing_for_long_is_too_slow(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with lines(memory, patience=0.01) as line:
            line.ask()
            await settle()
            line.wire.clog()
            memory.tell(text("a"))
            async with asyncio.timeout(5):
                await line.slow.wait()

    async def test_one_that_takes_nothing_delays_nobody(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with lines(memory, 3) as (clogged, broken, well):
            for line in (clogged, broken, well):
                line.ask()
            await settle()
            clogged.wire.clog()
            broken.wire.broken = True
            well.wire.frames()
            memory.tell(text("a"))
            assert texts(well.wire.frames()) == "a"
            assert broken.multiplexer.queue.lost


async def test_an_answer_that_cannot_be_read_delays_no_other() -> None:
    """The one lives on a node that is away, the other does not."""
    memory = Memory()
    memory.tell(STARTED, answer=OTHER)
    memory.tell(STARTED)
    memory.lost.add(OTHER)
    async with lines(memory) as line:
        line.ask("2", OTHER)
        line.ask()
        await settle()
        memory.tell(*WHOLE[1:])
        await settle()
        told = [frame for frame in line.wire.frames() if frame["id"] == "1"]
        assert kinds(told)[-1] == "SUCCEEDED"


async def test_an_idle_connection_has_no_task() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask()
        await settle()
        memory.tell(text("a"))
        assert [task for task in asyncio.all_tasks() if task.get_name() == "read"] == []


async def test_who_closes_is_told_nothing_more() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with lines(memory) as line:
        line.ask()
        await settle()
        line.multiplexer.close()
        line.wire.frames()
        memory.tell(text("a"))
        line.multiplexer.follow("2", OTHER, None)
        assert line.wire.frames() == []
        assert memory.followers() == memory.followers(OTHER) == 0
