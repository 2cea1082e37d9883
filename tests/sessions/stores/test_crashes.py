"""A process killed between any two of its commands leaves nothing half-written.

Each test does an operation again and again, in a process that is killed after no command, after
one, after two, … until the operation comes through, and looks each time with other eyes.
"""

from __future__ import annotations

import pytest

from sessions import names
from sessions.errors import NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.conversations import Conversation
from sessions.resources.conversations import State as ConversationState
from sessions.resources.sessions import Query, Session, Turn
from sessions.stores.store_set import AnswerStore, ConversationStore, SessionStore
from sessions.stores.trash import Trash
from tests.sessions.store_doubles import DATA_STORE, Answering, lives

pytestmark = pytest.mark.anyio

TURNS = tuple(Turn(query=Query(text=f"{number}?")) for number in range(1200))
"""So many that they are staged in several commands."""


async def _listed(store: SessionStore, parent: str, user: str = "") -> list[Session]:
    text = f'user_pseudo_id = "{user}"' if user else ""
    return (await store.list(ListQuery(parent, filter=text)))[0]


async def test_killed_while_creating(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    for life in lives(redis):
        parent = f"{DATA_STORE}{life.commands}"
        name = names.session(parent, "1")
        given = Session(name=name, turns=TURNS, user_pseudo_id="ann", is_pinned=True)
        with life as mortal:
            await SessionStore(mortal, keys).create(parent, given)
        try:
            found = await store.get(name)
        except NotFound:
            assert not life.survived
            assert await _listed(store, parent) == []
            # Nothing is in the way of the next try.
            found = await store.create(parent, given)
        assert found.turns == TURNS
        assert (found.is_pinned, found.display_name) == (True, "0?")
        # What was not listed yet is listed now that it was read.
        assert await _listed(store, parent) == await _listed(store, parent, "ann") == [found]


async def test_killed_while_updating(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    for life in lives(redis):
        parent = f"{DATA_STORE}{life.commands}"
        before = await store.create(parent, Session(turns=(Turn(answer="old"),)), user="ann")
        patch = Session(turns=TURNS, is_pinned=True, user_pseudo_id="bob")
        mask = "turns,isPinned,userPseudoId"
        with life as mortal:
            await SessionStore(mortal, keys).update(before.name, patch, mask)
        found = await store.get(before.name)
        if found != before:
            assert (found.turns, found.is_pinned, found.user_pseudo_id) == (TURNS, True, "bob")
        assert found != before or not life.survived
        assert await _listed(store, parent, found.user_pseudo_id) == [found]


async def test_killed_while_completing(redis: Redis, keys: Keys) -> None:
    store = ConversationStore(redis, keys)
    for life in lives(redis):
        before = await store.create(DATA_STORE, Conversation())
        patch = Conversation(state=ConversationState.COMPLETED)
        with life as mortal:
            await ConversationStore(mortal, keys).update(before.name, patch, "state")
        found = await store.get(before.name)
        completed = found.state is ConversationState.COMPLETED
        assert completed == (found.end_time is not None)
        assert completed or not life.survived


async def test_killed_while_deleting(redis: Redis, keys: Keys) -> None:
    """Then the session is there as a whole, or gone with every answer; a sweep takes the rest."""
    store, answering = SessionStore(redis, keys), Answering(redis, keys)
    for life in lives(redis):
        parent = f"{DATA_STORE}{life.commands}"
        session = await store.create(parent, Session(), user="ann")
        answers = [await answering.begin(session.name) for _ in range(120)]
        for answer in answers[:-1]:
            await answering.finish(answer)
        whole = await store.get(session.name)
        with life as mortal:
            await SessionStore(mortal, keys).delete(session.name)
        try:
            assert await store.get(session.name) == whole
            assert await _listed(store, parent) == [whole]
            assert await _gone(redis, keys, answers) == 0
        except NotFound:
            assert await _gone(redis, keys, answers) == len(answers)
            assert await _listed(store, parent) == await _listed(store, parent, "ann") == []
            await Trash(redis, keys).sweep(keys.partition(session.name))
            assert await _kept(redis, keys, session.name, answers) == 0
            again = await store.create(parent, Session(name=session.name))
            assert again.turns == ()
            assert await _gone(redis, keys, answers) == len(answers)


async def _gone(redis: Redis, keys: Keys, answers: list[str]) -> int:
    store, gone = AnswerStore(redis, keys), 0
    for answer in answers:
        try:
            await store.get(answer)
        except NotFound:
            gone += 1
    return gone


async def _kept(redis: Redis, keys: Keys, session: str, answers: list[str]) -> int:
    """Count the keys that a deleted session still has."""
    found = [keys.session(session), keys.turns(session), keys.queue(session)]
    found += [keys.answers(session), keys.trashed(session)]
    found += [key for answer in answers for key in (keys.answer(answer), keys.log(answer))]
    return await redis.execute(found[0], "EXISTS", *found)
