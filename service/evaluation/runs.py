"""Ask what is to be asked: conversations side by side, the turns of each one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from service.evaluation import verdicts
from service.evaluation.labelled_data import LabelledCollection, LabelledTurn
from service.evaluation.question_lists import Question
from service.evaluation.rest_client import RestClient
from service.evaluation.turn_metrics import ScoredTurn
from service.evaluation.verdicts import Judged

_Turn = TypeVar("_Turn")
_Asked = TypeVar("_Asked")
Tick = Callable[[], None]
"""Told after each query."""


async def ask_questions(
    client: RestClient, parent: str, questions: Sequence[Question], parallel: int, tick: Tick
) -> list[Judged]:
    """Ask *questions* of *parent*, *parallel* conversations at a time; return them by line.

    Raises:
        Unavailable: nobody answers at the address.
    """
    chats: dict[str, list[Question]] = {}
    for question in questions:
        alone = f"\0{question.line}"  # no conversation can be called so in a list
        chats.setdefault(question.conversation or alone, []).append(question)

    async def ask(chat: Sequence[Question]) -> list[Judged]:
        # A session only where turns belong together: the data store is in use, and keeps nothing.
        session, judged = f"{parent}/sessions/-" if len(chat) > 1 else "", list[Judged]()
        for question in chat:
            reply = await client.ask(parent, question.ask, session, visitor=True)
            session = reply.session or session
            judged.append(verdicts.judge(question, reply))
            tick()
        if session and not session.endswith("/-"):
            await client.delete(session)
        return judged

    judged = await _all(list(chats.values()), ask, parallel)
    return sorted(judged, key=lambda one: one.question.line)


async def ask_turns(
    client: RestClient, collection: LabelledCollection, parallel: int, tick: Tick
) -> list[ScoredTurn]:
    """Import the documents of *collection*, ask its conversations, and delete what was imported.

    Raises:
        ServiceError: a document cannot be imported, or nobody answers at the address.
    """

    async def ask(chat: Sequence[LabelledTurn]) -> list[ScoredTurn]:
        session, asked = f"{parent}/sessions/-", list[ScoredTurn]()
        for turn in chat:
            reply = await client.ask(parent, turn.query, session, visitor=False)
            session = reply.session or session
            places = [int(source.id.removeprefix("d")) for source in reply.sources]
            found = dict.fromkeys(collection.documents[place].doc_id for place in places)
            asked.append(ScoredTurn(turn, reply, tuple(found)))
            tick()
        return asked

    async with client.data_store(collection.name, collection.documents) as parent:
        return await _all(collection.conversations, ask, parallel)


async def _all(
    chats: Sequence[Sequence[_Turn]],
    ask: Callable[[Sequence[_Turn]], Awaitable[list[_Asked]]],
    parallel: int,
) -> list[_Asked]:
    """Return what *ask* makes of all *chats*, in their order; *parallel* are asked at a time."""
    waiting = iter(enumerate(chats))
    found: dict[int, list[_Asked]] = {}

    async def work() -> None:
        for number, chat in waiting:
            found[number] = await ask(chat)

    try:
        async with asyncio.TaskGroup() as tasks:
            for number in range(max(1, parallel)):
                tasks.create_task(work(), name=f"evaluation-{number}")
    except* Exception as group:  # noqa: BLE001 - the first says it; they fail alike
        raise group.exceptions[0] from None
    return [one for number in range(len(chats)) for one in found[number]]
