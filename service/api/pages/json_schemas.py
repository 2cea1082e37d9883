"""Describe the types of the API as JSON Schema, for the documents that the service publishes."""

from __future__ import annotations

import collections
import inspect
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, Union, get_args, get_origin

import msgspec

from service.api.pages import field_descriptions
from sessions.resources.base import Duration, Int32, Int64, Timestamp
from sessions.resources.enums import Documented

Schema = dict[str, Any]

REFERENCE: Final = "#/components/schemas/"

_SCALARS: Final[Mapping[Any, Schema]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number", "format": "double"},
    bytes: {"type": "string", "format": "byte", "contentEncoding": "base64"},
    Any: {},
    Int32: {"type": "integer", "format": "int32", "minimum": -(2**31), "maximum": 2**31 - 1},
    Int64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    Timestamp: {"type": "string", "format": "date-time"},
    Duration: {
        "type": "string",
        "format": "duration-seconds",
        "pattern": r"^-?[0-9]+(\.[0-9]+)?s$",
    },
}


class Schemas:
    """The schemas of *roots* and of all that they hold, each under a name of its own.

    *raw* says which type an untyped field really holds.
    """

    def __init__(
        self,
        roots: Iterator[type[Any]] | list[type[Any]],
        raw: Mapping[tuple[type[Any], str], Any] | None = None,
    ) -> None:
        self._raw = raw or {}
        self._types: dict[type[Any], None] = {}
        for root in roots:
            self._collect(root)
        self._names = _named([*self._types])

    @property
    def components(self) -> dict[str, Schema]:
        """The schemas by name."""
        named = {self._names[type_]: self._component(type_) for type_ in self._types}
        return dict(sorted(named.items()))

    def name(self, type_: type[Any]) -> str:
        """Return the name of a type that is one of the components."""
        return self._names[type_]

    def of(self, hint: Any) -> Schema:
        """Return the schema of a field or a message annotated with *hint*."""
        if hint in _SCALARS:
            return dict(_SCALARS[hint])
        origin, inner = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self.of(next(arg for arg in inner if arg is not types.NoneType))
        if origin is Literal:
            return {"type": "string", "enum": list(inner)}
        if origin is tuple:
            return {"type": "array", "items": self.of(inner[0])}
        if origin is dict:
            values: Schema | bool = True if inner[1] is Any else self.of(inner[1])
            return {"type": "object", "additionalProperties": values}
        return {"$ref": REFERENCE + self._names[hint]}

    def _collect(self, hint: Any) -> None:
        """Find the messages and enums within *hint*, each once; they may refer to each other."""
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct | Documented):
            if hint not in self._types:
                self._types[hint] = None
                for _, inner in self._fields(hint):
                    self._collect(inner)
            return
        if hint not in _SCALARS:
            for inner in get_args(hint):
                self._collect(inner)

    def _fields(self, type_: type[Any]) -> Iterator[tuple[msgspec.structs.FieldInfo, Any]]:
        if issubclass(type_, msgspec.Struct):
            for field in msgspec.structs.fields(type_):
                yield field, self._raw.get((type_, field.name), field.type)

    def _component(self, type_: type[Any]) -> Schema:
        about: Schema = {"description": summary(type_)}
        if issubclass(type_, Documented):
            return {"type": "string", "enum": [member.name for member in type_], **about}
        properties: dict[str, Schema] = {}
        required: list[str] = []
        if (tag := type_.__struct_config__.tag) is not None:
            tag_field = type_.__struct_config__.tag_field
            about_tag = field_descriptions.of_field(type_, tag_field)
            properties[tag_field] = {"type": "string", "const": tag, "description": about_tag}
            required.append(tag_field)
        for field, hint in self._fields(type_):
            told = field_descriptions.of_field(type_, field.encode_name)
            # Beside a reference too: OpenAPI 3.1 and JSON Schema let both hold.
            properties[field.encode_name] = {**self.of(hint), "description": told}
            if field.required:
                required.append(field.encode_name)
        schema: Schema = {"type": "object", **about, "properties": properties}
        if required:
            schema["required"] = required
        if type_.__struct_config__.forbid_unknown_fields:
            schema["additionalProperties"] = False
        return schema


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split()).replace("``", "")


def _named(types_: list[type[Any]]) -> dict[type[Any], str]:
    """Give each type its own name; where several share one, the module comes before it."""
    shared = collections.Counter(type_.__name__ for type_ in types_)
    named: dict[type[Any], str] = {}
    for type_ in types_:
        module = type_.__module__.rpartition(".")[2].title().replace("_", "")
        named[type_] = (module if shared[type_.__name__] > 1 else "") + type_.__name__
    return named
