"""Stores beside running answers, with the real scripts of those; and all of it in a cluster."""

from __future__ import annotations

import datetime as dt

import anyio
import pytest

from sessions import names
from sessions.codec import json_codec
from sessions.errors import FailedPrecondition, NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.answers import Answer, State
from sessions.resources.conversations import Conversation
from sessions.resources.conversations import State as ConversationState
from sessions.resources.sessions import Query, Session, Turn
from sessions.stores.store_set import AnswerStore, ConversationStore, SessionStore, new_conversation
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.positions import Position
from streaming.log.submissions import Submission
from streaming.log.transitions import Transitions
from tests.redis_servers import Cluster
from tests.sessions.store_doubles import DATA_STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]

NOW = dt.datetime.now(dt.UTC)


class Running:
    """Answers, begun and finished by one replica."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._transitions = Transitions(redis, keys, "replica", ttl=5, limit=60)

    async def begin(self, session: str, text: str = "how?") -> str:
        answer = names.answer(session, names.new_id())
        submission = Submission(
            answer=answer,
            session=session,
            kind="answer",
            request=b'{"query":"how?"}',
            opening=json_codec.dump(Turn(query=Query(text=text), answer=answer)),
            answer_json=json_codec.dump(Answer(name=answer, state=State.IN_PROGRESS)),
            idempotency=answer,
            title=text,
        )
        await self._transitions.begin(submission, Started(at=NOW))
        return answer

    async def finish(self, answer: str) -> bool:
        ended = Answer(name=answer, state=State.SUCCEEDED, answer_text="so.")
        last, ending = Position(1, 0), Succeeded(at=NOW)
        return await self._transitions.finish(answer, ended, last, ending, None) is not None

    async def withdraw(self, answer: str) -> None:
        """Cancel one that waits."""
        ending = Failed(at=NOW, reason="CANCELLED", message="it was taken back")
        await self._transitions.cancel(answer, Answer(name=answer, state=State.FAILED), ending)


def _answers(session: Session) -> list[str]:
    return [turn.answer for turn in session.turns]


async def _left(redis: Redis, keys: Keys) -> set[bytes]:
    """Return what is left of sessions; the client's idempotency keys expire by themselves."""
    found = await redis.execute(b"", "KEYS", f"{keys.prefix}:{{p*")
    return {key for key in found if b"}:i:" not in key}


async def test_what_waits_stands_behind_what_runs(redis: Redis, keys: Keys) -> None:
    """In each way of reading a session, and is no other turn when its answer begins."""
    store, running = SessionStore(redis, keys), Running(redis, keys)
    session = await store.create(DATA_STORE, Session())
    first, second = await running.begin(session.name), await running.begin(session.name, "and?")
    found = await store.get(session.name, details=True)
    assert [turn.answer for turn in found.turns] == [first, second]
    assert found.display_name == "how?"
    assert [turn.detailed_answer and turn.detailed_answer.state for turn in found.turns] == [
        State.IN_PROGRESS
    ] * 2
    quiet = await store.create(DATA_STORE, Session(turns=(Turn(answer="x"),)))
    other = await store.create(DATA_STORE, Session())
    asked = [await running.begin(other.name) for _ in range(3)]
    listed, _ = await store.list(ListQuery(DATA_STORE))
    turns = {each.name: _answers(each) for each in listed}
    assert turns == {session.name: [first, second], quiet.name: ["x"], other.name: asked}
    assert await running.finish(first)
    assert await running.finish(second)
    details = [turn.detailed_answer for turn in (await store.get(session.name, details=True)).turns]
    assert [answer.state for answer in details if answer] == [State.SUCCEEDED] * 2


async def test_a_turn_is_read_once_while_answers_end_and_begin(redis: Redis, keys: Keys) -> None:
    """Whoever reads between the two keys of a queue and of turns."""
    store, running = SessionStore(redis, keys), Running(redis, keys)
    session = await store.create(DATA_STORE, Session(user_pseudo_id="anna"))
    asked = [await running.begin(session.name) for _ in range(12)]
    ended = False

    async def read() -> None:
        while not ended:
            for found in (
                await store.get(session.name),
                await store.owned(session.name, "anna"),
            ):
                assert found is not None
                assert [turn.answer for turn in found.turns] == asked

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(read)
        for answer in asked:
            assert await running.finish(answer)
        ended = True


