"""Send every frame of the WebSocket subprotocol as everybody, and look for what nobody may see.

`tests.whole.matrix` prints these cells with those of the routes. Each type of frame, as the
protocol lists them, is sent about what is the owner's, another user's and nobody's, in the data
store, in its engine, in another data store and in another project, and about what is not there.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from service.api import frame_authorisation
from service.security import permissions
from streaming.protocol import close_codes, frames
from tests.streaming.sockets import served
from tests.whole.house import ENGINE, OTHER_STORE, STORE, Caller, House

_MARKER: Final = re.compile(r"mark-[a-z]-[a-z]+-[a-z]+")
_NOT_THERE: Final = "barrier"
"""The id of an answer that is not there."""
_LARGEST: Final = 1 << 24
"""Bytes of a frame that is read."""


class Target(NamedTuple):
    """What a frame is about: *user* is whose session and conversation these are."""

    name: str
    parent: str
    user: str


TARGETS: Final = (
    Target("the owner's", STORE, "anna"),
    Target("another user's", STORE, "bert"),
    Target("nobody's", STORE, "nobody"),
    Target("absent", STORE, "absent"),
    Target("of an engine", ENGINE, "anna"),
    Target("of another store", OTHER_STORE, "anna"),
    Target("of another project", STORE.replace("/p/", "/q/"), "anna"),
)
FRAMES: Final = tuple(str(each.__struct_config__.tag) for each in frames.AnyClientFrame.__args__)
"""Every type, from the protocol itself."""
_CLOSED: Final = {close_codes.UNAUTHENTICATED.code: "denied"}
_CODES: Final = {5: "absent", 7: "denied"}

_METHODS: Final = {"request": "GetSession"}
"""The method whose rule a frame is held to, where that is not its own."""
ABOUT: Final = (*frame_authorisation.RULED, *_METHODS)
"""Frames that are about something that is somebody's."""
_STATUSES: Final = {200: "admitted", 403: "denied", 404: "absent"}


class FrameCell(NamedTuple):
    """What came back of one frame, and what was to come."""

    frame: str
    target: str
    caller: str
    expected: str
    outcome: str
    marks: frozenset[str]
    leaks: frozenset[str]

    @property
    def is_right(self) -> bool:
        """Whether it was decided as the table has it."""
        return self.outcome == self.expected

    @property
    def told(self) -> str:
        """What the cell is about, for who reads of it."""
        return f"{self.frame} about what is {self.target}" if self.target else self.frame


def expected(frame: str, target: Target | None, caller: Caller) -> str:
    """Return ``denied``, ``absent`` or ``admitted``, as the table and the guide have it."""
    if caller.kind is None:
        return "denied"
    if target is None:
        return "admitted"
    if caller.kind not in permissions.rule(_METHODS.get(frame, frame)).kinds:
        return "denied"
    if caller.project not in ("", target.parent.split("/")[1]):
        return "absent"
    if caller.stores and target.parent not in caller.stores:
        return "absent"
    if target.user == "absent" or caller.user not in ("", target.user):
        return "absent"
    return "admitted"


def written(frame: str, target: Target | None, answers: dict[Target, str], id: str) -> Any:
    """Return a *frame* about *target* under an *id*.

    Raises:
        KeyError: nobody has said yet how a frame of this type is written.
    """
    if target is None:
        return {"auth": {"token": ""}, "ping": {}}[frame]
    session = f"{target.parent}/sessions/s-{target.user}"
    question = f"What is the fence of {_mark(target)}?"
    body = {"query": {"text": question}, "session": session}
    config = f"{target.parent}/servingConfigs/default_config"
    talk = f"{target.parent}/conversations/c-{target.user}"
    answer = answers.get(target, f"{session}/answers/1")
    return {
        "answer": {"id": id, "servingConfig": config, "request": body},
        "converse": {"id": id, "name": talk, "request": {"query": {"input": question}}},
        "resume": {"id": id, "answer": answer},
        "cancel": {"answer": answer},
        "request": {"id": id, "method": "GET", "path": f"/v1/{session}"},
    }[frame]


async def cells(inside: House) -> list[FrameCell]:
    """Return all cells: those of one caller on one connection, as long as it holds."""
    answers = await given_answers(inside)
    found: list[FrameCell] = []
    async with served(inside.application.asgi) as address:
        for caller in inside.callers:
            crier = Crier(f"ws://{address}/v1/ws", caller, answers)
            found += [
                await crier.cell(frame, target)
                for frame in FRAMES
                for target in (TARGETS if frame in ABOUT else (None,))
            ]
            await crier.leave()
    return found


