from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.chat_events import (
    Delta,
    TextDelta,
    ThoughtDelta,
    TokenAlternative,
    TokenLogprob,
    ToolCallDelta,
    Usage,
)
from service.generation.chat_model.chat_stream import Completion, EventParser
from service.generation.chat_model.endpoint_errors import RetryableError
from sessions.errors import ServiceError
from tests import doubles

LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=6)


def reason_of(machine: Completion) -> str:
    """Return why the text is not whole."""
    failure = machine.failure
    assert failure is not None
    return failure.error.reason if isinstance(failure, RetryableError) else failure.reason


def text_of(deltas: Iterable[Delta]) -> str:
    """Return what of *deltas* is text."""
    return "".join(one.text for one in deltas if isinstance(one, TextDelta))


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
    chunks = cut(b"".join(doubles.completion(*texts)), places)
    assert "".join(text_of(machine.feed(chunk)) for chunk in chunks) == "".join(texts)
    assert (machine.finish_reason, machine.done, machine.failure) == ("stop", True, None)


def test_neighbouring_texts_are_told_as_one() -> None:
    whole = b"".join(doubles.completion("a", "b", "c"))
    assert Completion().feed(whole) == [TextDelta("abc")]


def test_a_finish_reason_without_done_is_an_end() -> None:
    machine = Completion()
    assert machine.feed(b"".join(doubles.completion("a")[:-1])) == [TextDelta("a")]
    assert (machine.finish_reason, machine.done) == ("stop", False)


def test_done_without_a_finish_reason_is_an_end() -> None:
    machine = Completion()
    machine.feed(doubles.data(doubles.event("a")) + doubles.DONE)
    assert machine.finish_reason == "stop"


def test_a_last_event_may_lack_its_blank_line() -> None:
    machine = Completion()
    machine.feed(doubles.data(doubles.event("a", finish_reason="stop"))[:-1])
    assert machine.end() == [TextDelta("a")]
    assert (machine.finish_reason, machine.failure) == ("stop", None)


def test_an_end_without_a_word_is_a_failure_that_keeps_the_text() -> None:
    machine = Completion()
    assert machine.feed(doubles.data(doubles.event("half"))) == [TextDelta("half")]
    assert machine.end() == []
    assert reason_of(machine) == "MODEL_UNAVAILABLE"


@pytest.mark.parametrize(
    ("said", "finish_reason"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "tool_calls"),
        ("function_call", "tool_calls"),
        ("eos_token", "stop"),
    ],
)
def test_a_finish_reason_comes_after_the_text(said: str, finish_reason: str) -> None:
    machine = Completion()
    deltas = machine.feed(doubles.data(doubles.event("half", finish_reason=said)))
    assert (deltas, machine.finish_reason) == ([TextDelta("half")], finish_reason)


def test_a_refusal_is_filtered() -> None:
    machine = Completion()
    assert machine.feed(doubles.data(doubles.event(refusal="I cannot"))) == []
    assert machine.finish_reason == "content_filter"


def test_what_follows_the_end_is_no_text() -> None:
    machine = Completion()
    machine.feed(doubles.data(doubles.event("a", finish_reason="stop")))
    assert machine.feed(doubles.data(doubles.event("b")) + b"data: {oops\n\n") == []
    assert machine.failure is None


@pytest.mark.parametrize(
    ("delta", "thought"),
    [
        ({"reasoning_content": "hm"}, "hm"),
        ({"reasoning": "hm"}, "hm"),
        ({"reasoning": [{"type": "text", "text": "h"}, {"text": "m"}]}, "hm"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}, "hm"),
        ({"content": {"type": "thinking", "thinking": "hm"}}, "hm"),
    ],
)
def test_thoughts_come_in_many_fields(delta: dict[str, Any], thought: str) -> None:
    event = {"choices": [{"delta": delta}]}
    assert Completion().feed(doubles.data(event)) == [ThoughtDelta(thought)]


