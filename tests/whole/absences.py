"""Ask about what is not there for a caller, and note what is told and what Redis is asked for it.

Something is absent in several ways: there is none, it is somebody else's, or it lies in another
data store or another project, where there is one or none. Which of them it is must not show: not in
what is told, and not in the commands to Redis, which are the time that it takes.
"""

from __future__ import annotations

import functools
import json
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import anyio
from redis.asyncio import Redis

from service.security import permissions
from sessions import names
from tests.streaming.sockets import served
from tests.waiting import LONG
from tests.whole import frame_matrix, matrix, matrix_requests
from tests.whole.frame_matrix import TARGETS, Crier, Target
from tests.whole.house import Caller, House
from tests.whole.matrix import Route


class Place(NamedTuple):
    """Where something is looked for: ids beside those of what is there, and whose it is there.

    *user* is None where there is nothing.
    """

    name: str
    ids: Mapping[str, str]
    user: str | None = None


_NONE: Final[dict[str, str]] = dict.fromkeys(
    ("session", "conversation", "document", "operation", "rag_corpus", "rag_file"), "absent"
)
_OTHER: Final = {"data_store": "b", "engine": "b"}
_NO_STORE: Final = {"data_store": "absent", "engine": "absent"}
_PLACES: Final = (
    Place("absent", _NONE),
    Place("another user's", {"session": "s-bert", "conversation": "c-bert"}, "bert"),
    Place("nobody's", {"session": "s-nobody", "conversation": "c-nobody"}, "nobody"),
    Place("in another store", _OTHER, "anna"),
    Place("absent in another store", {**_OTHER, **_NONE}),
    Place("in a store that is absent", _NO_STORE),
    Place("in another project", {"project": "q"}, "anna"),
    Place("absent in another project", {"project": "q", **_NONE}),
    Place("in another project, in a store that is absent", {"project": "q", **_NO_STORE}),
)
_THERE: Final = {"project": "p", "data_store": "a", "engine": "a"}
_NAME: Final = re.compile(r"projects/[^\s'\"\\]*")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_OWNED: Final = re.compile(r"/(?:sessions|conversations)/[^/]")
_ECHO: Final = "absence"


class Request(NamedTuple):
    """What is asked about a place: path, body, and the name in them that is *about* it."""

    what: str
    place: Place
    path: str
    body: Any
    about: str


class Absence(NamedTuple):
    """What was told of something, and the commands of Redis about anything that has a name."""

    what: str
    caller: str
    place: str
    is_beyond: bool
    """Whether it lies beyond the boundary of the caller, who knows that."""
    told: str
    asked: tuple[str, ...]


class _Monitor:
    """Hears what Redis is asked."""

    def __init__(self, client: Any, lines: AsyncIterator[Any]) -> None:
        self._client = client
        self._lines = lines
        self._heard = 0

    async def settled(self, ask: Callable[[], Awaitable[str]]) -> tuple[str, tuple[str, ...]]:
        """Return what *ask* tells, and the commands that it takes when it is asked again."""
        last: tuple[str, ...] | None = None
        with anyio.fail_after(LONG):
            while True:
                told, asked = await ask(), await self._asked()
                if asked == last:  # nothing that goes on beside it was heard, nor a new script
                    return told, asked
                last = asked

    async def _asked(self) -> tuple[str, ...]:
        """Return the commands since the last time, but those that are about nothing by name."""
        self._heard += 1
        end, asked = f"{_ECHO} {self._heard}", list[str]()
        await self._client.echo(end)
        async for line in self._lines:
            command = str(line["command"])
            if command == f"ECHO {end}":
                break
            words = command.split()
            # The audit log is written beside requests, by and by.
            if "projects/" in command and not any(each.endswith(":audit") for each in words):
                asked.append(words[0])
        return tuple(asked)


async def of_routes(inside: House, redis_url: str, callers: Sequence[Caller]) -> list[Absence]:
    """Call every route about all that is absent for *callers*, by its path and by its body."""
    opened: Any = Redis.from_url(redis_url)  # pyright: ignore[reportUnknownMemberType]
    found: list[Absence] = []
    async with opened as client, client.monitor() as monitor:
        listening = _Monitor(client, monitor.listen())
        for route in await matrix.routes(inside):
            for caller in callers:
                for each in _requests(inside, route):
                    if caller.kind not in permissions.rule(route.method).kinds:
                        continue
                    is_beyond = _is_beyond(caller, each.about)
                    # What is nobody's is there for all within a boundary, who may list it.
                    if not is_beyond and (
                        not _is_owned(caller, each) or each.place.user == caller.user
                    ):
                        continue
                    asking = functools.partial(_told, inside, caller, route, each)
                    told, asked = await listening.settled(asking)
                    what, place = each.what, each.place.name
                    found.append(Absence(what, caller.name, place, is_beyond, told, asked))
    return found


