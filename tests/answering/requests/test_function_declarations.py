"""Declared functions as an endpoint is offered them, and the modes of calling."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.answering.requests import function_declarations
from service.answering.requests.function_declarations import Functions
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import GenerateContentRequest

WEATHER = {
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {"type": "OBJECT", "properties": {"place": {"type": "STRING"}}},
}
HOURS = {
    "name": "hours",
    "parametersJsonSchema": {"properties": {"day": {"type": "string"}}, "required": ["day"]},
}
CONFIG = "toolConfig.functionCallingConfig"


def read(*declared: dict[str, Any], **config: Any) -> Functions | None:
    body = {
        "tools": [{"functionDeclarations": [one]} for one in declared],
        "toolConfig": {"functionCallingConfig": config},
    }
    request = json_codec.decode(GenerateContentRequest, msgspec.json.encode(body))
    return function_declarations.read(request.tools, request.tool_config)


def found(*declared: dict[str, Any], **config: Any) -> Functions:
    functions = read(*declared, **config)
    assert functions is not None
    return functions


def test_declarations_become_tools_of_an_endpoint() -> None:
    assert list(msgspec.to_builtins(found(WEATHER, HOURS, {"name": "ping"}).tools)) == [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "Tells the weather.",
                "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
            },
        },
        {
            "type": "function",
            "function": {
                "name": "hours",
                "parameters": {
                    "type": "object",
                    "properties": {"day": {"type": "string"}},
                    "required": ["day"],
                },
            },
        },
        {
            "type": "function",
            "function": {"name": "ping", "parameters": {"type": "object", "properties": {}}},
        },
    ]


NOTHING: dict[str, Any] = {}
NAMED = {"type": "function", "function": {"name": "hours"}}


@pytest.mark.parametrize(
    ("config", "choice", "names", "must_call", "must_match"),
    [
        ({}, None, ["get_weather", "hours"], False, False),
        ({"mode": "AUTO"}, None, ["get_weather", "hours"], False, False),
        ({"mode": "VALIDATED"}, None, ["get_weather", "hours"], False, True),
        ({"mode": "ANY"}, "required", ["get_weather", "hours"], True, True),
        ({"mode": "ANY", "allowedFunctionNames": ["hours"]}, NAMED, ["hours"], True, True),
        ({"mode": "VALIDATED", "allowedFunctionNames": ["hours"]}, None, ["hours"], False, True),
    ],
)
def test_a_mode_says_whether_to_call(
    config: dict[str, Any], choice: Any, names: list[str], must_call: bool, must_match: bool
) -> None:
    functions = found(WEATHER, HOURS, **config)
    assert msgspec.to_builtins(functions.choice) == choice
    assert [tool.function.name for tool in functions.tools] == names
    assert (functions.must_call, functions.must_match) == (must_call, must_match)


def test_with_none_it_is_as_if_nothing_was_declared() -> None:
    assert read(WEATHER, mode="NONE") is None
    assert read() is None
    assert read(mode="NONE") is None


@pytest.mark.parametrize(
    ("declared", "config", "field"),
    [
        ([NOTHING], NOTHING, "tools[0].functionDeclarations[0].name"),
        ([{"name": "a b"}], NOTHING, "tools[0].functionDeclarations[0].name"),
        ([{"name": "a" * 65}], NOTHING, "tools[0].functionDeclarations[0].name"),
        ([HOURS, HOURS], NOTHING, "tools[1].functionDeclarations[0].name"),
        (
            [{"name": "a", "parameters": {"type": "STRING"}}],
            NOTHING,
            "tools[0].functionDeclarations[0].parameters.type",
        ),
        (
            [{"name": "a", "parameters": {"items": {"type": "X"}}}],
            NOTHING,
            "tools[0].functionDeclarations[0].parameters.items.type",
        ),
        (
            [HOURS | WEATHER],
            NOTHING,
            "tools[0].functionDeclarations[0].parametersJsonSchema",
        ),
        (
            [{"name": "a", "parametersJsonSchema": [3]}],
            NOTHING,
            "tools[0].functionDeclarations[0].parametersJsonSchema",
        ),
        ([], {"mode": "ANY"}, f"{CONFIG}.mode"),
        ([], {"mode": "VALIDATED"}, f"{CONFIG}.mode"),
        ([HOURS], {"allowedFunctionNames": ["hours"]}, f"{CONFIG}.allowedFunctionNames"),
        (
            [HOURS],
            {"mode": "ANY", "allowedFunctionNames": ["hours", "other"]},
            f"{CONFIG}.allowedFunctionNames[1]",
        ),
        (
            [{"name": f"f{at}"} for at in range(513)],
            NOTHING,
            "tools[512].functionDeclarations[0]",
        ),
        (
            [
                {"name": f"f{at}", "parametersJsonSchema": {"title": "x" * 60_000}}
                for at in range(9)
            ],
            NOTHING,
            "tools[8].functionDeclarations[0]",
        ),
    ],
)
def test_what_cannot_be_used_is_named(
    declared: list[dict[str, Any]], config: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        read(*declared, **config)
    assert refusal.value.field == field
