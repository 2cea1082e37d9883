"""What operations carry, held against the schemas that the official clients were built from."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Final, get_args

import msgspec
import pytest

from service.api.operations import operation_schemas
from service.api.operations.operation_views import KINDS, SEARCH
from sessions.resources.base import Struct
from sessions.resources.enums import Documented

VERSIONS: Final = ("v1", "v1beta", "v1alpha")
_FREE: Final = {"google.protobuf.Struct", "google.protobuf.Any"}
"""Messages that take any field, or whose fields name their own type."""


def carried() -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """Yield every message that an operation of this family carries."""
    for messages in KINDS.values():
        if messages.package == SEARCH:
            if messages.metadata is not None:
                yield messages.metadata_name, messages.metadata
            if messages.response is not None:
                yield messages.response_name, messages.response


def parts(hint: Any) -> Iterator[Any]:
    """Yield *hint* and all that it is made of."""
    yield hint
    for inner in get_args(hint):
        yield from parts(inner)


def faults(type_: type[msgspec.Struct], descriptor: Any, version: str) -> Iterator[str]:
    """Yield what would be written of *type_* and is not in the schema of *version*."""
    known = {field.json_name: field for field in descriptor.fields}
    for field in msgspec.structs.fields(type_):
        where = f"{type_.__name__}.{field.name}"
        if version in operation_schemas.ABSENT.get(type_, {}).get(field.name, ()):
            continue
        if field.encode_name not in known:
            yield f"{where} is not in {version}"
            continue
        found = known[field.encode_name]
        message = found.message_type
        if message is not None and message.GetOptions().map_entry:
            found = message.fields_by_name["value"]
            message = found.message_type
        for part in parts(field.type):
            yield from (f"{where}: {fault}" for fault in _within(part, found, message, version))


def _within(part: Any, field: Any, message: Any, version: str) -> Iterator[str]:
    """Yield what is wrong with *part* of the type of a field."""
    if part == Struct and message is not None and message.full_name not in _FREE:
        yield f"is echoed, and {message.full_name} is read strictly"
    if isinstance(part, type) and issubclass(part, msgspec.Struct):
        yield from faults(part, message, version)
    if isinstance(part, type) and issubclass(part, Documented):
        names = {value.name for value in field.enum_type.values}
        for member in part:
            if member.name not in names and version not in operation_schemas.UNNAMED.get(
                member, ()
            ):
                yield f"{member.name} is not in {version}"


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_is_written_that_the_schema_of_a_version_lacks(version: str) -> None:
    package = importlib.import_module(f"google.cloud.discoveryengine_{version}")
    found = [
        fault
        for name, type_ in carried()
        for fault in faults(type_, getattr(package, name).pb().DESCRIPTOR, version)
    ]
    assert found == []


@pytest.mark.parametrize("version", VERSIONS)
def test_no_more_is_left_out_than_must_be(version: str) -> None:
    """Only what we echo without knowing its schema is left out although it is there."""
    package = importlib.import_module(f"google.cloud.discoveryengine_{version}")
    for name, type_ in carried():
        descriptor = getattr(package, name).pb().DESCRIPTOR
        known = {field.json_name for field in descriptor.fields}
        absent = operation_schemas.ABSENT.get(type_, {})
        for field in msgspec.structs.fields(type_):
            if version in absent.get(field.name, ()) and field.encode_name in known:
                assert any(part == Struct for part in parts(field.type)), field.name


def test_every_kind_has_its_messages_in_every_version() -> None:
    for version in VERSIONS:
        package = importlib.import_module(f"google.cloud.discoveryengine_{version}")
        for messages in KINDS.values():
            if messages.package == SEARCH:
                assert hasattr(package, messages.metadata_name)
                assert not messages.response_name or hasattr(package, messages.response_name)
