"""Remember sessions, conversations and their answers.

Names are canonical throughout, and the parent was checked before. What is the same for sessions and
conversations stands in `sessions.stores.owner_store`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import structs

from sessions import names, resource_states
from sessions.codec import json_codec
from sessions.listing.filters import FilterField, Value
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys, owner_of
from sessions.redis.resp_socket import pack
from sessions.resources import conversations, sessions
from sessions.resources.answers import Answer, State
from sessions.resources.conversations import Conversation, ConversationMessage
from sessions.resources.sessions import Session, Turn
from sessions.stores.owner_kinds import OwnerHash, OwnerKind, OwnerParts, moment
from sessions.stores.owner_store import OwnerStore
from sessions.stores.recent_changes import DatedChange, RecentChanges

_APPEND: Final = Script("sessions.stores", "scripts/append.lua")


class AnswerStore:
    """The answers of sessions and conversations, as they are stored and are there to stay."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._changes = RecentChanges(redis)

    async def get(self, name: str) -> Answer:
        """Return the answer *name*; what a running one has told so far is in its log only.

        Raises:
            NotFound: there is none of this name, or its session was deleted.
            Internal: it is damaged.
        """
        (found,) = await self._fields(owner_of(name), [name], "json")
        if found is None:
            raise names.absent(name)
        answer = _answer(name, found)
        if answer.state is State.FAILED:
            # One that was withdrawn while it waited has changed nothing of its session.
            await self._redis.replicated(self._keys.answer(name))
        return answer

    async def of(self, owner: str, answers: Sequence[str]) -> dict[str, Answer]:
        """Return those of *answers* that *owner* has, undamaged, by name."""
        wanted = [name for name in dict.fromkeys(answers) if owner_of(name) == owner]
        found = await self._fields(owner, wanted, "json")
        there = {name: json for name, json in zip(wanted, found, strict=True) if json is not None}
        read = {
            name: json_codec.undamaged(name, partial(_answer, name, json))
            for name, json in there.items()
        }
        return {name: answer for name, answer in read.items() if answer is not None}

    async def request(self, name: str) -> bytes:
        """Return what was asked for the answer *name*, as it was submitted.

        Raises:
            NotFound: there is none of this name, or its session was deleted.
        """
        (found,) = await self._fields(owner_of(name), [name], "request")
        if found is None:
            raise names.absent(name)
        return found

    async def _fields(self, owner: str, answers: Sequence[str], field: str) -> list[bytes | None]:
        """Return a field of each of the *answers* of *owner*; none of an owner that is gone."""
        session = self._keys.session(owner)
        commands = [(key := self._keys.answer(name), pack("HGET", key, field)) for name in answers]
        # Asked for last: what was read before it belongs to a session that is still there.
        commands.append((session, pack("HEXISTS", session, "json")))
        if clock := self._changes.clock([session]):
            commands += [(session, pack("HGET", session, "updated")), *clock]
        replies = checked_replies(await self._redis.batch(commands))
        found, (exists, *dated) = replies[: len(answers)], replies[len(answers) :]
        if dated:
            await self._changes.settled([DatedChange(session, *dated)])
        return found if exists else [None] * len(found)


class SessionStore(OwnerStore[Session]):
    """The sessions of all data stores and engines."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        super().__init__(redis, keys, _SESSIONS)
        self._answers = AnswerStore(redis, keys)

    async def get(self, name: str, *, details: bool = False) -> Session:
        """Return the session *name*; with *details* each turn has its whole answer.

        An answer that is damaged is left out.

        Raises:
            NotFound: there is none of this name.
            Internal: it, or one of its turns, is damaged.
        """
        session = await super().get(name)
        return await self.detailed(session) if details else session

    async def detailed(self, session: Session) -> Session:
        """Return *session* with the whole answer of each turn; what is damaged is left out."""
        found = await self._answers.of(
            session.name, [turn.answer for turn in session.turns if turn.answer]
        )
        turns = (structs.replace(t, detailed_answer=found.get(t.answer)) for t in session.turns)
        return structs.replace(session, turns=tuple(turns))

    async def append(self, name: str, turn: Turn) -> None:
        """Add a *turn* that has no answer, such as a search.

        Atomic; turns of answers that are accepted meanwhile stand before or after it.

        Raises:
            NotFound: there is no session of this name.
        """
        keys = [self._keys.session(name), self._keys.turns(name)]
        text = (turn.query and turn.query.text) or ""
        updated: int = await self._redis.run(_APPEND, keys, (json_codec.dump(turn), text))
        if not updated:
            raise names.absent(name)
        await self.index.touch(name, updated)


class ConversationStore(OwnerStore[Conversation]):
    """The conversations of all data stores and engines."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        super().__init__(redis, keys, _CONVERSATIONS)


def _answer(name: str, json: bytes) -> Answer:
    return structs.replace(json_codec.load(Answer, json), name=name)


def new_session(user: str = "") -> bytes:
    """Return the JSON of a session that a query opens (``sessions/-``), for the hash."""
    return json_codec.dump(Session(state=sessions.State.IN_PROGRESS, user_pseudo_id=user))


def new_conversation(user: str = "") -> bytes:
    """Return the JSON of a conversation that a query opens (``conversations/-``), for the hash."""
    return json_codec.dump(Conversation(state=conversations.State.IN_PROGRESS, user_pseudo_id=user))