def test_content_may_come_in_parts() -> None:
    event = {"choices": [{"delta": {"content": [{"type": "text", "text": "Hello"}]}}]}
    assert Completion().feed(doubles.data(event)) == [TextDelta("Hello")]


def test_log_probabilities_come_with_their_text() -> None:
    alternatives = [{"token": "Hi", "logprob": -0.5, "bytes": None}, {"token": "Yo", "logprob": -2}]
    tokens = [{"token": "Hi", "logprob": -0.5, "bytes": [72], "top_logprobs": alternatives}]
    choice = {"delta": {"content": "Hi"}, "logprobs": {"content": tokens, "refusal": None}}
    best = (TokenAlternative("Hi", -0.5), TokenAlternative("Yo", -2))
    assert Completion().feed(doubles.data({"choices": [choice]})) == [
        TextDelta("Hi", (TokenLogprob("Hi", -0.5, best),))
    ]


def call(arguments: str, *, name: str | None = None, **fields: Any) -> bytes:
    """Return the event of a piece of a tool call."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return doubles.data(doubles.event(None, tool_calls=[{**fields, "function": function}]))


def test_a_tool_call_comes_in_pieces() -> None:
    machine = Completion()
    said = call("", name="look_up", index=0, id="c1", type="function") + call('{"a"', index=0)
    assert machine.feed(said + call(":1}", index=0) + doubles.data(doubles.event())) == [
        ToolCallDelta(0, "c1", "look_up"),
        ToolCallDelta(0, arguments='{"a"'),
        ToolCallDelta(0, arguments=":1}"),
    ]


@pytest.mark.parametrize("indexes", [(0, 1), (0, 0), (None, None), (3, 7), (-1, -1)])
def test_calls_are_numbered_whatever_the_server_says(indexes: tuple[int | None, ...]) -> None:
    machine = Completion()
    said = [call("{}", name="f", index=n, id=f"c{i}") for i, n in enumerate(indexes)]
    assert [
        one.index for one in machine.feed(b"".join(said)) if isinstance(one, ToolCallDelta)
    ] == [
        0,
        1,
    ]


def test_names_and_ids_of_calls_count_as_text() -> None:
    machine = Completion()
    piece = call("", index=0, id="c" * 300_000, name="f" * 300_000)
    machine.feed(piece + piece)
    assert isinstance(machine.failure, ServiceError)
    assert machine.failure.reason == "MODEL_TOO_LONG"


def test_a_stop_after_a_call_is_an_end_in_calls() -> None:
    machine = Completion()
    machine.feed(
        call("{}", name="f", index=0, id="c1") + doubles.data(doubles.event(finish_reason="stop"))
    )
    assert machine.finish_reason == "tool_calls"


def test_the_usage_that_was_told_last_counts_also_after_the_end() -> None:
    def usage(completion: int) -> bytes:
        said = {"prompt_tokens": 3, "completion_tokens": completion}
        return doubles.data({"choices": [], "usage": said})

    machine = Completion()
    machine.feed(doubles.data(doubles.event("a", finish_reason="stop")) + usage(1))
    machine.feed(usage(2) + doubles.DONE)
    assert machine.usage == Usage(prompt=3, completion=2)


SILENT: list[Any] = [
    {"choices": []},
    {"choices": None},
    {"choices": [], "usage": {"total_tokens": 3}},
    {"choices": [{"delta": {}, "finish_reason": None}]},
    {"choices": [{"delta": {"role": "assistant", "content": None}}]},
    {"choices": [{"delta": {"reasoning_content": ""}, "logprobs": None}], "usage": None},
    {"choices": [{"index": 0, "finish_reason": ""}]},
]


@pytest.mark.parametrize("event", SILENT)
def test_events_without_text_say_nothing(event: object) -> None:
    machine = Completion()
    assert machine.feed(doubles.data(event)) == []
    assert (machine.finish_reason, machine.failure) == (None, None)


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
    told = machine.feed(doubles.data(doubles.event("a")) + event + doubles.data(doubles.event("b")))
    assert told == [TextDelta("a")]
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
