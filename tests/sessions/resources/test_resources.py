"""Our types have the fields, presence and enum values of the official ones, of all versions."""

from __future__ import annotations

import datetime as dt
import importlib
import pkgutil
import re
import types
from collections.abc import Iterator
from typing import Any, Union, get_args, get_origin

import msgspec
import pytest
from google.protobuf.descriptor import FieldDescriptor
from hypothesis import given
from hypothesis import strategies as st

import sessions.resources
from sessions.resources import (
    answers,
    base,
    data_stores,
    enums,
    processed_documents,
    rag_corpora,
    user_events,
)
from sessions.resources import sessions as session_resources
from tests.sessions import official_messages

GENERATION = {
    "augmentations",
    "candidates",
    "embeddings",
    "generate_content",
    "models",
    "rag_corpora",
    "rag_files",
    "retrieve_contexts",
}
"""Modules whose requests and responses belong to the second API."""

OTHER_NAMES: list[tuple[type[base.Resource], tuple[Any, ...], str]] = [
    (data_stores.OperationMetadata, official_messages.SEARCH, "CreateDataStoreMetadata"),
    (data_stores.OperationMetadata, official_messages.SEARCH, "DeleteEngineMetadata"),
    (processed_documents.ProcessedDocument, official_messages.SEARCH, "ProcessedDocument"),
    (user_events.EventsMetadata, official_messages.SEARCH, "ImportUserEventsMetadata"),
    (user_events.EventsMetadata, official_messages.SEARCH, "PurgeUserEventsMetadata"),
    (rag_corpora.OperationMetadata, official_messages.GENERATION, "DeleteOperationMetadata"),
    (
        rag_corpora.OperationMetadata,
        official_messages.GENERATION,
        "CreateRagCorpusOperationMetadata",
    ),
]
"""Messages that go by another name here, since several of them are one."""

WRITTEN_EMPTY = {("RagContexts", "contexts")}
"""Lists that are written where they are empty, too, and so may be absent here."""

YOUNGER = {("FinishReason", "UNEXPECTED_TOOL_CALL")}
"""Values of enums that the API has and the generated clients of its REST services have not yet."""

ENDINGS = ("Request", "Response", "DocumentsMetadata", "OperationMetadata")
"""Of the names of messages that all others lie below."""

SCALARS = {
    FieldDescriptor.TYPE_STRING: str,
    FieldDescriptor.TYPE_BOOL: bool,
    FieldDescriptor.TYPE_BYTES: bytes,
    FieldDescriptor.TYPE_FLOAT: float,
    FieldDescriptor.TYPE_DOUBLE: float,
    FieldDescriptor.TYPE_INT32: base.Int32,
    FieldDescriptor.TYPE_INT64: base.Int64,
}
WELL_KNOWN = {
    "google.protobuf.Timestamp": base.Timestamp,
    "google.protobuf.Duration": base.Duration,
    "google.protobuf.FieldMask": base.FieldMask,
    "google.protobuf.Struct": base.Struct,
    "google.protobuf.Value": Any,
}


def resource_types() -> Iterator[tuple[str, type[base.Resource]]]:
    """Yield every resource type with the module that defines it."""
    for found in pkgutil.iter_modules(sessions.resources.__path__):
        module = importlib.import_module(f"sessions.resources.{found.name}")
        own = [value for value in vars(module).values() if isinstance(value, type)]
        for value in own:
            if issubclass(value, base.Resource) and value.__module__ == module.__name__:
                yield found.name, value


def roots() -> Iterator[tuple[type[base.Resource], list[Any]]]:
    """Yield requests, responses and metadata with their official descriptors."""
    for module, ours in resource_types():
        apis = official_messages.GENERATION if module in GENERATION else official_messages.SEARCH
        found = official_messages.classes(apis, ours.__name__)
        if found and ours.__name__.endswith(ENDINGS):
            yield ours, [official_messages.descriptor_of(cls) for cls in found]
    for ours, apis, name in OTHER_NAMES:
        yield (
            ours,
            [official_messages.descriptor_of(cls) for cls in official_messages.classes(apis, name)],
        )


def check(ours: type[base.Resource], official: list[Any], seen: set[tuple[Any, str]]) -> None:
    """Compare *ours* with the union of its *official* versions, and all that lies below."""
    key = (ours, official[0].full_name.split(".", 4)[-1])
    if key in seen:
        return
    seen.add(key)
    union: dict[str, list[Any]] = {}
    for descriptor in official:
        for field in descriptor.fields:
            union.setdefault(field.json_name.rstrip("_"), []).append(field)
    fields = {field.encode_name: field for field in msgspec.structs.fields(ours)}
    assert fields.keys() == union.keys(), key
    for name, versions in union.items():
        mine, theirs = fields[name], versions[0]
        present = theirs.containing_oneof is not None or is_message(theirs)
        optional = present or (ours.__name__, name) in WRITTEN_EMPTY
        assert (mine.default is None) == optional, (key, name)
        hint = mine.type
        if get_origin(hint) in (Union, types.UnionType):
            (hint,) = (arg for arg in get_args(hint) if arg is not types.NoneType)
        check_type(hint, versions, seen, f"{key} {name}")


