"""Forms of a text: what an endpoint is asked for, and what of its text is in the form."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.answering.requests import response_formats
from service.answering.requests.response_formats import ResponseFormat
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import GenerationConfig
from tests import costs

JSON = "application/json"
FEE: dict[str, Any] = {
    "type": "OBJECT",
    "properties": {"fee": {"type": "INTEGER"}, "unit": {"type": "STRING"}},
    "required": ["fee"],
    "propertyOrdering": ["unit", "fee"],
}
WORDS = {"type": "STRING", "enum": ["yes", "no"]}


def read(mime: str = JSON, **config: Any) -> ResponseFormat | None:
    body = msgspec.json.encode({"responseMimeType": mime, **config})
    return response_formats.read(json_codec.decode(GenerationConfig, body))


def form(mime: str = JSON, **config: Any) -> ResponseFormat:
    found = read(mime, **config)
    assert found is not None
    return found


def test_plain_text_has_no_form() -> None:
    assert read("") is None
    assert read("text/plain") is None


def test_an_object_is_asked_for_as_it_is() -> None:
    fee = form(responseSchema=FEE)
    schema = {
        "type": "object",
        "properties": {"unit": {"type": "string"}, "fee": {"type": "integer"}},
        "required": ["fee"],
    }
    wire = msgspec.to_builtins(fee.wire)
    assert wire == {
        "type": "json_schema",
        "json_schema": {"name": "response", "schema": schema},
    }
    assert list(wire["json_schema"]["schema"]["properties"]) == ["unit", "fee"]
    assert '"required": ["fee"]' in fee.instruction


def test_what_is_no_object_is_asked_for_within_one() -> None:
    """Endpoints take schemas of objects only, and so does the mode without a schema."""
    listed = form(
        responseJsonSchema={
            "type": "array",
            "items": {"$ref": "#/$defs/Word"},
            "$defs": {"Word": {"type": "string"}},
        }
    )
    assert msgspec.to_builtins(listed.wire)["json_schema"]["schema"] == {
        "$defs": {"Word": {"type": "string"}},
        "type": "object",
        "properties": {"answer": {"type": "array", "items": {"$ref": "#/$defs/Word"}}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    assert listed.read('{"answer": ["a", "é"]}') == ('["a", "é"]', "")
    assert listed.read('["a"]') == ('["a"]', "")
    assert listed.read('{"answer": [3]}')[1] == 'the value is not of type "string" (at /0)'


def test_json_of_any_kind_may_be_asked_for() -> None:
    anything = form()
    assert msgspec.to_builtins(anything.wire) == {"type": "json_object"}
    assert "JSON" in anything.instruction
    assert anything.read("[1]\n") == ("[1]", "")
    assert anything.read("no")[1] == "it is no JSON"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"fee": 80}', '{"fee": 80}'),
        (' {"fee":80}\n', '{"fee":80}'),
        ('```json\n{"fee": 80}\n```', '{"fee": 80}'),
        ('Here it is:\n```\n{"fee": 80}\n```\nAnything else?', '{"fee": 80}'),
        ('The answer is {"fee": 80}.', '{"fee": 80}'),
        ('{"fee": 80, "unit": "```"}', '{"fee": 80, "unit": "```"}'),
    ],
)
def test_what_stands_around_json_is_left_out(text: str, shown: str) -> None:
    assert form(responseSchema=FEE).read(text) == (shown, "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it is no JSON"),
        ("80 euros", "it is no JSON"),
        ('{"fee": 80', "it is no JSON"),
        ('{"fee": NaN}', "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ('{"fee": "80"}', "(at /fee)"),
        ("{}", "required"),
        ("[]", 'not of type "object"'),
    ],
)
def test_what_does_not_fit_is_told_as_it_was_written(text: str, fault: str) -> None:
    shown, told = form(responseSchema=FEE).read(text)
    assert shown == text
    assert fault in told


def test_a_fence_that_a_model_fills_with_spaces_is_read_in_linear_time() -> None:
    wanted = form(responseSchema=FEE)
    assert costs.growth(lambda size: wanted.read("```json\n{" + " " * size + "x"), 2_000) < 32


@pytest.mark.parametrize("text", ["yes", ' "yes"\n', '{"answer": "yes"}', '```\n"yes"\n```'])
def test_a_word_of_a_list_is_told_bare(text: str) -> None:
    assert form("text/x.enum", responseSchema=WORDS).read(text) == ("yes", "")


def test_another_word_does_not_fit() -> None:
    words = form("text/x.enum", responseSchema=WORDS)
    assert words.read("maybe") == ("maybe", "it is no JSON")
    assert words.read('{"answer": "maybe"}')[1].startswith("the value is not one of")


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"mime": "text/html"}, "responseMimeType"),
        ({"mime": "", "responseSchema": FEE}, "responseSchema"),
        ({"mime": "text/plain", "responseJsonSchema": {}}, "responseJsonSchema"),
        ({"responseSchema": FEE, "responseJsonSchema": {}}, "responseJsonSchema"),
        ({"responseSchema": {"type": "X"}}, "responseSchema.type"),
        ({"responseJsonSchema": {"type": "X"}}, "responseJsonSchema"),
        ({"responseJsonSchema": 3}, "responseJsonSchema"),
        ({"mime": "text/x.enum"}, "responseSchema"),
        ({"mime": "text/x.enum", "responseSchema": {"type": "STRING"}}, "responseSchema"),
        ({"mime": "text/x.enum", "responseJsonSchema": {"enum": [1]}}, "responseJsonSchema"),
    ],
)
def test_what_cannot_be_used_is_named(config: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        read(**config)
    assert refusal.value.field == f"generationConfig.{field}"
