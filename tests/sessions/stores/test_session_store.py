"""Sessions, as clients create, read, change and delete them."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest
from msgspec import structs

from sessions import names
from sessions.codec import json_codec
from sessions.errors import AlreadyExists, InvalidArgument, NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.answers import Answer
from sessions.resources.answers import State as AnswerState
from sessions.resources.sessions import Query, Session, State, Turn
from sessions.stores.store_set import AnswerStore, SessionStore, new_session
from sessions.stores.trash import Trash
from tests.sessions.store_doubles import DATA_STORE, Answering

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> SessionStore:
    return SessionStore(redis, keys)


@pytest.fixture
def answering(redis: Redis, keys: Keys) -> Answering:
    return Answering(redis, keys)


async def _everything(redis: Redis, keys: Keys) -> list[bytes]:
    """Return all keys of the test but those of the list."""
    found = await redis.execute(b"", "KEYS", f"{keys.prefix}:{{p*")
    return sorted(found)


async def test_a_created_session_is_open_named_and_dated(store: SessionStore) -> None:
    created = await store.create(DATA_STORE, Session(labels=("a",)), user="ann")
    assert names.parent(created.name) == DATA_STORE
    assert 0 < int(names.last_id(created.name)) < 2**63
    assert created.state is State.IN_PROGRESS
    assert created.start_time is not None
    assert abs(dt.datetime.now(dt.UTC) - created.start_time) < dt.timedelta(minutes=1)
    assert (created.user_pseudo_id, created.labels, created.end_time) == ("ann", ("a",), None)
    assert await store.get(created.name) == created


async def test_what_only_the_service_sets_is_not_taken_from_the_client(store: SessionStore) -> None:
    past = dt.datetime(2001, 1, 1, tzinfo=dt.UTC)
    turn = Turn(answer="x", detailed_answer=Answer(answer_text="forged"))
    given = Session(start_time=past, end_time=past, state=State.STATE_UNSPECIFIED, turns=(turn,))
    created = await store.create(DATA_STORE, given)
    assert created.start_time != past
    assert created.end_time == created.start_time
    assert created.state is State.IN_PROGRESS
    assert created.turns == (Turn(answer="x"),)


async def test_a_client_may_name_its_session(store: SessionStore) -> None:
    name = names.session(DATA_STORE, "mine")
    assert (await store.create(DATA_STORE, Session(name=name))).name == name
    assert (await store.create(DATA_STORE, Session(), resource_id="yours")).name.endswith("/yours")
    with pytest.raises(AlreadyExists) as refused:
        await store.create(DATA_STORE, Session(name=name))
    assert refused.value.reason == "RESOURCE_ALREADY_EXISTS"


@pytest.mark.parametrize("name", ["x", f"{DATA_STORE}/sessions/-", f"{DATA_STORE}2/sessions/1"])
async def test_a_name_elsewhere_is_refused(store: SessionStore, name: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await store.create(DATA_STORE, Session(name=name))
    assert refused.value.field == "session.name"


async def test_a_user_has_128_characters(store: SessionStore) -> None:
    await store.create(DATA_STORE, Session(user_pseudo_id="é" * 128))
    with pytest.raises(InvalidArgument) as refused:
        await store.create(DATA_STORE, Session(user_pseudo_id="é" * 129))
    assert refused.value.field == "session.userPseudoId"


async def test_given_turns_are_kept_as_given_however_many(store: SessionStore) -> None:
    turns = tuple(
        Turn(query=Query(text=f"{number}?", query_id="q"), query_config={"k": "v"})
        for number in range(1201)
    )
    created = await store.create(DATA_STORE, Session(turns=turns))
    assert created.turns == turns
    assert created.display_name == "0?"
    assert await store.get(created.name) == created


async def test_a_session_tells_its_first_query_until_it_gets_a_name(
    store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session())
    assert session.display_name == ""
    await answering.finish(await answering.begin(session.name, "how much?"))
    await answering.begin(session.name, "and then?")
    assert (await store.get(session.name)).display_name == "how much?"
    named = await store.update(session.name, Session(display_name="Prices"), "displayName")
    assert named.display_name == "Prices"
    unnamed = await store.update(session.name, Session(), "display_name")
    assert unnamed.display_name == "how much?"


async def test_a_session_ends_with_its_last_turn(store: SessionStore, answering: Answering) -> None:
    session = await store.create(DATA_STORE, Session())
    at = await answering.finish(await answering.begin(session.name))
    ended = (await store.get(session.name)).end_time
    assert ended is not None
    assert round(ended.timestamp() * 1_000_000) == at


async def test_answers_come_in_detail_where_asked_for(
    store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session())
    done, runs = await answering.begin(session.name), await answering.begin(session.name)
    await answering.finish(done, "42 €")
    plain = await store.get(session.name)
    assert [turn.answer for turn in plain.turns] == [done, runs]
    assert not any(turn.detailed_answer for turn in plain.turns)
    detailed = [
        turn.detailed_answer for turn in (await store.get(session.name, details=True)).turns
    ]
    assert detailed[0] == Answer(name=done, state=AnswerState.SUCCEEDED, answer_text="42 €")
    assert detailed[1] == Answer(name=runs, state=AnswerState.IN_PROGRESS)


async def test_details_of_another_session_are_not_shown(
    store: SessionStore, answering: Answering
) -> None:
    """A client may give turns that name what is not its own."""
    other = await store.create(DATA_STORE, Session())
    answer = await answering.begin(other.name)
    spy = await store.create(DATA_STORE, Session(turns=(Turn(answer=answer),)))
    assert (await store.get(spy.name, details=True)).turns == (Turn(answer=answer),)


async def test_a_mask_says_what_is_overwritten(store: SessionStore) -> None:
    given = Session(labels=("a",), is_pinned=True, user_pseudo_id="ann")
    session = await store.create(DATA_STORE, given)
    changed = await store.update(session.name, Session(labels=("b",)), "isPinned,labels")
    assert changed == structs.replace(session, labels=("b",), is_pinned=False)
    changed = await store.update(
        session.name, Session(user_pseudo_id="bob"), None, {"user_pseudo_id"}
    )
    assert (changed.user_pseudo_id, changed.labels) == ("bob", ("b",))


@pytest.mark.parametrize("mask", ["name", "startTime", "endTime", "nothing"])
async def test_what_cannot_be_changed_is_refused(store: SessionStore, mask: str) -> None:
    session = await store.create(DATA_STORE, Session())
    with pytest.raises(InvalidArgument) as refused:
        await store.update(session.name, Session(), mask)
    assert refused.value.field == "updateMask"


async def test_a_body_with_another_name_is_refused(store: SessionStore) -> None:
    session = await store.create(DATA_STORE, Session())
    short = session.name.replace("/collections/default_collection", "")
    await store.update(session.name, Session(name=short), "labels")
    with pytest.raises(InvalidArgument) as refused:
        await store.update(session.name, Session(name=f"{session.name}1"), "labels")
    assert refused.value.field == "session.name"


async def test_turns_are_replaced_as_a_whole(store: SessionStore, answering: Answering) -> None:
    session = await store.create(DATA_STORE, Session(turns=(Turn(query=Query(text="old?")),)))
    answer = await answering.begin(session.name)
    anew = tuple(Turn(query=Query(text=f"new {number}?")) for number in range(700))
    changed = await store.update(session.name, Session(turns=anew), "turns")
    assert changed.turns == anew
    assert changed.display_name == "new 0?"
    empty = await store.update(session.name, Session(), "turns")
    assert (empty.turns, empty.display_name, empty.end_time) == ((), "", None)
    await store.delete(session.name)
    with pytest.raises(NotFound):
        await store.get(answer)


async def test_no_change_is_lost_among_many_at_once(
    store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session())
    changes = (
        ("labels", Session(labels=("l",))),
        ("displayName", Session(display_name="d")),
        ("isPinned", Session(is_pinned=True)),
        ("userPseudoId", Session(user_pseudo_id="u")),
    )
    async with asyncio.TaskGroup() as tasks:
        for mask, patch in changes:
            tasks.create_task(store.update(session.name, patch, mask))
        for _ in range(5):
            tasks.create_task(answering.begin(session.name))
    found = await store.get(session.name)
    assert (found.labels, found.display_name, found.is_pinned) == (("l",), "d", True)
    assert (found.user_pseudo_id, len(found.turns)) == ("u", 5)


@pytest.mark.parametrize("call", ["get", "delete", "update"])
async def test_an_absent_session_is_not_found(store: SessionStore, call: str) -> None:
    name = names.session(DATA_STORE, "1")
    with pytest.raises(NotFound) as missing:
        await {
            "get": lambda: store.get(name),
            "delete": lambda: store.delete(name),
            "update": lambda: store.update(name, Session(), "labels"),
        }[call]()
    assert missing.value.reason == "RESOURCE_NOT_FOUND"
    assert missing.value.metadata == {"resource": name}
    assert not await store.exists(name)


async def test_a_deleted_session_leaves_nothing(
    redis: Redis, keys: Keys, store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session(), user="ann")
    answers = [await answering.begin(session.name) for _ in range(250)]
    assert await store.exists(session.name)
    await store.delete(session.name)
    assert not await store.exists(session.name)
    for answer in (answers[0], answers[-1]):
        with pytest.raises(NotFound):
            await AnswerStore(redis, keys).get(answer)
    left = await _everything(redis, keys)
    # The double forgets no lease but that of the last answer; a runner leaves one running answer.
    assert left == [keys.leases(keys.partition(session.name))]
    assert await store.list(ListQuery(DATA_STORE)) == ([], "")


async def test_late_writes_revive_nothing(
    redis: Redis, keys: Keys, store: SessionStore, answering: Answering
) -> None:
    """Whatever a writer still sends, the session stays deleted and a new one starts clean."""
    session = await store.create(DATA_STORE, Session())
    answer = await answering.begin(session.name)
    await store.delete(session.name)
    await answering.finish(answer)  # heedless, as no script of ours is
    with pytest.raises(NotFound):
        await store.get(session.name)
    with pytest.raises(NotFound):
        await AnswerStore(redis, keys).get(answer)
    again = await store.create(DATA_STORE, Session(name=session.name))
    assert (again.turns, again.end_time) == ((), None)
    assert await store.get(session.name) == again


async def test_a_name_is_free_again_once_deleted(
    redis: Redis, keys: Keys, store: SessionStore, answering: Answering
) -> None:
    """Even if the first deletion was not swept to its end."""
    name = names.session(DATA_STORE, "again")
    await store.create(DATA_STORE, Session(name=name))
    answer = await answering.begin(name)
    await answering.finish(answer)
    await redis.execute(keys.trashed(name), "RPUSH", keys.trashed(name), answer)
    await store.delete(name)
    await redis.execute(keys.trashed(name), "RPUSH", keys.trashed(name), answer)
    await store.create(DATA_STORE, Session(name=name))
    assert await redis.execute(keys.trashed(name), "EXISTS", keys.trashed(name)) == 0


async def test_a_sweep_goes_on_where_a_deletion_stopped(
    redis: Redis, keys: Keys, store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session())
    answer = await answering.begin(session.name)
    await answering.finish(answer)
    partition = keys.partition(session.name)
    await redis.execute(
        keys.answers(session.name), "RENAME", keys.answers(session.name), keys.trashed(session.name)
    )
    await redis.execute(keys.trash(partition), "ZADD", keys.trash(partition), 1, session.name)
    assert await Trash(redis, keys).sweep(partition) == 1
    assert await Trash(redis, keys).sweep(partition) == 0
    assert await redis.execute(keys.answer(answer), "EXISTS", keys.answer(answer)) == 0


async def test_everything_under_a_parent_can_go(store: SessionStore) -> None:
    for _ in range(60):
        await store.create(DATA_STORE, Session())
    other = await store.create(f"{DATA_STORE}2", Session())
    assert await store.delete_all(DATA_STORE) == 60
    assert await store.list(ListQuery(DATA_STORE)) == ([], "")
    assert await store.get(other.name) == other


async def test_a_session_that_a_query_opens_reads_as_any_other(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    name, key = names.session(DATA_STORE, "5"), keys.session(names.session(DATA_STORE, "5"))
    at = 1_700_000_000_000_001
    await redis.execute(key, "HSET", key, "json", new_session("ann"), "created", at, "updated", at)
    found = await store.get(name)
    assert json_codec.dump(found) == (
        b'{"name":"%b","state":"IN_PROGRESS","userPseudoId":"ann",'
        b'"startTime":"2023-11-14T22:13:20.000001Z"}' % name.encode()
    )
    assert await store.list(ListQuery(DATA_STORE)) == ([found], "")


async def test_an_answer_is_read_as_stored(
    redis: Redis, keys: Keys, store: SessionStore, answering: Answering
) -> None:
    session = await store.create(DATA_STORE, Session())
    answer = await answering.begin(session.name)
    await answering.finish(answer, "42")
    assert (await AnswerStore(redis, keys).get(answer)).answer_text == "42"
    with pytest.raises(NotFound):
        await AnswerStore(redis, keys).get(f"{answer}0")


async def test_a_session_is_read_for_its_user_alone(store: SessionStore) -> None:
    turns = tuple(Turn(query=Query(text=f"{i}")) for i in range(3))
    said = Session(display_name='"userPseudoId":"bob"', labels=("bob",), turns=turns)
    name = (await store.create(DATA_STORE, said, user="ännå")).name
    assert await store.owned(name, "ännå") == await store.get(name)
    for other in ("", "bob", "ann", "*", "ännå "):
        assert await store.owned(name, other) is None
    assert await store.owned(f"{DATA_STORE}/sessions/absent", "ännå") is None
    await store.update(name, Session(user_pseudo_id="bob"), "user_pseudo_id")
    assert await store.owned(name, "ännå") is None
    nobodys = (await store.create(DATA_STORE, Session())).name
    assert await store.owned(nobodys, "") is None


async def test_a_long_session_is_read_whole_for_its_user(store: SessionStore) -> None:
    turns = tuple(Turn(query=Query(text=f"{i}")) for i in range(101))
    name = (await store.create(DATA_STORE, Session(turns=turns), user="ann")).name
    found = await store.owned(name, "ann")
    assert found is not None
    assert found.turns == turns
    assert await store.owned(name, "bob") is None