def is_message(field: Any) -> bool:
    """Tell whether *field* holds one message; a mask is a string here."""
    message = field.message_type
    return bool(
        message and not field.is_repeated and message.full_name != "google.protobuf.FieldMask"
    )


def check_type(hint: Any, versions: list[Any], seen: set[tuple[Any, str]], where: str) -> None:
    """Compare the type of one of our fields with the same field of all *versions*."""
    if versions[0].is_repeated:
        message = versions[0].message_type
        if message and message.GetOptions().map_entry:
            assert get_origin(hint) is dict, where
            hint = get_args(hint)[1]
            versions = [field.message_type.fields_by_name["value"] for field in versions]
        else:
            assert get_origin(hint) is tuple, where
            hint = get_args(hint)[0]
    if versions[0].enum_type:
        values = {v.name: v.number for field in versions for v in field.enum_type.values}
        younger = {value for enum, value in YOUNGER if enum == hint.__name__}
        ours = {member.name: member.number for member in hint if member.name not in younger}
        assert ours == values, where
    elif not versions[0].message_type:
        assert hint == SCALARS[versions[0].type], where
    elif versions[0].message_type.full_name in WELL_KNOWN:
        assert hint == WELL_KNOWN[versions[0].message_type.full_name], where
    elif hint != base.Struct:
        assert issubclass(hint, base.Resource), where
        check(hint, [field.message_type for field in versions], seen)


def test_every_type_has_exactly_the_documented_fields() -> None:
    """Field names, types, presence and enum values; and no type is left unchecked."""
    seen: set[tuple[Any, str]] = set()
    for ours, official in roots():
        check(ours, official, seen)
    # What the search clients have no class for, or where one type stands for many messages.
    elsewhere = {"Resource", "Error", "ErrorResponse"}
    elsewhere |= {"Operation", "ListOperationsRequest", "ListOperationsResponse"}
    elsewhere |= {"WaitOperationRequest", "FollowAnswerRequest"}
    elsewhere |= {"BatchEmbedContentsRequest", "BatchEmbedContentsResponse"}  # of the Gemini API
    elsewhere |= {"ReadSessionRequest", "ReadSessionsRequest"}  # documented ones, and a window
    # This service's own.
    elsewhere |= {
        cls.__name__
        for module, cls in resource_types()
        if module in {"tokens", "user_data", "widget_configs"}
    }
    reached = {ours for ours, _ in seen}
    assert {cls.__name__ for _, cls in resource_types() if cls not in reached} == elsewhere


@pytest.mark.parametrize("zero", ["0", str(0), "70"[1:]])
def test_a_zero_is_omitted_however_it_came_about(zero: str) -> None:
    citation = answers.Citation(start_index=zero, end_index="7")
    assert msgspec.json.encode(citation) == b'{"endIndex":"7"}'


def test_a_computed_zero_score_is_omitted() -> None:
    rating = answers.SafetyRating(probability_score=0.5 - 0.5, severity_score=0.25)
    assert msgspec.to_builtins(rating, enc_hook=lambda tag: tag.name) == {"severityScore": 0.25}


def test_a_present_zero_is_written() -> None:
    support = answers.GroundingSupport(grounding_score=0.0, grounding_check_required=False)
    assert msgspec.json.encode(support) == b'{"groundingScore":0.0,"groundingCheckRequired":false}'


def test_a_time_is_moved_to_utc() -> None:
    two_hours_east = dt.timezone(dt.timedelta(hours=2))
    session = session_resources.Session(
        start_time=dt.datetime(2026, 1, 1, 1, tzinfo=two_hours_east)
    )
    assert msgspec.json.encode(session) == b'{"startTime":"2025-12-31T23:00:00Z"}'


def test_a_time_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset from UTC"):
        session_resources.Session(start_time=dt.datetime(2026, 1, 1))  # noqa: DTZ001 - the point


def test_a_second_member_of_a_oneof_is_refused() -> None:
    with pytest.raises(base.Conflict) as refusal:
        answers.Reference(
            chunk_info=answers.ChunkInfo(),
            structured_document_info=answers.StructuredDocumentInfo(),
        )
    assert refusal.value.members == ("chunkInfo", "structuredDocumentInfo")


@given(number=st.integers(-(2**65), 2**65))
def test_an_int64_is_what_fits_into_64_bits(number: int) -> None:
    accepted = re.search(base.INT64_PATTERN, str(number)) is not None
    assert accepted == (-(2**63) <= number < 2**63)


@pytest.mark.parametrize("text", ["", "-", "-0", "00", "+1", "1.0", "1\n", " 1", "٣", "1e3"])
def test_an_int64_has_one_spelling(text: str) -> None:
    assert re.search(base.INT64_PATTERN, text) is None


def test_enums_begin_with_what_is_unset() -> None:
    """The first value is number 0, which is the default and never written."""
    found = [
        value
        for module, _ in resource_types()
        for value in vars(importlib.import_module(f"sessions.resources.{module}")).values()
        if isinstance(value, type) and issubclass(value, enums.Documented)
    ]
    members = [list(enum) for enum in found if enum is not enums.Documented]
    assert members
    assert all(first.number == 0 for first, *_ in members)
