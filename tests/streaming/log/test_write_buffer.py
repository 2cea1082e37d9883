"""What an answer has to say gets into its log once and in order, whatever Redis does."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import hiredis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.exceptions import ResponseError

from streaming.log import event_log, events, publications, write_buffer
from streaming.log.event_log import LogEntry
from streaming.log.events import joined
from streaming.log.log_commands import LogCommands
from streaming.log.positions import Position
from streaming.log.publications import Inbox, Publications
from streaming.log.write_buffer import BufferState, WriteBuffer
from tests import drawings
from tests.streaming import doubles

REFUSAL = ResponseError("refused")

text_events = st.sampled_from(["a", "b", "é"]).map(lambda text: events.TextAppended(text=text))
other_events = st.just(events.RelatedFound(("q",)))


INBOX = Inbox("replica", 7, b"inbox")


class Node:
    """A Redis that holds one log, and the writer's side of it."""

    def __init__(self) -> None:
        self.log: list[LogEntry] = [LogEntry(Position(1, 0), events.Started(at=doubles.AT))]
        self.told: list[LogEntry] = []
        self.publications = Publications()
        self.lost = 0
        self.scheduled = 0
        self.buffer = WriteBuffer(
            "a",
            Position(1, 0),
            LogCommands(b"log", b"channel", b"PUBLISH"),
            schedule=self._schedule,
            on_acknowledged=self._tell,
            on_lost=self._lose,
        )
        self.buffer.address(INBOX)

    def _schedule(self, buffer: WriteBuffer) -> None:
        self.scheduled += 1

    def _tell(self, entries: Sequence[LogEntry]) -> None:
        self.told += entries

    def _lose(self) -> None:
        self.lost += 1

    @property
    def top(self) -> Position:
        return self.log[-1].position

    def take_batch(self) -> list[list[bytes]]:
        """Return the commands that the buffer sends."""
        assert self.scheduled == 1
        self.scheduled = 0
        parts: list[bytes] = []
        count = self.buffer.take_batch(parts)
        commands = _parsed(parts)
        assert len(commands) == count
        return commands

    def write(self, refused: Container[int] = ()) -> list[object]:
        """Do what the buffer sends, as Redis does it, and return the replies.

        It has no memory for the *refused* of the commands.
        """
        replies: list[object] = []
        queued: list[list[bytes]] | None = None
        spoilt = False
        for number, command in enumerate(self.take_batch()):
            if command == [b"MULTI"]:
                queued, spoilt = [], False
                replies.append(b"OK")
            elif command == [b"EXEC"]:
                assert queued is not None
                replies.append(REFUSAL if spoilt else [self._append(each) for each in queued])
                queued = None
            elif number in refused:
                spoilt = True
                replies.append(REFUSAL)
            elif queued is not None:
                queued.append(command)
                replies.append(b"QUEUED")
            else:
                replies.append(self._append(command))
        return replies

    def _append(self, command: list[bytes]) -> object:
        name, field, value = command[3:]
        epoch, _, seq = name.partition(b"-")
        position = Position(int(epoch), int(seq))
        if position <= self.top:
            return REFUSAL
        self.log.append(event_log.decode(position, field, value))
        return name


def _parsed(commands: Sequence[bytes]) -> list[list[bytes]]:
    reader = hiredis.Reader()
    reader.feed(b"".join(commands))
    parsed: list[list[bytes]] = []
    while reader.has_data():
        parsed.append(reader.gets())
    return parsed


