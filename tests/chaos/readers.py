"""A WebSocket client that notes every frame and loses its socket all the time.

It knows the protocol by its document alone: what it does not find in there it notes as a complaint.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import Callable
from typing import Any, Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from sessions.redis.resp_socket import FULL
from streaming.log.positions import parse
from streaming.protocol import close_codes, frames
from tests.chaos.records import Heard, Story

_OPEN: Final = 2.0  # seconds for a connection to be ready
_SILENCE: Final = 2.0  # seconds without a word after which another replica is tried
_TRIES: Final = 4  # connections in a row that may bring nothing before a reader is more patient
_LONGEST: Final = 3  # times that its patience doubles
_AGAIN: Final = frozenset({"NOT_ACCEPTED_IN_TIME", FULL})
"""Reasons besides all of UNAVAILABLE after which the same is to be sent again."""
_UNAVAILABLE: Final = 14
_ENDED: Final = ("SUCCEEDED", "FAILED")


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How a reader behaves."""

    life: float
    """Seconds that its connections live, on average."""
    slow: float = 0.0
    """Longest pause between two frames, in seconds."""
    forgets: float = 0.1
    """How often it comes back without what it read, as a page that is loaded anew."""


class Reader:
    """Reads the answer of one question to its end, whatever it takes."""

    def __init__(
        self,
        url: str,
        story: Story,
        habits: Habits,
        seed: str,
        token: Callable[[], str] | None = None,
    ) -> None:
        """Read at *url*; where a *token* is needed, each connection has a new one, and no other."""
        self._url = url
        self._token = token
        self._story = story
        self._habits = habits
        self._chance = random.Random(seed)
        self._id = story.question.id
        self._fresh = self._live = False
        self._barren = 0  # connections in a row that brought nothing
        self.accepted = asyncio.Event()
        """Set once the answer is known."""

    async def run(self) -> None:
        """Connect again and again until the answer has ended."""
        while True:
            before = len(self._story.heard)
            with contextlib.suppress(OSError, TimeoutError, WebSocketException, ConnectionClosed):
                await self._connect()
            self._barren = 0 if len(self._story.heard) > before else self._barren + 1
            if self._story.end is not None or self._story.complaints:
                self.accepted.set()
                return
            self._story.drops += 1
            await asyncio.sleep(self._chance.uniform(0, 0.2))

    @property
    def _patience(self) -> float:
        """How many times as long as usual it stays.

        Where all is slow to attach takes longer than short lives last: who always left before that
        would never hear the end, and what it tries would make all of it slower.
        """
        return 2.0 ** min(max(self._barren - _TRIES, 0), _LONGEST)

    async def _connect(self) -> None:
        """Connect once, for as long as the connection is to live."""
        line = await connect(
            self._url,
            sock=await self._socket() if self._habits.slow else None,
            subprotocols=[Subprotocol(frames.SUBPROTOCOL)],
            compression=None,
            open_timeout=_OPEN * self._patience,
            ping_interval=None,
            max_queue=4,
        )
        self._live = False
        try:
            life = self._chance.expovariate(1 / self._habits.life) * self._patience
            async with asyncio.timeout(life):
                await self._say(line)
                while self._story.end is None and await self._hear(line):
                    pass
        except ConnectionClosed:
            code = line.close_code or 1006
            self._story.expired += code == close_codes.EXPIRED.code
            if not close_codes.come_back(code):
                self._story.complaints.append(f"closed with {code}: {line.close_reason}")
        finally:
            line.transport.abort()

    async def _socket(self) -> socket.socket:
        """Open a socket that holds little, so that what is not read waits at the server."""
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.setblocking(False)
        port = int(self._url.rpartition(":")[2].partition("/")[0])
        try:
            async with asyncio.timeout(_OPEN):
                await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
        except BaseException:
            line.close()
            raise
        return line

    async def _say(self, line: ClientConnection) -> None:
        """Ask, or go on behind what was heard."""
        story = self._story
        if self._token is not None:
            await line.send(frames.encode(frames.Auth(self._token())))
        frame = story.question.frame
        if answer := next(iter(story.answers), ""):
            frame = {"type": "resume", "id": self._id, "answer": answer}
            self._fresh = not story.heard or self._chance.random() < self._habits.forgets
            if not self._fresh:
                frame["after"] = str(story.position)
        await line.send(msgspec.json.encode(frame).decode())

    async def _hear(self, line: ClientConnection) -> bool:
        """Take one frame; False where this connection is to be left."""
        async with asyncio.timeout(_SILENCE * self._patience):
            frame = msgspec.json.decode(await line.recv())
        if self._habits.slow:
            await asyncio.sleep(self._chance.uniform(0, self._habits.slow))
        match frame:
            case {"type": "ready"}:
                return True
            case {"type": "accepted", "id": self._id, "answer": str(answer)}:
                self._story.answers.add(answer)
                self.accepted.set()
                return True
            case {"type": "element", "id": self._id}:
                self._note(frame)
                return True
            case {"type": "error", "id": self._id, "error": {"code": int(code)} as error}:
                if code != _UNAVAILABLE and _reason(error) not in _AGAIN:
                    self._story.complaints.append(f"refused: {error}")
                return False
            case {"type": "goaway"}:
                return False
            case _:
                self._story.complaints.append(f"said: {frame}")
                return False

    def _note(self, frame: dict[str, Any]) -> None:
        answer = frame["response"]["answer"]
        terminal = answer.get("state") in _ENDED
        self._story.tell(
            Heard(
                at=asyncio.get_running_loop().time(),
                position=parse(frame["position"]),
                text=answer.get("answerText", ""),
                terminal=terminal,
                reset=frame.get("reset", False),
                live=self._live,
                fresh=self._fresh,
            )
        )
        self._fresh, self._live = False, True
        if terminal:
            self._story.reason = _reason(frame.get("error", {}))
            self._story.end = answer


def _reason(error: dict[str, Any]) -> str:
    """Return the reason in a google.rpc.Status."""
    return next((detail["reason"] for detail in error.get("details", ()) if "reason" in detail), "")
