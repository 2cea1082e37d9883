"""Keep one request of a client, and what came of it, until its answer has ended."""

from __future__ import annotations

import asyncio
from typing import Final

from sessions.errors import Internal, ServiceError
from sessions.resources.answers import State
from streaming.protocol import frames
from streaming.protocol.frames import Element

WAITING: Final = 1000
"""How many elements may wait for the caller; then the connection waits, and so the service."""


class FollowedAnswer:
    """The answer to one request, over as many connections as it takes."""

    def __init__(self, frame: frames.Ask | frames.Converse | frames.Resume) -> None:
        self._frame = frame
        self._answer = ""
        self._position: str | None = None
        self._text: list[str] = []
        self._whole = True  # whether the text so far is all of it
        if isinstance(frame, frames.Resume):
            self._answer = frame.answer
            self._position = frame.after
            self._whole = frame.after is None
        self.began = asyncio.get_running_loop().time()
        self.elements: asyncio.Queue[Element | ServiceError] = asyncio.Queue(WAITING)
        self.done = False

    def again(self) -> frames.Ask | frames.Converse | frames.Resume:
        """Return the frame that goes on with this on another connection."""
        if not self._answer:
            return self._frame
        return frames.Resume(self._frame.id, self._answer, self._position)

    async def hear(self, frame: frames.Accepted | Element) -> None:
        """Take what the service says; where too much waits, so does the connection."""
        if isinstance(frame, frames.Accepted):
            self._answer = frame.answer
        else:
            self._position = frame.position
            await self.elements.put(frame)

    def fail(self, error: ServiceError) -> None:
        """Let the caller know *error*."""
        # The queue may be full for ever, of a caller that reads no more: an element gives way.
        if self.elements.full():
            self.elements.get_nowait()
        self.elements.put_nowait(error)

    def forget(self) -> None:
        """Let nobody wait to tell more."""
        while not self.elements.empty():
            self.elements.get_nowait()

    def check(self, element: Element) -> None:
        """Hold *element*, the next, to the laws of the stream.

        Raises:
            Internal: it breaks them; what was told before cannot be trusted.
        """
        answer = element.response.answer
        if element.reset:
            self._text.clear()
            self._whole = True
        if answer is None:
            raise Internal("an element without an answer came", reason="STREAM_BROKEN")
        if answer.state not in (State.SUCCEEDED, State.FAILED):
            self._text.append(answer.answer_text)
            return
        self.done = True
        told, whole = "".join(self._text), answer.answer_text
        # Where the log is gone the end may come alone; a resume may have begun in the middle.
        if not whole.endswith(told) or (self._whole and told not in ("", whole)):
            raise Internal(
                "the text that was told is not that of the answer", reason="STREAM_BROKEN"
            )
