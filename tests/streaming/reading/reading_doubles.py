"""Answers that are told from memory, and sockets that do what a test wants."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

import msgspec

from sessions.errors import NotFound, Unavailable
from sessions.resources import answers
from streaming.log import event_log, events
from streaming.log.event_log import LogEntry, fold
from streaming.log.positions import Position
from streaming.reading.elements import PlacedElement
from streaming.reading.local_readers import Listener
from streaming.reading.sources import ReaderSources

STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"
SESSION = f"{STORE}/sessions/1"
ANSWER = f"{SESSION}/answers/2"
AT = dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=dt.UTC)
STARTED = events.Started(AT)
SUCCEEDED = events.Succeeded(AT)
CANCELLED = events.Failed(AT, "CANCELLED", "cancelled", 1)


def text(piece: str) -> events.TextAppended:
    """Return the event that appends *piece*."""
    return events.TextAppended(text=piece)


def step(index: int, description: str) -> events.StepChanged:
    """Return the event that brings the step at *index*."""
    return events.StepChanged(index, answers.Step(description=description))


def story(*pieces: str) -> list[events.AnswerEvent]:
    """Return a whole answer with one event of every kind, and *pieces* of text."""
    found = answers.Reference(chunk_info=answers.ChunkInfo(content="c"))
    source = answers.CitationSource(reference_id="0")
    told: list[events.AnswerEvent] = [
        STARTED,
        step(0, "rephrase"),
        step(1, "search"),
        events.ReferencesFound((found,)),
    ]
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece.encode())
        cited = answers.Citation(start_index=str(start), end_index=str(end), sources=(source,))
        told += [text(piece), events.Cited((cited,))]
    support = answers.GroundingSupport(end_index=str(end), sources=(source,))
    grounded = [events.Grounded((support,), 0.9)] if pieces else []
    related = events.RelatedFound(("Why?",))
    return [*told, step(1, "search, done"), *grounded, related, SUCCEEDED]


class Memory:
    """The log, the tail and the stored answers of `ReaderSources`, without Redis."""

    def __init__(self) -> None:
        self.logs: dict[str, list[LogEntry]] = {}
        self.stored: dict[str, answers.Answer] = {}
        self.adopted: list[str] = []
        self.away = False
        self.lost: set[str] = set()
        """Answers whose node is away."""
        self.reads: list[Position | None] = []
        self.deaf = False
        """Whether followers miss what is acknowledged."""
        self.while_reading: Callable[[], object] = lambda: None
        """Called once the log was read and before that is told: what a race would do."""
        self._listeners: dict[str, list[Listener]] = {}
        self.sources = ReaderSources(tail=self, log=self, answers=self, adopt=self.adopt)

    def tell(
        self,
        *told: events.AnswerEvent,
        answer: str = ANSWER,
        epoch: int = 1,
        reset: bool = False,
        apart: bool = True,
    ) -> list[Position]:
        """Acknowledge events, each by itself or as one batch, and return where they stand."""
        log = self.logs.setdefault(answer, [])
        entries: list[LogEntry] = []
        for event in told:
            seq = sum(entry.position.epoch == epoch for entry in log)
            entry = LogEntry(
                Position(epoch, seq), event, reset and isinstance(event, events.Started)
            )
            log.append(entry)
            entries.append(entry)
        self.stored[answer] = fold(log, name=answer).answer
        batches = [[entry] for entry in entries] if apart else [entries]
        for batch in batches if not self.deaf else []:
            self.say(batch, answer)
        return [entry.position for entry in entries]

    def fail_over(self, lost: int) -> None:
        """Forget so many of the last entries, and tell nobody."""
        log = self.logs[ANSWER]
        del log[len(log) - lost :]
        self.stored[ANSWER] = fold(log, name=ANSWER).answer

    def mend(self, *told: events.AnswerEvent, epoch: int = 1) -> None:
        """Append again what was told before: nobody is told of it."""
        self.deaf = True
        self.tell(*told, epoch=epoch)
        self.deaf = False

    def expire(self, answer: str = ANSWER) -> None:
        """Let the log of *answer* go, and tell those who follow it."""
        del self.logs[answer]
        self.say((), answer)

    def say(self, entries: Sequence[LogEntry], answer: str = ANSWER) -> None:
        """Call those who follow *answer* with *entries*, whatever its log has."""
        for listener in tuple(self._listeners.get(answer, ())):
            listener(entries)

    def followers(self, answer: str = ANSWER) -> int:
        """Return how many follow *answer*."""
        return len(self._listeners.get(answer, ()))

    # What `ReaderSources` are made of

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        listeners = self._listeners.setdefault(answer, [])
        listeners.append(listener)

        def unfollow() -> None:
            if listener in listeners:
                listeners.remove(listener)

        return unfollow

    async def ready(self, answer: str) -> None:
        self._check(answer)

    async def reopen(self, answer: str) -> None:
        self._check(answer)

    async def adopt(self, answer: str) -> None:
        self._check(answer)
        self.adopted.append(answer)

    async def read_joined(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        self._check(answer)
        self.reads.append(after)
        entries = event_log.decode_joined_range(
            [
                (str(entry.position).encode(), event_log.encode(entry.event, reset=entry.reset))
                for entry in self.logs.get(answer, ())
                if after is None or entry.position > after
            ]
        )
        race, self.while_reading = self.while_reading, lambda: None
        race()
        await asyncio.sleep(0)
        return entries

    async def get(self, name: str) -> answers.Answer:
        self._check(name)
        if name not in self.stored:
            raise NotFound("there is no such answer", resource=name)
        return self.stored[name]

    def _check(self, answer: str) -> None:
        if self.away or answer in self.lost:
            raise Unavailable("Redis is away", reason="REDIS_AWAY")


class Reader:
    """A client as the documents want it: keeps what elements tell, and checks their laws."""

    def __init__(self) -> None:
        self.text = ""
        self.steps: tuple[answers.Step, ...] = ()
        self.citations: tuple[answers.Citation, ...] = ()
        self.references: tuple[answers.Reference, ...] = ()
        self.position: Position | None = None
        self.final: answers.Answer | None = None
        self.resets = 0
        self.elements = 0

    def take(self, told: Iterable[PlacedElement | None]) -> Reader:
        """Take elements in their order."""
        for element in told:
            if element is not None:
                self._take(element)
        return self

    def _take(self, element: PlacedElement) -> None:
        assert self.final is None, "the terminal element is the last"
        answer = element.response.answer
        assert answer is not None
        self.elements += 1
        if element.reset:
            self.resets += 1
            self.text, self.steps, self.citations, self.references = "", (), (), ()
        elif self.position is not None:
            assert element.position > self.position, "positions grow"
        self.position = element.position
        if element.is_terminal:
            self.final = answer
            return
        self.text += answer.answer_text
        self.citations += answer.citations
        for n, told in enumerate(answer.steps):
            if told != answers.Step():  # an empty one is one that did not change
                self.steps = (*self.steps[:n], told, *self.steps[n + 1 :])
        self.references = answer.references or self.references
        ends = [int(citation.end_index) for citation in self.citations]
        assert all(end <= len(self.text.encode()) for end in ends), "what is cited was told"

    def check_whole(self, stored: answers.Answer) -> None:
        """Assert that the laws of the element stream held."""
        assert self.final == stored
        assert self.text == stored.answer_text
        assert self.citations == stored.citations
        assert self.references == stored.references
        assert self.steps == stored.steps


class Wire:
    """A socket's send, which can be made to suspend, and to fail."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.broken = False
        self._open = asyncio.Event()
        self._open.set()

    def clog(self) -> None:
        """Let each further send suspend."""
        self._open.clear()

    def unclog(self) -> None:
        """Let what is suspended go on."""
        self._open.set()

    def send(self, frame: str) -> Coroutine[Any, Any, None]:
        """Return what sends *frame*."""
        return self._send(frame)

    async def _send(self, frame: str) -> None:
        await self._open.wait()
        if self.broken:
            raise ConnectionResetError("the peer is gone")
        self.sent.append(frame)

    def frames(self) -> list[dict[str, Any]]:
        """Take what was sent so far."""
        sent, self.sent = self.sent, []
        return [msgspec.json.decode(frame) for frame in sent]


def texts(told: Sequence[dict[str, Any]]) -> str:
    """Return the text that element frames tell piece by piece."""
    return "".join(
        frame["response"]["answer"].get("answerText", "")
        for frame in told
        if frame["type"] == "element" and frame["response"]["answer"]["state"] == "STREAMING"
    )
