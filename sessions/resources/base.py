"""Say the conventions of every documented resource once.

Frozen, keyword-only, camelCase on the wire, defaults omitted, unknown fields refused: the proto3
JSON mapping (api.md 3.1, 3.3, 3.6). A field typed ``X | None = None`` has explicit presence and
is written whenever it is set. Collections are tuples. Times are aware datetimes in UTC. int64
travels as a string.
"""

from __future__ import annotations

from typing import Annotated, Any, dataclass_transform

import msgspec

Int64 = Annotated[str, msgspec.Meta(pattern=r"^-?\d{1,19}$")]
"""An int64 in its wire form, a decimal string; ``"0"`` is the default and omitted."""

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""An int32 in its wire form, a number."""

Struct = dict[str, Any]
"""A google.protobuf.Struct: a JSON object whose keys are never re-cased."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class ResourceMeta(msgspec.StructMeta):
    """Apply the conventions of this module to each class that it makes."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any):
        config.setdefault("frozen", True)
        config.setdefault("kw_only", True)
        config.setdefault("rename", "camel")
        config.setdefault("omit_defaults", True)
        config.setdefault("forbid_unknown_fields", True)
        return super().__new__(mcls, name, bases, namespace, **config)


class Resource(msgspec.Struct, metaclass=ResourceMeta):
    """A message of the documents: exactly the documented fields, names and enum values."""


def at_most_one(oneof: str, **members: object) -> None:
    """Refuse a second member of *oneof* (api.md 3.4).

    Call it from ``__post_init__`` with the members by their wire names; what it raises becomes a
    ``ValidationError`` with the path of the message.
    """
    chosen = [name for name, value in members.items() if value is not None]
    if len(chosen) > 1:
        raise ValueError(f"only one of {' and '.join(chosen)} may be set (oneof {oneof})")