async def given_answers(inside: House) -> dict[Target, str]:
    """Return the names of answers that were given about all targets that are there."""
    return {each: await _answer(inside, each) for each in TARGETS if each.user != "absent"}


async def _answer(inside: House, target: Target) -> str:
    """Return the name of an answer that was given to the user of *target*."""
    body = written("answer", target, {}, "")["request"]
    body["userPseudoId"] = "" if target.user == "nobody" else target.user
    path = f"{target.parent}/servingConfigs/default_config:answer"
    return (await inside.made("POST", path, body))["answer"]["name"]


def _mark(target: Target) -> str:
    """Return what marks that something is of *target*."""
    _, project, *_, store = target.parent.split("/")
    return f"mark-{project}-{store}-{target.user}"


class Crier:
    """Sends frames as one caller; *heard* is what came back of the last."""

    def __init__(self, url: str, caller: Caller, answers: dict[Target, str]) -> None:
        self._url = url
        self._caller = caller
        self._answers = answers
        self._line: ClientConnection | None = None
        self._sent = 0
        self.heard: list[str] = []

    async def cell(self, frame: str, target: Target | None) -> FrameCell:
        """Send a *frame* about *target* and return what became of it."""
        self.heard.clear()
        try:
            outcome = await self._outcome(frame, target)
        except ConnectionClosed as exc:
            self._line = None
            code = exc.rcvd.code if exc.rcvd else 1006
            outcome = _CLOSED.get(code, f"closed with {code}")
        # What was not asked for comes, too, before the reply to what is asked next.
        marks = frozenset(_MARKER.findall("".join(self.heard)))
        leaks = frozenset(each for each in marks if not self._caller.may_see(each))
        name, wanted = target.name if target else "", expected(frame, target, self._caller)
        return FrameCell(frame, name, self._caller.name, wanted, outcome, marks, leaks)

    async def leave(self) -> None:
        """Close the connection."""
        if self._line is not None:
            await self._line.close()

    async def _outcome(self, frame: str, target: Target | None) -> str:
        if frame == "auth":
            return await self._greet()
        if self._line is None:
            # It does not wait for ``ready``: the frame stands behind the token, or is the first.
            await self._connect(says_who=bool(self._caller.token))
        self._sent += 1
        await self._say(frame, **written(frame, target, self._answers, str(self._sent)))
        if frame == "cancel" and target is not None:
            return await self._outcome_of_cancel(target)
        while True:
            told = await self._hear()
            match told["type"]:
                case "pong":
                    return "admitted"
                case "response":
                    return _STATUSES.get(told["status"], json.dumps(told["body"]))
                case "error":
                    return _CODES.get(told["error"]["code"], json.dumps(told["error"]))
                case "element" if told["response"]["answer"]["state"] == "SUCCEEDED":
                    return "admitted"
                case _:
                    pass

    async def _outcome_of_cancel(self, target: Target) -> str:
        """Return what became of a ``cancel``, which says nothing where it may be.

        What comes of another one, about what is not there beside it, comes after that.
        """
        session = f"{target.parent}/sessions/s-{target.user}"
        await self._say("cancel", answer=f"{session}/answers/{_NOT_THERE}")
        first = (await self._hear())["error"]
        if _NOT_THERE in first["message"]:
            return "admitted"
        await self._hear()
        return _CODES.get(first["code"], json.dumps(first))

    async def _greet(self) -> str:
        await self._connect(says_who=True)
        while (await self._hear())["type"] != "ready":
            pass
        return "admitted"

    async def _connect(self, *, says_who: bool) -> None:
        line = connect(
            self._url,
            subprotocols=[Subprotocol(frames.SUBPROTOCOL)],
            compression=None,
            max_size=_LARGEST,
        )
        self._line = await line
        if says_who:
            await self._say("auth", token=self._caller.token)

    async def _say(self, type: str, **fields: Any) -> None:
        if self._line is None:
            raise AssertionError("it is connected")
        await self._line.send(json.dumps({"type": type, **fields}))

    async def _hear(self) -> Any:
        if self._line is None:
            raise AssertionError("it is connected")
        text = str(await self._line.recv())
        self.heard.append(text)
        return json.loads(text)
