"""No body nests deeper, or holds more, than its bound; none raises but InvalidArgument."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.codec import json_codec, tolerant_readers
from sessions.errors import InvalidArgument
from sessions.resources import (
    answers,
    documents,
    engines,
    generate_content,
    search_requests,
    user_events,
)
from sessions.resources import sessions as session_resources

Document = documents.Document


def nested(depth: int) -> bytes:
    """Return a document of *depth* levels, with brackets in its strings."""
    inner = b'["]]{\\"[", ' * (depth - 2) + b"1" + b"]" * (depth - 2)
    return b'{"structData": {"a": ' + inner + b"}}"


def test_nesting_is_bounded_whatever_the_strings_hold() -> None:
    assert (json_codec.MAX_DEPTH, json_codec.MAX_VALUES) == (64, 100_000)  # as the guide says
    json_codec.decode(Document, nested(json_codec.MAX_DEPTH))
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(Document, nested(json_codec.MAX_DEPTH + 1))
    assert refusal.value.reason == "TOO_DEEP"


@pytest.mark.parametrize("value", [b"[]", b"{}", b"1", b'"a"', b"null", b'["\\"",[]]'])
def test_the_number_of_values_is_bounded(value: bytes) -> None:
    """A hundred thousand are built in milliseconds, ten million in seconds."""
    few = b'{"structData": {"a": [' + b",".join([value] * 20_000) + b"]}}"
    assert json_codec.decode(Document, few).struct_data is not None
    for body in (b"[", b'{"x": [', b'{"structData": {"a": ['):
        with pytest.raises(InvalidArgument) as refusal:
            json_codec.decode(Document, body + b",".join([value] * (json_codec.MAX_VALUES + 1)))
        assert refusal.value.reason == "TOO_MANY_VALUES"


@pytest.mark.parametrize("text", ["[],{", 'a "quoted", text', "a\\,", '\\",'])
def test_what_a_text_holds_is_no_value(text: str) -> None:
    body = msgspec.json.encode({"structData": {"a": text * json_codec.MAX_VALUES, "b": [text]}})
    assert json_codec.decode(Document, body).struct_data is not None


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"structData":'])
def test_a_bomb_of_brackets_is_refused(opening: bytes) -> None:
    with pytest.raises(InvalidArgument):
        json_codec.decode(Document, opening * 100_000)


def test_much_that_is_flat_is_not_deep() -> None:
    body = b'{"structData": {"a": [' + b'["\\\\"],' * 5000 + b"[]]}}"
    assert json_codec.decode(Document, body).struct_data is not None


@given(
    value=st.recursive(
        st.none() | st.text(st.sampled_from('[]{}"\\ é'), max_size=6),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
        max_leaves=200,
    ),
    wraps=st.integers(0, 70),
)
def test_depth_is_what_a_walk_finds(value: Any, wraps: int) -> None:
    """The check by deleted brackets agrees with counting levels."""

    def depth(item: Any) -> int:
        match item:
            case dict():
                return 1 + max(map(depth, cast(dict[str, Any], item).values()), default=0)
            case list():
                return 1 + max(map(depth, cast(list[Any], item)), default=0)
            case _:
                return 0

    for _ in range(wraps):
        value = [value]
    body = msgspec.json.encode({"structData": {"a": value}})
    if depth(value) + 2 <= json_codec.MAX_DEPTH:
        assert json_codec.decode(Document, body).struct_data == {"a": value}
    else:
        with pytest.raises(InvalidArgument):
            json_codec.decode(Document, body)


FUZZED = [
    answers.Answer,
    session_resources.Session,
    documents.ImportDocumentsRequest,
    engines.Engine,
    search_requests.SearchRequest,
    generate_content.GenerateContentRequest,
    user_events.UserEvent,
]
NAMES = sorted({name for type_ in FUZZED for name in tolerant_readers.message(type_).fields})
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**66), 2**66)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "0", "-1.0", "1e400", "YQ", "3s", "IN_PROGRESS", "2026-01-01T00:00:00Z"])
    | st.sampled_from(["9999-12-31T23:59:59.9999999Z", "0001-01-01T00:00:00+23:59", "a.b", "٣"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(body=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4), ignore=st.booleans())
def test_whatever_comes_is_read_or_refused(body: dict[str, Any], ignore: bool) -> None:
    """And what was read is written and read again without a change."""
    for type_ in FUZZED:
        try:
            value = json_codec.decode(type_, msgspec.json.encode(body), ignore_unknown=ignore)
        except InvalidArgument:
            continue
        assert json_codec.decode(type_, json_codec.encode(value)) == value


@given(body=st.binary(max_size=40))
def test_whatever_bytes_come_are_refused(body: bytes) -> None:
    with pytest.raises(InvalidArgument):
        json_codec.decode(Document, b"\x00" + body)