async def test_what_is_taken_back_while_it_waits_is_no_turn(redis: Redis, keys: Keys) -> None:
    store, running = SessionStore(redis, keys), Running(redis, keys)
    session = await store.create(DATA_STORE, Session())
    first, second, third = [await running.begin(session.name) for _ in range(3)]
    await running.withdraw(second)
    assert _answers(await store.get(session.name)) == [first, third]
    assert await running.finish(first)
    assert _answers(await store.get(session.name)) == [first, third]


async def test_turns_that_are_written_back_as_read_are_not_doubled(
    redis: Redis, keys: Keys
) -> None:
    """So does a client that sets ``turns`` as a whole, of which one still waits."""
    store, running = SessionStore(redis, keys), Running(redis, keys)
    session = await store.create(DATA_STORE, Session())
    asked = [await running.begin(session.name) for _ in range(2)]
    await store.update(session.name, await store.get(session.name), "turns")
    assert _answers(await store.get(session.name)) == asked
    assert await running.finish(asked[0])
    assert _answers(await store.get(session.name)) == asked


async def test_a_deletion_takes_running_and_waiting_answers(redis: Redis, keys: Keys) -> None:
    """What their writer still does is refused and leaves nothing."""
    store, running = SessionStore(redis, keys), Running(redis, keys)
    session = await store.create(DATA_STORE, Session())
    answers = [await running.begin(session.name) for _ in range(3)]
    log = keys.log(answers[0])
    assert await AnswerStore(redis, keys).request(answers[0]) == b'{"query":"how?"}'
    await store.delete(session.name)
    with pytest.raises(NotFound):
        await AnswerStore(redis, keys).request(answers[0])
    assert await _left(redis, keys) == set()
    assert await redis.execute(log, "XADD", log, "NOMKSTREAM", "1-1", "d", "late") is None
    assert not await running.finish(answers[0])
    assert not await running.finish(answers[1])
    with pytest.raises(NotFound):
        await running.begin(session.name)
    assert await _left(redis, keys) == set()


async def test_nothing_is_said_in_a_completed_conversation(redis: Redis, keys: Keys) -> None:
    store, running = ConversationStore(redis, keys), Running(redis, keys)
    conversation = await store.create(
        DATA_STORE, json_codec.load(Conversation, new_conversation("ann"))
    )
    assert conversation.user_pseudo_id == "ann"
    patch = Conversation(state=ConversationState.COMPLETED)
    await store.update(conversation.name, patch, "state")
    with pytest.raises(FailedPrecondition):
        await running.begin(conversation.name)
    patch = Conversation(state=ConversationState.IN_PROGRESS)
    await store.update(conversation.name, patch, "state")
    await running.begin(conversation.name)


async def test_the_stores_work_in_a_cluster(redis_cluster: Cluster, keys: Keys) -> None:
    async with connection.connect(redis_cluster.url) as redis:
        store, running = SessionStore(redis, keys), Running(redis, keys)
        for number in range(12):
            given = Session(turns=(Turn(answer="x"),), user_pseudo_id=f"user-{number % 3}")
            session = await store.create(DATA_STORE, given)
            assert await running.finish(await running.begin(session.name))
            await store.update(session.name, Session(turns=(Turn(answer="y"),)), "turns")
        first, token = await store.list(ListQuery(DATA_STORE, 7))
        for session in first:
            await store.update(session.name, Session(is_pinned=True), "isPinned")
        rest, end = await store.list(ListQuery(DATA_STORE, 7, token))
        assert (len({session.name for session in (*first, *rest)}), end) == (12, "")
        query = ListQuery(DATA_STORE, 3, filter="user_pseudo_id = user-1", order_by="is_pinned")
        mine, token = await store.list(query)
        assert (len(mine), len((await store.list(query._replace(page_token=token)))[0])) == (3, 1)
        assert await store.delete_all(DATA_STORE) == 12
