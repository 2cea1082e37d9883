"""Schemas of callers: what is taken, what is refused before it can cost anything."""

from __future__ import annotations

from typing import Any

import pytest

from service.answering.requests import json_schemas
from sessions.errors import InvalidArgument

NODE = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}


ANY: dict[str, Any] = {}
WIDE: list[list[list[Any]]] = [[[]]]


def chain(links: int, *, width: int) -> dict[str, Any]:
    """Return definitions of which each names the next one *width* times."""
    definitions: dict[str, Any] = {
        f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * width} for at in range(links)
    }
    return {"$defs": definitions | {f"d{links}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"items": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ({"type": "object", "required": ["a"]}, {"a": 1}, ""),
        ({"type": "object", "required": ["a"]}, {}, '"a" is a required property'),
        ({"properties": {"a": {"type": "string"}}}, {"a": [3]}, "(at /a)"),
        ({"items": {"enum": ["x"]}}, ["x", "y"], "(at /1)"),
        ({"format": "date"}, "tomorrow", ""),
        ({"pattern": "^(a+)+$"}, "a" * 50_000 + "b", "does not match"),
        (NODE, {"next": {"next": {}}}, ""),
        (NODE, {"next": {"next": {"last": 1}}}, "it does not match the schema"),
        (chain(100, width=1), "text", ""),
        (chain(100, width=1), 1, 'the value is not of type "string"'),
    ],
)
def test_what_does_not_match_is_told(schema: dict[str, Any], value: Any, fault: str) -> None:
    told = json_schemas.checked(schema, field="schema").fault(value)
    assert fault in told
    assert bool(told) == bool(fault)


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (True, "an object"),
        (WIDE, "an object"),
        ({"type": "colour"}, "no JSON schema"),
        ({"minLength": -1}, "no JSON schema"),
        ({"$schema": "http://portal.example/schema"}, "no JSON schema"),
        ({"$ref": "#/$defs/missing"}, "no JSON schema"),
        ({"$ref": "http://169.254.169.254/"}, "cannot be used"),
        ({"$ref": "file:///etc/passwd"}, "cannot be used"),
        ({"properties": {"a": {"$id": "http://portal.example/a"}}}, "cannot be used"),
        ({"$dynamicRef": "#a"}, "cannot be used"),
        ({"items": {"pattern": "(?=a)b"}}, "(at /items/pattern)"),
        ({"pattern": "a{1000}{1000}"}, "no JSON schema"),
        ({"anyOf": [{"pattern": str(at)} for at in range(101)]}, "100 patterns"),
        ({"patternProperties": {str(at): ANY for at in range(101)}}, "100 patterns"),
        ({"description": "x" * 66_000}, "64 KiB"),
        (nested(65), "64 levels"),
        (nested(100_000), "64 levels"),
        ({"anyOf": WIDE * 10}, "no JSON schema"),
        (chain(30, width=2), "2,000"),
        ({"properties": {"definitions": chain(30, width=2)}}, "no JSON schema"),
        (chain(1_500, width=1), "2,000"),
    ],
)
def test_what_cannot_be_used_is_refused(schema: Any, why: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^the\.schema: ") as refusal:
        json_schemas.checked(schema, field="the.schema")
    assert why in refusal.value.message
    assert refusal.value.field == "the.schema"


def test_definitions_may_hide_in_no_property() -> None:
    """A property may have any name; what is refused elsewhere is refused there."""
    bomb = chain(30, width=2)
    schema = {"$defs": bomb["$defs"], "properties": {"definitions": {"$ref": "#/$defs/d0"}}}
    with pytest.raises(InvalidArgument, match="2,000"):
        json_schemas.checked(schema, field="schema")


def test_definitions_that_nothing_names_do_not_count() -> None:
    definitions: dict[str, Any] = {f"d{at}": {"items": {}} for at in range(1_200)}
    assert json_schemas.checked({"$defs": definitions}, field="schema").fault(1) == ""


def test_properties_come_in_the_order_that_is_asked_for() -> None:
    inner: Any = {"properties": {"b": {}, "a": {}}, "propertyOrdering": ["a", 7, "none"]}
    schema = json_schemas.checked({"items": inner}, field="schema")
    assert list(schema.document["items"]["properties"]) == ["a", "b"]
    assert "propertyOrdering" not in schema.document["items"]


def test_a_property_may_be_called_as_a_keyword() -> None:
    schema: dict[str, Any] = {"properties": {"$id": {"type": "string"}, "pattern": {}, "$ref": {}}}
    assert json_schemas.checked(schema, field="schema").fault({"$id": 3}) != ""
