"""Read by which fields of documents results are ordered."""

from __future__ import annotations

import re
from typing import Final

from service.answering.requests import field_checks
from sessions.errors import InvalidArgument

MAX_FIELDS: Final = 10
"""Fields that results may be ordered by."""

_FIELD: Final = re.compile(r"[A-Za-z_][\w.\-]*")


def parse(text: str, *, field: str) -> list[tuple[str, bool]]:
    """Read an ``orderBy``: paths into structured data, each with whether it descends.

    Raises:
        InvalidArgument: it is not a list of fields; *field* of the request is named.
    """
    keys: list[tuple[str, bool]] = []
    field_checks.check_at_most(text.count(",") + 1, MAX_FIELDS, field, "fields")
    for part in text.split(",") if text.strip() else ():
        path, *rest = part.split()[:3] or [""]
        if not _FIELD.fullmatch(path) or rest not in ([], ["asc"], ["desc"]):
            raise InvalidArgument(
                f"{field}: write 'field', 'field asc' or 'field desc', joined by commas",
                field=field,
            )
        keys.append((path, rest == ["desc"]))
    return keys
