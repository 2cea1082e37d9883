"""What an answer has to say gets into its log once and in order, whatever Redis does."""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence

import hiredis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.exceptions import ResponseError

from streaming.log import event_log, events, write_buffer
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.log.write_buffer import WriteBuffer
from tests.streaming import doubles

APPEND = b"*6\r\n$4\r\nXADD\r\n$3\r\nlog\r\n$10\r\nNOMKSTREAM\r\n"
REFUSAL = ResponseError("refused")

text_events = st.sampled_from(["a", "b", "é"]).map(lambda text: events.TextAppended(text=text))
other_events = st.just(events.RelatedFound(("q",)))


class Node:
    """A Redis that holds one log, and the writer's side of it."""

    def __init__(self) -> None:
        self.log: list[LogEntry] = [LogEntry(Position(1, 0), events.Started(at=doubles.AT))]
        self.told: list[LogEntry] = []
        self.news: list[bytes] = []
        self.lost = 0
        self.marked = 0
        self.draft = WriteBuffer(
            "a", Position(1, 0), (b"log", APPEND, b""), mark=self._mark, tell=self._tell,
            on_lost=self._lose,
        )  # fmt: skip

    def _mark(self, draft: WriteBuffer) -> None:
        self.marked += 1

    def _tell(self, entries: Sequence[LogEntry]) -> None:
        self.told += entries

    def _lose(self) -> None:
        self.lost += 1

    @property
    def top(self) -> Position:
        return self.log[-1].position

    def seal(self) -> list[list[bytes]]:
        """Return the commands that the draft sends."""
        assert self.marked == 1
        self.marked = 0
        parts: list[bytes] = []
        count = self.draft.seal(parts)
        reader = hiredis.Reader()
        reader.feed(b"".join(parts))
        commands = [reader.gets() for _ in range(count)]
        assert not reader.has_data()
        return commands

    def write(self, refused: Container[int] = ()) -> list[object]:
        """Do what the draft sends, as Redis does it, and return the replies.

        It has no memory for the *refused* of the commands.
        """
        replies: list[object] = []
        queued: list[list[bytes]] | None = None
        spoilt = False
        for number, command in enumerate(self.seal()):
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


@given(st.lists(text_events | other_events, max_size=12))
def test_only_neighbouring_text_is_joined(told: list[events.AnswerEvent]) -> None:
    joined = write_buffer.joined(told)

    def spelled(sequence: Sequence[events.AnswerEvent]) -> str:
        return "".join(e.text if isinstance(e, events.TextAppended) else "|" for e in sequence)

    assert spelled(joined) == spelled(told)
    kinds = [type(event) for event in joined]
    assert (events.TextAppended, events.TextAppended) not in itertools.pairwise(kinds)


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
            node.draft.add(what)
    while node.marked:
        _write(node, "ok")
    assert node.lost == 0
    assert write_buffer.joined([entry.event for entry in node.told]) == write_buffer.joined(said)
    assert node.log[1:] == node.told
    heard = [event_log.decode_payload(told.split(b"\r\n", 1)[1][:-2]) for told in node.news]
    assert heard == node.told
    assert [entry.position.seq for entry in node.log] == list(range(len(node.log)))


def _write(node: Node, outcome: str = "ok", refused: Container[int] = ()) -> None:
    if not node.marked:
        return
    replies = node.write(refused) if outcome != "unsent" else [None] * len(node.seal())
    if outcome == "unknown":
        replies = [None] * len(replies)
    if not node.draft.settle(replies, 0, len(replies), node.news):
        node.draft.reconcile(node.top, node.news)


def _fail_over(node: Node, lost: int) -> None:
    """The new master has less; nothing is written to it before a comparison."""
    kept = len(node.log) - min(lost, len(node.log) - 1)
    node.log = node.log[:kept]
    node.marked = 0
    node.draft.busy = True
    node.draft.reconcile(node.top, node.news)


@pytest.mark.parametrize("top", [None, Position(2, 0), Position(0, 7)])
def test_a_log_that_is_gone_or_anothers_is_lost(top: Position | None) -> None:
    node = Node()
    node.draft.add(events.TextAppended(text="a"))
    node.draft.reconcile(top, node.news)
    node.draft.add(events.TextAppended(text="b"))
    assert node.draft.lost
    assert (node.lost, node.told) == (1, [])


def _say(node: Node, *texts: str) -> None:
    for text in texts:
        node.draft.add(events.TextAppended(text=text))
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
    node.draft.add(events.TextAppended(text="a" * write_buffer.ROOM + "a"))
    assert node.draft.is_full
    _write(node, "unknown")
    assert not node.draft.is_full


def test_a_closed_draft_says_nothing_more() -> None:
    node = Node()
    node.draft.add(events.TextAppended(text="a"))
    replies = node.write()
    node.draft.close()
    assert node.draft.settle(replies, 0, len(replies), node.news)
    assert (node.told, node.lost) == ([], 0)


def test_a_draft_is_full_when_much_waits() -> None:
    node = Node()
    node.draft.add(events.TextAppended(text="a" * write_buffer.ROOM))
    assert not node.draft.is_full
    node.draft.add(events.TextAppended(text="a"))
    assert node.draft.is_full
    _write(node, "ok")
    assert not node.draft.is_full
