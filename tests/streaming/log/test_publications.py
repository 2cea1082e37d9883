"""What other replicas are told of a batch, in one message for each."""

from __future__ import annotations

from hypothesis import given

from sessions.redis.resp_socket import pack
from streaming.log import events, publications
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.log.publications import FollowRequest, Inbox, Publications
from tests.streaming import doubles
from tests.streaming.log.histories import lawful

ONE = Inbox("one", 1, b"{p1}one")
OTHER = Inbox("one", 2, b"{p2}one")
STRANGER = Inbox("stranger", 1, b"{p1}stranger")


def entry(seq: int) -> LogEntry:
    return LogEntry(Position(3, seq), events.TextAppended(text=f"{seq}"))


@given(lawful())
def test_every_event_is_told_as_it_is(history: list[events.AnswerEvent]) -> None:
    for seq, event in enumerate(history):
        whole = LogEntry(Position(1, seq), event)
        assert publications.entry_of(publications.row(1, whole)) == whole


def test_an_entry_that_writes_the_answer_anew_says_so() -> None:
    anew = LogEntry(Position(2, 0), events.Started(at=doubles.AT), reset=True)
    assert publications.entry_of(publications.row(1, anew)) == anew


def test_a_replica_gets_one_message_for_all_answers_of_a_batch() -> None:
    batch = Publications()
    batch.add([b"command of a channel"])
    batch.address([ONE, STRANGER], entry(1))
    batch.address([OTHER], entry(5))
    channel, own, strangers = batch.commands(b"SPUBLISH")
    assert channel == b"command of a channel"
    assert own == _message(ONE.channel, (1, 3, 1, "d", "1"), (2, 3, 5, "d", "5"))
    assert strangers == _message(STRANGER.channel, (1, 3, 1, "d", "1"))


def _message(channel: bytes, *rows: publications.Row) -> bytes:
    return pack(b"SPUBLISH", channel, publications.encode_rows(rows))


def test_a_request_is_read_as_it_was_written() -> None:
    request = FollowRequest("answer", "replica", 7)
    assert publications.decode_request(publications.encode_request(request)) == request
