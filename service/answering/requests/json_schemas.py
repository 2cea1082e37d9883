"""Take a JSON schema that a caller brings, within bounds, and tell what does not match it.

A schema is a program that its caller wrote, so it may ask for more work than anybody waits for:
what it refers to is counted as often as it is reached, patterns run on an engine whose time is
linear, and nothing that it names is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

import jsonschema_rs
import msgspec

from sessions.errors import InvalidArgument

MAX_BYTES: Final = 64 * 1024
"""Bytes of one schema as JSON: a model would read no more of it with care."""
MAX_DEPTH: Final = 64
"""Objects and lists within one another."""
MAX_REACHED: Final = 2_000
"""Objects and lists that one value may be held against, each as often as references lead to it:
thirty definitions that each name the next one twice would make a thousand million of them."""
MAX_PATTERNS: Final = 100
"""Patterns of one schema; each may take 64 KiB when it is compiled."""

_PATTERN: Final = jsonschema_rs.RegexOptions(size_limit=64 * 1024, dfa_size_limit=64 * 1024)
_ELSEWHERE: Final = ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef")
_DEFINITIONS: Final = ("$defs", "definitions")
_MOST_TOLD: Final = 300
"""Characters of what is told to be wrong."""


class JsonSchema(msgspec.Struct, frozen=True):
    """A schema that was found fit; *document* is what a model is given of it, *size* its bytes."""

    document: dict[str, Any]
    size: int
    recursive: bool = False

    def fault(self, value: object) -> str:
        """Return in one line what of *value* does not match, "" where it matches."""
        # Compiled when it is needed, which is once at most: what waits for that takes no memory.
        validator = _validator(self.document)
        if validator.is_valid(value):
            return ""
        if self.recursive:
            # To find the place takes time that doubles with each level; to find that it is wrong
            # does not.
            return "it does not match the schema"
        try:
            validator.validate(value)
        except jsonschema_rs.ValidationError as exc:
            return _told(exc)
        raise AssertionError("what is not valid has an error")


def checked(document: object, *, field: str) -> JsonSchema:
    """Return the schema *document*, its properties in the order that it asks for.

    Raises:
        InvalidArgument: it is none, is too large, or refers to something outside itself; *field*
            is named.
    """
    if not isinstance(document, dict):
        raise InvalidArgument(f"{field}: give a JSON schema, an object", field=field)
    root = cast("dict[str, Any]", document)
    _check_bounds(root, field)
    size = len(msgspec.json.encode(root))
    if size > MAX_BYTES:
        raise InvalidArgument(f"{field}: at most {MAX_BYTES // 1024} KiB", field=field)
    walk = _Walk(root)
    try:
        reached = walk.reached(root)
    except RecursionError:  # a chain of definitions that each name the next one
        reached = MAX_REACHED + 1
    if reached > MAX_REACHED:
        raise InvalidArgument(
            f"{field}: its references lead to more than {MAX_REACHED:,} schemas; use fewer",
            field=field,
        )
    try:
        _validator(root)
    except jsonschema_rs.ValidationError as exc:
        message = f"{field}: no JSON schema that can be used: {_told(exc)}"
        raise InvalidArgument(message, field=field) from exc
    except ValueError as exc:  # what its documents do not tell of, such as its own bound of depth
        message = f"{field}: no JSON schema that can be used: {_line(str(exc))}"
        raise InvalidArgument(message, field=field) from exc
    return JsonSchema(_in_order(root), size, walk.recursive)


def _validator(document: dict[str, Any]) -> Any:
    return jsonschema_rs.validator_for(
        document,
        pattern_options=_PATTERN,
        # Formats are notes to the model: programs differ in what they take for a date.
        validate_formats=False,
        offline=True,
        mask="the value",  # which may be as long as a text
    )


def _told(error: jsonschema_rs.ValidationError) -> str:
    """Return what is wrong, and where."""
    where = "".join(f"/{step}" for step in error.instance_path)
    return f"{_line(error.message)}{where and f' (at {_line(where)})'}"


def _line(text: str) -> str:
    return " ".join(text.split())[:_MOST_TOLD]


def _check_bounds(root: dict[str, Any], field: str) -> None:
    """Refuse what is too large to look at, and what names something outside *root*."""
    patterns = 0
    for depth, one in _objects(root, 1):
        if depth > MAX_DEPTH:
            raise InvalidArgument(f"{field}: at most {MAX_DEPTH} levels", field=field)
        patterns += isinstance(one.get("pattern"), str)
        if isinstance(one.get("patternProperties"), dict):
            patterns += len(one["patternProperties"])
        named = next((name for name in _ELSEWHERE if name in one), "")
        target = one.get("$ref")
        if isinstance(target, str) and not (target == "#" or target.startswith("#/")):
            named = "$ref"
        if named and isinstance(one[named], str):
            raise InvalidArgument(
                f"{field}: {named} cannot be used; refer to what is within the schema, as in "
                "#/$defs/Name",
                field=field,
            )
    if patterns > MAX_PATTERNS:
        raise InvalidArgument(f"{field}: at most {MAX_PATTERNS} patterns", field=field)


def _objects(value: Any, depth: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object in *value* with its depth, no deeper than one level too many."""
    stack: list[tuple[int, Any]] = [(depth, value)]
    while stack:
        depth, one = stack.pop()
        if isinstance(one, dict):
            inner = cast("dict[str, Any]", one)
            yield depth, inner
            stack += [(depth + 1, member) for member in inner.values()]
        elif isinstance(one, list):
            if depth > MAX_DEPTH:
                yield depth, {}
            stack += [(depth + 1, member) for member in cast("list[Any]", one)]


