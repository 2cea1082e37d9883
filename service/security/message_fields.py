"""Find, in any message, the fields that name resources and the fields that say whose it is."""

from __future__ import annotations

import functools
import typing
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, TypeVar, cast

import msgspec

from service.project_numbers import NAME_FIELDS
from sessions.resources.search_requests import UserInfo

T = TypeVar("T", bound=msgspec.Struct)

_USER: Final = "user_pseudo_id"
_IDS: Final = "data_store_ids"
"""Bare ids of data stores in the collection that the request is about."""


class Named(NamedTuple):
    """A field and what it holds; *path* is in camelCase, as callers write it."""

    path: str
    value: str


class _Fields(NamedTuple):
    """Those of one type of message, each by attribute and wire name."""

    names: tuple[tuple[str, str], ...]
    users: tuple[tuple[str, str], ...]
    nested: tuple[tuple[str, str], ...]
    only: str
    """The attribute of its one name where it has nothing else of these; else ""."""


def is_plain(message: msgspec.Struct, name: str) -> bool:
    """Whether *message* names *name* and nothing else, and nobody: that of most reads."""
    only = _fields(type(message)).only
    return only != "" and getattr(message, only) == name


def names_in(message: msgspec.Struct, collection: str, path: str = "") -> Iterator[Named]:
    """Yield what *message* names, at every depth; bare ids as names in *collection*."""
    fields = _fields(type(message))
    for attribute, wire in fields.names:
        value: Any = getattr(message, attribute)
        for each in (value,) if isinstance(value, str) else value or ():
            if each:
                full = f"{collection}/dataStores/{each}" if attribute == _IDS else each
                yield Named(f"{path}{wire}", full)
    if fields.nested:
        for at, inner in _nested(message, fields, path):
            yield from names_in(inner, collection, at)


def users_in(message: msgspec.Struct, path: str = "") -> Iterator[Named]:
    """Yield the users that *message* names, "" too, at every depth."""
    fields = _fields(type(message))
    for attribute, wire in fields.users:
        yield Named(f"{path}{wire}", getattr(message, attribute))
    if fields.nested:
        for at, inner in _nested(message, fields, path):
            yield from users_in(inner, at)


def with_user(message: T, user: str) -> T:
    """Return *message* with *user* wherever it has a ``userPseudoId``, at every depth."""
    fields, changed = _fields(type(message)), dict[str, Any]()
    if not fields.users and not fields.nested:
        return message
    if any(attribute == _USER for attribute, _ in fields.users):
        changed[_USER] = user
    for attribute, _ in fields.nested:
        before = getattr(message, attribute)
        if isinstance(before, msgspec.Struct):
            changed[attribute] = with_user(before, user)
        elif isinstance(before, tuple):
            items = cast("tuple[Any, ...]", before)
            changed[attribute] = tuple(with_user(each, user) for each in items)
    return msgspec.structs.replace(message, **changed) if changed else message


def _nested(
    message: msgspec.Struct, fields: _Fields, path: str
) -> Iterator[tuple[str, msgspec.Struct]]:
    for attribute, wire in fields.nested:
        value: Any = getattr(message, attribute)
        if isinstance(value, msgspec.Struct):
            yield f"{path}{wire}.", value
        elif isinstance(value, tuple):
            for at, each in enumerate(cast("tuple[Any, ...]", value)):
                yield f"{path}{wire}[{at}].", each
        elif isinstance(value, dict):
            for key, each in cast("dict[str, Any]", value).items():
                yield f"{path}{wire}.{key}.", each


@functools.cache
def _fields(type_: type[msgspec.Struct]) -> _Fields:
    names: list[tuple[str, str]] = []
    users: list[tuple[str, str]] = []
    nested: list[tuple[str, str]] = []
    for field in msgspec.structs.fields(type_):
        known = (field.name, field.encode_name)
        if (field.name in NAME_FIELDS or field.name == _IDS) and _holds(field.type, str):
            names.append(known)
        elif field.name == _USER or (type_ is UserInfo and field.name == "user_id"):
            users.append(known)
        elif _holds(field.type, msgspec.Struct):
            nested.append(known)
    only = names[0][0] if len(names) == 1 and not users and not nested else ""
    return _Fields(tuple(names), tuple(users), tuple(nested), only)


def _holds(hint: Any, wanted: type[Any]) -> bool:
    """Whether a field of the type *hint* may hold a *wanted*, alone or in a collection."""
    if isinstance(hint, type) and issubclass(hint, wanted):
        return True
    return any(_holds(each, wanted) for each in typing.get_args(hint))
