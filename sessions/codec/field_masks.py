"""Overwrite the fields of a resource that an update mask names (AIP-134, AIP-161)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar, cast

import msgspec

from sessions.codec import scalar_readers, tolerant_readers
from sessions.codec.scalar_readers import Reader
from sessions.errors import InvalidArgument
from sessions.resources.base import Conflict

T = TypeVar("T", bound=msgspec.Struct)


def apply(
    mask: str | None, current: T, patch: T, body_fields: Collection[str], mutable: frozenset[str]
) -> T:
    """Return *current* with the fields of *patch* that *mask* names.

    A field that the mask names and the body lacks is reset. Without a mask what the body has
    (*body_fields*, see `json_codec.present`) is overwritten as far as it is *mutable*; ``*``
    overwrites all that is. Both collections hold attribute names; paths come in either spelling,
    and go into messages and Structs by dots.

    Raises:
        InvalidArgument: a path is unknown, or leads to a field that cannot be changed.
    """
    paths = [path.strip() for path in (mask or "").split(",") if path.strip()]
    if paths and paths != ["*"]:
        for path in paths:
            current = _overwritten(current, patch, path, mutable)
        return current
    chosen = mutable if paths else mutable.intersection(body_fields)
    return _replaced(current, {name: getattr(patch, name) for name in chosen})


def _overwritten(current: T, patch: T, path: str, mutable: frozenset[str]) -> T:
    """Return *current* with what is at *path* taken from *patch*."""
    name, _, below = path.partition(".")
    field = tolerant_readers.message(type(current)).fields.get(name)
    if field is None or field.name not in mutable:
        problem = "is no field" if field is None else "cannot be changed"
        raise _refused(f"'{name[:100]}' {problem}; fields that can be changed are", mutable)
    value = getattr(patch, field.name)
    if below:
        value = _merged(field.read, getattr(current, field.name), value, below)
    return _replaced(current, {field.name: value})


def _merged(read: Reader, current: Any, patch: Any, path: str) -> Any:
    """Return the member *current* of a resource with what is at *path* taken from *patch*."""
    if isinstance(read, tolerant_readers.MessageReader):
        inside = frozenset(item.name for item in msgspec.structs.fields(read.type))
        return _overwritten(current or read.type(), patch or read.type(), path, inside)
    if read is scalar_readers.struct:
        return _merged_objects(current or {}, patch or {}, path.split("."))
    if isinstance(read, tolerant_readers.MapReader):
        return _merged_objects(current, patch, [path])
    raise _refused(f"'{path[:100]}' leads into a value without fields", frozenset())


def _merged_objects(current: Any, patch: Any, keys: list[str]) -> dict[str, Any]:
    """Return the object *current* with the one entry that *keys* lead to taken from *patch*."""
    merged = dict(cast(dict[str, Any], current)) if isinstance(current, dict) else {}
    source = cast(dict[str, Any], patch) if isinstance(patch, dict) else {}
    key, *deeper = keys
    if deeper:
        merged[key] = _merged_objects(merged.get(key), source.get(key), deeper)
    elif key in source:
        merged[key] = source[key]
    else:
        merged.pop(key, None)
    return merged


def _replaced(current: T, changes: dict[str, Any]) -> T:
    """Return *current* with *changes*; a chosen member of a oneof drops the one before."""
    try:
        return msgspec.structs.replace(current, **changes)
    except Conflict as exc:
        fields = tolerant_readers.message(type(current)).fields
        dropped = dict.fromkeys(fields[member].name for member in exc.members)
        return msgspec.structs.replace(current, **{**dropped, **changes})


def _refused(problem: str, mutable: frozenset[str]) -> InvalidArgument:
    known = f" {', '.join(sorted(mutable))}" if mutable else ""
    return InvalidArgument(f"updateMask: {problem}{known}", field="updateMask")
