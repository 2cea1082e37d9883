"""Arguments that are told while they are written, wherever the pieces are cut."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.views.partial_arguments import PartialArguments
from sessions.resources.contents import NullValue, PartialArg

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-9, 9) | TEXTS,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(TEXTS, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


def told(*pieces: str) -> list[PartialArg]:
    machine = PartialArguments()
    return [arg for piece in pieces for arg in machine.feed(piece)]


def value(arg: PartialArg) -> Any:
    if arg.null_value is NullValue.NULL_VALUE:
        return None
    return next(
        one for one in (arg.string_value, arg.number_value, arg.bool_value) if one is not None
    )


def leaves(given: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    inner: Any = given
    if isinstance(given, dict):
        return [leaf for key, one in inner.items() for leaf in leaves(one, (*path, key))]
    if isinstance(given, list):
        return [leaf for at, one in enumerate(inner) for leaf in leaves(one, (*path, at))]
    return [(path, given)]


@given(
    arguments=st.dictionaries(TEXTS, VALUES, max_size=3),
    ascii_only=st.booleans(),
    size=st.integers(1, 9),
)
def test_every_value_is_told_once(arguments: dict[str, Any], ascii_only: bool, size: int) -> None:
    text = json.dumps(arguments, ensure_ascii=ascii_only)
    args = told(*(text[at : at + size] for at in range(0, len(text), size)))
    found: list[Any] = []
    open_text: str | None = None
    for arg in args:
        one = value(arg)
        if open_text is not None:
            found[-1] += one
        else:
            found.append(one)
        open_text = arg.json_path if arg.will_continue else None
    assert found == [leaf for _, leaf in leaves(arguments)]
    assert open_text is None


def test_a_value_is_told_with_its_path() -> None:
    text = '{"place": {"name": "A"}, "days": [1, {"a b": true}], "it\'s": null, "é": -0.5 }'
    assert [(arg.json_path, value(arg)) for arg in told(text)] == [
        ("$.place.name", "A"),
        ("$.days[0]", 1.0),
        ("$.days[1]['a b']", True),
        ("$['it\\'s']", None),
        ("$['\\u00e9']", -0.5),
    ]


def test_a_long_text_comes_as_it_is_written() -> None:
    args = told('{"text": "Dear', " reader, ", "\\ud83d", '\\ude00"', "}")
    assert [(arg.string_value, arg.will_continue) for arg in args] == [
        ("Dear", True),
        (" reader, ", True),
        ("😀", False),
    ]
    assert {arg.json_path for arg in args} == {"$.text"}


def test_an_empty_text_is_a_value() -> None:
    assert [value(arg) for arg in told('{"text": "', '"}')] == [""]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1]",
        "null",
        "{]",
        '{"a" 1}',
        '{"a": nul }',
        '{"a": 01 }',
        '{"a": 0x1 }',
        "{'a': 1}",
        '{"a\\x": 1}',
        '{"a": "\\x"}',
        '{"' + "a" * 5_000,
        '{"a": ' + "1" * 5_000,
        '{"a": ' + "9" * 399 + " ",
        '{"a": ' * 5_000 + "1",
        '{"a": ' + "[" * 5_000 + "1",
    ],
)
def test_what_is_no_json_ends_it(text: str) -> None:
    assert told(text, ', "b": 1}', '{"c": 2}') == []


def test_what_follows_the_arguments_is_not_told() -> None:
    assert [value(arg) for arg in told('{"a": 1}', '{"b": 2}')] == [1.0]
