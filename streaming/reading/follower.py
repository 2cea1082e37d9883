"""Tell one answer on one WebSocket connection, straight from the acknowledgement.

`multiplexer.Multiplexer` has one `Follower` for each answer that its connection follows.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Final

from sessions.resources.conversations import ConverseConversationResponse
from sessions.spans import UNTRACED, TraceSpan
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading import element_frames, elements
from streaming.reading.elements import PlacedElement
from streaming.reading.send_queue import SendQueue
from streaming.reading.sources import ReaderSources
from streaming.reading.subscription import Subscription


class FollowerState(enum.Enum):
    """What a follower has to do next."""

    NEW = "to attach"
    LIVE = "nothing: what comes is told as it comes"
    BEHIND = "to read what it missed from the log"
    ENDING = "to ask the store for the answer that has ended"


_BEHIND: Final = FollowerState.BEHIND  # a member is slow to read from its enum, for each delta


class Follower:
    """What a connection tells of one answer under one id.

    Live text goes out from within the acknowledgement. Whatever has to wait for something, the
    log or the end of the answer, is *due*: the connection then calls `read` and passes what that
    returns to `tell`.
    """

    __slots__ = (
        "_due",
        "_end",
        "_position",
        "_queue",
        "_resumes",
        "_since",
        "_state",
        "_subscription",
        "_template",
        "id",
        "span",
    )

    def __init__(
        self,
        sources: ReaderSources,
        id: str,
        answer: str,
        after: Position | None,
        *,
        queue: SendQueue,
        due: Callable[[Follower], None],
        span: TraceSpan = UNTRACED,
        resumes: bool = False,
    ) -> None:
        """Tell *answer* from *after* on; it is due from the start, `read` it.

        It *resumes* where its reader comes back, which is counted.
        """
        wrapping = elements.envelope(answer)
        self.id = id
        self.span = span
        """The telling, for who traces; `close` ends one that has not come to its end."""
        self._queue = queue
        self._due = due
        self._template = element_frames.Template(id, wrapping)
        self._position = after
        self._end: LogEntry | None = None
        self._state = FollowerState.NEW
        self._resumes = resumes
        self._since = 0.0
        """When a frame that was dropped was due: who is behind does not gain time by that."""
        self._subscription = Subscription(sources, answer, self._hear, wrapping)

    @property
    def answer(self) -> str:
        """The answer that is followed."""
        return self._subscription.answer

    def close(self) -> None:
        """Tell nothing more."""
        self.span.end("LEFT")
        self._subscription.close()

    async def read(self) -> list[PlacedElement]:
        """Return what is to be told now; `tell` it at once.

        Unless the last of it is the terminal element nothing may be awaited in between: what comes
        behind it is told from the acknowledgement.

        Raises:
            NotFound: there is no such answer, or no more.
            Unavailable: Redis is away, and was for long.
        """
        # Live before it is read: what falls behind while the read is under way is read again.
        state, self._state = self._state, FollowerState.LIVE
        end, self._end = self._end, None
        if state is FollowerState.ENDING and end is not None:
            return await self._subscription.end(end)
        if state is FollowerState.NEW:
            subscription = self._subscription
            attach = subscription.resume if self._resumes else subscription.attach
            return await attach(self._position)
        return await self._subscription.catch_up(self._position)

    def tell(
        self, element: PlacedElement, converse: ConverseConversationResponse | None = None
    ) -> None:
        """Send *element*, or let it wait until it can be sent."""
        before, self._position = self._position, element.position
        since, self._since = self._since, 0.0
        frame = element_frames.frame(self.id, element, converse)
        self._queue.write(frame, self, before, since)

    def dropped(self, before: Position | None, since: float) -> None:
        """Go back to where the reader really is, to catch up from there."""
        # Of all frames that are dropped at once the first counts: the reader has nothing behind it.
        if self._state is not _BEHIND:
            self._position = before
            self._since = since
            self._fall_behind()

    def _fall_behind(self) -> None:
        self._state = FollowerState.BEHIND
        self._subscription.fall_behind()
        self._due(self)

    def _hear(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            event = entry.event
            if type(event) is events.TextAppended:
                before = self._position
                self._position = position = entry.position
                self._queue.write(self._template.text(position, event.text), self, before)
            elif isinstance(event, events.TERMINAL):
                self._end = entry
                self._state = FollowerState.ENDING
                self._due(self)
            else:
                for element in self._subscription.builder.live((entry,)):
                    self.tell(element)
            if self._state is _BEHIND:
                return  # the write before was one too many; the rest is read from the log
        if not entries:  # there is something to be read
            self._fall_behind()
