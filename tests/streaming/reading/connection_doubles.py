"""A connection that follows answers of memory, to a wire of memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from sessions.resources import answers, conversations
from streaming.log.positions import Position
from streaming.protocol.connection_machine import ConnectionMachine
from streaming.protocol.frames import Limits
from streaming.reading.multiplexer import PATIENCE, Multiplexer
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    SESSION,
    Memory,
    Wire,
    story,
)

OTHER = f"{SESSION}/answers/3"
WHOLE = story("Grüße ", "aus Köln.")


class Connected:
    """A machine and its multiplexer, to a wire."""

    def __init__(self, memory: Memory, tasks: asyncio.TaskGroup, patience: float) -> None:
        self.wire = Wire()
        self.slow = asyncio.Event()
        self.machine = ConnectionMachine(
            Limits(), version="1", authenticate=False, now=0.0, client="c1"
        )
        self.ended: list[str] = []
        self.forgot = 0
        self.multiplexer = Multiplexer(
            memory.sources,
            self.view,
            self.machine,
            tasks=tasks,
            send=self.wire.send,
            slow=self.slow.set,
            ended=self.ended.append,
            forgot=self._count,
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
        self.machine.receive('{"type":"resume","id":"%s","answer":"%s"}' % (id, answer), 0.0)  # noqa: UP031 - braces
        self.multiplexer.accept(id, answer)
        self.multiplexer.follow(id, answer, None)

    def resume(self, after: Position | None, id: str = "1", answer: str = ANSWER) -> None:
        """Follow an answer that was accepted on an earlier connection."""
        self.machine.receive('{"type":"resume","id":"%s","answer":"%s"}' % (id, answer), 0.0)  # noqa: UP031 - braces
        self.multiplexer.follow(id, answer, after)

    def _count(self) -> None:
        self.forgot += 1


@asynccontextmanager
async def connected(
    memory: Memory, number: int = 1, *, patience: float = PATIENCE
) -> AsyncGenerator[Any]:
    """Connect to what *memory* tells; one is given by itself."""
    async with asyncio.TaskGroup() as tasks:
        built = [Connected(memory, tasks, patience) for _ in range(number)]
        yield built[0] if number == 1 else built
        for client in built:
            client.multiplexer.close()


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
