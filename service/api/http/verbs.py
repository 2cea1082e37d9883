"""Turn the paths of the public APIs into paths that a trie can route.

The router cannot match ``{id}:verb``, several versions, short forms of one resource, or ids with
an encoded colon. So each path is brought into one form before it is routed, here and nowhere
else (guide/rest.md): ``/v1/`` + the canonical name + ``/:verb``. What was asked for stands in the
scope as a `RequestAddress`.

A path that names no resource is found out here, before any route is looked for: an id that is empty
would mean its parent, and one with ``..`` or an encoded slash whatever is made of it on the way.
"""

from __future__ import annotations

import functools
import re
from types import CoroutineType
from typing import Any, Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from litestar import Litestar
from litestar.types import (
    LifeSpanReceive,
    LifeSpanScope,
    LifeSpanSend,
    Receive,
    Scope,
    Send,
)

from service.api.http.request_address import ADDRESS, REFUSED, RequestAddress
from service.project_numbers import ProjectNumbers
from sessions import names
from sessions.errors import InvalidArgument, NotFound, ServiceError

_VERSIONED: Final = re.compile(rb"^/+(?:(upload)/)?(v1|v1beta|v1alpha|v1beta1|ui)/(.*)$", re.S)
_LOCATION_VERB: Final = re.compile(rf"({names.LOCATION})/")
"""What one client library puts before the colon of a verb: the location, and a slash."""
_OLDER: Final = re.compile(
    rf"{names.PARENT}/(?:sessions|conversations)/[^/]+(?:/answers/[^/]+)?", re.S
)
"""What may have ids from before there was a rule for them, and can be read and deleted."""
_READ_OR_DELETE: Final = frozenset({"GET", "HEAD", "DELETE"})
_NO_NUMBERS: Final = ProjectNumbers()
_SNAKE: Final = re.compile(r"_([a-z0-9])")


class VerbRouter(Litestar):
    """Litestar behind a translation of its request paths."""

    @functools.cached_property
    def _numbers(self) -> ProjectNumbers:
        return self.state.project_numbers

    def __call__(
        self,
        scope: Scope | LifeSpanScope,
        receive: Receive | LifeSpanReceive,
        send: Send | LifeSpanSend,
    ) -> CoroutineType[Any, Any, None]:
        """Translate the path of an HTTP request, or note what is wrong with it, then route it."""
        if scope["type"] == "http":
            given: Any = scope
            try:
                translate(given, self._numbers)
            except ServiceError as exc:
                given[REFUSED] = exc
        return super().__call__(scope, receive, send)


def translate(scope: Any, numbers: ProjectNumbers = _NO_NUMBERS) -> None:
    """Rewrite the path and the query string of an HTTP *scope*, in place; O(length).

    Raises:
        NotFound: an id in the path is empty, or what stands before them is written oddly.
        InvalidArgument: an id in the path has what no id may have.
    """
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    match = _VERSIONED.match(raw.partition(b"?")[0])
    if match is None:
        if _VERSIONED.match(scope["path"].encode()):
            # The router would find a handler, which then misses its address.
            raise NotFound(
                "there is no such route: write the version and what is around it without escapes",
                reason="ROUTE_NOT_FOUND",
            )
        if raw.startswith(b"//"):
            scope["path"] = "/" + scope["path"].lstrip("/")
        return
    upload, version, rest = match.groups()
    given = rest.decode(errors="replace")
    _, colon, verb = given.rpartition("/")[2].rpartition(":")
    if colon:
        given = given[: -len(verb) - 1]
        if location := _LOCATION_VERB.fullmatch(given):
            given = location[1]
    fault = None
    if not names.is_plain(given):
        segments = [unquote(each) for each in given.split("/")]
        # An encoded slash stays encoded: it must not move a segment.
        given = "/".join(each.replace("/", "%2F") for each in segments)
        fault = _fault(segments)
    name = names.canonical(given)
    number = numbers.number_in(name)
    name = numbers.resolved(name)
    may_be_older = not colon and scope.get("method") in _READ_OR_DELETE
    if fault and not (may_be_older and _OLDER.fullmatch(name)):
        raise fault
    scope[ADDRESS] = RequestAddress(version.decode(), name, fault, number)
    scope["path"] = f"/{'upload/' if upload else ''}v1/{name}{f'/:{verb}' if colon else ''}"
    if scope["query_string"]:
        scope["query_string"] = _camel_case_keys(scope["query_string"])


def _fault(segments: list[str]) -> InvalidArgument | None:
    """Return what is wrong with the ids of a path, ``None`` where nothing is.

    Raises:
        NotFound: one is empty.
    """
    if not all(segments):
        raise NotFound(
            "there is no such route: an id in the path is empty; leave out the slash at its end, "
            "or the second one of two",
            reason="ROUTE_NOT_FOUND",
        )
    try:
        names.check_forbidden_ids(segments, field="name")
    except InvalidArgument as exc:
        return exc
    return None


def _camel_case_keys(query: bytes) -> bytes:
    """Accept snake_case parameter names as well (guide/rest.md)."""
    if b"_" not in query:
        return query
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    return urlencode(
        [(_SNAKE.sub(lambda m: m[1].upper(), key), value) for key, value in pairs]
    ).encode()