@given(
    st.lists(
        st.tuples(st.just("add"), text_events | other_events)
        | st.tuples(st.just("write"), st.sampled_from(["ok", "unknown", "unsent"]))
        | st.tuples(st.just("refuse"), st.frozensets(st.integers(0, 4), min_size=1))
        | st.tuples(st.just("fail over"), st.integers(0, 5)),
        max_size=40,
    )
)
def test_every_event_is_logged_and_told_once_whatever_happens(
    steps: list[tuple[str, events.AnswerEvent | str | int | frozenset[int]]],
) -> None:
    """Lost replies and requests, refusals of some, failovers that take acknowledged ones away."""
    node = Node()
    said: list[events.AnswerEvent] = []
    for _, what in steps:
        if isinstance(what, int):
            _fail_over(node, what)
        elif isinstance(what, str):
            _write(node, what)
        elif isinstance(what, frozenset):
            _write(node, "ok", what)
        else:
            said.append(what)
            node.buffer.add(what)
    while node.scheduled:
        _write(node, "ok")
    assert node.lost == 0
    assert joined([entry.event for entry in node.told]) == joined(said)
    assert node.log[1:] == node.told
    assert _heard(node) == node.told
    assert _read_in_inbox(node) == node.told
    assert [entry.position.seq for entry in node.log] == list(range(len(node.log)))


def _heard(node: Node) -> list[LogEntry]:
    """Return what was published on the channel of the answer."""
    commands = _parsed(node.publications.commands(b"PUBLISH"))
    heard = [content for _, channel, content in commands if channel == b"channel"]
    return [event_log.decode_payload(content) for content in heard]


def _read_in_inbox(node: Node) -> list[LogEntry]:
    """Return what was told to `INBOX`, in one message."""
    commands = _parsed(node.publications.commands(b"PUBLISH"))
    messages = [content for _, channel, content in commands if channel == INBOX.channel]
    rows = [row for content in messages for row in publications.decode_rows(content)]
    assert len(messages) <= 1
    assert {number for number, *_ in rows} <= {INBOX.number}
    return [publications.entry_of(row) for row in rows]


def _write(node: Node, outcome: str = "ok", refused: Container[int] = ()) -> None:
    if not node.scheduled:
        return
    replies = node.write(refused) if outcome != "unsent" else [None] * len(node.take_batch())
    if outcome == "unknown":
        replies = [None] * len(replies)
    if not node.buffer.take_reply(replies[-1], node.publications):
        node.buffer.doubt()
        node.buffer.reconcile(node.top, node.publications)


def _fail_over(node: Node, lost: int) -> None:
    """The new master has less; nothing is written to it before a comparison."""
    kept = len(node.log) - min(lost, len(node.log) - 1)
    node.log = node.log[:kept]
    node.scheduled = 0
    node.buffer.doubt()
    node.buffer.reconcile(node.top, node.publications)


@pytest.mark.parametrize("top", [None, Position(2, 0), Position(0, 7)])
def test_a_log_that_is_gone_or_anothers_is_lost(top: Position | None) -> None:
    node = Node()
    node.buffer.add(events.TextAppended(text="a"))
    node.buffer.doubt()
    node.buffer.reconcile(top, node.publications)
    node.buffer.add(events.TextAppended(text="b"))
    assert node.buffer.state is BufferState.LOST
    assert (node.lost, node.told) == (1, [])


def _say(node: Node, *texts: str) -> None:
    for text in texts:
        node.buffer.add(events.TextAppended(text=text))
        _write(node)


def test_a_failover_may_take_two_seconds_of_a_fast_model() -> None:
    node = Node()
    _say(node, *["word "] * 1000)
    _fail_over(node, 400)
    _write(node)
    assert node.lost == 0
    assert node.log[1:] == node.told


