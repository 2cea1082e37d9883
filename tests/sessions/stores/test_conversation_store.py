"""Conversations: what they share with sessions is tested there; here is their own."""

from __future__ import annotations

import asyncio

import pytest

from sessions import names, resource_states
from sessions.codec import json_codec
from sessions.errors import AlreadyExists, InvalidArgument, NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.conversations import Conversation, ConversationMessage, State, TextInput
from sessions.stores.store_set import AnswerStore, ConversationStore, SessionStore
from tests.sessions.store_doubles import DATA_STORE, Answering

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> ConversationStore:
    return ConversationStore(redis, keys)


@pytest.fixture
def answering(redis: Redis, keys: Keys) -> Answering:
    return Answering(redis, keys)


def _said(text: str) -> ConversationMessage:
    return ConversationMessage(user_input=TextInput(input=text))


async def test_a_conversation_is_created_open(store: ConversationStore) -> None:
    given = Conversation(state=State.COMPLETED, user_pseudo_id="ann")
    created = await store.create(DATA_STORE, given)
    assert created.state is State.IN_PROGRESS
    assert (created.user_pseudo_id, created.messages, created.end_time) == ("ann", (), None)
    assert created.start_time is not None
    assert await store.get(created.name) == created
    with pytest.raises(AlreadyExists):
        await store.create(DATA_STORE, Conversation(name=created.name))


async def test_given_messages_are_dated_by_the_service(store: ConversationStore) -> None:
    created = await store.create(DATA_STORE, Conversation(messages=(_said("hi"),)))
    assert [message.create_time for message in created.messages] == [created.start_time]
    assert created.end_time == created.start_time


async def test_messages_are_said_one_after_the_other(
    redis: Redis, keys: Keys, store: ConversationStore, answering: Answering
) -> None:
    conversation = await store.create(DATA_STORE, Conversation())
    answer = await answering.begin(conversation.name, item=json_codec.dump(_said("how?")))
    await answering.finish(answer)
    found = await store.get(conversation.name)
    assert [m.user_input.input for m in found.messages if m.user_input] == ["how?"]
    assert found.end_time is not None
    await store.delete(conversation.name)
    with pytest.raises(NotFound):
        await AnswerStore(redis, keys).get(answer)
    assert await redis.execute(keys.answer(answer), "EXISTS", keys.answer(answer)) == 0


async def test_only_a_patch_completes_and_reopens(
    store: ConversationStore, answering: Answering
) -> None:
    conversation = await store.create(DATA_STORE, Conversation())
    spoken = await answering.finish(await answering.begin(conversation.name))
    done = await store.update(conversation.name, Conversation(state=State.COMPLETED), "state")
    assert done.state is State.COMPLETED
    assert done.end_time is not None
    assert done.end_time.timestamp() * 1_000_000 > spoken
    again = await store.update(conversation.name, Conversation(state=State.COMPLETED), "state")
    assert again.end_time == done.end_time
    opened = await store.update(conversation.name, Conversation(state=State.IN_PROGRESS), "state")
    assert opened.end_time is not None
    assert round(opened.end_time.timestamp() * 1_000_000) == spoken


async def test_a_reset_state_is_that_of_a_new_conversation(store: ConversationStore) -> None:
    conversation = await store.create(DATA_STORE, Conversation())
    await store.update(conversation.name, Conversation(state=State.COMPLETED), "state")
    assert (
        await store.update(conversation.name, Conversation(), "state")
    ).state is State.IN_PROGRESS


def test_the_life_cycle_is_a_table_of_all_states() -> None:
    assert set(resource_states.CONVERSATION) == set(State)
    reachable = {after for states in resource_states.CONVERSATION.values() for after in states}
    assert State.STATE_UNSPECIFIED not in reachable


async def test_two_patches_at_once_both_hold(store: ConversationStore) -> None:
    conversation = await store.create(DATA_STORE, Conversation())
    name = conversation.name
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(store.update(name, Conversation(state=State.COMPLETED), "state"))
        tasks.create_task(store.update(name, Conversation(user_pseudo_id="u"), "userPseudoId"))
    found = await store.get(name)
    assert (found.state, found.user_pseudo_id) == (State.COMPLETED, "u")


async def test_messages_are_not_patched(store: ConversationStore) -> None:
    """They are appended by `converse` alone; sent back by a client without a mask they stay."""
    conversation = await store.create(DATA_STORE, Conversation(messages=(_said("hi"),)))
    with pytest.raises(InvalidArgument):
        await store.update(conversation.name, Conversation(), "messages")
    patch = Conversation(state=State.COMPLETED, messages=(_said("forged"),))
    changed = await store.update(conversation.name, patch, None, {"state", "messages"})
    assert changed.state is State.COMPLETED
    assert changed.messages == conversation.messages


async def test_conversations_and_sessions_are_listed_apart(
    redis: Redis, keys: Keys, store: ConversationStore
) -> None:
    conversation = await store.create(DATA_STORE, Conversation())
    assert await store.list(ListQuery(DATA_STORE)) == ([conversation], "")
    assert await SessionStore(redis, keys).list(ListQuery(DATA_STORE)) == ([], "")


async def test_conversations_are_filtered_and_ordered_by_their_own_fields(
    store: ConversationStore,
) -> None:
    made = [await store.create(DATA_STORE, Conversation(), resource_id=each) for each in "bca"]
    await store.update(made[1].name, Conversation(state=State.COMPLETED), "state")
    found, _ = await store.list(ListQuery(DATA_STORE, filter="state = COMPLETED"))
    assert [names.last_id(each.name) for each in found] == ["c"]
    found, _ = await store.list(ListQuery(DATA_STORE, order_by="conversationName"))
    assert [names.last_id(each.name) for each in found] == ["a", "b", "c"]
    with pytest.raises(InvalidArgument):
        await store.list(ListQuery(DATA_STORE, filter="is_pinned = true"))
