"""The documents' ``Schema`` as JSON schema, in each of the spellings of the official clients."""

from __future__ import annotations

from typing import Any

import pytest

from service.answering.requests import openapi_schemas
from sessions.errors import InvalidArgument


def deep(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"items": schema}
    return schema


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({"type": "OBJECT"}, {"type": "object"}),
        ({"type_": 6}, {"type": "object"}),
        ({"type": "TYPE_UNSPECIFIED", "format": "", "nullable": False}, {}),
        ({"type": "string", "minLength": "3"}, {"type": "string", "minLength": 3}),
        ({"type": "STRING", "max_length": 3.0}, {"type": "string", "maxLength": 3}),
        ({"minimum": 0, "maximum": None}, {"minimum": 0}),
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "INTEGER", "enum": ["1"], "format": "enum"}, {"type": "integer", "enum": [1]}),
        (
            {"type": "STRING", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"any_of": [{"type": "STRING"}], "nullable": True},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        (
            {"ref": "#/defs/Pet", "defs": {"Pet": {"type": "STRING"}}, "nullable": True},
            {
                "anyOf": [{"$ref": "#/$defs/Pet"}, {"type": "null"}],
                "$defs": {"Pet": {"type": "string"}},
            },
        ),
        (
            {"$ref": "#/$defs/Pet", "$defs": {"Pet": {}}},
            {"$ref": "#/$defs/Pet", "$defs": {"Pet": {}}},
        ),
        (
            {"properties": {"min_items": {"type": 1}}, "property_ordering": ["min_items"]},
            {"properties": {"min_items": {"type": "string"}}, "propertyOrdering": ["min_items"]},
        ),
        ({"additionalProperties": False}, {"additionalProperties": False}),
        ({"additional_properties": {"type": 2}}, {"additionalProperties": {"type": "number"}}),
        ({"example": 1, "default": 2, "title": "T"}, {"examples": [1], "default": 2, "title": "T"}),
        ({"xml": {}, "discriminator": 1}, {}),
    ],
)
def test_each_spelling_is_read(given: dict[str, Any], made: dict[str, Any]) -> None:
    assert openapi_schemas.to_json_schema(given, field="schema") == made


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"type": "COLOUR"}, "schema.type"),
        ({"type": 8}, "schema.type"),
        ({"type": True}, "schema.type"),
        ({"type": ["STRING"]}, "schema.type"),
        ({"properties": []}, "schema.properties"),
        ({"properties": {"a": {"items": 3}}}, "schema.properties.a.items"),
        ({"anyOf": [{}, {"minItems": "few"}]}, "schema.anyOf[1].minItems"),
        ({"minItems": -1}, "schema.minItems"),
        ({"minItems": 0.5}, "schema.minItems"),
        ({"maxItems": float("inf")}, "schema.maxItems"),
        ({"type": "INTEGER", "enum": ["one"]}, "schema.enum"),
        ({"enum": "one"}, "schema.enum"),
        ({"additionalProperties": 3}, "schema.additionalProperties"),
    ],
)
def test_what_cannot_be_read_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        openapi_schemas.to_json_schema(given, field="schema")
    assert refusal.value.field == field


def test_a_schema_that_never_ends_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="64 levels"):
        openapi_schemas.to_json_schema(deep(10_000), field="schema")