def test_what_is_kept_for_a_failover_is_bounded() -> None:
    node = Node()
    _say(node, *["word " * 100] * 1000)
    _fail_over(node, 2 * write_buffer.KEPT // 500)
    assert node.lost == 1


def test_a_log_that_lost_more_than_is_kept_is_lost() -> None:
    """A hole could not be mended: the epoch is over."""
    node = Node()
    _say(node, *["a" * write_buffer.KEPT] * 2, "b")
    _fail_over(node, 3)
    assert node.lost == 1


def test_what_is_found_in_the_log_makes_room() -> None:
    """Or the generator would wait for ever, where that was all."""
    node = Node()
    node.buffer.add(events.TextAppended(text="a" * write_buffer.ROOM + "a"))
    assert node.buffer.is_full
    _write(node, "unknown")
    assert not node.buffer.is_full


def test_a_closed_buffer_says_nothing_more() -> None:
    node = Node()
    node.buffer.add(events.TextAppended(text="a"))
    replies = node.write()
    node.buffer.close()
    assert node.buffer.take_reply(replies[-1], node.publications)
    assert (node.told, node.lost) == ([], 0)


def test_a_buffer_is_full_when_much_waits() -> None:
    node = Node()
    node.buffer.add(events.TextAppended(text="a" * write_buffer.ROOM))
    assert not node.buffer.is_full
    node.buffer.add(events.TextAppended(text="a"))
    assert node.buffer.is_full
    _write(node, "ok")
    assert not node.buffer.is_full


DRAWN = drawings.cells(WriteBuffer, "..")
OVER = [state for state in BufferState if state.is_over]


def _in_state(state: BufferState, *, more: bool) -> Node:
    """Bring a buffer to *state*, with an acknowledged entry; *more* waits for the batch after."""
    node = Node()
    _say(node, "kept")
    if state is not BufferState.IDLE:
        node.buffer.add(events.TextAppended(text="sent"))
    if state in (BufferState.IN_FLIGHT, BufferState.UNSURE):
        node.buffer.take_batch([])
    if more and state is not BufferState.IDLE:
        node.buffer.add(events.TextAppended(text="more"))
    match state:
        case BufferState.UNSURE:
            node.buffer.doubt()
        case BufferState.LOST | BufferState.TRUNCATED:
            node.buffer.doubt()
            node.buffer.reconcile(LOST[state], Publications())
        case BufferState.CLOSED:
            node.buffer.close()
        case _:
            pass
    assert node.buffer.state is state
    node.lost = 0
    return node


LOST = {BufferState.LOST: Position(2, 0), BufferState.TRUNCATED: Position(1, -1)}
WHOLE, SHORTER = Position(1, 2), Position(1, 0)
STEPS: dict[str, Callable[[Node], object]] = {
    "add": lambda node: node.buffer.add(events.TextAppended(text="new")),
    "take_batch": lambda node: node.buffer.take_batch([]),
    "acknowledged": lambda node: node.buffer.take_reply(b"1-2", node.publications),
    "not acknowledged": lambda node: node.buffer.take_reply(REFUSAL, node.publications),
    "doubt": lambda node: node.buffer.doubt(),
    "found whole": lambda node: node.buffer.reconcile(WHOLE, node.publications),
    "found shorter": lambda node: node.buffer.reconcile(SHORTER, node.publications),
    "found too short": lambda node: node.buffer.reconcile(Position(1, -1), node.publications),
    "found another's": lambda node: node.buffer.reconcile(Position(2, 0), node.publications),
    "found gone": lambda node: node.buffer.reconcile(None, node.publications),
    "close": lambda node: node.buffer.close(),
}


@pytest.mark.parametrize("state", BufferState)
@pytest.mark.parametrize("event", dict.fromkeys(event for event, _ in DRAWN))
def test_the_buffer_goes_where_it_is_drawn(event: str, state: BufferState) -> None:
    """Every event in every state; what is over stays so, says nothing and asks for nothing."""
    step, _, more = event.partition(", ")
    node = _in_state(state, more=bool(more) or state in OVER)
    told, scheduled = list(node.told), node.scheduled
    STEPS[step](node)
    if state in OVER:
        assert node.buffer.state is state
        assert (node.told, node.scheduled, node.lost) == (told, scheduled, 0)
        assert node.buffer.take_batch([]) == 0
        return
    assert node.buffer.state.name == DRAWN[event, state.name]
    asked = node.scheduled - scheduled
    assert asked == (node.buffer.state is BufferState.SCHEDULED is not state)
    assert node.lost == (node.buffer.state in LOST)