async def of_frames(inside: House, redis_url: str, callers: Sequence[Caller]) -> list[Absence]:
    """Send every frame about all that is absent for *callers*."""
    opened: Any = Redis.from_url(redis_url)  # pyright: ignore[reportUnknownMemberType]
    answers, found = await frame_matrix.given_answers(inside), list[Absence]()
    async with (
        opened as client,
        client.monitor() as monitor,
        served(inside.application.asgi) as address,
    ):
        listening = _Monitor(client, monitor.listen())
        for caller in callers:
            crier = Crier(f"ws://{address}/v1/ws", caller, answers)
            await crier.cell("auth", None)
            for frame in frame_matrix.ABOUT:
                for target in _absent(frame, caller):
                    asking = functools.partial(_heard, crier, frame, target)
                    told, asked = await listening.settled(asking)
                    what = f"{frame} {target.parent.split('/')[-2]}"
                    is_beyond = _is_beyond(caller, target.parent)
                    if not is_beyond and not caller.user:
                        continue
                    found.append(Absence(what, caller.name, target.name, is_beyond, told, asked))
            await crier.leave()
    return found


def differences(found: Sequence[Absence]) -> list[str]:
    """Return what one could tell from another by, though both are absent for the same caller."""
    alike: defaultdict[tuple[str, str, bool], list[Absence]] = defaultdict(list)
    for each in found:
        alike[each.what, each.caller, each.is_beyond].append(each)
    return [
        f"{first.what} as {first.caller}, {first.place} and {other.place}:\n"
        f"  {first.told} {first.asked}\n  {other.told} {other.asked}"
        for first, *others in alike.values()
        for other in others
        if (first.told, first.asked) != (other.told, other.asked)
    ]


def _requests(inside: House, route: Route) -> Iterator[Request]:
    """Yield a request about each place, by the path of *route* and by a body of its method."""
    if not route.is_offered:
        return
    whole = matrix_requests.filled(route.path, inside.ids)
    body = None
    if route.verb in ("POST", "PATCH"):
        body = matrix_requests.body(route.method, inside.corpus)
    text, what = json.dumps(body), f"{route.verb} {route.path}"
    for place in _PLACES:
        path = matrix_requests.filled(route.path, {**inside.ids, **place.ids})
        if path != whole:
            yield Request(what, place, path, body, _named(path))
        if (other := _moved(text, inside, place)) != text:
            about = _named(other)
            yield Request(f"{what}, by its body", place, whole, json.loads(other), about)


def _named(text: str) -> str:
    return _NAME.findall(text)[0].partition(":")[0]


def _moved(text: str, inside: House, place: Place) -> str:
    """Return a body that names what is in *place* instead of what is there."""
    ids = {**_THERE, **inside.ids, **place.ids}
    text = text.replace("projects/p/", f"projects/{ids['project']}/")
    text = text.replace("dataStores/a", f"dataStores/{ids['data_store']}")
    text = text.replace("sessions/s-anna", f"sessions/{ids['session']}")
    return text.replace(f"ragCorpora/{inside.ids['rag_corpus']}", f"ragCorpora/{ids['rag_corpus']}")


def _is_owned(caller: Caller, request: Request) -> bool:
    """Whether *request* is about what is somebody's, by a caller who sees only its own."""
    return bool(caller.user) and _OWNED.search(request.about) is not None


def _is_beyond(caller: Caller, name: str) -> bool:
    """Whether *name* lies beyond the boundary of *caller*."""
    if caller.project not in ("", name.split("/")[1]):
        return True
    return (
        bool(caller.stores) and bool(store := names.store_of(name)) and store not in caller.stores
    )


def _absent(frame: str, caller: Caller) -> Iterator[Target]:
    for target in TARGETS:
        if frame_matrix.expected(frame, target, caller) != "admitted":
            yield target


async def _told(inside: House, caller: Caller, route: Route, request: Request) -> str:
    path = request.path
    if route.method in matrix_requests.PARAMETERS:
        path += f"?{matrix_requests.PARAMETERS[route.method]}"
    kind = "multipart/form-data; boundary=x" if "/upload/" in path else "application/json"
    status, content = await inside.call(caller.token, route.verb, path, request.body, kind=kind)
    return f"{status} {_plain(content.decode(errors='replace'))}"


async def _heard(crier: Crier, frame: str, target: Target) -> str:
    await crier.cell(frame, target)
    return _plain("".join(crier.heard))


def _plain(text: str) -> str:
    """Return *text* without names, times and the ids of frames."""
    text = _TIME.sub("TIME", _NAME.sub("NAME", text))
    return re.sub(r'"id":"\d+"', '"id":"N"', text)
