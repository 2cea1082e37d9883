"""The official message classes, and a strategy that draws messages from their descriptors."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from google.protobuf import descriptor, duration_pb2, field_mask_pb2, struct_pb2, timestamp_pb2
from hypothesis import strategies as st

from tests.packages import Package

SEARCH: Final = tuple(
    Package(f"google.cloud.discoveryengine_{version}.types")
    for version in ("v1", "v1beta", "v1alpha")
)
GENERATION: Final = tuple(
    Package(f"google.cloud.aiplatform_{version}.types") for version in ("v1", "v1beta1")
)
DEPTH: Final = 5
"""How deep drawn messages are nested; more only repeats what was tried."""

_FieldType = descriptor.FieldDescriptor
_INTEGERS: Final = {
    _FieldType.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    _FieldType.TYPE_INT64: st.integers(-(2**63), 2**63 - 1),
}
_TEXTS: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
_TIMES: Final = st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30))  # noqa: DTZ001 - drawn as UTC
_JSON: Final = st.recursive(
    st.none() | st.booleans() | st.floats(-1e6, 1e6).map(lambda number: number + 0.0) | _TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)


def classes(modules: tuple[Any, ...], name: str) -> list[Any]:
    """Return the official class *name* of every version that has it."""
    return [getattr(module, name) for module in modules if hasattr(module, name)]


def descriptor_of(cls: Any) -> Any:
    """Return the protobuf descriptor of an official class."""
    return cls.pb().DESCRIPTOR


@st.composite
def messages(draw: st.DrawFn, cls: Any) -> Any:
    """Draw a message of the official class *cls*."""
    message = cls.pb(cls())
    _fill(draw, message, DEPTH)
    return cls.wrap(message)


def _fill(draw: st.DrawFn, message: Any, depth: int) -> None:
    fields = message.DESCRIPTOR.fields
    if depth and fields:
        for number in draw(st.lists(st.integers(0, len(fields) - 1), max_size=6, unique=True)):
            _set(draw, message, fields[number], depth - 1)


def _set(draw: st.DrawFn, message: Any, field: Any, depth: int) -> None:
    """Draw a value for *field*; a second member of a oneof takes the place of the first."""
    if field.enum_type and field.enum_type.full_name == "google.protobuf.NullValue":
        return  # A null reads as its absence; partial arguments, which have one, are only written.
    target = getattr(message, field.name)
    if field.is_repeated and field.message_type and field.message_type.GetOptions().map_entry:
        value = field.message_type.fields_by_name["value"]
        for key in draw(st.lists(_TEXTS, max_size=2)):
            if value.message_type:
                _fill_special(draw, target[key], depth)
            else:
                target[key] = draw(_scalars(value))
    elif field.is_repeated:
        for _ in range(draw(st.integers(1, 2))):
            if field.message_type:
                _fill_special(draw, target.add(), depth)
            else:
                target.append(draw(_scalars(field)))
    elif field.message_type:
        target.SetInParent()
        _fill_special(draw, target, depth)
    else:
        setattr(message, field.name, draw(_scalars(field)))


def _fill_special(draw: st.DrawFn, message: Any, depth: int) -> None:
    match message:
        case timestamp_pb2.Timestamp():
            message.FromDatetime(draw(_TIMES))
        case duration_pb2.Duration():
            message.FromNanoseconds(draw(st.integers(-(10**18), 10**18)))
        case field_mask_pb2.FieldMask():
            message.paths.extend(
                draw(st.lists(st.sampled_from(["name", "is_pinned", "a.b_c"]), min_size=1))
            )
        case struct_pb2.Struct():
            message.update(draw(st.dictionaries(_TEXTS, _JSON, max_size=2)))
        case struct_pb2.Value():
            # A null at the top of a Value reads as its absence (ProtoJSON).
            wrapped = struct_pb2.Struct()
            wrapped.update({"v": draw(_JSON.filter(lambda value: value is not None))})
            message.CopyFrom(wrapped.fields["v"])
        case _ if message.DESCRIPTOR.full_name != "google.protobuf.Any":
            _fill(draw, message, depth)
        case _:
            message.type_url = "type.googleapis.com/google.rpc.ErrorInfo"


def _scalars(field: Any) -> st.SearchStrategy[Any]:
    if field.enum_type:
        return st.sampled_from([value.number for value in field.enum_type.values])
    if field.type in _INTEGERS:
        return _INTEGERS[field.type] | st.just(0)
    if field.type in (_FieldType.TYPE_FLOAT, _FieldType.TYPE_DOUBLE):
        # Bounds, since the official reader refuses the largest float; minus zero is zero here.
        width = 32 if field.type == _FieldType.TYPE_FLOAT else 64
        numbers = st.floats(-(2.0**100), 2.0**100, width=width)
        return numbers.map(lambda number: number + 0.0) | st.just(0.0)
    if field.type == _FieldType.TYPE_BOOL:
        return st.booleans()
    if field.type == _FieldType.TYPE_BYTES:
        return st.binary(max_size=4)
    return _TEXTS