def _split_session(session: Session) -> OwnerParts[Session]:
    turns = [
        structs.replace(turn, detailed_answer=None, detailed_assist_answer=None)
        for turn in session.turns
    ]
    document = structs.replace(
        session,
        name="",
        turns=(),
        start_time=None,
        end_time=None,
        pending_async_assist_operation_id="",
        # The documents know one state besides none, and a session has it from its creation.
        state=sessions.State.IN_PROGRESS,
    )
    title = next((turn.query.text or "" for turn in turns if turn.query), "")
    return OwnerParts(document, tuple(json_codec.dump(turn) for turn in turns), title)


def _assemble_session(owner: OwnerHash[Session], items: Sequence[bytes]) -> Session:
    return structs.replace(
        owner.document,
        name=owner.name,
        display_name=_display_name(owner),
        turns=json_codec.load_all(Turn, items),
        start_time=moment(owner.created),
        end_time=moment(owner.ended),
    )


def _display_name(owner: OwnerHash[Session]) -> str:
    return owner.document.display_name or owner.title


def _split_conversation(conversation: Conversation) -> OwnerParts[Conversation]:
    messages = [structs.replace(message, create_time=None) for message in conversation.messages]
    state = conversation.state
    if state is conversations.State.STATE_UNSPECIFIED:
        state = conversations.State.IN_PROGRESS
    document = structs.replace(
        conversation, name="", messages=(), start_time=None, end_time=None, state=state
    )
    return OwnerParts(document, tuple(json_codec.dump(message) for message in messages), "")


def _assemble_conversation(owner: OwnerHash[Conversation], items: Sequence[bytes]) -> Conversation:
    started = moment(owner.created)
    messages = [
        message if message.create_time else structs.replace(message, create_time=started)
        for message in json_codec.load_all(ConversationMessage, items)
    ]
    return structs.replace(
        owner.document,
        name=owner.name,
        messages=tuple(messages),
        start_time=started,
        end_time=moment(owner.completed or owner.ended),
    )


def _transition(before: Conversation, after: Conversation) -> str:
    if before.state is after.state:
        return ""
    if after.state not in resource_states.CONVERSATION[before.state]:
        raise AssertionError("an open conversation and a completed one may each become the other")
    return "completed" if after.state is conversations.State.COMPLETED else "reopened"


_SESSION_FIELDS: Final[dict[str, FilterField[OwnerHash[Session]]]] = {
    "user_pseudo_id": FilterField(Value.TEXT, lambda owner: owner.user),
    "state": FilterField(
        Value.TEXT, lambda owner: owner.document.state.name, tuple(sessions.State.__members__)
    ),
    "display_name": FilterField(Value.TEXT, _display_name),
    "labels": FilterField(Value.LIST, lambda owner: owner.document.labels),
    "is_pinned": FilterField(Value.BOOL, lambda owner: owner.document.is_pinned),
    "starred": FilterField(Value.BOOL, lambda owner: owner.document.is_pinned),
    "create_time": FilterField(Value.TIME, lambda owner: moment(owner.created)),
    "update_time": FilterField(Value.TIME, lambda owner: moment(owner.updated)),
}
_SESSION_ORDERS: Final[dict[str, Callable[[OwnerHash[Session]], Any]]] = {
    "update_time": lambda owner: owner.updated,
    "create_time": lambda owner: owner.created,
    "session_name": lambda owner: owner.name,
    "is_pinned": lambda owner: owner.document.is_pinned,
}
_SESSIONS: Final[OwnerKind[Session]] = OwnerKind(
    collection="sessions",
    singular="session",
    items="turns",
    blank=Session(state=sessions.State.IN_PROGRESS, turns=(Turn(),)),
    mutable=frozenset({"display_name", "state", "user_pseudo_id", "turns", "labels", "is_pinned"}),
    fields=_SESSION_FIELDS,
    orders=_SESSION_ORDERS,
    split=_split_session,
    assemble=_assemble_session,
    transition=None,
)

_CONVERSATION_FIELDS: Final[dict[str, FilterField[OwnerHash[Conversation]]]] = {
    "user_pseudo_id": FilterField(Value.TEXT, lambda owner: owner.user),
    "state": FilterField(
        Value.TEXT, lambda owner: owner.document.state.name, tuple(conversations.State.__members__)
    ),
    "create_time": FilterField(Value.TIME, lambda owner: moment(owner.created)),
    "update_time": FilterField(Value.TIME, lambda owner: moment(owner.updated)),
}
_CONVERSATION_ORDERS: Final[dict[str, Callable[[OwnerHash[Conversation]], Any]]] = {
    "update_time": lambda owner: owner.updated,
    "create_time": lambda owner: owner.created,
    "conversation_name": lambda owner: owner.name,
}
_CONVERSATIONS: Final[OwnerKind[Conversation]] = OwnerKind(
    collection="conversations",
    singular="conversation",
    items="messages",
    blank=Conversation(state=conversations.State.IN_PROGRESS),
    mutable=frozenset({"state", "user_pseudo_id"}),
    fields=_CONVERSATION_FIELDS,
    orders=_CONVERSATION_ORDERS,
    split=_split_conversation,
    assemble=_assemble_conversation,
    transition=_transition,
)
