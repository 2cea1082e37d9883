"""Tell one answer to one reader of a connection, straight from the acknowledgement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sessions.resources.conversations import ConverseConversationResponse
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading import element_frames, elements
from streaming.reading.elements import PlacedElement
from streaming.reading.send_queue import SendQueue
from streaming.reading.subscription import ReaderSources, Subscription


class Follower:
    """What a connection tells of one answer under one id.

    Live text goes out from within the acknowledgement. Whatever has to wait for something, the
    log or the end of the answer, makes it *unsettled*: the connection then calls `read` and
    passes what that returns to `tell`.
    """

    __slots__ = (
        "_attached",
        "_behind",
        "_end",
        "_outlet",
        "_since",
        "_subscription",
        "_template",
        "_told",
        "_unsettled",
        "id",
    )

    def __init__(
        self,
        sources: ReaderSources,
        id: str,
        answer: str,
        after: Position | None,
        *,
        outlet: SendQueue,
        unsettled: Callable[[Follower], None],
    ) -> None:
        """Tell *answer* from *after* on; it is unsettled from the start, `read` it."""
        wrapping = elements.envelope(answer)
        self.id = id
        self._outlet = outlet
        self._unsettled = unsettled
        self._template = element_frames.Template(id, wrapping)
        self._told = after
        self._end: LogEntry | None = None
        self._behind = True
        self._since = 0.0
        self._attached = False
        self._subscription = Subscription(sources, answer, self._hear, wrapping)

    @property
    def answer(self) -> str:
        """The answer that is followed."""
        return self._subscription.answer

    def close(self) -> None:
        """Tell nothing more."""
        self._subscription.close()

    async def read(self) -> list[PlacedElement]:
        """Return what is to be told now; `tell` it at once.

        Unless the last of it is the terminal element nothing may be awaited in between: what comes
        behind it is told from the acknowledgement.

        Raises:
            NotFound: there is no such answer, or no more.
            Unavailable: Redis is away, and was for long.
        """
        end, self._end = self._end, None
        if end is not None and not self._behind:
            return await self._subscription.end(end)
        self._behind = False
        if self._attached:
            return await self._subscription.catch_up(self._told)
        told = await self._subscription.attach(self._told)
        self._attached = True
        return told

    def tell(
        self, element: PlacedElement, converse: ConverseConversationResponse | None = None
    ) -> None:
        """Send *element*, or let it wait until it can be sent."""
        mark, self._told = self._told, element.position
        since, self._since = self._since, 0.0
        self._outlet.write(element_frames.frame(self.id, element, converse), self, mark, since)

    def dropped(self, mark: Position | None, since: float) -> None:
        """Go back to where the reader really is, to catch up from there."""
        if not self._behind:
            self._told = mark
            self._since = since
            self._fall_behind()

    def _fall_behind(self) -> None:
        self._behind = True
        self._subscription.fall_behind()
        self._unsettled(self)

    def _hear(self, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            event = entry.event
            if type(event) is events.TextAppended:
                mark = self._told
                self._told = position = entry.position
                self._outlet.write(self._template.text(position, event.text), self, mark)
            elif isinstance(event, events.TERMINAL):
                self._end = entry
                self._unsettled(self)
            else:
                for element in self._subscription.teller.live((entry,)):
                    self.tell(element)
            if self._behind:
                return
        if not entries:  # there is something to be read
            self._fall_behind()
