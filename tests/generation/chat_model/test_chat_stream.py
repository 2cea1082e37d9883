from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.chat_stream import Completion, EventParser
from service.generation.chat_model.endpoint_errors import RetryableError
from tests import doubles

LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=6)


def reason_of(machine: Completion) -> str:
    """Return why the text is not whole."""
    failure = machine.failure
    assert failure is not None
    return failure.error.reason if isinstance(failure, RetryableError) else failure.reason


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    """Cut *stream* at *places*, taken modulo its length."""
    ends = sorted({place % (len(stream) + 1) for place in places} | {len(stream)})
    return [stream[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n")), min_size=1)
    ),
    LINE_ENDS,
    st.lists(st.integers(0, 10_000)),
)
def test_events_are_the_same_wherever_the_bytes_are_cut(
    events: list[list[str]], end: bytes, places: list[int]
) -> None:
    """Inside a character, a line end, a field name: nothing is lost, doubled or moved."""
    lines = [
        b": comment"
        + end
        + b"event: x"
        + end
        + b"".join(b"data: " + d.encode() + end for d in data)
        for data in events
    ]
    parser = EventParser()
    found = [e for chunk in cut(end.join([*lines, b""]), places) for e in parser.feed(chunk)]
    assert found == ["\n".join(data).encode() for data in events]


def test_the_space_after_the_colon_may_be_left_out_and_only_one_belongs_to_the_field() -> None:
    assert EventParser().feed(b"data:a\n\ndata:  b\n\n") == [b"a", b" b"]


def test_lines_without_data_make_no_event() -> None:
    assert EventParser().feed(b": ping\n\n\n\nid: 7\nretry: 1\n\ndatum: x\n\n") == []


def test_an_endless_event_is_refused() -> None:
    parser = EventParser()
    parser.feed(b"data: " + b"x" * 1_000_000)
    with pytest.raises(ValueError, match="1 MiB"):
        parser.feed(b"x" * 100_000)


def test_an_event_of_countless_lines_is_refused() -> None:
    parser = EventParser()
    with pytest.raises(ValueError, match="1 MiB"):
        for _ in range(200):
            parser.feed(b"data:\n" * 2_000)


@pytest.mark.parametrize("repeated", [b"x", b"data:\n", b": x\n", b"\r"])
def test_the_work_grows_no_faster_than_the_bytes(repeated: bytes) -> None:
    def cost(count: int) -> float:
        parser = EventParser()
        parser.feed(b"data: ")
        started = time.thread_time()
        for _ in range(count):
            parser.feed(repeated * 8)
        return time.thread_time() - started

    assert min(cost(16_000) for _ in range(2)) < 32 * min(cost(2_000) for _ in range(3))


@given(TEXTS, st.lists(st.integers(0, 100_000)))
def test_the_texts_of_a_completion_join_to_its_text(texts: list[str], places: list[int]) -> None:
    machine = Completion()
    told = "".join(map(machine.feed, cut(b"".join(doubles.completion(*texts)), places)))
    assert told == "".join(texts)
    assert machine.finished
    assert machine.failure is None


def test_a_finish_reason_without_done_is_an_end() -> None:
    machine = Completion()
    assert machine.feed(b"".join(doubles.completion("a")[:-1])) == "a"
    assert machine.finished


def test_done_without_a_finish_reason_is_an_end() -> None:
    machine = Completion()
    machine.feed(doubles.data(doubles.event("a")) + doubles.DONE)
    assert machine.finished


def test_a_last_event_may_lack_its_blank_line() -> None:
    machine = Completion()
    machine.feed(doubles.data(doubles.event("a", finish_reason="stop"))[:-1])
    assert machine.end() == "a"
    assert machine.finished
    assert machine.failure is None


def test_an_end_without_a_word_is_a_failure_that_keeps_the_text() -> None:
    machine = Completion()
    assert machine.feed(doubles.data(doubles.event("half"))) == "half"
    assert machine.end() == ""
    assert reason_of(machine) == "MODEL_UNAVAILABLE"


@pytest.mark.parametrize(
    ("finish_reason", "reason"),
    [
        ("length", "MODEL_TRUNCATED"),
        ("content_filter", "MODEL_FILTERED"),
        ("tool_calls", "MODEL_MALFORMED"),
    ],
)
def test_an_end_that_is_not_the_text_s_is_a_failure_after_the_text(
    finish_reason: str, reason: str
) -> None:
    machine = Completion()
    assert machine.feed(doubles.data(doubles.event("half", finish_reason=finish_reason))) == "half"
    assert reason_of(machine) == reason


def test_a_refusal_is_filtered() -> None:
    machine = Completion()
    assert machine.feed(doubles.data(doubles.event(refusal="I cannot"))) == ""
    assert reason_of(machine) == "MODEL_FILTERED"


SILENT: list[Any] = [
    {"choices": []},
    {"choices": None},
    {"choices": [], "usage": {"total_tokens": 3}},
    {"choices": [{"delta": {}, "finish_reason": None}]},
    {"choices": [{"delta": {"role": "assistant", "content": None}}]},
    {"choices": [{"delta": {"reasoning_content": "hm"}, "logprobs": None}]},
    {"choices": [{"index": 0, "finish_reason": ""}]},
]


@pytest.mark.parametrize("event", SILENT)
def test_events_without_text_say_nothing(event: object) -> None:
    machine = Completion()
    assert machine.feed(doubles.data(event)) == ""
    assert (machine.finished, machine.failure) == (False, None)


@pytest.mark.parametrize(
    "event",
    [
        b"data: {\n\n",
        b"data: oops\n\n",
        b"data: []\n\n",
        b'data: {"choices": 3}\n\n',
        b'data: {"choices": [{"delta": {"content": "\xff\xfe"}}]}\n\n',
        b"data: " + b"[" * 100_000 + b"\n\n",
        b'data: {"x": ' + b"[" * 100_000 + b"\n\n",
    ],
    ids=lambda event: str(event[:40]),
)
def test_what_is_no_completion_is_a_failure_at_once(event: bytes) -> None:
    """Text may have been in it: to go on would leave a hole that nobody sees."""
    machine = Completion()
    text = machine.feed(doubles.data(doubles.event("a")) + event + doubles.data(doubles.event("b")))
    assert text == "a"
    assert reason_of(machine) == "MODEL_MALFORMED"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"message": "too many", "type": "rate_limit_error"}, "MODEL_RATE_LIMITED"),
        ({"message": "slow", "code": 429}, "MODEL_RATE_LIMITED"),
        ({"message": "boom", "code": "server_error"}, "MODEL_UNAVAILABLE"),
        ("out of memory", "MODEL_UNAVAILABLE"),
    ],
)
def test_an_error_among_the_events_is_a_failure(error: object, reason: str) -> None:
    machine = Completion()
    machine.feed(doubles.data({"error": error}))
    assert reason_of(machine) == reason
