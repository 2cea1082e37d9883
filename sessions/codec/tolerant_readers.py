"""Read what clients may write beside the canonical form, directed by the type.

The decoder of msgspec reads the canonical JSON of a resource and nothing else. What it refuses
comes here as plain values: either it is another spelling that ProtoJSON allows, or
it is wrong and `Misread` says where. What a type reads is worked out once and kept.
"""

from __future__ import annotations

import difflib
import functools
import types
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Union, cast, get_args, get_origin

import msgspec

from sessions.codec import scalar_readers
from sessions.codec.scalar_readers import Ignoring, Misread, Reader, struct, wrong
from sessions.resources.base import Conflict, Duration, Int32, Int64, Timestamp
from sessions.resources.enums import Documented

_SHOWN: Final = 12
"""How many names a message lists at most."""


class UnknownValue(Exception):
    """An enum value that is unknown and to be passed over."""


class FieldReader(NamedTuple):
    """A field of a message: its attribute, its name in JSON, its reader."""

    name: str
    json_name: str
    read: Reader


class MessageReader:
    """Reads the objects of one resource type."""

    def __init__(self, type_: type[msgspec.Struct]) -> None:
        self.type = type_

    @functools.cached_property
    def fields(self) -> Mapping[str, FieldReader]:
        """The fields by each of their accepted names; late, since types may be recursive."""
        known: dict[str, FieldReader] = {}
        for item in msgspec.structs.fields(self.type):
            field = FieldReader(item.name, item.encode_name, reader(item.type))
            # Python's generated classes call a field `type_` that the documents call `type`.
            known |= {field.json_name: field, field.name: field, f"{field.name}_": field}
        return known

    def __call__(self, value: Any, ignoring: Ignoring) -> Any:
        """Read an object whole."""
        return self.build(self.members(value, ignoring))

    def members(self, value: Any, ignoring: Ignoring) -> dict[str, Any]:
        """Read the fields of the object *value*; ``null`` is absent, as ProtoJSON says."""
        found: dict[str, Any] = {}
        for key, inner in struct(value, ignoring).items():
            field = self.fields.get(key)
            if field is None and not ignoring:
                raise self.unknown(key)
            if field is None or inner is None:
                continue
            if field.name in found:
                raise Misread("the field is given twice, under two of its names", field.json_name)
            try:
                found[field.name] = field.read(inner, ignoring)
            except Misread as exc:
                raise exc.within(field.json_name) from None
            except UnknownValue:
                continue
        return found

    def build(self, members: dict[str, Any]) -> Any:
        """Return the resource of *members* if they go together."""
        try:
            return self.type(**members)
        except Conflict as exc:
            raise Misread(str(exc), exc.members[1]) from None
        except ValueError as exc:
            raise Misread(str(exc)) from None

    def unknown(self, key: str) -> Misread:
        """Return what to say of a field *key* that there is not."""
        names = list(dict.fromkeys(field.json_name for field in self.fields.values()))
        close = difflib.get_close_matches(key[:100], [*self.fields], n=1)
        hint = f"did you mean '{self.fields[close[0]].json_name}'?" if close else _listed(names)
        return Misread(f"there is no such field; {hint}", key[:100])


class ListReader:
    """Reads lists; ``null`` is no element, as ProtoJSON says."""

    def __init__(self, read: Reader) -> None:
        self.read = read

    def __call__(self, value: Any, ignoring: Ignoring) -> tuple[Any, ...]:
        """Read a list, element by element."""
        if not isinstance(value, list):
            raise wrong("a list", value)
        found: list[Any] = []
        for index, inner in enumerate(cast(list[Any], value)):
            try:
                found.append(self.read(inner, ignoring))
            except Misread as exc:
                raise exc.within(f"[{index}]") from None
            except UnknownValue:
                continue
        return tuple(found)


class MapReader:
    """Reads maps, whose keys are the caller's."""

    def __init__(self, read: Reader) -> None:
        self.read = read

    def __call__(self, value: Any, ignoring: Ignoring) -> dict[str, Any]:
        """Read a map, entry by entry."""
        found: dict[str, Any] = {}
        for key, inner in struct(value, ignoring).items():
            try:
                found[key] = self.read(inner, ignoring)
            except Misread as exc:
                raise exc.within(key[:100]) from None
            except UnknownValue:
                continue
        return found


class EnumReader:
    """Reads the values of one enum, by name or number."""

    def __init__(self, type_: type[Documented]) -> None:
        self.type = type_
        self.known: dict[str | int, Documented] = {}
        for member in type_:
            self.known |= {member.name: member, member.number: member, str(member.number): member}

    def __call__(self, value: Any, ignoring: Ignoring) -> Documented:
        """Read a name, a number, or a number as a string."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise wrong("the name or number of an enum value", value)
        if member := self.known.get(value):
            return member
        if ignoring is Ignoring.FIELDS_AND_VALUES:
            raise UnknownValue
        hint = _listed([member.name for member in self.type])
        raise Misread(f"there is no such value of the enum {self.type.__name__}; {hint}")


_SCALARS: Final[dict[Any, Reader]] = {
    str: scalar_readers.text,
    bool: scalar_readers.boolean,
    float: scalar_readers.double,
    bytes: scalar_readers.octets,
    Any: scalar_readers.anything,
    Int32: scalar_readers.int32,
    Int64: scalar_readers.int64,
    Timestamp: scalar_readers.timestamp,
    Duration: scalar_readers.duration,
}


@functools.cache
def reader(hint: Any) -> Reader:
    """Return what reads a field annotated with *hint*; what no document has reads as it stands."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, inner = get_origin(hint), get_args(hint)
    present = [arg for arg in inner if arg is not types.NoneType]
    if origin in (Union, types.UnionType) and len(present) == 1:
        return reader(present[0])
    if origin is tuple and inner[-1] is Ellipsis:
        return ListReader(reader(inner[0]))
    if origin is dict:
        return struct if inner[1] is Any else MapReader(reader(inner[1]))
    if isinstance(hint, type) and issubclass(hint, Documented):
        return EnumReader(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return MessageReader(hint)
    return functools.partial(_as_it_stands, hint)


def _as_it_stands(hint: Any, value: Any, _: Ignoring) -> Any:
    try:
        return msgspec.convert(value, hint)
    except msgspec.ValidationError as exc:
        raise Misread(str(exc)) from None


def message(type_: type[msgspec.Struct]) -> MessageReader:
    """Return what reads *type_*."""
    return cast(MessageReader, reader(type_))


def _listed(names: list[str]) -> str:
    more = ", …" if len(names) > _SHOWN else ""
    return f"known are {', '.join(names[:_SHOWN])}{more}" if names else "the message has none"
