"""Tell a connection several answers at once, however fast it takes them."""

from __future__ import annotations

import asyncio

import pytest

from sessions.errors import NotFound
from tests.streaming.reading.connection_doubles import (
    OTHER,
    WHOLE,
    connected,
    kinds,
    settle,
)
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    CANCELLED,
    STARTED,
    STORE,
    SUCCEEDED,
    Memory,
    text,
    texts,
)

pytestmark = pytest.mark.anyio


async def test_text_goes_out_from_within_the_acknowledgement() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask()
        await settle()
        assert kinds(client.wire.frames()) == ["accepted", "IN_PROGRESS"]
        memory.tell(text("a"))
        (frame,) = client.wire.frames()
        assert (frame["id"], frame["position"], texts([frame])) == ("1", "1-1", "a")


async def test_a_whole_answer_is_told_to_its_end() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask()
        await settle()
        memory.tell(*WHOLE[1:])
        await settle()
        told = client.wire.frames()
        assert texts(told) == memory.stored[ANSWER].answer_text
        assert (kinds(told)[-1], client.machine.open_ids, client.forgot) == ("SUCCEEDED", 0, 1)
        assert client.ended == [ANSWER]
        assert memory.followers() == 0


async def test_a_resume_is_accepted_and_then_replayed_in_one_frame() -> None:
    memory = Memory()
    seen = memory.tell(*WHOLE[:-4])
    async with connected(memory) as client:
        client.resume(seen[4])
        await settle()
        memory.tell(text("!"))
        told = client.wire.frames()
        assert kinds(told) == ["accepted", "STREAMING", "STREAMING"]
        assert texts(told) == "aus Köln.!"


async def test_a_resume_of_what_ended_is_two_frames_at_most() -> None:
    memory = Memory()
    seen = memory.tell(*WHOLE)
    async with connected(memory) as client:
        client.resume(seen[4])
        await settle()
        assert kinds(client.wire.frames()) == ["accepted", "STREAMING", "SUCCEEDED"]


async def test_a_resume_of_what_never_was_is_refused() -> None:
    async with connected(Memory()) as client:
        client.resume(None)
        await settle()
        (frame,) = client.wire.frames()
        assert (frame["type"], frame["error"]["code"]) == ("error", NotFound.code)
        assert client.machine.open_ids == 0


async def test_a_second_id_takes_an_answer_over() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask("1")
        client.resume(None, id="2")
        await settle()
        memory.tell(text("a"))
        told = client.wire.frames()
        assert [frame["id"] for frame in told if frame["type"] == "error"] == ["1"]
        assert [frame["id"] for frame in told if texts([frame])] == ["2"]
        assert memory.followers() == 1


async def test_an_answer_that_is_taken_over_while_it_is_read_stays_so() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask("1")
        memory.while_reading = lambda: client.ask("2")
        await settle()
        memory.tell(text("a"))
        told = client.wire.frames()
        assert [frame["id"] for frame in told if texts([frame])] == ["2"]
        assert client.machine.is_accepted("2")
        assert memory.followers() == 1


async def test_several_answers_are_told_at_once() -> None:
    memory = Memory()
    async with connected(memory) as client:
        for id, answer in (("1", ANSWER), ("2", OTHER)):  # noqa: A001
            memory.tell(STARTED, answer=answer)
            client.ask(id, answer)
        await settle()
        memory.tell(text("a"), answer=ANSWER)
        memory.tell(text("b"), answer=OTHER)
        memory.tell(SUCCEEDED, answer=ANSWER)
        memory.tell(text("c"), answer=OTHER)
        await settle()
        told = client.wire.frames()
        assert texts([frame for frame in told if frame["id"] == "1"]) == "a"
        assert texts([frame for frame in told if frame["id"] == "2"]) == "bc"
        assert client.machine.open_ids == 1


async def test_a_failed_answer_says_why() -> None:
    memory = Memory()
    memory.tell(STARTED, text("a"), CANCELLED)
    async with connected(memory) as client:
        client.ask()
        await settle()
        end = client.wire.frames()[-1]
        assert end["response"]["answer"]["state"] == "FAILED"
        assert end["error"]["details"][0]["reason"] == "CANCELLED"


async def test_an_answer_written_anew_says_so() -> None:
    memory = Memory()
    memory.tell(STARTED, text("old"))
    async with connected(memory) as client:
        client.ask()
        await settle()
        client.wire.frames()
        memory.tell(STARTED, text("new"), epoch=2, reset=True)
        first, second = client.wire.frames()
        assert (first["reset"], first["position"], "reset" in second) == (True, "2-0", False)


class TestConversations:
    """The last frame of what was said in a conversation has the whole response."""

    CONVERSATION = f"{STORE}/conversations/7"
    ANSWER = f"{CONVERSATION}/answers/8"

    async def test_the_end_has_the_response(self) -> None:
        memory = Memory()
        memory.tell(STARTED, text("a"), SUCCEEDED, answer=self.ANSWER)
        async with connected(memory) as client:
            client.ask(answer=self.ANSWER)
            await settle()
            accepted, streaming, end = client.wire.frames()
            assert accepted["session"] == self.CONVERSATION
            assert "converse" not in streaming
            assert "session" not in end["response"]
            assert end["converse"] == {"conversation": {"name": self.CONVERSATION}}

    async def test_a_failed_one_has_none(self) -> None:
        memory = Memory()
        memory.tell(STARTED, CANCELLED, answer=self.ANSWER)
        async with connected(memory) as client:
            client.ask(answer=self.ANSWER)
            await settle()
            assert "converse" not in client.wire.frames()[-1]

    async def test_what_nobody_foresaw_is_told_and_the_connection_goes_on(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        memory = Memory()
        memory.tell(STARTED, text("unforeseen"), SUCCEEDED, answer=self.ANSWER)
        memory.tell(STARTED)
        async with connected(memory) as client:
            client.ask("1", self.ANSWER)
            client.ask("2")
            await settle()
            memory.tell(text("a"))
            told = client.wire.frames()
            assert [frame["id"] for frame in told if frame["type"] == "error"] == ["1"]
            assert texts([frame for frame in told if frame.get("id") == "2"]) == "a"
        assert caplog.messages == ["telling_failed"]


async def test_an_idle_connection_has_no_task() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask()
        await settle()
        memory.tell(text("a"))
        assert [task for task in asyncio.all_tasks() if task.get_name() == "read"] == []


async def test_who_closes_is_told_nothing_more() -> None:
    memory = Memory()
    memory.tell(STARTED)
    async with connected(memory) as client:
        client.ask()
        await settle()
        client.multiplexer.close()
        client.wire.frames()
        memory.tell(text("a"))
        client.multiplexer.follow("2", OTHER, None)
        assert client.wire.frames() == []
        assert memory.followers() == memory.followers(OTHER) == 0
