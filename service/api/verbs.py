"""Turn the paths of the public APIs into paths that a trie can route.

The router cannot match ``{id}:verb``, several versions, short forms of one resource, or ids with
an encoded colon. So each path is brought into one form before it is routed, here and nowhere
else (api.md 1.3, 2.7): ``/v1/`` + the canonical name + ``/:verb``. What was asked for stands in
the scope as an `Address`.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

import msgspec
from litestar import Litestar
from litestar.types import (
    LifeSpanReceive,
    LifeSpanScope,
    LifeSpanSend,
    Receive,
    Scope,
    Send,
)

from sessions import names

_VERSIONED: Final = re.compile(
    rb"^/+(?:(upload)/)?(v1|v1beta|v1alpha|v1beta1|ui)(?=/)/+(.*)$", re.S
)
_SNAKE: Final = re.compile(r"_([a-z0-9])")
ADDRESS: Final = "colloquy_address"


class Address(msgspec.Struct, frozen=True):
    """What a request of an API route is about.

    *name* is the canonical resource name in the path, without verb; *version* is as in the path
    (``ui`` for the operations binding of api.md 2.5).
    """

    version: str
    name: str


class VerbRouter(Litestar):
    """Litestar behind a translation of its request paths."""

    async def __call__(
        self,
        scope: Scope | LifeSpanScope,
        receive: Receive | LifeSpanReceive,
        send: Send | LifeSpanSend,
    ) -> None:
        """Translate the path of an HTTP request, then route it."""
        if scope["type"] == "http":
            translate(scope)
        await super().__call__(scope, receive, send)


def translate(scope: Any) -> None:
    """Rewrite the path and the query string of an HTTP *scope*, in place; O(length)."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    match = _VERSIONED.match(raw.partition(b"?")[0])
    if match is None:
        if raw.startswith(b"//"):
            scope["path"] = "/" + scope["path"].lstrip("/")
        return
    upload, version, rest = match.groups()
    given = rest.decode("latin-1")
    _, colon, verb = given.rpartition("/")[2].rpartition(":")
    if colon:
        given = given[: -len(verb) - 1].removesuffix("/")
    name = names.canonical(_decoded(given) if "%" in given else given)
    scope[ADDRESS] = Address(version.decode(), name)
    scope["path"] = f"/{'upload/' if upload else ''}v1/{name}{f'/:{verb}' if colon else ''}"
    if scope["query_string"]:
        scope["query_string"] = _camel_case_keys(scope["query_string"])


def _decoded(path: str) -> str:
    """Decode each segment. An encoded slash stays encoded: it must not move a segment."""
    return "/".join(unquote(segment).replace("/", "%2F") for segment in path.split("/"))


def _camel_case_keys(query: bytes) -> bytes:
    """Accept snake_case parameter names as well (api.md 3.7)."""
    if b"_" not in query:
        return query
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return urlencode(
        [(_SNAKE.sub(lambda m: m[1].upper(), key), value) for key, value in pairs]
    ).encode()
