"""The filter grammar of lists."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.errors import InvalidArgument
from sessions.listing import filters
from sessions.listing.filters import FilterField, Value


class Row(NamedTuple):
    name: str = ""
    pinned: bool = False
    labels: tuple[str, ...] = ()
    at: dt.datetime | None = None


FIELDS: dict[str, FilterField[Row]] = {
    "user_name": FilterField(Value.TEXT, lambda row: row.name),
    "pinned": FilterField(Value.BOOL, lambda row: row.pinned),
    "labels": FilterField(Value.LIST, lambda row: row.labels),
    "at": FilterField(Value.TIME, lambda row: row.at),
    "kind": FilterField(Value.TEXT, lambda row: row.name, ("ann", "bob")),
    "kinds": FilterField(Value.LIST, lambda row: row.labels, ("x", "w")),
}
NOON = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)
ROW = Row("ann", True, ("x", "y z"), NOON)


def _matches(text: str, row: Row = ROW) -> bool:
    parsed = filters.parse(text, FIELDS)
    assert parsed is not None
    return parsed.matches(row)


@pytest.mark.parametrize(
    "text",
    [
        'user_name = "ann"',
        "userName=ann",
        "user_name:ann",
        "user_name != bob",
        "user_name:*",
        "pinned = true",
        "pinned:true",
        "pinned != false",
        'pinned = "true"',
        "labels:x",
        'labels : "y z"',
        "labels:*",
        "NOT labels:z",
        "-labels:z",
        "NOT (labels:z OR pinned=false)",
        'at = "2026-01-31T12:00:00Z"',
        'at < "2026-01-31T12:00:00.000001Z" AND at <= "2026-01-31T13:00:00+01:00"',
        'at > "2026-01-31T12:59:59+01:00", at >= "2026-01-31T12:00:00Z"',
        "user_name=bob AND pinned=true OR labels:x",  # AND binds tighter
        "labels:x OR user_name=bob AND pinned=false",
        "(((pinned=true)))",
        "  pinned\t=\n true  ",
    ],
)
def test_a_row_matches(text: str) -> None:
    assert _matches(text)
    assert not _matches(f"NOT ({text})")


@pytest.mark.parametrize(
    "text",
    [
        "user_name = Ann",
        "user_name != *",
        "user_name = bob, pinned=true",
        "(labels:x OR user_name=bob) AND pinned=false",
        "labels:y",
        'at > "2026-01-31T12:00:00Z"',
    ],
)
def test_a_row_does_not_match(text: str) -> None:
    assert not _matches(text)


def test_a_quoted_star_is_a_star() -> None:
    assert not _matches('user_name = "*"')
    assert _matches('user_name = "*"', Row("*"))


def test_what_is_not_set_compares_with_nothing() -> None:
    empty = Row()
    assert not _matches('at < "2026-01-31T12:00:00Z"', empty)
    assert not _matches("user_name:* OR labels:* OR at:* OR pinned:*", empty)
    assert _matches("user_name != ann", empty)
    assert _matches('user_name = ""', empty)


def test_a_quoted_line_break_is_a_line_break() -> None:
    assert _matches('user_name = "a\\\nb"', Row("a\nb"))


@given(st.text(max_size=30))
def test_any_text_can_be_quoted(text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    assert _matches(f'user_name = "{quoted}"', Row(text))


@pytest.mark.parametrize("empty", ["", "  \n"])
def test_an_empty_filter_is_none(empty: str) -> None:
    assert filters.parse(empty, FIELDS) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("size = 3", "there are at, kind, kinds, labels, pinned, user_name"),
        ("user_name > ann", "'>' does not apply to user_name"),
        ("labels = x", "'=' does not apply to labels"),
        ('at : "2026-01-31T12:00:00Z"', "':' does not apply to at"),
        ("labels < *", "'<' does not apply to labels"),
        ("pinned = yes", "pinned is true or false"),
        ("at > yesterday", "RFC 3339"),
        ('at > "2026-01-31T12:00:00"', "RFC 3339"),
        ("user_name", "expected a comparison"),
        ("user_name =", "expected a name or value"),
        ("user_name = AND", "expected a name or value"),
        ("= ann", "expected a name or value"),
        ("pinned = true pinned = true", "character 15: expected AND, OR or the end"),
        ("pinned = true AND", "expected a name or value"),
        ("pinned = true and pinned = true", "expected AND, OR"),
        ("(pinned = true", "expected ')'"),
        ("pinned = true)", "expected AND, OR"),
        ("NOT NOT pinned = true", "expected a name or value"),
        ('user_name = "ann', "cannot read it from character 13"),
        ("(" * 21 + "pinned=true" + ")" * 21, "at most 20"),
        ("x" * 4097, "at most 4096"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, part: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        filters.parse(text, FIELDS)
    assert part in refused.value.message
    assert refused.value.field == "filter"


def test_a_filter_is_as_deep_and_as_long_as_it_may_be() -> None:
    """Depth is counted within each other: what stands side by side is not deeper."""
    assert (filters.MAX_DEPTH, filters.MAX_LENGTH) == (20, 4096)  # as the guide says
    deepest = filters.MAX_DEPTH - 1  # the whole is the first
    nested = "(" * deepest + "pinned=true" + ")" * deepest
    assert _matches(nested)
    assert _matches(" AND ".join([nested] * 3))
    assert _matches("pinned=true".ljust(filters.MAX_LENGTH))
    with pytest.raises(InvalidArgument, match="within each other"):
        filters.parse(f"({nested})", FIELDS)
    with pytest.raises(InvalidArgument, match="within each other"):
        filters.parse(f"pinned=true AND (({nested}))", FIELDS)
    with pytest.raises(InvalidArgument, match=f"at most {filters.MAX_LENGTH}"):
        filters.parse("pinned=true".ljust(filters.MAX_LENGTH + 1), FIELDS)


def test_a_minus_belongs_to_the_value_behind_it() -> None:
    assert _matches("user_name = -5", Row("-5"))
    assert _matches("user_name = -5 AND pinned = false", Row("-5"))
    assert not _matches("user_name = -5", Row("5"))
    for text in ('user_name = -"5"', "user_name = -(5)", "at > -5"):
        with pytest.raises(InvalidArgument):
            filters.parse(text, FIELDS)


@given(st.text(alphabet='ab=<>!:"\\()-, *NOTANDORpinned=true', max_size=40))
def test_nothing_else_goes_wrong(text: str) -> None:
    try:
        parsed = filters.parse(text, FIELDS)
    except InvalidArgument:
        return
    assert parsed is None or parsed.matches(ROW) in {True, False}


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("user_name = ann", {"user_name": "ann"}),
        ("user_name:ann AND labels:x", {"user_name": "ann"}),
        ("labels:x, (user_name=ann)", {"user_name": "ann"}),
        ("user_name = ann OR user_name = bob", {}),
        ("user_name = ann AND pinned=true OR labels:x AND user_name = ann", {"user_name": "ann"}),
        ("NOT user_name = ann", {}),
        ("user_name != ann", {}),
        ("user_name = *", {}),
        ("pinned = true", {}),
    ],
)
def test_it_says_what_every_match_must_have(text: str, required: dict[str, str]) -> None:
    parsed = filters.parse(text, FIELDS)
    assert parsed is not None
    assert parsed.required == required


@pytest.mark.parametrize("text", ["kind = ann", 'kind: "ann"', "kind != bob", "kinds:x", "kinds:*"])
def test_a_name_of_an_enum_is_compared(text: str) -> None:
    assert _matches(text)


@pytest.mark.parametrize(
    "text", ["kind = NOPE", "kind != NOPE", "NOT kind: Ann", 'kind = ""', "kind = 1", "kinds:NOPE"]
)
def test_what_is_no_name_of_an_enum_is_refused(text: str) -> None:
    """It would find nothing, or everything, for ever, and nobody would know why."""
    with pytest.raises(InvalidArgument, match="is one of ") as refused:
        filters.parse(text, FIELDS)
    assert refused.value.field == "filter"
