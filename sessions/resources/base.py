"""Say the conventions of every documented resource once.

Frozen, keyword-only, camelCase on the wire, defaults omitted, unknown fields refused: ProtoJSON, as
the Protocol Buffers documentation has it. A field typed ``X | None = None`` has explicit presence
and is written whenever it is set. Collections are tuples. Times are aware datetimes in UTC, to the
microsecond: that is our clock. int64 travels as a string.

A module's first line says which message of which API it is: discoveryengine (all that v1, v1beta
and v1alpha have) or aiplatform (v1 and v1beta1). A test compares each field with the official ones.

msgspec omits a scalar only if it *is* the default, so a zero that was computed or decoded would
be written. `ResourceMeta` therefore gives each class that needs it a ``__post_init__`` that puts
the one default object in place of its equals, and moves times to UTC.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Annotated, Any, Final, dataclass_transform

import msgspec
from msgspec.structs import force_setattr


def _up_to(limit: str) -> str:
    """Return a pattern of the decimals, without leading zeros, from 1 to *limit*."""
    shorter = f"[1-9][0-9]{{0,{len(limit) - 2}}}"
    below = [
        f"{limit[:at]}[{int(at == 0)}-{int(digit) - 1}][0-9]{{{len(limit) - at - 1}}}"
        for at, digit in enumerate(limit)
        if int(digit) > int(at == 0)
    ]
    return "|".join([shorter, *below, limit])


INT64_PATTERN: Final = rf"^(?:0|-?(?:{_up_to(str(2**63 - 1))})|-{2**63})$(?!\n)"

Int64 = Annotated[str, msgspec.Meta(pattern=INT64_PATTERN, extra_json_schema={"format": "int64"})]
"""An int64 in its wire form, a decimal string; ``"0"`` is the default and omitted."""

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""An int32 in its wire form, a number."""

Timestamp = Annotated[dt.datetime, msgspec.Meta(tz=True)]
"""A google.protobuf.Timestamp, to the microsecond; whatever the offset it came with, it is UTC."""

Duration = Annotated[str, msgspec.Meta(pattern=r"^-?[0-9]{1,12}(?:\.(?:[0-9]{3}){1,3})?s$(?!\n)")]
"""A google.protobuf.Duration in its wire form: seconds, 0, 3, 6 or 9 fraction digits, ``s``."""

FieldMask = str
"""A google.protobuf.FieldMask in its wire form, paths joined by commas."""

Struct = dict[str, Any]
"""A google.protobuf.Struct: a JSON object whose keys are never re-cased.

It also stands for documented messages that the service never looks into, and for
google.protobuf.Any, whose ``@type`` is a member like the others.
"""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class ResourceMeta(msgspec.StructMeta):
    """Apply the conventions of this module to each class that it makes."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any):
        """Make a class; what it says itself comes first."""
        config.setdefault("frozen", True)
        config.setdefault("kw_only", True)
        config.setdefault("rename", "camel")
        config.setdefault("omit_defaults", True)
        config.setdefault("forbid_unknown_fields", True)
        if settle := _settling(namespace):
            namespace["__post_init__"] = settle
        return super().__new__(mcls, name, bases, namespace, **config)


_SCALARS: Final = frozenset({"Int64", "float"})
"""Annotations of scalars without presence whose zero is not one object; small ints are."""


def _settling(namespace: dict[str, Any]) -> Callable[[Any], None] | None:
    """Return the ``__post_init__`` of a class whose fields have more than one form of a value."""
    kinds: dict[str, str] = namespace.get("__annotations__", {})
    zeros = tuple((field, namespace[field]) for field, kind in kinds.items() if kind in _SCALARS)
    times = tuple(field for field, kind in kinds.items() if kind == "Timestamp | None")
    checks: Callable[[Any], None] | None = namespace.get("__post_init__")
    if not zeros and not times:
        return None

    def settle(self: msgspec.Struct) -> None:
        for field, zero in zeros:
            value = getattr(self, field)
            if value is not zero and value == zero:
                force_setattr(self, field, zero)
        for field in times:
            at: dt.datetime | None = getattr(self, field)
            if at is not None and at.tzinfo is not dt.UTC:
                force_setattr(self, field, _utc(at))
        if checks is not None:
            checks(self)

    return settle


def _utc(at: dt.datetime) -> dt.datetime:
    if at.tzinfo is None:
        raise ValueError("a time needs its offset from UTC")
    try:
        return at.astimezone(dt.UTC)
    except OverflowError as exc:
        raise ValueError("the time lies outside the years 1 to 9999") from exc


class Resource(msgspec.Struct, metaclass=ResourceMeta):
    """A message of the documents: exactly the documented fields, names and enum values."""


class Empty(Resource):
    """A message without fields; as the member of a oneof its presence is what it says."""


class Conflict(ValueError):
    """Several *members* of one oneof are set, here by their wire names."""

    def __init__(self, message: str, members: tuple[str, ...]) -> None:
        super().__init__(message)
        self.members = members


def at_most_one(oneof: str, **members: object) -> None:
    """Refuse a second member of *oneof*, as ProtoJSON does.

    Call it from ``__post_init__`` with the members by their wire names; what it raises becomes a
    ``ValidationError`` with the path of the message.
    """
    if len(members) - list(members.values()).count(None) > 1:
        chosen = tuple(name for name, value in members.items() if value is not None)
        message = f"only one of {' and '.join(chosen)} may be set (oneof {oneof})"
        raise Conflict(message, chosen)
