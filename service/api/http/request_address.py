"""What the path of a request is about, as `service.api.http.verbs` reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sessions.errors import InvalidArgument

ADDRESS: Final = "colloquy_address"
"""Where the scope of a request has its `RequestAddress`."""
REFUSED: Final = "colloquy_refused"
"""Where it has why there is none: who asks is checked before that is told."""


def name_in(scope: Mapping[str, Any]) -> str:
    """Return the canonical resource name in the path of a request, "" where there is none."""
    address: RequestAddress | None = scope.get(ADDRESS)
    return address.name if address is not None else ""


class RequestAddress(msgspec.Struct, frozen=True):
    """What a request of an API route is about.

    *name* is the canonical resource name in the path, without verb; *version* is as in the path
    (``ui`` for the binding that operations have beside it). *fault* is what is wrong with the name
    where there may be such a resource nevertheless, stored under older rules.
    """

    version: str
    name: str
    fault: InvalidArgument | None = None
    number: str = ""
    """The assigned number that stands for the project in the path, "" where its id does."""
