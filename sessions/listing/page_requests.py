"""Read what every list request says about its page: its size and its order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from sessions.errors import InvalidArgument


class OrderKey(NamedTuple):
    """One key of an order: a field in snake_case, and its direction."""

    field: str
    descending: bool


def size(requested: int, *, default: int, maximum: int) -> int:
    """Return how many resources the page may have (AIP-158).

    Raises:
        InvalidArgument: (``pageSize``) it is negative.
    """
    if requested < 0:
        raise InvalidArgument("pageSize: give 0 for the default, or more", field="pageSize")
    return min(requested or default, maximum)


def order(text: str, fields: Mapping[str, object]) -> tuple[OrderKey, ...]:
    """Read an ``orderBy``, whose names are keys of *fields* in snake_case or camelCase.

    Raises:
        InvalidArgument: (``orderBy``) a field is unknown, or named twice, or the syntax is wrong.
    """
    keys: list[OrderKey] = []
    for part in text.split(",") if text.strip() else ():
        words = part.split()
        if len(words) not in {1, 2} or words[1:] not in ([], ["asc"], ["desc"]):
            raise InvalidArgument(
                "orderBy: write 'field', 'field asc' or 'field desc', joined by commas",
                field="orderBy",
            )
        name = snake(words[0])
        if name not in fields or name in {key.field for key in keys}:
            raise InvalidArgument(
                f"orderBy: '{words[0][:50]}' is no field to order by, or is given twice; "
                f"there are {', '.join(sorted(fields))}",
                field="orderBy",
            )
        keys.append(OrderKey(name, words[1:] == ["desc"]))
    return tuple(keys)


def snake(name: str) -> str:
    """Return the camelCase *name* in snake_case; one in snake_case stays."""
    return re.sub("([A-Z])", lambda upper: f"_{upper[1].lower()}", name)