class _Walk:
    """Counts what is reached from the parts of a schema; a way back to itself counts once."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._known: dict[int, int] = {}
        self._open = set[int]()
        self.recursive = False

    def reached(self, part: Any) -> int:
        """Return how many objects and lists a value may be held against, from *part* on."""
        if not isinstance(part, dict | list):
            return 0
        key = id(cast("object", part))
        if key in self._open:
            self.recursive = True
            return 1
        if key not in self._known:
            self._open.add(key)
            self._known[key] = 1 + sum(map(self.reached, self._members(part)))
            self._open.discard(key)
        return self._known[key]

    def _members(self, part: Any) -> Iterator[Any]:
        if isinstance(part, list):
            yield from cast("list[Any]", part)
            return
        inner = cast("dict[str, Any]", part)
        # Definitions are held against nothing until something refers to them. Below the root, a
        # member of this name may as well be a property.
        passed = _DEFINITIONS if inner is self._root else ()
        yield from (one for name, one in inner.items() if name not in passed)
        if isinstance(target := part.get("$ref"), str):
            yield self._target(target)

    def _target(self, pointer: str) -> Any:
        """Return what *pointer* (RFC 6901) leads to, None where that is nothing."""
        place: Any = self._root
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(place, list):
                inner = cast("list[Any]", place)
                place = inner[int(name)] if name.isdecimal() and int(name) < len(inner) else None
            elif isinstance(place, dict):
                place = cast("dict[str, Any]", place).get(name)
            else:
                return None
        return place


def _in_order(part: Any) -> Any:
    """Return *part* with the properties of its objects as ``propertyOrdering`` has them.

    Models write properties in the order in which a schema has them; the keyword itself is no part
    of JSON Schema, and strict endpoints refuse it.
    """
    if isinstance(part, list):
        return [_in_order(one) for one in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    inner = {name: _in_order(one) for name, one in cast("dict[str, Any]", part).items()}
    order, properties = inner.get("propertyOrdering"), inner.get("properties")
    if isinstance(order, list) and isinstance(properties, dict):
        named = cast("dict[str, Any]", properties)
        wanted = [name for name in cast("list[Any]", order) if isinstance(name, str)]
        first = [name for name in wanted if name in named]
        inner["properties"] = {name: named[name] for name in [*first, *named]}
        del inner["propertyOrdering"]
    return inner
