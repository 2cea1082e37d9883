"""The people who ask: through our client and by hand, twice at once, in the middle, slowly."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import random
import secrets
from collections.abc import Callable
from typing import Any, Final

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from sessions import names
from sessions.codec import json_codec
from sessions.errors import ServiceError
from sessions.redis.resp_socket import FULL
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import ConverseConversationRequest
from streaming.client.client import Client
from streaming.log.positions import parse
from streaming.protocol import frames
from streaming.protocol.frames import Element
from streaming.protocol.rpc_status import reason
from tests.chaos import model
from tests.chaos.readers import Habits, Reader
from tests.chaos.records import Book, Heard, Question, Story
from tests.chaos.tokens import Portal

STORE: Final = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/library"
)
CONFIG: Final = f"{STORE}/servingConfigs/default_config"

_OUR_USER: Final = "our-client"
WATCHER: Final = "watcher"
"""The reader of the story by which stalls are measured."""

_CONVERSES: Final = 0.2
_OPENS: Final = 0.3  # how often a question opens a session
_KNOWN: Final = 6  # sessions that are asked in at a time
_TWICE: Final = 0.3
_CANCELS: Final = 0.05
_SLOW: Final = 0.15
_HASTE: Final = 0.3  # seconds between two questions of one asker, at most


class Crowd:
    """Asks and reads until it is told to `stop`; everything that it hears goes into *book*.

    *seed* decides what is asked; what comes of it depends on the faults.
    """

    def __init__(
        self,
        url: str,
        book: Book,
        *,
        seed: str,
        life: float,
        readers: int,
        watch: str,
        portal: Portal | None = None,
    ) -> None:
        """Have *readers* follow each answer beside whoever asked, and one who stays at *watch*.

        A connection of the others lives *life* seconds, on average. Each who asks is a user of
        *portal*, where there is one, and those who ask through our client are one.
        """
        self._watch = watch
        self._portal = portal
        self._url = url
        self._book = book
        self._seed = seed
        self._life = life
        self._readers = readers
        self._client = secrets.token_urlsafe(frames.CLIENT_BYTES)  # of all who ask by hand
        self._owners: list[tuple[str, str]] = []
        """Users, and the sessions and conversations of each."""
        self._stopping = False
        self._reading = asyncio.TaskGroup()

    def stop(self) -> None:
        """Ask nothing more; what was asked is read to its end."""
        self._stopping = True

    async def ask(self, raw: int, clients: int) -> None:
        """Let so many ask by hand, and so many through our client; return when all is read."""
        async with self._reading as tasks:
            for number in range(raw):
                chance = random.Random(f"{self._seed} raw {number}")
                tasks.create_task(self._ask_by_hand(f"user-{number}", chance))
            if clients:
                tasks.create_task(self._ask_by_client(clients))

    async def _ask_by_hand(self, user: str, chance: random.Random) -> None:
        while not self._stopping:
            question = self._question(user, chance)
            reader = self._reader(question, "asker", chance)
            reading = self._reading.create_task(reader.run())
            if chance.random() < _TWICE:
                twin = self._reader(question, "twin", chance)
                self._reading.create_task(twin.run())
            await reader.accepted.wait()
            self._accepted(question, chance)
            await reading
            self._ended(question)
            await asyncio.sleep(chance.uniform(0, _HASTE))

    async def _ask_by_client(self, many: int) -> None:
        """Let *many* ask through one client, on one connection at a time."""
        provider = functools.partial(self._portal.provide, _OUR_USER) if self._portal else None
        async with Client(self._url, provider) as client, asyncio.TaskGroup() as tasks:
            for number in range(many):
                chance = random.Random(f"{self._seed} client {number}")
                tasks.create_task(self._ask_through(client, chance))

    async def _ask_through(self, client: Client, chance: random.Random) -> None:
        while not self._stopping:
            question = self._question(_OUR_USER, chance)
            story = self._book.open(question, "client")
            while True:
                if await self._heard(client, question, story, chance):
                    break
                await asyncio.sleep(chance.uniform(0, 1))  # Redis has no memory: it may get some
            self._ended(question)
            await asyncio.sleep(chance.uniform(0, _HASTE))

    async def _heard(
        self, client: Client, question: Question, story: Story, chance: random.Random
    ) -> bool:
        """Note what comes of *question*; False where it was refused for want of memory."""
        try:
            async for element in _asked(client, question):
                known = bool(question.answer)
                _note(story, element)
                if not known:
                    self._accepted(question, chance)
        except ServiceError as exc:
            if exc.reason == FULL and not question.answer:
                return False
            story.complaints.append(f"{type(exc).__name__}: {exc.reason}: {exc.message}")
        return True

    def _question(self, user: str, chance: random.Random) -> Question:
        """Think of a question of *user*: a new session, one of the last ones, or a conversation."""
        number = len(self._book.questions) + 1
        collection = "conversations" if chance.random() < _CONVERSES else "sessions"
        known = [
            owner for whose, owner in self._owners if whose == user and f"/{collection}/" in owner
        ][-_KNOWN:]
        if not known or chance.random() < _OPENS:
            owner = f"{STORE}/{collection}/-"
        else:
            owner = chance.choice(known)
        frame: dict[str, Any] = {"id": f"q{number}", "client": self._client}
        if collection == "conversations":
            request = model.converse_request(number)
            frame |= {"type": "converse", "name": owner, "request": request}
        else:
            request = model.request(number, owner)
            frame |= {"type": "answer", "servingConfig": CONFIG, "request": request}
        question = Question(number=number, id=f"q{number}", frame=frame, user=user)
        self._book.questions.append(question)
        return question

    def _reader(self, question: Question, reader: str, chance: random.Random) -> Reader:
        slow = 0.3 if chance.random() < _SLOW else 0.0
        habits = Habits(life=self._life * (4 if slow else 1), slow=slow)
        story = self._book.open(question, f"slow {reader}" if slow else reader)
        if question.answer:
            story.answers.add(question.answer)
        seed = f"{self._seed} {len(self._book.stories)}"
        return Reader(self._url, story, habits, seed, self._token(question))

    def _token(self, question: Question) -> Callable[[], str] | None:
        """Return what gives tokens of who may read *question*, None where nobody needs any."""
        if self._portal is None:
            return None
        return functools.partial(self._portal.token, question.user)

    def _accepted(self, question: Question, chance: random.Random) -> None:
        """Let others come for the answer to *question*: its watcher, readers, who cancels it."""
        heard = {a for s in self._book.stories if s.question is question for a in s.answers}
        if not heard:
            return  # it was refused
        question.answer = min(heard)
        question.accepted_at = asyncio.get_running_loop().time()
        owner = question.user, names.parent(question.answer)
        if owner not in self._owners:
            self._owners.append(owner)
        self._reading.create_task(self._watcher(question).run())
        for _ in range(self._readers):
            self._reading.create_task(self._join(question, chance.uniform(0, 5), chance))
        if chance.random() < _CANCELS:
            self._reading.create_task(self._cancel(question, chance.uniform(0, 3)))

    def _watcher(self, question: Question) -> Reader:
        """Return one who looks on all the time, but for what is done to the replicas."""
        story = self._book.open(question, WATCHER)
        story.answers.add(question.answer)
        token = self._token(question)
        return Reader(self._watch, story, Habits(life=1e6, forgets=0.0), question.id, token)

    async def _join(self, question: Question, after: float, chance: random.Random) -> None:
        await asyncio.sleep(after)
        await self._reader(question, "reader", chance).run()

    async def _cancel(self, question: Question, after: float) -> None:
        """Say once that *question* need not be answered; perhaps nobody hears it."""
        await asyncio.sleep(after)
        question.cancelled = True
        with contextlib.suppress(OSError, TimeoutError, WebSocketException):
            async with connect(
                self._url, subprotocols=[Subprotocol(frames.SUBPROTOCOL)], open_timeout=2
            ) as line:
                if (token := self._token(question)) is not None:
                    await line.send(frames.encode(frames.Auth(token())))
                frame = {"type": "cancel", "answer": question.answer}
                await line.send(msgspec.json.encode(frame).decode())
                await line.send('{"type":"ping"}')
                async with asyncio.timeout(2):
                    await line.recv()

    def _ended(self, question: Question) -> None:
        question.ended_at = asyncio.get_running_loop().time()


def _asked(client: Client, question: Question) -> Any:
    frame = question.frame
    body = msgspec.json.encode(frame["request"])
    if frame["type"] == "converse":
        said = json_codec.decode(ConverseConversationRequest, body)
        return client.converse("", name=frame["name"], request=said, id=question.id)
    request = json_codec.decode(AnswerQueryRequest, body)
    return client.ask("", serving_config=CONFIG, request=request, id=question.id)


def _note(story: Story, element: Element) -> None:
    """Note what our client passed on; it tells neither drops nor what it was accepted as."""
    answer = element.response.answer
    if answer is None:
        story.complaints.append("an element without an answer")
        return
    story.answers.add(answer.name)
    terminal = answer.state.name in ("SUCCEEDED", "FAILED")
    story.tell(
        Heard(
            at=asyncio.get_running_loop().time(),
            position=parse(element.position),
            text=answer.answer_text,
            terminal=terminal,
            reset=element.reset,
        )
    )
    if terminal:
        story.reason = reason(element.error) if element.error else ""
        story.end = msgspec.json.decode(json_codec.encode(answer))
