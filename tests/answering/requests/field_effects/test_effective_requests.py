"""The tables name every field once, and what they say of it is what becomes of it."""

from __future__ import annotations

import collections
from typing import Any

import msgspec
import pytest

from service.answering.requests.field_effects import answering, generation, searching
from service.answering.requests.field_effects.effective_requests import EFFECTS, effective
from service.answering.requests.field_effects.effects import Effect
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources.base import Resource
from sessions.resources.generate_content import GenerateContentRequest
from tests.guide.request_fields import ROOTS, reached


def read(**body: Any) -> GenerateContentRequest:
    return json_codec.decode(GenerateContentRequest, msgspec.json.encode(body))


def test_every_message_of_the_requests_has_its_table() -> None:
    read = {message for root in ROOTS for message in reached(root)}
    known = {message for root in ROOTS for message in reached(root, unread=True)}
    assert read <= set(EFFECTS) <= known


def test_no_message_has_two_tables() -> None:
    tables = (answering.TABLE, searching.TABLE, generation.TABLE)
    assert len(EFFECTS) == sum(map(len, tables))


@pytest.mark.parametrize("message", EFFECTS, ids=lambda message: message.__name__)
def test_every_field_of_a_message_stands_in_its_table_once(message: type[Resource]) -> None:
    named = collections.Counter(name for group in EFFECTS[message] for name in group.fields)
    assert named == dict.fromkeys(message.__struct_fields__, 1)


@pytest.mark.parametrize("message", EFFECTS, ids=lambda message: message.__name__)
def test_what_is_not_always_obeyed_has_a_reason(message: type[Resource]) -> None:
    assert all(group.reason or group.effect is Effect.OBEYED for group in EFFECTS[message])


def test_what_has_no_effect_is_taken_out() -> None:
    config = {"routingConfig": {"a": 1}, "candidateCount": 2}
    request = read(model="m", labels={"a": "b"}, generationConfig=config)
    assert effective(request, has_model=True) == read(generationConfig={"candidateCount": 2})


def test_what_only_a_model_obeys_is_taken_out_without_one() -> None:
    request = read(generationConfig={"temperature": 0.5, "topP": 0.9})
    assert effective(request, has_model=False) == read(generationConfig={})
    assert effective(request, has_model=True) is request


def test_what_needs_a_model_is_refused_without_one() -> None:
    part = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    request = read(contents=[{"parts": [{"text": "a"}, part]}])
    with pytest.raises(InvalidArgument) as refused:
        effective(request, has_model=False)
    assert refused.value.reason == "NEEDS_MODEL"
    assert refused.value.field == "contents[0].parts[1].inlineData"
    assert effective(request, has_model=True) is request


def test_what_is_not_offered_is_unimplemented() -> None:
    with pytest.raises(Unimplemented) as refused:
        effective(read(tools=[{}, {"codeExecution": {}}]), has_model=True)
    assert refused.value.metadata["field"] == "tools[1].codeExecution"


def test_an_explicit_false_asks_for_nothing() -> None:
    request = read(generationConfig={"audioTimestamp": False})
    assert effective(request, has_model=False) is request


def test_a_request_is_looked_at_from_where_it_stands() -> None:
    with pytest.raises(InvalidArgument) as refused:
        effective(read(generationConfig={"speechConfig": {}}), has_model=True, path="instances[0]")
    assert refused.value.field == "instances[0].generationConfig.speechConfig"
