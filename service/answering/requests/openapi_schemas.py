"""Read the documents' ``Schema``, a part of OpenAPI 3.0, as the JSON schema that it stands for.

Clients write it in several spellings: keys in camel case or snake case, types by name or number,
counts as numbers or as decimals in strings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from sessions.errors import InvalidArgument

_TYPES: Final = ("", "string", "number", "integer", "boolean", "array", "object", "null")
"""The types of JSON by their numbers in the documents' enum ``Type``, none for 0."""
_UNSPECIFIED: Final = "TYPE_UNSPECIFIED"
_MOST: Final = 64
"""Schemas within one another (`json_schemas.MAX_DEPTH`)."""
_NOTES: Final = ("title", "description", "default", "pattern", "minimum", "maximum", "required")
_COUNTS: Final = (
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
)


def to_json_schema(given: Mapping[str, Any], *, field: str) -> dict[str, Any]:
    """Return the JSON schema that *given* stands for; keys that ``Schema`` has not are left out.

    Raises:
        InvalidArgument: a part of it cannot be read; it is named by its path below *field*.
    """
    return _schema(given, field, 1)


def _schema(given: object, field: str, depth: int) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidArgument(f"{field}: give a schema, an object", field=field)
    if depth > _MOST:
        raise InvalidArgument(f"{field}: at most {_MOST} levels", field=field)
    parts = {_key(name): one for name, one in cast("Mapping[str, Any]", given).items()}
    made = {name: parts[name] for name in _NOTES if parts.get(name) is not None}
    for name in _COUNTS:
        if parts.get(name) is not None:
            made[name] = _count(parts[name], f"{field}.{name}")
    if parts.get("format") not in (None, "", "enum"):
        made["format"] = parts["format"]
    if parts.get("example") is not None:
        made["examples"] = [parts["example"]]
    if parts.get("propertyOrdering"):
        made["propertyOrdering"] = parts["propertyOrdering"]
    _add_inner(made, parts, field, depth + 1)
    kind = _type(parts.get("type"), f"{field}.type")
    if kind:
        made["type"] = kind
    if parts.get("enum"):
        made["enum"] = _values(parts["enum"], kind, f"{field}.enum")
    return _nullable(made) if parts.get("nullable") is True else made


def _add_inner(made: dict[str, Any], parts: Mapping[str, Any], field: str, depth: int) -> None:
    """Add to *made* the schemas within a schema of these *parts*."""
    if parts.get("items") is not None:
        made["items"] = _schema(parts["items"], f"{field}.items", depth)
    for name, ours in (("properties", "properties"), ("defs", "$defs")):
        if parts.get(name) is not None:
            made[ours] = _each(parts[name], f"{field}.{name}", depth)
    if parts.get("anyOf"):
        made["anyOf"] = [
            _schema(one, f"{field}.anyOf[{at}]", depth)
            for at, one in enumerate(_listed(parts["anyOf"], f"{field}.anyOf"))
        ]
    more = parts.get("additionalProperties")
    if isinstance(more, bool):
        made["additionalProperties"] = more
    elif more is not None:
        made["additionalProperties"] = _schema(more, f"{field}.additionalProperties", depth)
    if isinstance(ref := parts.get("ref"), str) and ref:
        made["$ref"] = f"#/$defs/{ref[7:]}" if ref.startswith("#/defs/") else ref


def _each(given: object, field: str, depth: int) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidArgument(f"{field}: give an object of schemas", field=field)
    named = cast("Mapping[str, Any]", given)
    return {name: _schema(one, f"{field}.{name[:100]}", depth) for name, one in named.items()}


def _nullable(made: dict[str, Any]) -> dict[str, Any]:
    """Let *made* be null as well."""
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    if "type" in made:
        made["type"] = [made["type"], "null"]
    if "anyOf" in made:
        made["anyOf"] = [*made["anyOf"], {"type": "null"}]
    if "$ref" in made:
        made["anyOf"] = [{"$ref": made.pop("$ref")}, {"type": "null"}]
    return made


def _key(name: str) -> str:
    """Return *name* as the documents spell it."""
    head, *rest = name.strip("_").removeprefix("$").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def _type(given: object, field: str) -> str:
    if given is None or given == _UNSPECIFIED:
        return ""
    if isinstance(given, str) and given.lower() in _TYPES:
        return given.lower()
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(_TYPES):
        return _TYPES[given]
    listed = ", ".join(name.upper() for name in _TYPES[1:])
    raise InvalidArgument(f"{field}: give one of {listed}", field=field)


def _count(given: object, field: str) -> int:
    if isinstance(given, str) and given.isascii() and given.isdecimal():
        return int(given[:20])
    if isinstance(given, int | float) and not isinstance(given, bool) and given == given // 1 >= 0:
        return int(given)
    raise InvalidArgument(f"{field}: give a whole number, 0 or more", field=field)


def _values(given: object, kind: str, field: str) -> list[Any]:
    """Return the values of an enum, which ``Schema`` writes as strings whatever they are."""
    read: Callable[[str], Any] = {"integer": int, "number": float}.get(kind, str)
    try:
        return [read(one) if isinstance(one, str) else one for one in _listed(given, field)]
    except ValueError:
        raise InvalidArgument(f"{field}: give values of the type {kind}", field=field) from None


def _listed(given: object, field: str) -> list[Any]:
    if not isinstance(given, list):
        raise InvalidArgument(f"{field}: give a list", field=field)
    return cast("list[Any]", given)
